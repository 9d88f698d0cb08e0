// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

#include <random>

namespace pdlcts {

/// Results of every shape, with texts that are hard to write: for tests of what writes, reads and describes them.
Results random_results(std::mt19937& random);
Cell random_cell(std::mt19937& random);
NativeCell random_native_cell(std::mt19937& random);

} // namespace pdlcts
