// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/spelled_out.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <map>
#include <set>

namespace pdlcts::spin {
namespace {

constexpr std::size_t most_threads = 60;
constexpr std::size_t most_operations = 16;
constexpr std::size_t most_values = 31;

struct Names {
    std::map<std::string, std::size_t> locations;
    std::map<std::string, std::size_t> results;
};

Error not_covered(const std::string& what) {
    return Error{concat("the translation for SPIN does not cover ", what)};
}

bool is_control_point(const Operation& operation) {
    return operation.kind == Kind::trigger || operation.kind == Kind::wait || operation.kind == Kind::exit ||
           operation.kind == Kind::barrier || operation.kind == Kind::await;
}

/// What the translation keeps in program order: control points, whatever synchronises, and accesses of one location.
/// exactness.hpp refuses programs in which keeping the latter two could lose an outcome.
bool is_ordered(const Operation& earlier, const Operation& later) {
    const auto orders_all = [](const Operation& operation) {
        return is_control_point(operation) || operation.kind == Kind::fence || acquires(operation) ||
               releases(operation);
    };
    return orders_all(earlier) || orders_all(later) || earlier.location == later.location;
}

bool covers(Scope scope) {
    return scope == Scope::gpu || scope == Scope::sys;
}

std::size_t result_index(SpelledOut& plan, Names& names, const std::string& result) {
    const auto [entry, added] = names.results.emplace(result, plan.results.size());
    if (added) {
        plan.results.push_back(result);
    }
    return entry->second;
}

using Translated = Result<std::vector<Operation>>;

std::string element_name(const std::string& location, std::size_t index, bool array) {
    return array ? concat(location, "[", index, "]") : location;
}

/// The element, or with `lane` one behind it.
std::optional<std::size_t> location_of(const Element& element, unsigned lane, const Names& names) {
    if (element.rank) {
        return std::nullopt;
    }
    const auto found =
        names.locations.find(element_name(element.location, element.position() + lane, element.index.has_value()));
    return found == names.locations.end() ? std::nullopt : std::optional(found->second);
}

/// An access as one operation for each lane, which `fill` completes. The lanes of an instruction are unordered, which
/// shows no more than that they come one after the other: reads may return old values, and writes take any place.
template <typename Access, typename Fill>
Translated translate_access(Kind kind, const Access& access, std::size_t lanes, const Operation& like,
                            const Names& names, const Fill& fill) {
    std::vector<Operation> operations;
    for (unsigned lane = 0; lane < lanes; ++lane) {
        Operation operation = like;
        operation.kind = kind;
        const std::optional<std::size_t> location = location_of(access.element, lane, names);
        if (!location) {
            return not_covered(concat("memory other than global and host memory: ", like.text));
        }
        operation.location = *location;
        fill(operation, lane);
        operations.push_back(std::move(operation));
    }
    return operations;
}

/// Nothing for what means nothing to the machine: `delay`, and an `await` without a result.
Translated translate(const Instruction& instruction, SpelledOut& plan, Names& names) {
    Operation like;
    like.text = print(instruction);
    const auto plain = [&](Kind kind) -> Translated {
        like.kind = kind;
        return std::vector{like};
    };
    const auto refuse = [&]() -> Translated { return not_covered(like.text); };
    const auto is_covered = [&](const auto& strong) {
        like.ordering = strong.ordering;
        return strong.ordering == Ordering::weak || covers(strong.scope);
    };
    return std::visit(
        Overloaded{
            [&](const Trigger&) { return plain(Kind::trigger); }, [&](const Wait&) { return plain(Kind::wait); },
            [&](const Exit&) { return plain(Kind::exit); },
            [&](const Barrier& barrier) { return barrier.number == 0 ? plain(Kind::barrier) : refuse(); },
            [&](const Fence& fence) { return is_covered(fence) ? plain(Kind::fence) : refuse(); },
            [&](const Load& load) {
                like.non_coherent = load.cache == CacheOperator::nc;
                return !is_covered(load)
                           ? refuse()
                           : translate_access(Kind::load, load, load.results.size(), like, names,
                                              [&](Operation& operation, unsigned lane) {
                                                  operation.result = result_index(plan, names, load.results[lane]);
                                              });
            },
            [&](const Store& store) {
                return !is_covered(store)
                           ? refuse()
                           : translate_access(Kind::store, store, store.values.size(), like, names,
                                              [&](Operation& operation, unsigned lane) {
                                                  operation.value = static_cast<std::uint32_t>(store.values[lane]);
                                              });
            },
            [&](const Atomic& atomic) {
                return !is_covered(atomic) || atomic.operation == AtomicOperation::cas
                           ? refuse()
                           : translate_access(Kind::atomic, atomic, 1, like, names,
                                              [&](Operation& operation, unsigned) {
                                                  operation.atomic = atomic.operation;
                                                  operation.value = static_cast<std::uint32_t>(atomic.operand);
                                                  operation.gives_value = atomic.result.has_value();
                                                  if (atomic.result) {
                                                      operation.result = result_index(plan, names, *atomic.result);
                                                  }
                                              });
            },
            [&](const Await& await) {
                like.ordering = Ordering::relaxed;
                return !await.result
                           ? Translated(std::vector<Operation>())
                           : translate_access(Kind::await, await, 1, like, names, [&](Operation& operation, unsigned) {
                                 operation.value = static_cast<std::uint32_t>(await.value);
                                 operation.result = result_index(plan, names, *await.result);
                             });
            },
            [&](const Delay&) -> Translated { return std::vector<Operation>(); },
            [&](const auto&) { return refuse(); }},
        instruction);
}

void add_thread(SpelledOut& plan, std::size_t block, std::string text, std::vector<Operation> operations) {
    const std::size_t index = plan.threads.size();
    Thread thread{plan.blocks[block].node, block, std::move(text), std::move(operations)};
    for (std::size_t later = 0; later < thread.operations.size(); ++later) {
        Operation& operation = thread.operations[later];
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            if (is_ordered(thread.operations[earlier], operation)) {
                operation.after |= std::uint64_t{1} << earlier;
            }
        }
        if (writes(operation)) {
            std::vector<Write>& writes_of_location = plan.locations[operation.location].writes;
            operation.write = writes_of_location.size();
            writes_of_location.push_back({index, later});
        }
    }
    plan.blocks[block].threads.push_back(index);
    plan.threads.push_back(std::move(thread));
}

std::size_t add_block(SpelledOut& plan, std::size_t node) {
    plan.nodes[node].blocks.push_back(plan.blocks.size());
    plan.blocks.push_back({node, {}, 0});
    return plan.blocks.size() - 1;
}

Translated translate(const Agent& agent, SpelledOut& plan, Names& names) {
    std::vector<Operation> operations;
    unsigned barriers = 0;
    for (const Instruction& instruction : agent.instructions) {
        Translated translated = translate(instruction, plan, names);
        if (!translated) {
            return translated.error();
        }
        for (Operation& operation : *translated) {
            operation.round = operation.kind == Kind::barrier ? ++barriers : 0;
            operations.push_back(std::move(operation));
        }
    }
    if (operations.size() > most_operations) {
        return not_covered(concat("more than ", most_operations, " instructions in a thread"));
    }
    return operations;
}

std::optional<Error> add_grid(const Grid& grid, std::size_t node, SpelledOut& plan, Names& names) {
    if (gpu_scope(grid) != GpuScope{}) {
        return not_covered("memory synchronization domains and a second GPU");
    }
    std::map<unsigned, std::size_t> blocks;
    for (const Agent& agent : grid.agents) {
        Result<std::vector<Operation>> operations = translate(agent, plan, names);
        if (!operations) {
            return operations.error();
        }
        if (operations->empty()) {
            continue;
        }
        if (std::uint64_t{agent.blocks.size()} * agent.threads.size() + plan.threads.size() > most_threads) {
            return not_covered(concat("more than ", most_threads, " threads, which it would have to spell out"));
        }
        for (unsigned block = agent.blocks.first; block <= agent.blocks.last; ++block) {
            if (!blocks.contains(block)) {
                blocks[block] = add_block(plan, node);
            }
            for (unsigned thread = agent.threads.first; thread <= agent.threads.last; ++thread) {
                add_thread(plan, blocks[block], concat(grid.name, " block ", block, " thread ", thread), *operations);
            }
            plan.blocks[blocks[block]].barriers = static_cast<unsigned>(
                std::count_if(operations->begin(), operations->end(),
                              [](const Operation& operation) { return operation.kind == Kind::barrier; }));
        }
    }
    return std::nullopt;
}

void add_memset(const Program& program, const Memset& memset, std::size_t node, SpelledOut& plan, const Names& names) {
    std::vector<Operation> stores;
    for (const std::vector<pdlcts::Location>* memory : {&program.memory, &program.host_memory}) {
        for (const pdlcts::Location& location : *memory) {
            for (std::size_t index = 0; location.name == memset.location && index < location.elements(); ++index) {
                Operation store;
                store.kind = Kind::store;
                store.location = names.locations.at(element_name(location.name, index, location.array));
                store.value = static_cast<std::uint32_t>(memset.element(location.width));
                store.text = concat("memset ", memset.location);
                stores.push_back(std::move(store));
            }
        }
    }
    add_thread(plan, add_block(plan, node), concat("memset ", memset.location), std::move(stores));
}

/// Every value that a location can take, were its atomics performed in any order, each at most once.
std::set<std::uint32_t> values_of(const SpelledOut& plan, const Location& location) {
    std::set<std::uint32_t> values{location.initial};
    std::vector<Operation> atomics;
    for (std::size_t index = 1; index < location.writes.size(); ++index) {
        const Operation& operation = plan.operation(location.writes[index]);
        if (operation.kind == Kind::atomic) {
            atomics.push_back(operation);
        } else {
            values.insert(operation.value);
        }
    }
    for (std::size_t round = 0; round < atomics.size() && values.size() <= most_values; ++round) {
        const std::set<std::uint32_t> before = values;
        for (const Operation& atomic : atomics) {
            for (const std::uint32_t old : before) {
                values.insert(updated(atomic.atomic, old, atomic.value));
            }
        }
    }
    return values;
}

} // namespace

