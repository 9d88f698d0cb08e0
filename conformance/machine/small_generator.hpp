// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/small_program.hpp"

#include <optional>
#include <random>
#include <string>
#include <vector>

/// The inside of small_program.hpp: one generator, whose themes stand in several files.
namespace pdlcts {

using Instructions = std::vector<Instruction>;

class SmallGenerator {
public:
    SmallGenerator(std::mt19937& random, unsigned size) : random_(random), left_(size) {}
    Program program(Theme theme);

private:
    // Choices.
    unsigned below(unsigned size) { return std::uniform_int_distribution<unsigned>(0, size - 1)(random_); }
    bool chance(unsigned percent) { return below(100) < percent; }
    template <typename T>
    T pick(const std::vector<T>& choices) {
        return choices[below(static_cast<unsigned>(choices.size()))];
    }
    std::string stream() { return pick(program_.streams); }
    std::string new_event() {
        recorded_.push_back(pick<std::string>({"e", "f"}));
        return recorded_.back();
    }
    std::string result() { return "r" + std::to_string(results_++); }
    Value value() { return chance(70) ? ++values_ : 1; } ///< mostly values that tell the writes apart
    Scope scope();

    // Memory: x and y, in a space and of a type drawn at random.
    void declare(std::vector<std::string> streams);
    void declare_shared(Grid& grid);
    const Location& location(const std::string& name) const;
    Element element(const std::string& name);
    std::string any_name() { return pick<std::string>({"x", "y"}); }

    // Instructions.
    Ordering ordering(Ordering synchronising) {
        return chance(weak_) ? Ordering::weak : (chance(50) ? Ordering::relaxed : synchronising);
    }
    Instruction atomic(const std::string& name, bool with_result);
    Instruction read(const std::string& name);
    Instruction write(const std::string& name);
    Instruction access() { return chance(50) ? read(any_name()) : write(any_name()); }
    Instruction fence();
    Instruction between();
    Instruction strong(Instruction instruction);
    Instructions accesses(unsigned most);
    Instructions instructions(unsigned most);

    // Grids.
    Grid grid(const std::string& on, unsigned blocks = 1, unsigned threads = 1);
    void add_agent(Grid& grid, unsigned block, unsigned thread, Instructions instructions);
    void add_agents(Grid& grid);
    void keep_clusters(Grid& grid);
    void add_observer();

    // Themes.
    void shape();
    std::vector<Instructions> parts();
    void barrier();
    Instructions with_barriers(const Instructions& barriers);
    void mbarrier();
    void bulk();
    Instructions copy_in(bool ordered);
    Instructions copy_out(bool ordered);
    void trigger();
    Instructions around_a_trigger(unsigned most);
    Grid primary(const std::string& on);
    Grid secondary(const std::string& on);
    void events();
    void host();
    HostOperation host_operation();
    void anything();
    Grid any_grid();

    std::mt19937& random_;
    unsigned left_;              ///< instructions
    unsigned memory_share_ = 70; ///< percent of instructions that are accesses
    bool second_gpu_ = false;    ///< has the last stream
    unsigned narrow_ = 15;       ///< percent of scopes that are cta or cluster
    unsigned weak_ = 33;         ///< percent of accesses that are weak
    unsigned results_ = 0;
    std::vector<std::string> recorded_; ///< events
    Value values_ = 0;
    std::vector<Location> shared_; ///< what the only grid has in shared memory
    std::vector<unsigned> ranks_;  ///< of the blocks whose shared memory is used; none: the own
    Program program_;
};

} // namespace pdlcts
