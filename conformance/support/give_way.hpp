// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/resource.h>

namespace pdlcts {

/// From here on this thread has a processor only where nobody else wants it: on Linux a priority is a thread's own, and
/// threads that it starts take it over. Where that is refused, nothing is lost but a little time.
inline void give_way() {
    constexpr int least_priority = 19;
    static_cast<void>(setpriority(PRIO_PROCESS, 0, least_priority));
}

} // namespace pdlcts
