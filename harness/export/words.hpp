// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/export/cpp_text.hpp"
#include "harness/export/side.hpp"

/// The words of a trial: what its record holds before it, and which outcome they are after it.
namespace pdlcts {

/// Salts, outcomes, and the functions that give a word its value.
void write_word_support(CppText& out, const Reproduced& reproduced);

/// `prepare_program` and `outcome_of_program`; one pair of functions for program and control where they are the same.
void write_words(CppText& out, const Reproduced& reproduced);

/// What the functions of a side end in: `program`, `control`, or `trial` where they are the same.
std::string words_name(const Reproduced& reproduced, const Side& side);

/// How many trials of each program can be run before salts repeat.
std::uint64_t most_trials(const Reproduced& reproduced);

} // namespace pdlcts
