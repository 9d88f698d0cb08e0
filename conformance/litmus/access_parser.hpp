// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/instruction_reader.hpp"

/// Loads, stores, atomics and polls. Internal to conformance/litmus.
namespace pdlcts {

Instruction parse_load(InstructionReader& reader);
Instruction parse_store(InstructionReader& reader);
Instruction parse_reduction(InstructionReader& reader);
Instruction parse_atomic(InstructionReader& reader);
Instruction parse_await(InstructionReader& reader);

} // namespace pdlcts
