// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <random>

/// Valid programs and files, for property tests only.
namespace pdlcts {

/// Any program that the rules of cases/README.md allow, small.
Program random_program(std::mt19937& random);

/// A random program with a description, checks, routes and, mostly, a control: an edit of the program, or another one.
Litmus random_litmus(std::mt19937& random);

} // namespace pdlcts
