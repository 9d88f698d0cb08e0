// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/code.hpp"

namespace pdlcts::machine {

/// Fills in, for every node, what its dependencies wait for and which grids its wait is for. These are the rules that
/// depend on the plan alone; each fault of theirs changes one of them.
void set_gates(const Program& program, const Plan& plan, Code& code);

/// Whether a code's fault can change anything of its program. If not, the machine without it is the same, and cheaper;
/// a test holds the answer against what the faulty machine explores.
bool has_rule_to_break(const Code& code);

/// Whether a fault makes steps depend on how many blocks of a node have triggered or exited, which the parts of a state
/// (parts.hpp) do not tell.
bool counts_blocks(Fault fault);

/// Whether a fault tells apart what a grid's threads have written, so that none may hand it on before it exits.
bool keeps_writers_apart(Fault fault);

} // namespace pdlcts::machine
