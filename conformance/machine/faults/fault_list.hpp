// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/faults/fault.hpp"

/// The faults by the rule that each breaks, in the order of the enumeration.
namespace pdlcts {

std::span<const FaultInfo> wait_faults();
std::span<const FaultInfo> trigger_faults();
std::span<const FaultInfo> begin_faults(); ///< of what lets a grid begin
std::span<const FaultInfo> plan_faults();  ///< of what a route builds, and a launch makes of that

} // namespace pdlcts