bool is_strong(const Operation& operation) {
    return operation.ordering != Ordering::weak;
}

bool reads(const Operation& operation) {
    return operation.kind == Kind::load || operation.kind == Kind::atomic || operation.kind == Kind::await;
}

bool writes(const Operation& operation) {
    return operation.kind == Kind::store || operation.kind == Kind::atomic;
}

bool acquires(const Operation& operation) {
    return reads(operation) && (operation.ordering == Ordering::acquire || operation.ordering == Ordering::acq_rel);
}

bool releases(const Operation& operation) {
    return writes(operation) && (operation.ordering == Ordering::release || operation.ordering == Ordering::acq_rel);
}

std::size_t SpelledOut::index_of_value(std::uint32_t value) const {
    return static_cast<std::size_t>(std::lower_bound(values.begin(), values.end(), value) - values.begin());
}

std::uint32_t updated(AtomicOperation operation, std::uint32_t old, std::uint32_t operand) {
    switch (operation) {
    case AtomicOperation::add:
        return old + operand;
    case AtomicOperation::exch:
        return operand;
    case AtomicOperation::min:
        return std::min(old, operand);
    case AtomicOperation::max:
        return std::max(old, operand);
    case AtomicOperation::bit_and:
        return old & operand;
    case AtomicOperation::bit_or:
        return old | operand;
    case AtomicOperation::bit_xor:
        return old ^ operand;
    case AtomicOperation::cas: // not translated
        break;
    }
    return old;
}

