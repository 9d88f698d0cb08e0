// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "reports/faults/kill_report.hpp"
#include "reports/results/json.hpp"

namespace pdlcts {
namespace {

using Object = Json::Object;

Json to_json(const FaultRow& row) {
    std::map<Verdict, std::uint64_t> counted;
    for (const KillingCell& cell : row.cells) {
        ++counted[cell.verdict];
    }
    Object verdicts;
    for (const auto& [verdict, count] : counted) {
        verdicts.emplace_back(name(verdict), count);
    }
    return Object{{"name", row.info->name},
                  {"statement", row.info->statement},
                  {"killed_by", row.killed_by()},
                  {"trials_to_kill", row.trials_to_kill},
                  {"failed_by", row.failed_by()},
                  {"own_case", row.is_killed_by_its_own()},
                  {"verdicts", std::move(verdicts)},
                  {"change", row.info->change},
                  {"cause", row.info->cause},
                  {"reports", row.info->reports},
                  {"takes_permission", row.info->takes_permission},
                  {"equivalent_because", row.info->equivalent_because}};
}

} // namespace

std::string kills_json(const KillMatrix& matrix) {
    Json::List faults;
    for (const FaultRow& row : matrix.faults) {
        faults.push_back(to_json(row));
    }
    Json::List guarantees;
    for (const GuaranteeRow& row : matrix.guarantees) {
        guarantees.push_back(Object{{"statement", row.statement}, {"broken_by", row.broken_by}});
    }
    Json::List weak;
    for (const Cell& cell : matrix.weak) {
        const Judgement judgement = judge(cell);
        weak.push_back(Object{{"case", cell.case_id},
                              {"route", name(cell.form.route)},
                              {"verdict", name(judgement.verdict)},
                              {"reason", judgement.reason}});
    }
    const std::size_t of = matrix.not_equivalent();
    const double score = of == 0 ? 0 : static_cast<double>(matrix.killed()) / static_cast<double>(of);
    return print(Object{{"faults", std::move(faults)},
                        {"score", score},
                        {"killed", std::uint64_t{matrix.killed()}},
                        {"of", std::uint64_t{of}},
                        {"equivalent", std::uint64_t{matrix.faults.size() - of}},
                        {"guarantees", std::move(guarantees)},
                        {"cases_that_kill_none", matrix.unused},
                        {"weak_cells", std::move(weak)},
                        {"cells", std::uint64_t{matrix.cells}},
                        {"trials", matrix.trials},
                        {"seed", matrix.seed}},
                 JsonLayout::indented) +
           "\n";
}

} // namespace pdlcts
