// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate.hpp"

#include "conformance/support/concat.hpp"
#include "harness/catalogue/notes.hpp"
#include "reports/matrix/plain_text.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

bool is_against(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::harness_error:
        return true;
    default:
        return false;
    }
}

bool is_of_the_machine(Verdict verdict) {
    return verdict == Verdict::refuted || verdict == Verdict::proved || verdict == Verdict::not_decided;
}

bool shows_nothing(Verdict verdict) {
    return verdict == Verdict::vacuous || verdict == Verdict::missing;
}

/// What showed something in the baseline, and shows it no longer.
bool is_lost(Verdict before, Verdict now, bool stale) {
    const bool nothing_now = shows_nothing(now) || now == Verdict::not_supported;
    if (before == Verdict::pass) {
        // What another case shows is another matter, but that it is shown at all is not.
        return nothing_now || (!stale && (now == Verdict::recorded || now == Verdict::not_observed));
    }
    if (before == Verdict::observed) {
        return nothing_now;
    }
    return shows_nothing(now) && before != now;
}

CellRule rule_of(Verdict verdict, const std::optional<Verdict>& baseline, bool stale) {
    if (is_against(verdict)) {
        return CellRule::against;
    }
    if (is_of_the_machine(verdict)) {
        return CellRule::no_device;
    }
    if (baseline && is_lost(*baseline, verdict, stale)) {
        return CellRule::lost_evidence;
    }
    if (shows_nothing(verdict)) {
        return baseline && !stale ? CellRule::as_in_baseline : CellRule::no_evidence;
    }
    return verdict == Verdict::not_observed    ? CellRule::not_promised
           : verdict == Verdict::not_supported ? CellRule::not_supported
                                               : CellRule::holds;
}

bool passes(CellRule rule) {
    return rule == CellRule::holds || rule == CellRule::not_promised || rule == CellRule::not_supported ||
           rule == CellRule::as_in_baseline;
}

/// The sentence of `--explain`.
std::string why(const CellDecision& decision) {
    const std::string_view verdict = name(decision.verdict);
    const std::string reason = decision.cell.judgement.reason.empty() || decision.rule == CellRule::gone
                                   ? ""
                                   : concat(": ", plain_text(decision.cell.judgement.reason));
    const std::string note = shows_nothing(decision.verdict) && decision.rule != CellRule::gone
                                 ? note_of(decision.cell.key.case_id, decision.cell.key.route)
                                 : "";
    const std::string more = concat(reason, note.empty() ? "" : concat(". The suite's note: ", note));
    switch (decision.rule) {
    case CellRule::holds:
        return concat(verdict, reason);
    case CellRule::not_promised:
        return concat(verdict, ", which nobody promises", reason);
    case CellRule::not_supported:
        return concat(verdict, ", as a query said before anything ran", reason);
    case CellRule::as_in_baseline:
        return concat(verdict, " as in the baseline", more);
    case CellRule::against:
        return concat(verdict, reason);
    case CellRule::no_evidence:
        return concat(verdict,
                      decision.stale ? ", and the baseline's cell is of another case" : ", and no baseline knows",
                      " it", more);
    case CellRule::lost_evidence:
        return concat(verdict, ", and ", name(*decision.baseline), " in the baseline", more);
    case CellRule::gone:
        return concat("the file has no such cell; in the baseline it is ", name(*decision.baseline));
    case CellRule::no_device:
        return concat(verdict, ", which is the abstract machine's answer and no device's", reason);
    }
    return "";
}

CellDecision decide(CellSummary cell, const CellSummary* before, bool same_list) {
    CellDecision decision;
    decision.verdict = cell.judgement.verdict;
    if (before != nullptr) {
        decision.baseline = before->judgement.verdict;
        decision.stale = !same_list && before->digest != cell.digest;
    }
    decision.rule = rule_of(decision.verdict, decision.baseline, decision.stale);
    decision.disposition = passes(decision.rule) ? Disposition::passes : Disposition::fails;
    decision.cell = std::move(cell);
    if (decision.baseline && !decision.stale) {
        decision.improved = direction(*decision.baseline, decision.verdict) == Direction::better &&
                            decision.disposition == Disposition::passes;
        decision.weaker = decision.disposition == Disposition::passes &&
                          direction(*decision.baseline, decision.verdict) == Direction::worse;
    }
    decision.why = why(decision);
    return decision;
}

CellDecision gone(const CellSummary& before) {
    CellDecision decision;
    decision.cell = before;
    decision.verdict = Verdict::missing;
    decision.baseline = before.judgement.verdict;
    decision.rule = CellRule::gone;
    decision.disposition = Disposition::fails;
    decision.why = why(decision);
    return decision;
}

std::vector<CellDecision> decide_all(const GateInput& input) {
    const auto cells = summarise(input.file.results);
    std::map<CellKey, CellSummary> before;
    bool same_list = false;
    if (input.baseline) {
        before = summarise(input.baseline->results);
        same_list = input.baseline->results.suite.cases_digest == input.file.results.suite.cases_digest;
    }
    std::map<CellKey, CellDecision> decisions;
    for (const auto& [key, cell] : cells) {
        const auto known = before.find(key);
        decisions.emplace(key, decide(cell, known == before.end() ? nullptr : &known->second, same_list));
    }
    const bool selected = input.allow.partial && !input.file.results.every_case;
    for (const auto& [key, cell] : before) {
        if (!cells.contains(key) && !selected) {
            decisions.emplace(key, gone(cell));
        }
    }
    std::vector<CellDecision> list;
    for (auto& [key, decision] : decisions) {
        list.push_back(std::move(decision));
    }
    return list;
}

