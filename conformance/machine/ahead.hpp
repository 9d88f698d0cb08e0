// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

/// Writes that run ahead of what precedes them in their thread, and what that asks of what is learned later.
///
/// Operations of a thread are performed in program order, but a write may be performed before reads and sequentially
/// consistent fences that precede it: that is all that load buffering needs, because a read can return an old write at
/// any time and a write can be put anywhere that coherence leaves open. What an earlier operation then learns is
/// checked against what has run ahead; where it contradicts, the execution is given up.
namespace pdlcts::machine {

/// Calls a function with every operation of a thread that has been performed before an earlier one of it, `first` or
/// later, and with the entry of its write.
template <typename Function>
bool all_ahead(const Role& role, const Thread& thread, std::size_t first, const Function& function) {
    for (const auto& [last, learned] : thread.ahead) {
        for (std::size_t index = first; index < role.operations.size(); ++index) {
            const Operation& operation = role.operations[index];
            if (operation.last != last || !operation.writes || !is_performed(thread, operation)) {
                continue;
            }
            for (const Entry& entry : learned) {
                if (entry.key == operation.cell && !function(operation, entry)) {
                    return false;
                }
            }
        }
    }
    return true;
}

/// Whether a write may be performed although operations before it are pending.
bool may_run_ahead(const Role& role, const Thread& thread, const Operation& operation);

/// A read may not return what its own thread writes later, nor, where all are morally strong, what comes behind that.
bool reads_own_future(const Code& code, const State& state, const Place& place, const Operation& operation, Cell cell,
                      std::uint16_t at);

/// Whether anything is pending before an operation that could tell.
bool has_pending_before(const Role& role, const Thread& thread, const Operation& operation);

/// Whether something pending before an operation could still make its thread know more.
bool has_pending_acquire(const Role& role, const Thread& thread, const Operation& operation);

/// The scopes of what a write that runs ahead is still to release.
std::uint8_t pending_releases(const Role& role, const Thread& thread, const Operation& operation);

/// PTX 8.10.3: no write that is morally strong with an atomic comes between it and the write that it read. And nothing
/// that has been read may turn out to precede what its reader knew (8.10.6).
bool is_consistent(const Code& code, const Messages& messages);

/// Where a read knows of writes that are unrelated to the one that it returns, they must stay so, or come before it.
void note_read(const Code& code, State& state, const Operation& operation, Cell cell, std::uint16_t at,
               const View& known);

/// Lets a thread know what an operation of it has learned; false when that contradicts what has run ahead.
bool learn(const Code& code, State& state, const Place& place, const Operation& operation, View learned);

/// Lets those who have read a write before it was finished acquire what it has released.
void follow_finished(Counted<Block>& blocks, const Entry& finished, const std::vector<Release>& releases);

/// Publishes what writes that ran ahead release, once nothing before them is pending.
void finish_writes(const Code& code, State& state, const Place& place);

} // namespace pdlcts::machine
