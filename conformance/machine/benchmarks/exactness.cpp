// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/exactness.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts::spin {
namespace {

Error refused(const std::string& why) {
    return Error{concat("the translation for SPIN is not exact: ", why)};
}

using Relation = std::vector<std::vector<bool>>;

template <typename Function>
Relation reachable(const SpelledOut& plan, const Function& counts) {
    Relation below(plan.nodes.size(), std::vector<bool>(plan.nodes.size()));
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        for (const Dependency& dependency : plan.nodes[node].dependencies) {
            if (counts(dependency)) {
                below[dependency.upstream][node] = true;
                for (std::size_t above = 0; above < dependency.upstream; ++above) {
                    below[above][node] = below[above][node] || below[above][dependency.upstream];
                }
            }
        }
    }
    return below;
}

bool is_full(const Dependency& dependency) {
    return dependency.port == Port::full;
}

bool orders_something(const Dependency& dependency) {
    return dependency.port == Port::full || dependency.type == DependencyType::programmatic;
}

unsigned barriers_before(const Thread& thread, std::size_t operation) {
    return static_cast<unsigned>(std::count_if(thread.operations.begin(),
                                               thread.operations.begin() + static_cast<std::ptrdiff_t>(operation),
                                               [](const Operation& each) { return each.kind == Kind::barrier; }));
}

/// Whether one write is known to whoever performs the other, in every execution.
bool precedes(const SpelledOut& plan, const Relation& full, const Write& first, const Write& second) {
    const Thread& before = plan.threads[first.thread];
    const Thread& after = plan.threads[second.thread];
    if (first.thread == second.thread) {
        return first.operation < second.operation;
    }
    if (before.block == after.block) {
        return barriers_before(before, first.operation) < barriers_before(after, second.operation);
    }
    if (full[before.node][after.node]) {
        return true;
    }
    const auto end = after.operations.begin() + static_cast<std::ptrdiff_t>(second.operation);
    const bool waits = std::any_of(after.operations.begin(), end,
                                   [](const Operation& operation) { return operation.kind == Kind::wait; });
    const std::vector<Dependency>& dependencies = plan.nodes[after.node].dependencies;
    return waits && std::any_of(dependencies.begin(), dependencies.end(), [&](const Dependency& dependency) {
               return dependency.type == DependencyType::programmatic &&
                      (dependency.upstream == before.node || full[before.node][dependency.upstream]);
           });
}

std::optional<Error> racing_writes(const SpelledOut& plan) {
    const Relation full = reachable(plan, is_full);
    for (const Location& location : plan.locations) {
        for (std::size_t one = 1; one < location.writes.size(); ++one) {
            for (std::size_t other = one + 1; other < location.writes.size(); ++other) {
                const Write& first = location.writes[one];
                const Write& second = location.writes[other];
                const bool strong = is_strong(plan.operation(first)) && is_strong(plan.operation(second));
                if (!strong && !precedes(plan, full, first, second) && !precedes(plan, full, second, first)) {
                    return refused(concat("weak writes of ", location.name, " race"));
                }
            }
        }
    }
    return std::nullopt;
}

/// From a read of one location to a write of another that has to come later, in a thread or by way of others.
struct Edge {
    static constexpr std::size_t no_thread = ~std::size_t{0};
    std::size_t thread = no_thread;
    std::size_t from = 0;
    std::size_t to = 0;
};

template <typename Function>
void for_each_access_pair(const Thread& first, const Thread& second, const Function& function) {
    for (std::size_t read = 0; read < first.operations.size(); ++read) {
        for (std::size_t write = 0; write < second.operations.size(); ++write) {
            if (reads(first.operations[read]) && writes(second.operations[write])) {
                function(read, write);
            }
        }
    }
}

