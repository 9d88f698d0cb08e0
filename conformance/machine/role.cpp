// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/role.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/result.hpp"

#include <algorithm>
#include <optional>

namespace pdlcts::machine {
namespace {

bool acquires(Ordering ordering) {
    return ordering == Ordering::acquire || ordering == Ordering::acq_rel;
}

bool releases(Ordering ordering) {
    return ordering == Ordering::release || ordering == Ordering::acq_rel;
}

/// The copies of a bulk group, as indices of roles.
using Group = std::vector<std::uint8_t>;

/// Collects the operations of one thread.
struct Collector {
    RoleCompiler& compiler;
    std::size_t next_role;
    std::uint16_t& copied_slots;
    Role role = {};
    std::vector<Role> copies = {};
    std::map<unsigned, unsigned> barrier_uses = {};
    std::uint16_t cluster_arrivals = 0;
    std::uint16_t cluster_waits = 0;
    Group uncommitted = {};
    std::vector<Group> groups = {};
    std::string text = {};

    Operation& push(Operation operation) {
        operation.text = text;
        role.operations.push_back(std::move(operation));
        return role.operations.back();
    }

    Operation& control(Kind kind) {
        Operation operation;
        operation.kind = kind;
        return push(operation);
    }

    static Operation access(Kind kind, Ordering ordering, Scope scope) {
        Operation operation;
        operation.kind = kind;
        operation.ordering = ordering;
        operation.scope = scope;
        operation.strong = ordering != Ordering::weak;
        return operation;
    }

    void operator()(const Trigger&) { control(Kind::trigger); }
    void operator()(const Wait&) { control(Kind::wait); }
    void operator()(const Exit&) { control(Kind::exit); }
    void operator()(const Delay&) {}

    void operator()(const Barrier& barrier) {
        if (barrier.number == 0) {
            control(Kind::barrier);
            return;
        }
        const unsigned use = barrier_uses[barrier.number]++;
        const auto [slot, added] = compiler.gatherings.emplace(std::pair{barrier.number, use},
                                                               static_cast<std::uint16_t>(compiler.gatherings.size()));
        // A name of its own: Clang before 16 captures no part of a structured binding.
        const auto half = [&, gathering = slot->second](Kind kind) {
            Operation& operation = control(kind);
            operation.slot = gathering;
            operation.threads = compiler.barrier_threads.at(barrier.number);
            operation.ordering = Ordering::release;
        };
        half(Kind::gather_arrive);
        if (!barrier.arrive) {
            half(Kind::gather_leave);
        }
    }

    void operator()(const ClusterArrive& arrive) {
        Operation& operation = control(Kind::gather_arrive);
        operation.in_cluster = true;
        operation.slot = cluster_arrivals++;
        operation.threads = compiler.cluster_threads;
        operation.ordering = arrive.ordering;
    }

    void operator()(const ClusterWait&) {
        Operation& operation = control(Kind::gather_leave);
        operation.in_cluster = true;
        operation.slot = cluster_waits++;
        operation.threads = compiler.cluster_threads;
    }

    void operator()(const Fence& fence) {
        Operation& operation = control(Kind::fence);
        operation.ordering = fence.ordering;
        operation.scope = fence.scope;
    }

    void operator()(const ProxyFence&) { control(Kind::proxy_fence); }

    void operator()(const Load& load) {
        for (std::size_t lane = 0; lane < load.results.size(); ++lane) {
            Operation operation = access(Kind::load, load.ordering, load.scope);
            operation.cell = static_cast<Cell>(compiler.cell_of(load.element) + lane);
            operation.reads = true;
            operation.acquires = acquires(load.ordering);
            operation.non_coherent = load.cache == CacheOperator::nc;
            operation.result = compiler.result_index(load.results[lane]);
            push(operation);
        }
    }

