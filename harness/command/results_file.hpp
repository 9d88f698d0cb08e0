// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/select.hpp"
#include "reports/results/results.hpp"

#include <optional>

namespace pdlcts {

struct ResultsFile {
    std::string text;
    Results results;
};

/// The text of a results file, which may be compressed with gzip: at most largest_results_file, unpacked.
std::variant<std::string, Refusal> read_results_text(const std::string& name);

/// Reads a results file, and keeps its text: `verify` compares the two.
std::variant<ResultsFile, Refusal> read_results_file(const std::string& name);

/// Found out before a run, which may take long: an output that cannot be written loses everything. No name is
/// no output.
std::optional<Refusal> refuse_unwritable(const std::string& output);

/// What is written into a file of this name: compressed where it ends with `.gz`.
std::string as_named(const std::string& output, const std::string& text);

/// Writes a file, compressed where its name ends with `.gz`, or for `-` to standard output. False, and the reason is on
/// standard error, where it cannot be written.
bool write_output(const std::string& output, const std::string& text);

} // namespace pdlcts
