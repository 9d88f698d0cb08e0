// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/review.hpp"
#include "harness/command/terminal.hpp"
#include "harness/command/verify_selftest.hpp"
#include "harness/worker/native_cells.hpp"
#include "reports/selftest/selftest_report.hpp"

#include <fmt/format.h>

namespace pdlcts {
namespace {

ExitCode verify_results(const std::string& name) {
    const auto read = read_results_file(name);
    if (const auto* refusal = std::get_if<Refusal>(&read)) {
        complain(refusal->message);
        return refusal->code;
    }
    const auto& file = std::get<ResultsFile>(read);
    const Results& results = file.results;
    const Review reviewed = review(file, name);
    const std::vector<std::string>& differences = reviewed.differences;
    for (const std::string& difference : differences) {
        fmt::print("{}\n", difference);
    }
    const std::size_t cells = results.cells.size() + results.native.size();
    if (cells == 0) {
        fmt::print("{}: there is no cell in it, so there is nothing that holds\n", name);
        return ExitCode::negative;
    }
    if (!differences.empty()) {
        fmt::print("{}: does not hold: {} differences\n", name, differences.size());
        return ExitCode::negative;
    }
    fmt::print("{}: holds: {} verdicts derived again from what was seen; allowed outcomes derived again for {} cells",
               name, cells, reviewed.reviewed);
    if (reviewed.other_version != 0) {
        fmt::print(", not for {} cells, whose case is not or no longer of this suite", reviewed.other_version);
    }
    fmt::print("{}\n", results.every_case ? "" : "; cases or routes were selected, so others are not shown");
    return ExitCode::success;
}

ExitCode verify_file(const std::string& name) {
    const auto text = read_results_text(name);
    const auto* read = std::get_if<std::string>(&text);
    // A file that cannot be read is complained of by verify_results.
    return read != nullptr && is_selftest_file(*read) ? verify_selftest_file(*read, name) : verify_results(name);
}

} // namespace

ExitCode verify(const VerifyOptions& options) {
    ExitCode code = ExitCode::success;
    for (const std::string& file : options.files) {
        const ExitCode one = verify_file(file);
        code = one == ExitCode::success ? code : one;
    }
    return code;
}

} // namespace pdlcts
