// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <optional>
#include <vector>

/// How grids begin and end, and what control points do. Nothing of a thread has run ahead of a control point, so what
/// one lets the thread know is known at once.
namespace pdlcts::machine {

/// All blocks of a node begin at once. That blocks may begin late, and one after the other, adds nothing: a block that
/// has begun and does nothing yet cannot be told from one that has not, except by dependents that may begin, and they
/// need not either (model.overlap-opportunistic).
void begin(const Code& code, State& state, std::size_t node);

/// Marks an operation as performed, lets its thread exit after the last one, and tidies up. The thread, or all threads
/// and blocks that it is counted with, have moved alike.
void finish(const Code& code, State& state, const Place& place, std::size_t operation);

/// bar.sync: where all threads of the block that have not exited stand before a barrier, its place in each thread's
/// code, else nothing.
using Barriers = std::vector<std::vector<std::size_t>>;
std::optional<Barriers> barrier_of(const Code& code, const State& state, std::size_t block);
void pass_barrier(const Code& code, State& state, std::size_t block, const Barriers& barriers);

/// Named barriers and cluster barriers.
void arrive(const Code& code, State& state, const Place& place, const Operation& operation, unsigned threads);
bool may_leave(const Code& code, const State& state, const Place& place, const Operation& operation);
void leave(const Code& code, State& state, const Place& place, const Operation& operation);

void arrive_at_mbarrier(const Code& code, State& state, const Place& place, const Operation& operation);
/// Whether a `mbarrier.wait` that looks now sees its phase completed; it may look too early at any time.
bool sees_phase(const State& state, const Operation& operation);
void learn_phase(const Code& code, State& state, const Place& place, const Operation& operation);

/// Starts a bulk copy: from now on it moves by itself.
void issue_copy(const Code& code, State& state, const Place& place, const Operation& operation);
bool are_copies_done(const State& state, const Place& place, const Operation& operation);
void learn_copies(const Code& code, State& state, const Place& place, const Operation& operation);

} // namespace pdlcts::machine
