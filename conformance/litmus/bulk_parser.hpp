// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/instruction_reader.hpp"

/// Instructions on mbarriers, and bulk copies. Internal to conformance/litmus.
namespace pdlcts {

/// `mbarrier.arrive...` and `mbarrier.wait...`
Instruction parse_mbarrier(InstructionReader& reader);

/// `cp.async.bulk...`
Instruction parse_bulk(InstructionReader& reader);

} // namespace pdlcts