std::vector<Edge> edges_of(const SpelledOut& plan) {
    const Relation below = reachable(plan, orders_something);
    std::vector<Edge> edges;
    for (std::size_t one = 0; one < plan.threads.size(); ++one) {
        const Thread& first = plan.threads[one];
        for (std::size_t other = 0; other < plan.threads.size(); ++other) {
            const Thread& second = plan.threads[other];
            const bool same_block = first.block == second.block && plan.blocks[first.block].barriers > 0;
            for_each_access_pair(first, second, [&](std::size_t read, std::size_t write) {
                const std::size_t from = first.operations[read].location;
                const std::size_t to = second.operations[write].location;
                if (one == other && read <= write) {
                    edges.push_back({one, from, to});
                } else if (one != other && (same_block || below[first.node][second.node])) {
                    edges.push_back({Edge::no_thread, from, to});
                }
            });
        }
    }
    return edges;
}

/// Whether what a thread writes to one location may be what another location's value comes from, by way of others.
bool may_lead_to(const std::vector<Edge>& edges, std::size_t locations, std::size_t thread, std::size_t from,
                 std::size_t to) {
    std::vector<bool> met(locations);
    for (const Edge& edge : edges) {
        if (edge.thread != thread && edge.from == from) {
            met[edge.to] = true;
        }
    }
    for (bool grown = true; grown;) {
        grown = false;
        for (const Edge& edge : edges) {
            if (met[edge.from] && !met[edge.to]) {
                met[edge.to] = true;
                grown = true;
            }
        }
    }
    return met[to];
}

bool is_control_point(const Operation& operation) {
    return operation.kind == Kind::trigger || operation.kind == Kind::wait || operation.kind == Kind::exit ||
           operation.kind == Kind::barrier || operation.kind == Kind::await;
}

/// Whether PTX would let the write of a thread come before the read, where the translation does not.
bool is_kept_too_strictly(const Thread& thread, std::size_t read, std::size_t write) {
    bool kept = thread.operations[read].location == thread.operations[write].location;
    for (std::size_t index = read; index <= write; ++index) {
        const Operation& operation = thread.operations[index];
        if (is_control_point(operation)) {
            return false;
        }
        kept = kept || operation.kind == Kind::fence || acquires(operation) || releases(operation);
    }
    return kept;
}

std::optional<Error> load_buffering(const SpelledOut& plan) {
    const std::vector<Edge> edges = edges_of(plan);
    for (std::size_t index = 0; index < plan.threads.size(); ++index) {
        const Thread& thread = plan.threads[index];
        bool found = false;
        for_each_access_pair(thread, thread, [&](std::size_t read, std::size_t write) {
            found = found || (read < write && is_kept_too_strictly(thread, read, write) &&
                              may_lead_to(edges, plan.locations.size(), index, thread.operations[write].location,
                                          thread.operations[read].location));
        });
        if (found) {
            return refused(concat(thread.text, " may take part in load buffering"));
        }
    }
    return std::nullopt;
}

std::optional<Error> patterns(const Thread& thread) {
    for (std::size_t later = 0; later < thread.operations.size(); ++later) {
        const Operation& second = thread.operations[later];
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const Operation& first = thread.operations[earlier];
            const bool same = first.location == second.location;
            if (same && releases(first) && writes(second) && is_strong(second) && !releases(second)) {
                return refused(concat(thread.text, " writes after a release of the same location"));
            }
            if (same && reads(first) && is_strong(first) && !acquires(first) && acquires(second)) {
                return refused(concat(thread.text, " reads before an acquire of the same location"));
            }
            if (first.kind == Kind::atomic && !first.gives_value && second.kind == Kind::fence) {
                return refused(concat(thread.text, " has a reduction before a fence"));
            }
        }
    }
    return std::nullopt;
}

} // namespace

std::optional<Error> inexact(const SpelledOut& plan) {
    for (const Thread& thread : plan.threads) {
        if (auto error = patterns(thread)) {
            return error;
        }
    }
    if (auto error = racing_writes(plan)) {
        return error;
    }
    return load_buffering(plan);
}

} // namespace pdlcts::spin
