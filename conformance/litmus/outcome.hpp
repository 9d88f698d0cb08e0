// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/support/result.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>

namespace pdlcts {

/// The final registers of one execution. A register that several threads of a class write has a set of values; a
/// register that no thread wrote is absent.
using Outcome = std::map<std::string, std::set<Value>>;

/// `overlapped=1 seen=0`: registers in alphabetical order, one `name=value` for each value. A word that no instruction
/// of the program can have written reads `seen=other`. The outcome of a program without registers is `-`.
std::string print(const Outcome& outcome);

/// Reads what print wrote.
Result<Outcome> parse_outcome(std::string_view text);

/// Whether print writes this text, of any outcome; then parse_outcome reads it. Ten times as fast as reading it, for
/// results files, which hold thousands of such texts.
bool is_printed_outcome(std::string_view text);

/// Whether a condition holds of an outcome. A comparison with a register that is absent does not hold.
bool matches(const Condition& condition, const Outcome& outcome);

} // namespace pdlcts
