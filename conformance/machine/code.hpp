// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"
#include "conformance/support/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

/// What the machine runs: a program and its plan made flat, with every question that does not change during an
/// execution answered once.
namespace pdlcts::machine {

enum class Kind : std::uint8_t { trigger, wait, exit, barrier, fence, load, store, atomic, await };

/// Where two operations stand to each other decides which scopes let them synchronise: in one block, or on one GPU.
/// Levels are ordered; a scope includes every level up to its own.
enum class Level : std::uint8_t { block, gpu };
inline constexpr std::size_t level_count = 2;

struct Operation {
    Kind kind = Kind::trigger;
    std::uint8_t index = 0; ///< in its role
    Ordering ordering = Ordering::weak;
    Scope scope = Scope::sys;
    AtomicOperation atomic = AtomicOperation::add;
    bool non_coherent = false; ///< `.nc`
    std::uint16_t location = 0;
    Value value = 0;
    int result = -1;         ///< index into Code::results, -1 for none
    std::uint64_t after = 0; ///< the instructions of the thread that have to be performed before this one, as bits
    std::string text;        ///< the litmus line
};

bool includes(Scope scope, Level level);
bool accesses_memory(const Operation& operation);
bool acquires(const Operation& operation); ///< of a load or an atomic
bool releases(const Operation& operation); ///< of a store or an atomic

/// The instructions of one agent, less those that mean nothing to the machine (`delay`).
struct Role {
    std::string text; ///< `thread 0`, `threads 0..31`
    unsigned threads = 1;
    std::vector<Operation> operations;
    std::uint64_t every_operation() const {
        return operations.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << operations.size()) - 1;
    }
};

/// Blocks of one node that run the same roles, and so are counted instead of spelled out.
struct BlockClass {
    std::size_t node = 0;
    unsigned blocks = 1;
    std::string text; ///< `block 3`, `blocks 0..6`; empty where the grid has one block
    std::vector<Role> roles;
};

struct NodeCode {
    std::string text; ///< `primary`, `memset y`
    unsigned blocks = 1;
    std::vector<Dependency> dependencies;
    std::vector<std::size_t> classes;
    std::vector<std::size_t> dependents;
};

struct Code {
    std::vector<std::string> locations;
    std::vector<Value> initial;
    std::vector<std::string> results;
    std::vector<NodeCode> nodes;
    std::vector<BlockClass> classes;
    /// Whether every block with an agent is a class of its own: operations of block scope tell blocks apart.
    bool blocks_differ = false;
};

/// An error says what the machine cannot hold: more than 64 instructions in a thread, say.
Result<Code> compile(const Program& program, const Plan& plan);

} // namespace pdlcts::machine