    void operator()(const Store& store) {
        for (std::size_t lane = 0; lane < store.values.size(); ++lane) {
            Operation operation = access(Kind::store, store.ordering, store.scope);
            operation.cell = static_cast<Cell>(compiler.cell_of(store.element) + lane);
            operation.writes = true;
            operation.releases = releases(store.ordering);
            operation.value = store.values[lane];
            push(operation);
        }
    }

    void operator()(const Atomic& atomic) {
        Operation operation = access(Kind::atomic, atomic.ordering, atomic.scope);
        operation.cell = compiler.cell_of(atomic.element);
        operation.reads = operation.writes = true;
        // A reduction gives its thread no value, so what it reads is not acquired.
        operation.acquires = atomic.result && acquires(atomic.ordering);
        operation.releases = releases(atomic.ordering);
        operation.atomic = atomic.operation;
        operation.value = atomic.operand;
        operation.compare = atomic.compare;
        operation.result = atomic.result ? compiler.result_index(*atomic.result) : -1;
        push(operation);
    }

    /// An `await` without a result may always time out, which allows no less than a match.
    void operator()(const Await& await) {
        if (!await.result) {
            return;
        }
        Operation operation = access(Kind::await, Ordering::relaxed, Scope::sys);
        operation.cell = compiler.cell_of(await.element);
        operation.reads = true;
        operation.value = await.value;
        operation.result = compiler.result_index(*await.result);
        push(operation);
    }

    void operator()(const MbarrierArrive& arrive) {
        const unsigned block = arrive.mbarrier.rank ? compiler.block / compiler.grid->cluster * compiler.grid->cluster +
                                                          *arrive.mbarrier.rank
                                                    : compiler.block;
        Operation& operation = control(Kind::mbarrier_arrive);
        operation.scope = arrive.scope;
        operation.ordering = Ordering::release;
        operation.mbarrier = compiler.cells.mbarriers.at({compiler.node, block}).at(arrive.mbarrier.location);
        operation.bytes = arrive.expected_bytes.value_or(0);
    }

    void operator()(const MbarrierWait& wait) {
        if (!wait.result) {
            return;
        }
        Operation& operation = control(Kind::mbarrier_wait);
        operation.scope = wait.scope;
        operation.mbarrier = compiler.cells.mbarriers.at({compiler.node, compiler.block}).at(wait.mbarrier);
        operation.parity = wait.parity;
        operation.result = compiler.result_index(*wait.result);
    }

    void operator()(const BulkCopy& copy) {
        Role moved;
        moved.text = text;
        moved.is_copy = true;
        const Location& source = compiler.location(copy.source);
        const Cell from = compiler.cell_of({copy.source, std::nullopt, std::nullopt});
        const Cell to = compiler.cell_of({copy.destination, std::nullopt, std::nullopt});
        for (unsigned element = 0; element < source.elements(); ++element) {
            Operation operation = access(Kind::copy, Ordering::weak, Scope::sys);
            operation.source = static_cast<Cell>(from + element);
            operation.cell = static_cast<Cell>(to + element);
            operation.reads = operation.writes = operation.asynchronous = true;
            operation.text = text + ", element " + std::to_string(element);
            moved.operations.push_back(std::move(operation));
        }
        const auto index = static_cast<std::uint8_t>(next_role + copies.size());
        if (copy.into_shared()) {
            moved.mbarrier = compiler.cells.mbarriers.at({compiler.node, compiler.block}).at(*copy.mbarrier);
            moved.bytes = source.bytes();
        } else {
            moved.copied_slot = copied_slots++;
            uncommitted.push_back(index);
        }
        copies.push_back(std::move(moved));
        control(Kind::bulk_issue).copies = {index};
    }

    void operator()(const BulkCommit&) {
        groups.push_back(uncommitted);
        uncommitted.clear();
    }

