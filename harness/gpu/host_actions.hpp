// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/layout.hpp"

#include <cstdint>
#include <deque>
#include <vector>

/// What the host itself does in a trial: reads and writes of words of host memory, by its own thread or by functions
/// that the driver calls.
namespace pdlcts {

/// One read or write, with the addresses that it uses. It needs nothing of the program: the driver may call a function
/// late, after a missed deadline.
struct HostAction {
    std::uint32_t* word = nullptr;
    std::uint32_t* result = nullptr; ///< of a read; null for a write
    std::uint32_t value = 0;         ///< of a write
    bool salted = false;             ///< the trial's base is added to `value`
};

/// One host function of one trial. The trial's base is the first word of its record.
struct HostCall {
    const std::uint32_t* record = nullptr;
    std::vector<HostAction> actions;
};

/// Those of a batch. A deque: the driver keeps the addresses.
using HostCalls = std::deque<HostCall>;

HostAction action_of(const HostInstruction& instruction, const Layout& layout, std::uint32_t* host_record);
HostCall call_of(const HostFunction& function, const Layout& layout, std::uint32_t* host_record);

/// A read acquires and a write releases, at system scope.
void perform(const HostAction& action, std::uint32_t base);

/// What cudaLaunchHostFunc and host nodes call. The argument is a HostCall.
void perform_host_call(void* call);

} // namespace pdlcts
