// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/statements.hpp"

#include "conformance/support/concat.hpp"

namespace pdlcts {

std::map<std::string, StatementVerdict> statement_verdicts(const JudgedResults& file) {
    std::map<std::string, std::vector<Verdict>> cells;
    for (const JudgedCell& cell : file.cells) {
        if (!cell.statement.empty()) {
            cells[std::string(cell.statement)].push_back(cell.judgement.verdict);
        }
    }
    std::map<std::string, StatementVerdict> verdicts;
    for (const auto& [statement, of_cells] : cells) {
        verdicts.emplace(statement, worst(of_cells));
    }
    return verdicts;
}

std::string toolkit_version(int version) {
    return version == 0 ? "" : concat(version / 1000, ".", version % 1000 / 10);
}

} // namespace pdlcts
