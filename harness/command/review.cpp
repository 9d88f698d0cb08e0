// SPDX-License-Identifier: Apache-2.0
#include "harness/command/review.hpp"

#include "harness/command/cells.hpp"
#include "harness/command/suite.hpp"
#include "harness/worker/native_cells.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// The abstract machine has no native checks, with a fault or without.
bool device_ran(const Results& results) {
    return !results.environment.fault &&
           std::any_of(results.cells.begin(), results.cells.end(), [](const Cell& cell) { return !cell.machine; });
}

} // namespace

Review review(const ResultsFile& file, const std::string& name) {
    const auto& [text, results] = file;
    const WrittenBy writer = written_by(results.suite);
    Review result;
    result.other_suite = writer == WrittenBy::another_suite;
    result.differences = verify(text, name);
    const MachineReview machine = review_with_machine(results.cells, embedded_ledger(), writer);
    result.reviewed = machine.reviewed;
    result.other_version = machine.other_version;
    result.differences.insert(result.differences.end(), machine.differences.begin(), machine.differences.end());
    if (results.every_case && !result.other_suite) {
        for (const std::string& missing : missing_cells(results.cells, embedded_ledger())) {
            result.differences.push_back(missing + ": there is no cell, though the file says that every case was run");
        }
    }
    if (!result.other_suite) {
        const auto native = review_native(results.native, embedded_ledger(), results.every_case && device_ran(results));
        result.differences.insert(result.differences.end(), native.begin(), native.end());
    }
    return result;
}

} // namespace pdlcts
