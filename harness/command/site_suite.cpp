// SPDX-License-Identifier: Apache-2.0
#include "harness/command/site_suite.hpp"

#include "conformance/litmus/outcome.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/check.hpp"
#include "conformance/support/concat.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"
#include "harness/catalogue/notes.hpp"
#include "harness/command/cells.hpp"
#include "harness/command/suite.hpp"
#include "harness/command/trace_table.hpp"
#include "harness/export/reproducer.hpp"
#include "harness/gpu/emit.hpp"
#include "harness/worker/native_cells.hpp"
#include "reports/site/site.hpp"
#include "reports/site/suite_data.hpp"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <tuple>
#include <unordered_map>

namespace pdlcts {
namespace {

using site::Currency;

std::vector<site::SuiteReport> reports_of(const std::vector<Report>& because) {
    std::vector<site::SuiteReport> reports;
    reports.reserve(because.size());
    for (const Report& report : because) {
        reports.push_back({print(report), address(report)});
    }
    return reports;
}

std::vector<std::pair<std::string, std::string>> notes_of(const std::string& case_id) {
    std::vector<std::pair<std::string, std::string>> notes;
    for (const CaseNote& note : embedded_notes()) {
        if (note.case_id == case_id) {
            notes.emplace_back(note.routes.empty() ? "" : enumerate(note.routes), note.text);
        }
    }
    return notes;
}

std::vector<std::string> outcomes_of(const Exploration& exploration) {
    std::vector<std::string> outcomes;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        outcomes.push_back(print(outcome));
    }
    return outcomes;
}

/// `answer`: one of `all`, which the reproducer's sets are taken from too.
site::SuiteRoute route_of(const Case& listed, const Check& answer, std::span<const Check> all,
                          const std::string& suite) {
    site::SuiteRoute shown;
    shown.route = answer.route;
    shown.answer = name(answer.answer);
    shown.reason = answer.reason;
    shown.decided = answer.program.decided && (!listed.litmus.control || answer.control.decided);
    shown.allowed = outcomes_of(answer.program);
    shown.control_allowed = outcomes_of(answer.control);
    if (answer.program_plan) {
        shown.plan = print_dependencies(listed.litmus.program, *answer.program_plan);
        shown.undocumented = answer.program_plan->undocumented;
    }
    if (answer.control_plan && listed.litmus.control) {
        shown.control_plan = print_dependencies(*listed.litmus.control, *answer.control_plan);
    }
    if (!answer.trace.empty()) {
        shown.trace = trace_table(answer.trace);
        shown.trace_heading = answer.answer == Answer::refuted ? "An execution that refutes the claim"
                              : listed.litmus.program.claim.sometimes
                                  ? "An execution that shows it"
                                  : "An execution of the control that shows the violation";
    }
    ReproducerOptions options;
    options.route = answer.route;
    options.suite = suite;
    options.known = all;
    if (Result<std::string> text = reproducer(listed, embedded_ledger(), options)) {
        shown.reproducer = *std::move(text);
    } else {
        shown.no_reproducer = text.error().message;
    }
    return shown;
}

ClaimText claim_of(const Claim& claim) {
    return {claim.never ? print(*claim.never) : "", claim.sometimes ? print(*claim.sometimes) : "", claim.ends,
            claim.armed ? print(*claim.armed) : ""};
}

site::SuiteCase case_of(const Case& listed, const std::string& suite) {
    const Ledger& ledger = embedded_ledger();
    site::SuiteCase shown;
    shown.id = listed.id;
    shown.statement = listed.statement;
    shown.checks = listed.litmus.checks;
    shown.equivalence = is_equivalence(listed, ledger);
    shown.description = listed.litmus.description;
    shown.text = print(listed.litmus);
    if (const Result<CaseLayout> layout = lay_out(listed.litmus)) {
        shown.source = emit(listed.litmus, *layout);
    }
    shown.claim = claim_of(listed.litmus.program.claim);
    shown.reports = reports_of(listed.litmus.because);
    shown.notes = notes_of(listed.id);
    const std::vector<Check> answers = check_routes(listed.litmus, routes_with_cell(listed, ledger));
    for (const Check& answer : answers) {
        shown.routes.push_back(route_of(listed, answer, answers, suite));
    }
    return shown;
}

site::SuiteCase case_of(const NativeCase& listed) {
    site::SuiteCase shown;
    shown.id = listed.id;
    shown.statement = listed.statement;
    shown.checks = listed.checks;
    shown.native = true;
    shown.description = listed.description;
    shown.text = listed.text;
    shown.reports = reports_of(listed.because);
    shown.notes = notes_of(listed.id);
    return shown;
}

/// Digests as this suite makes them, each made once. Images are what a stranger's file says: beyond so many no more are
/// made, and the cell's version is then unknown.
class Digests {
public:
    Digests() {
        for (std::size_t i = 0; i < embedded_cases().size(); ++i) {
            places_.emplace(embedded_cases()[i].id, i);
        }
    }

