// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/trial_record.hpp"

#include <string>

/// What a trial that does not end has left undone, as its records say while it still runs.
namespace pdlcts {

/// The blocks of each grid, and the host, whose registers are not all written, in the order of the program, with the
/// first register that each lacks: `primary: blocks 0, 3..5 have not written overlapped`. Empty where all are. A block
/// without registers leaves no trace: the kernels that are counted store nothing but what the case says.
std::string unwritten(const TrialRecords& records, const Layout& layout);

} // namespace pdlcts