// ---- the file as a whole -----------------------------------------------------------------------------------------

bool is_of_the_machine(const Results& results) {
    return results.environment.gpu == "abstract machine" ||
           std::any_of(results.cells.begin(), results.cells.end(),
                       [](const Cell& cell) { return cell.machine || cell.image == "machine"; });
}

bool is_sampled(const Results& results) {
    return results.environment.fault || std::any_of(results.cells.begin(), results.cells.end(), [](const Cell& cell) {
               return cell.image.starts_with(sampled_image);
           });
}

std::string first_of(const std::vector<std::string>& differences) {
    return concat(differences.size(),
                  differences.size() == 1 ? " difference: " : " differences, first: ", plain_text(differences.front()));
}

struct Problems {
    GateReport& report;
    void add(GateProblemRule rule, std::string what) { report.problems.push_back({rule, std::move(what), {}}); }
    /// A problem, or a note where the gate was asked to let it pass.
    void add_unless(bool allowed, GateProblemRule rule, const std::string& what, const char* option) {
        if (allowed) {
            report.notes.push_back(concat("let pass, as asked for: ", what));
        } else {
            add(rule, concat(what, "; `--allow ", option, "` lets it pass"));
        }
    }
};

void check_file(const GateInput& input, Problems& problems) {
    const Results& results = input.file.results;
    if (is_of_the_machine(results)) {
        problems.add(GateProblemRule::no_device, "results of the abstract machine: no device ran, so none can pass");
    }
    if (is_sampled(results)) {
        problems.add(GateProblemRule::sampled,
                     "sampled executions of the abstract machine: no device ran, so none can pass");
    }
    if (!input.file.differences.empty()) {
        problems.add(GateProblemRule::contradiction,
                     concat("the file does not hold (`pdlcts verify` lists why): ", first_of(input.file.differences)));
    }
    if (!results.every_case) {
        problems.add_unless(input.allow.partial, GateProblemRule::partial,
                            "a run of selected cases or routes, or one that was not finished", "partial");
    }
    const auto quick = std::count_if(results.cells.begin(), results.cells.end(),
                                     [](const Cell& cell) { return cell.thresholds.quick; });
    if (quick != 0) {
        problems.add_unless(input.allow.quick, GateProblemRule::quick,
                            concat(quick, " cells of a quick run, with a tenth of the trials"), "quick");
    }
    if (results.suite.dirty) {
        problems.add_unless(input.allow.dirty, GateProblemRule::dirty,
                            "the suite had changes that no commit names: nobody can say what ran", "dirty");
    }
    if (input.other_suite) {
        problems.add_unless(input.allow.other_suite, GateProblemRule::other_suite,
                            "the file is of another list of cases than this program, so whether it is complete and "
                            "what its cases allow cannot be checked",
                            "other-suite");
    }
}

void check_baseline(const GateInput& input, Problems& problems) {
    const Results& now = input.file.results;
    const Results& before = input.baseline->results;
    if (is_of_the_machine(before) || is_sampled(before)) {
        problems.add(GateProblemRule::bad_baseline, "the baseline is of the abstract machine, and excuses no device");
    }
    if (!input.baseline->differences.empty()) {
        problems.add(GateProblemRule::bad_baseline,
                     concat("the baseline does not hold: ", first_of(input.baseline->differences)));
    }
    if (now.suite.version == before.suite.version && now.suite.cases_digest != before.suite.cases_digest) {
        problems.add(GateProblemRule::list_changed,
                     concat("the list of cases is not the baseline's, and the suite's version, ",
                            plain_text(now.suite.version, 40), ", is the same"));
    }
    if (now.environment.gpu != before.environment.gpu) {
        problems.report.notes.push_back(
            concat("the baseline is of another GPU, ", environment_name(before.environment)));
    }
    if (!before.every_case) {
        problems.report.notes.emplace_back("the baseline is of selected cases, so that it knows less");
    }
    const auto stale = std::count_if(problems.report.cells.begin(), problems.report.cells.end(),
                                     [](const CellDecision& cell) { return cell.stale; });
    if (stale != 0) {
        problems.report.notes.push_back(concat(stale, " cells of the baseline are of other cases, and excuse nothing"));
    }
}

} // namespace

std::size_t GateReport::count(Disposition disposition) const {
    return static_cast<std::size_t>(std::count_if(
        cells.begin(), cells.end(), [=](const CellDecision& cell) { return cell.disposition == disposition; }));
}

GateReport gate(const GateInput& input) {
    GateReport report;
    report.file_name = environment_name(input.file.results.environment);
    report.baseline_name = input.baseline ? environment_name(input.baseline->results.environment) : "";
    report.waivers.assign(input.waivers.begin(), input.waivers.end());
    report.cells = decide_all(input);

    Problems problems{report};
    const bool shows = std::any_of(report.cells.begin(), report.cells.end(), [](const CellDecision& cell) {
        return cell.rule == CellRule::holds && cell.verdict != Verdict::recorded;
    });
    if (!shows) {
        problems.add(GateProblemRule::empty,
                     report.cells.empty() ? "the file has no cell" : "no cell is PASS or OBSERVED: nothing was shown");
    }
    check_file(input, problems);
    if (input.baseline) {
        check_baseline(input, problems);
    }
    apply_waivers(report, input.file.results.environment, input.today,
                  input.allow.partial && !input.file.results.every_case);
    return report;
}

} // namespace pdlcts