    Currency of(const Cell& cell) {
        constexpr std::size_t most_images = 32;
        const auto known = places_.find(cell.case_id);
        if (known == places_.end() || cell.image.empty() || cell.image.size() > 200) {
            return Currency::unknown;
        }
        const std::size_t place = known->second;
        const Case& listed = embedded_cases()[place];
        const std::lock_guard lock(mutex_);
        auto image = images_.find(cell.image);
        if (image == images_.end()) {
            if (images_.size() == most_images) {
                return Currency::unknown;
            }
            image = images_.emplace(cell.image, images_.size()).first;
        }
        std::string& digest = digests_[{place, cell.form.route, image->second, cell.machine.has_value()}];
        if (digest.empty()) {
            const std::string source = cell.machine ? "" : source_of(place, listed, cell.image);
            digest = digest_of_run(listed.litmus, cell.form.route, cell.image, source);
        }
        return digest == cell.digest ? Currency::current : Currency::stale;
    }

private:
    std::unordered_map<std::string_view, std::size_t> places_; ///< of cases, by their ids
    std::mutex mutex_;                                         ///< of all that follows
    std::map<std::string, std::size_t> images_;
    std::map<std::tuple<std::size_t, Route, std::size_t, bool>, std::string> digests_;
    std::map<std::pair<std::size_t, Spelling>, std::string> sources_;

    const std::string& source_of(std::size_t place, const Case& listed, const std::string& image) {
        const Spelling spelling = spelling_of(image);
        std::string& source = sources_[{place, spelling}];
        if (source.empty()) {
            if (const Result<CaseLayout> layout = lay_out(listed.litmus)) {
                source = emit(listed.litmus, *layout, spelling);
            }
        }
        return source;
    }
};

Currency currency_of(const NativeCell& cell) {
    const auto listed = std::find_if(embedded_native_cases().begin(), embedded_native_cases().end(),
                                     [&](const NativeCase& each) { return each.id == cell.case_id; });
    if (listed == embedded_native_cases().end()) {
        return Currency::unknown;
    }
    return is_of_this_check(cell, *listed) ? Currency::current : Currency::stale;
}

} // namespace

site::SuiteView site_suite(unsigned threads) {
    site::SuiteView view;
    view.suite = this_suite();
    view.ledger = &embedded_ledger();
    const std::string suite = describe(view.suite);
    view.cases.resize(embedded_cases().size());
    (void)site::in_parallel(view.cases.size(), threads, [&](std::size_t i) -> Result<std::monostate> {
        view.cases[i] = case_of(embedded_cases()[i], suite);
        return std::monostate{};
    });
    for (const NativeCase& listed : embedded_native_cases()) {
        view.cases.push_back(case_of(listed));
    }
    std::stable_sort(view.cases.begin(), view.cases.end(),
                     [&](const site::SuiteCase& one, const site::SuiteCase& other) {
                         return section_of(*view.ledger, one.statement) <
                                section_of(*view.ledger, other.statement); // both point into one vector
                     });
    const site::SuiteData& data = site::embedded_suite_data();
    view.faults = data.faults;
    view.killed_faults = data.killed_faults;
    view.faults_that_count = data.faults_that_count;
    view.rules = data.rules;
    view.memory_rules = data.memory_rules;
    view.field_reports = data.field_reports;
    const auto digests = std::make_shared<Digests>();
    view.currency = [digests](const Cell& cell) { return digests->of(cell); };
    view.native_currency = currency_of;
    return view;
}

} // namespace pdlcts
