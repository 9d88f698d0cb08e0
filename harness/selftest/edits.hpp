// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <optional>

/// The changes that mutants make: each of program and control alike, as an emitter or a launcher with the defect would
/// make it. Each is nothing where neither program nor control changes. Claims are never touched.
namespace pdlcts::edits {

using Changed = std::optional<Litmus>;

// ---- the two PDL instructions -------------------------------------------------------------------------------------

Changed drop_wait(const Litmus& sound);
Changed drop_trigger(const Litmus& sound);
/// A thread that triggers does so once, as its first instruction.
Changed trigger_at_start(const Litmus& sound);
/// The same as its last one, before an exit.
Changed trigger_at_end(const Litmus& sound);

// ---- launches -----------------------------------------------------------------------------------------------------

Changed drop_pss(const Litmus& sound);
/// Programmatic and launch-completion events are recorded as ordinary ones, behind their grid.
Changed drop_event_attributes(const Litmus& sound);
/// Everything in one stream, without any attribute that lets grids overlap. Streams of a second GPU stay apart.
Changed serialise(const Litmus& sound);
Changed program_is_control(const Litmus& sound);
Changed control_is_program(const Litmus& sound);

// ---- memory -------------------------------------------------------------------------------------------------------

/// Without fences; releases and acquires are relaxed.
Changed drop_fences(const Litmus& sound);
/// Fences and strong accesses of scope cta.
Changed narrow_scopes(const Litmus& sound);
/// Loads stand before the first instruction of their thread that waits for something, where a compiler may move them.
Changed hoist_loads(const Litmus& sound);
/// Stores stand first in their thread.
Changed hoist_stores(const Litmus& sound);
/// What threads poll is never stored.
Changed drop_flags(const Litmus& sound);
/// What is read, and never polled, is not stored by threads.
Changed drop_payload(const Litmus& sound);

// ---- evidence -----------------------------------------------------------------------------------------------------

/// Polls give up at once, and delays take no time.
Changed impatient(const Litmus& sound);
/// Polls ask for the value that is there from the start, and nothing overlaps: every trial says that it is armed.
Changed false_arming(const Litmus& sound);
/// The last register that a thread of each program reads is not written down.
Changed drop_result(const Litmus& sound);

} // namespace pdlcts::edits
