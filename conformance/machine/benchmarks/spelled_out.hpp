// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"
#include "conformance/support/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// A plan with every thread spelled out, which is how a model checker without folding has to have it. Made from the
/// program alone, not from what the machine compiles, so that a comparison with the machine is worth something.
namespace pdlcts::spin {

enum class Kind : std::uint8_t { trigger, wait, exit, barrier, fence, load, store, atomic, await };

struct Operation {
    Kind kind = Kind::exit;
    Ordering ordering = Ordering::weak;
    bool non_coherent = false;
    bool gives_value = false; ///< of an atomic: `atom`, not `red`
    AtomicOperation atomic = AtomicOperation::add;
    std::size_t location = 0;
    std::uint32_t value = 0; ///< stored, operand, or awaited
    std::optional<std::size_t> result;
    std::size_t write = 0;   ///< index into Location::writes; 0 is the initial value, so none
    unsigned round = 0;      ///< of a barrier: which one of its thread
    std::uint64_t after = 0; ///< operations of the thread that come first, as bits
    std::string text;
};

bool is_strong(const Operation& operation);
bool reads(const Operation& operation);
bool writes(const Operation& operation);
bool acquires(const Operation& operation); ///< of a load or an atomic
bool releases(const Operation& operation); ///< of a store or an atomic

struct Thread {
    std::size_t node = 0;
    std::size_t block = 0;
    std::string text; ///< `primary block 0 thread 0`
    std::vector<Operation> operations;
};

struct Block {
    std::size_t node = 0;
    std::vector<std::size_t> threads;
    unsigned barriers = 0; ///< rounds of bar.sync
};

struct Node {
    std::vector<Dependency> dependencies;
    std::vector<std::size_t> blocks; ///< with threads; the others begin and exit at once
};

/// Which instruction of which thread may write to a location.
struct Write {
    std::size_t thread = 0;
    std::size_t operation = 0;
};

struct Location {
    std::string name;
    std::uint32_t initial = 0;
    std::vector<Write> writes; ///< the first stands for the initial value
};

struct SpelledOut {
    std::vector<Location> locations;
    std::vector<std::string> results;
    std::vector<Node> nodes;
    std::vector<Block> blocks;
    std::vector<Thread> threads;
    /// Every value that a location or a result can have, sorted: at most 31, so that sets of them are bits.
    std::vector<std::uint32_t> values;

    const Operation& operation(const Write& write) const { return threads[write.thread].operations[write.operation]; }
    std::size_t index_of_value(std::uint32_t value) const;
};

std::uint32_t updated(AtomicOperation operation, std::uint32_t old, std::uint32_t operand);

/// An error says what of the program is not translated: more threads than are worth spelling out, or instructions that
/// the comparison does not cover.
Result<SpelledOut> spell_out(const Program& program, const Plan& plan);

} // namespace pdlcts::spin
