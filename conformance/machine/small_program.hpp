// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <random>

/// Random programs for tests, small enough to be explored by brute force.
namespace pdlcts {

/// One to three grids of up to three blocks and two threads, up to three locations, and about seven instructions, each
/// counted as often as it is executed. `size` bounds the instructions.
Program small_random_program(std::mt19937& random, unsigned size);

} // namespace pdlcts
