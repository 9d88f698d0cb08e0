// SPDX-License-Identifier: Apache-2.0
#include "reports/results/judged.hpp"

#include "conformance/litmus/printer.hpp"

namespace pdlcts {

JudgedResults judged(const Results& results) {
    JudgedResults judged{
        results.suite, results.environment, results.every_case, results.seed, results.started, results.seconds, {}};
    judged.cells.reserve(results.cells.size() + results.native.size());
    for (const Cell& cell : results.cells) {
        judged.cells.push_back({cell.case_id, cell.statement, cell.strength, cell.basis, name(cell.form.route),
                                cell.image, cell.digest, cell.thresholds.quick, judge(cell)});
    }
    for (const NativeCell& cell : results.native) {
        judged.cells.push_back(
            {cell.case_id, cell.statement, cell.strength, cell.basis, "native", "", cell.digest, false, judge(cell)});
    }
    return judged;
}

std::vector<JudgedResults> judged(std::span<const Results> files) {
    std::vector<JudgedResults> all;
    all.reserve(files.size());
    for (const Results& results : files) {
        all.push_back(judged(results));
    }
    return all;
}

} // namespace pdlcts
