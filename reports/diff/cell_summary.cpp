// SPDX-License-Identifier: Apache-2.0
#include "reports/diff/cell_summary.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"

#include <tuple>

namespace pdlcts {
namespace {

CellSummary summary_of(const Cell& cell) {
    const Judgement judgement = judge(cell);
    return {.key = {cell.case_id, std::string(name(cell.form.route))},
            .statement = cell.statement,
            .digest = cell.digest,
            .image = cell.image,
            .quick = cell.thresholds.quick,
            .judgement = judgement,
            .rates = {.armed = {judgement.armed, judgement.trials},
                      .violations = {judgement.violations, judgement.trials},
                      .control_armed = {judgement.control_armed, judgement.control_trials},
                      .control_violations = {judgement.control_armed_violations, judgement.control_armed}},
            .answers = {}};
}

CellSummary summary_of(const NativeCell& cell) {
    CellSummary summary;
    summary.key = {cell.case_id, "native"};
    summary.statement = cell.statement;
    summary.digest = cell.digest;
    summary.judgement = judge(cell);
    for (const Probe& probe : cell.probes) {
        summary.answers.emplace_back(concat(name(probe.kind), ": ", probe.what), probe.found);
    }
    return summary;
}

/// Of two cells of one name the same one is taken whichever comes first.
bool outranks(const CellSummary& left, const CellSummary& right) {
    const auto rank = [](const CellSummary& cell) {
        return std::tuple(cell.judgement.verdict, cell.digest, cell.judgement.trials, cell.judgement.violations,
                          cell.judgement.control_armed_violations);
    };
    return rank(left) < rank(right);
}

} // namespace

std::string print(const CellKey& key) {
    return concat(key.case_id, " on ", key.route);
}

std::string print(const Rate& rate) {
    return concat(rate.count, " of ", rate.of);
}

std::map<CellKey, CellSummary> summarise(const Results& results) {
    std::map<CellKey, CellSummary> cells;
    const auto add = [&](CellSummary summary) {
        const auto [place, fresh] = cells.try_emplace(summary.key, summary);
        if (!fresh && outranks(summary, place->second)) {
            place->second = std::move(summary);
        }
    };
    for (const Cell& cell : results.cells) {
        add(summary_of(cell));
    }
    for (const NativeCell& cell : results.native) {
        add(summary_of(cell));
    }
    return cells;
}

std::string print_evidence(const CellSummary& cell) {
    std::string text(name(cell.judgement.verdict));
    if (cell.judgement.trials != 0) {
        text +=
            concat(" (", print(cell.rates.violations), " trials match the claim, ", cell.rates.armed.count, " armed");
        if (cell.judgement.control_trials != 0) {
            text += concat("; in the control ", print(cell.rates.control_violations), " armed trials");
        }
        text += ")";
    } else if (!cell.answers.empty()) {
        text += concat(" (", cell.answers.size(), cell.answers.size() == 1 ? " answer)" : " answers)");
    }
    return cell.judgement.reason.empty() ? text : concat(text, ": ", plain_text(cell.judgement.reason));
}

} // namespace pdlcts
