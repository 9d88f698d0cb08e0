// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/benchmarks/spelled_out.hpp"

#include <optional>

namespace pdlcts::spin {

/// Whether something in a plan could tell the translation for SPIN from PTX's memory consistency model, and what. The
/// translation is the textbook's: every location has one order of writes, every thread a view of it, and a thread
/// performs nothing ahead of an instruction that synchronises. PTX leaves more open, which shows only in programs with
/// one of these; they are refused:
///
/// - writes of one location that neither are both strong nor stand in order: coherence relates them only partially;
/// - a read before a write of its thread, with something between them that synchronises, in a cycle of reads and
///   writes through other threads (load buffering): time would have to run backwards;
/// - a release followed by a strong write of the same location that releases nothing itself, or a strong read followed
///   by an acquire of the same location: patterns of more than one instruction (PTX 8.8) that the views do not tell;
/// - a reduction before a fence of its thread: whether such a read is part of an acquire pattern is a reading that the
///   machine's ledger settles, not this one.
std::optional<Error> inexact(const SpelledOut& plan);

} // namespace pdlcts::spin
