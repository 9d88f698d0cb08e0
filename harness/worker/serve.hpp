// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/worker/protocol.hpp"

namespace pdlcts {

/// The life of a worker: reads what it is asked from a file descriptor, does it, and answers on the same one, until
/// nobody asks any more. Never returns; ends the process without destructors, as those of a lost device would wait.
/// `suite` is told with the first greeting: a supervisor of another suite would not go on.
[[noreturn]] void serve(int channel, const Suite& suite);

/// The machine with this fault in the place of a GPU, for `fault:NAME`; null where there is no such fault.
std::unique_ptr<Gpu> open_sampled(std::string_view on);

inline constexpr std::string_view fault_prefix = "fault:";

} // namespace pdlcts
