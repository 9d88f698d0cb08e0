// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace pdlcts {

/// From now on the first SIGINT, SIGTERM or SIGHUP asks the run to end behind the cell that is running; a second one
/// ends the process at once, by the signal itself, and its workers with it. A file that grows beyond what is allowed is
/// an error of its writing, not a signal.
void catch_stop_signals();

/// The signal that asked; 0 where none has.
int stop_signal();

} // namespace pdlcts
