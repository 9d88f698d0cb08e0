// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

/// What a thread may still do, as far as a step of another block depends on it.
namespace pdlcts::machine {

/// Fills in Code::prospects and Operation::prospect. Operations that no other block can tell apart share a prospect.
void number_prospects(Code& code);

/// The prospects of a block's threads, as bits; only where the code has no more than 64.
std::uint64_t prospects_of(const Code& code, const Block& block);

/// Whether nothing behind a reduction in its thread could tell, or let others tell, which of several it was.
bool keeps_its_turn_to_itself(const Role& role, const Operation& reduction);

} // namespace pdlcts::machine
