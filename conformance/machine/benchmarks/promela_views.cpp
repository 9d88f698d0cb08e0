// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/promela_views.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts::spin {
namespace {

bool has(const Thread& thread, Kind kind) {
    return std::any_of(thread.operations.begin(), thread.operations.end(),
                       [&](const Operation& operation) { return operation.kind == kind; });
}

/// Whether some operation of one sort stands before one of another sort.
template <typename First, typename Second>
bool has_in_order(const Thread& thread, const First& first, const Second& second) {
    const auto found = std::find_if(thread.operations.begin(), thread.operations.end(), first);
    return found != thread.operations.end() && std::any_of(found + 1, thread.operations.end(), second);
}

bool is_fence(const Operation& operation) {
    return operation.kind == Kind::fence;
}

bool is_strong_write(const Operation& operation) {
    return writes(operation) && is_strong(operation);
}

bool follows_fence(const Thread& thread, std::size_t operation) {
    return std::any_of(thread.operations.begin(), thread.operations.begin() + static_cast<std::ptrdiff_t>(operation),
                       is_fence);
}

std::vector<bool> carrying_writes(const SpelledOut& plan, const Location& location) {
    std::vector<bool> carrying(location.writes.size());
    for (std::size_t write = 1; write < location.writes.size(); ++write) {
        const Write& where = location.writes[write];
        const Operation& operation = plan.operation(where);
        carrying[write] =
            is_strong(operation) && (releases(operation) || follows_fence(plan.threads[where.thread], where.operation));
    }
    // An atomic passes on what the write that it read has released (observation order).
    if (std::find(carrying.begin(), carrying.end(), true) != carrying.end()) {
        for (std::size_t write = 1; write < location.writes.size(); ++write) {
            carrying[write] = carrying[write] || plan.operation(location.writes[write]).kind == Kind::atomic;
        }
    }
    return carrying;
}

void mark_upstreams(const SpelledOut& plan, std::size_t node, Views& views) {
    bool waits = false;
    for (const std::size_t block : plan.nodes[node].blocks) {
        for (const std::size_t thread : plan.blocks[block].threads) {
            waits = waits || has(plan.threads[thread], Kind::wait);
        }
    }
    for (const Dependency& dependency : plan.nodes[node].dependencies) {
        if (dependency.port == Port::full || (dependency.type == DependencyType::programmatic && waits)) {
            views.keeps_completion[dependency.upstream] = true;
        }
        if (dependency.port == Port::programmatic) {
            views.counts_triggers[dependency.upstream] = true;
        }
    }
}

std::string fired(const SpelledOut& plan, const Dependency& dependency) {
    const std::size_t upstream = dependency.upstream;
    switch (dependency.port) {
    case Port::full:
        return complete(plan, upstream);
    case Port::programmatic:
        return plan.nodes[upstream].blocks.empty()
                   ? concat("BEGAN", upstream)
                   : concat("(triggered", upstream, " == ", plan.nodes[upstream].blocks.size(), ")");
    case Port::launch_completion:
        // Blocks begin as soon as they may: that they may also begin late adds no outcome.
        return dependency.type == DependencyType::full ? "true" : concat("BEGAN", upstream);
    }
    return "true";
}

} // namespace

bool Views::may_trigger(const SpelledOut& plan, const Block& block) const {
    return counts_triggers[block.node] &&
           std::any_of(block.threads.begin(), block.threads.end(),
                       [&](std::size_t thread) { return has(plan.threads[thread], Kind::trigger); });
}

Views views_of(const SpelledOut& plan) {
    Views views;
    for (std::size_t location = 0; location < plan.locations.size(); ++location) {
        views.carrying.push_back(carrying_writes(plan, plan.locations[location]));
        if (plan.locations[location].writes.size() > 1) {
            views.written.push_back(location);
        }
    }
    views.keeps_completion.resize(plan.nodes.size());
    views.counts_triggers.resize(plan.nodes.size());
    views.trigger_releases.resize(plan.nodes.size());
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        mark_upstreams(plan, node, views);
    }
    std::size_t sc_fences = 0;
    for (const Thread& thread : plan.threads) {
        if (views.counts_triggers[thread.node] && has_in_order(thread, is_fence, [](const Operation& operation) {
                return operation.kind == Kind::trigger;
            })) {
            views.trigger_releases[thread.node] = true;
        }
        for (const Operation& operation : thread.operations) {
            sc_fences += is_fence(operation) && operation.ordering == Ordering::sc ? 1 : 0;
        }
    }
    views.sc_fences = sc_fences > 1;
    return views;
}

ThreadViews thread_views(const Views& views, const Thread& thread) {
    ThreadViews made;
    const auto reads_strongly = [](const Operation& operation) { return reads(operation) && is_strong(operation); };
    if (has_in_order(thread, reads_strongly, is_fence)) {
        made.acquirable = views.written;
    }
    const bool fenced_trigger = views.trigger_releases[thread.node];
    if (has_in_order(thread, is_fence, [&](const Operation& operation) {
            return is_strong_write(operation) || (operation.kind == Kind::trigger && fenced_trigger);
        })) {
        made.released = views.written;
    }
    const bool hands_on = !made.released.empty() || views.keeps_completion[thread.node] ||
                          (views.sc_fences && has(thread, Kind::fence)) || has(thread, Kind::barrier) ||
                          std::any_of(thread.operations.begin(), thread.operations.end(), releases);
    for (const std::size_t location : views.written) {
        const bool accessed =
            std::any_of(thread.operations.begin(), thread.operations.end(), [&](const Operation& operation) {
                return (reads(operation) || writes(operation)) && operation.location == location;
            });
        if (hands_on || accessed) {
            made.known.push_back(location);
        }
    }
    return made;
}

std::string value_variable(std::size_t location, std::size_t write) {
    return concat("v", location, "_", write);
}

std::string released_variable(std::size_t location, std::size_t write, std::size_t of) {
    return concat("m", location, "_", write, "_", of);
}

std::string barrier_variable(std::size_t block, unsigned round, std::size_t location) {
    return concat("b", block, "_", round, "_", location);
}

std::string newer(std::size_t location, const std::string& one, const std::string& other) {
    if (one.empty() || other.empty() || one == other) {
        return one.empty() ? other : one;
    }
    return concat("NEWER", location, "(", one, ", ", other, ")");
}

std::string began(const SpelledOut& plan, std::size_t node) {
    std::string text;
    for (const Dependency& dependency : plan.nodes[node].dependencies) {
        text += concat(text.empty() ? "" : " && ", fired(plan, dependency));
    }
    return text.empty() ? "true" : text;
}

std::string complete(const SpelledOut& plan, std::size_t node) {
    const std::size_t blocks = plan.nodes[node].blocks.size();
    return blocks == 0 ? concat("BEGAN", node) : concat("(gone", node, " == ", blocks, ")");
}

std::string begin_view(const SpelledOut& plan, const Views& views, std::size_t node, std::size_t location) {
    std::string view;
    for (const Dependency& dependency : plan.nodes[node].dependencies) {
        const std::size_t upstream = dependency.upstream;
        if (dependency.port == Port::full) {
            view = newer(location, view, completion_view(plan, views, upstream, location));
        } else if (dependency.port == Port::programmatic && views.trigger_releases[upstream]) {
            view = newer(location, view, concat("t", upstream, "_", location));
        }
    }
    return view;
}

std::string completion_view(const SpelledOut& plan, const Views& views, std::size_t node, std::size_t location) {
    return plan.nodes[node].blocks.empty() ? begin_view(plan, views, node, location) : concat("c", node, "_", location);
}

} // namespace pdlcts::spin