    void operator()(const BulkWait& wait) {
        Group waited;
        for (std::size_t group = 0; group + wait.pending < groups.size(); ++group) {
            waited.insert(waited.end(), groups[group].begin(), groups[group].end());
        }
        Operation& operation = control(Kind::bulk_wait);
        operation.copies = std::move(waited);
        operation.waits_for_reads_only = wait.read;
    }
};

/// Numbers the operations; those of one instruction stand side by side and share their `last`.
void number(Role& role, std::size_t first) {
    for (std::size_t index = first; index < role.operations.size(); ++index) {
        role.operations[index].index = static_cast<std::uint8_t>(index);
        role.operations[index].last = static_cast<std::uint8_t>(role.operations.size() - 1);
    }
}

bool reads_strongly(const Operation& operation) {
    // Of atomics only those that give their thread the value.
    return operation.strong && operation.reads && operation.result >= 0;
}

bool writes_strongly(const Operation& operation) {
    return operation.strong && operation.writes;
}

/// Whether some operation behind `earlier` in program order is one of these.
template <typename Predicate>
bool any_behind(const Role& role, const Operation& earlier, const Predicate& predicate) {
    return std::any_of(role.operations.begin() + earlier.last + 1, role.operations.end(), predicate);
}

template <typename Predicate>
bool any_before(const Role& role, const Operation& later, const Predicate& predicate) {
    return std::any_of(role.operations.begin(), role.operations.end(),
                       [&](const Operation& earlier) { return earlier.last < later.index && predicate(earlier); });
}

/// PTX 8.8: a strong read, behind which a fence, or an acquire of the same cell, makes an acquire pattern.
bool collects(const Role& role, const Operation& read) {
    return reads_strongly(read) && any_behind(role, read, [&](const Operation& later) {
               return later.kind == Kind::fence || (later.acquires && later.cell == read.cell);
           });
}

/// PTX 8.8: a strong write that ends a release pattern.
bool publishes(const Role& role, const Operation& write) {
    return writes_strongly(write) && (write.releases || any_before(role, write, [&](const Operation& earlier) {
                                          return earlier.kind == Kind::fence ||
                                                 (earlier.releases && earlier.cell == write.cell);
                                      }));
}

} // namespace

Cell RoleCompiler::cell_of(const Element& element) const {
    const auto global = cells.global.find(element.location);
    if (global != cells.global.end()) {
        return static_cast<Cell>(global->second + element.position());
    }
    const unsigned owner = element.rank ? block / grid->cluster * grid->cluster + *element.rank : block;
    return static_cast<Cell>(cells.shared.at({node, owner}).at(element.location) + element.position());
}

int RoleCompiler::result_index(const std::string& result) {
    const auto [entry, added] = results.emplace(result, static_cast<int>(code.results.size()));
    if (added) {
        code.results.push_back(result);
    }
    return entry->second;
}

const Location& RoleCompiler::location(const std::string& name) const {
    for (const std::vector<Location>* locations :
         {&program.memory, &program.host_memory, grid == nullptr ? &program.memory : &grid->shared}) {
        for (const Location& each : *locations) {
            if (each.name == name) {
                return each;
            }
        }
    }
    return program.memory.front(); // the parser has declared it
}

Result<std::vector<Role>> RoleCompiler::compile(const std::vector<Instruction>& instructions, std::string text,
                                                unsigned threads, std::size_t next_role, std::uint16_t& copied_slots) {
    Collector collector{*this, next_role, copied_slots};
    collector.role.text = std::move(text);
    collector.role.threads = threads;
    for (const Instruction& instruction : instructions) {
        const std::size_t first = collector.role.operations.size();
        collector.text = print(instruction);
        std::visit(collector, instruction);
        // The two halves of a barrier are one after the other, the lanes of an access are not.
        const bool lanes = std::holds_alternative<Load>(instruction) || std::holds_alternative<Store>(instruction);
        number(collector.role, first);
        for (std::size_t index = first; !lanes && index < collector.role.operations.size(); ++index) {
            collector.role.operations[index].last = static_cast<std::uint8_t>(index);
        }
        if (collector.role.operations.size() > 64) {
            return Error{"the machine holds 64 instructions a thread; this one has more"};
        }
    }
    std::vector<Role> roles{std::move(collector.role)};
    for (Role& copy : collector.copies) {
        number(copy, 0);
        roles.push_back(std::move(copy));
    }
    return roles;
}

Role RoleCompiler::compile_host(const std::vector<HostInstruction>& instructions) {
    Role role;
    for (const HostInstruction& instruction : instructions) {
        Operation operation;
        operation.strong = true;
        operation.scope = Scope::sys;
        std::visit(Overloaded{[&](const HostRead& read) {
                                  operation.kind = Kind::load;
                                  operation.cell = cell_of(read.element);
                                  operation.ordering = Ordering::acquire;
                                  operation.reads = operation.acquires = true;
                                  operation.result = result_index(read.result);
                                  operation.text = "read " + code.cells[operation.cell] + " -> " + read.result;
                              },
                              [&](const HostWrite& write) {
                                  operation.kind = Kind::store;
                                  operation.cell = cell_of(write.element);
                                  operation.ordering = Ordering::release;
                                  operation.writes = operation.releases = true;
                                  operation.value = write.value;
                                  operation.text =
                                      "write " + code.cells[operation.cell] + ", " + std::to_string(write.value);
                              }},
                   instruction);
        role.operations.push_back(std::move(operation));
        number(role, role.operations.size() - 1);
    }
    return role;
}

Role RoleCompiler::compile_memset(const Memset& memset) {
    const Location& set = location(memset.location);
    Role role;
    for (unsigned element = 0; element < set.elements(); ++element) {
        Operation operation;
        operation.kind = Kind::store;
        operation.writes = true;
        operation.cell = static_cast<Cell>(cell_of({memset.location, std::nullopt, std::nullopt}) + element);
        operation.value = memset.element(set.width);
        operation.text = "sets " + code.cells[operation.cell] + " to " + std::to_string(operation.value);
        role.operations.push_back(std::move(operation));
    }
    number(role, 0);
    return role;
}

Role RoleCompiler::compile_memcpy(const Memcpy& memcpy) {
    Role role;
    for (unsigned element = 0; element < location(memcpy.source).elements(); ++element) {
        Operation operation;
        operation.kind = Kind::copy;
        operation.reads = operation.writes = true;
        operation.source = static_cast<Cell>(cell_of({memcpy.source, std::nullopt, std::nullopt}) + element);
        operation.cell = static_cast<Cell>(cell_of({memcpy.destination, std::nullopt, std::nullopt}) + element);
        operation.text = "copies " + code.cells[operation.source] + " to " + code.cells[operation.cell];
        role.operations.push_back(std::move(operation));
    }
    number(role, 0);
    return role;
}

void mark_synchronisation(Code& code) {
    std::vector<bool> released(code.cells.size());
    std::vector<bool> acquired(code.cells.size());
    const auto each = [&](const auto& function) {
        for (BlockClass& block_class : code.classes) {
            for (Role& role : block_class.roles) {
                for (Operation& operation : role.operations) {
                    function(role, operation);
                }
            }
        }
    };
    each([&](Role& role, Operation& operation) {
        operation.publishes = publishes(role, operation);
        operation.collects = collects(role, operation);
        if (operation.publishes) {
            released[operation.cell] = true;
        }
        if (operation.collects || operation.acquires) {
            acquired[operation.cell] = true;
        }
    });
    each([&](Role&, Operation& operation) {
        if (accesses_memory(operation)) {
            operation.publishes = operation.publishes && acquired[operation.cell];
            operation.releases = operation.releases && acquired[operation.cell];
            operation.collects = operation.collects && released[operation.cell];
            operation.acquires = operation.acquires && released[operation.cell];
        }
    });
    each([&](Role& role, Operation& operation) {
        operation.keeps =
            (operation.kind == Kind::fence &&
             any_behind(role, operation,
                        [](const Operation& later) { return later.publishes || later.kind == Kind::trigger; })) ||
            (operation.releases && any_behind(role, operation, [&](const Operation& later) {
                 return later.publishes && later.cell == operation.cell;
             }));
    });
}

} // namespace pdlcts::machine
