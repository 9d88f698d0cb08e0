// SPDX-License-Identifier: Apache-2.0
#include "harness/command/verify_selftest.hpp"

#include "conformance/support/parallel.hpp"
#include "harness/command/cells.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/terminal.hpp"
#include "harness/selftest/equivalence.hpp"
#include "reports/selftest/selftest_report.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

struct Equivalent {
    const Cell* cell = nullptr;
    const Mutant* mutant = nullptr;
    bool found_again = false;
};

void find_again(Equivalent& equivalent, Explorations& explorations) {
    const auto listed = std::find_if(embedded_cases().begin(), embedded_cases().end(),
                                     [&](const Case& candidate) { return candidate.id == equivalent.cell->case_id; });
    if (listed == embedded_cases().end()) {
        return;
    }
    const std::optional<MutatedCase> mutated = mutate(listed->litmus, *equivalent.mutant);
    equivalent.found_again =
        mutated &&
        !why_equivalent(listed->litmus, *mutated, *equivalent.mutant, *equivalent.cell, explorations).empty();
}

/// Only the machine can say that a mutant is equivalent, so it is asked again.
std::vector<Equivalent> equivalents(const SelfTestReport& report) {
    std::vector<Equivalent> all;
    for (const MutantRun& run : report.runs) {
        if (!run.equivalent_because.empty()) {
            all.push_back({&report.sound.cells[run.cell], find_mutant(run.mutant)});
        }
    }
    Explorations explorations;
    for_each_in_parallel(all, [&](Equivalent& equivalent) { find_again(equivalent, explorations); });
    return all;
}

} // namespace

ExitCode verify_selftest_file(const std::string& text, const std::string& name) {
    const Result<SelfTestReport> report = read_selftest_json(text, name);
    if (!report) {
        complain(report.error().message);
        return ExitCode::bad_input;
    }
    std::vector<std::string> differences = verify_selftest(text, name);
    const WrittenBy writer = written_by(report->sound.suite);
    const MachineReview review = review_with_machine(report->sound.cells, embedded_ledger(), writer);
    differences.insert(differences.end(), review.differences.begin(), review.differences.end());
    std::size_t found_again = 0;
    if (writer != WrittenBy::another_suite) {
        for (const Equivalent& equivalent : equivalents(*report)) {
            found_again += equivalent.found_again ? 1 : 0;
            if (!equivalent.found_again) {
                differences.push_back(fmt::format("{}: {} in {}: the machine does not find it equivalent", name,
                                                  equivalent.mutant->name, equivalent.cell->case_id));
            }
        }
    }
    for (const std::string& difference : differences) {
        fmt::print("{}\n", difference);
    }
    if (!differences.empty()) {
        fmt::print("{}: does not hold: {} differences\n", name, differences.size());
        return ExitCode::negative;
    }
    fmt::print("{}: holds: the fates of {} mutants derived again, {} of them equivalent; allowed outcomes derived "
               "again for {} of {} sound cells\n",
               name, report->runs.size(), found_again, review.reviewed, report->sound.cells.size());
    return ExitCode::success;
}

} // namespace pdlcts