Result<SpelledOut> spell_out(const Program& program, const Plan& plan) {
    SpelledOut made;
    Names names;
    for (const std::vector<pdlcts::Location>* memory : {&program.memory, &program.host_memory}) {
        for (const pdlcts::Location& location : *memory) {
            for (std::size_t index = 0; index < location.elements(); ++index) {
                const std::string name = element_name(location.name, index, location.array);
                names.locations.emplace(name, made.locations.size());
                made.locations.push_back({name, static_cast<std::uint32_t>(location.initial[index]), {Write{}}});
            }
        }
    }
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        made.nodes.push_back({plan.nodes[node].dependencies, {}});
        const HostOperation& operation = program.operations[plan.nodes[node].operation];
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            if (auto error = add_grid(*grid, node, made, names)) {
                return *error;
            }
        } else if (const auto* memset = std::get_if<Memset>(&operation)) {
            add_memset(program, *memset, node, made, names);
        } else {
            return not_covered("host operations other than grids and memsets");
        }
    }
    std::set<std::uint32_t> values{0, 1}; // of an await
    for (const Location& location : made.locations) {
        values.merge(values_of(made, location));
    }
    if (values.size() > most_values) {
        return not_covered(concat("more than ", most_values, " values"));
    }
    made.values.assign(values.begin(), values.end());
    return made;
}

} // namespace pdlcts::spin
