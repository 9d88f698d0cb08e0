// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate.hpp"

#include "conformance/support/concat.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "reports/matrix/plain_text.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

/// Long enough for a driver's next releases, short enough that somebody looks again.
constexpr std::chrono::days longest_waiver{366};

bool is_wildcard(std::string_view pattern) {
    return pattern.find_first_not_of("*?./- ") == std::string_view::npos;
}

/// `580.*` and `580.159.04`, and not `5*` or `580*`.
bool names_a_branch(std::string_view pattern) {
    const std::size_t digits = pattern.find_first_not_of("0123456789");
    return digits != 0 && digits != std::string_view::npos && pattern[digits] == '.';
}

bool names(const Waiver& waiver, const CellSummary& cell) {
    const bool selected = waiver.case_pattern.empty() ? matches_glob(waiver.statement_pattern, cell.statement)
                                                      : matches_glob(waiver.case_pattern, cell.key.case_id);
    return selected && (waiver.routes.empty() ||
                        std::find(waiver.routes.begin(), waiver.routes.end(), cell.key.route) != waiver.routes.end());
}

bool is_for(const Waiver& waiver, const Environment& environment) {
    return matches_glob(waiver.gpu, environment.gpu) && matches_glob(waiver.driver, environment.driver_version);
}

/// A cell that fails by a rule that may be waived, with the verdict that the waiver is about.
bool needs(const CellDecision& cell, const Waiver& waiver) {
    return cell.disposition == Disposition::fails && cell.rule != CellRule::no_device && cell.verdict == waiver.verdict;
}

std::string selector(const Waiver& waiver) {
    std::string text = waiver.case_pattern.empty() ? concat("statement ", waiver.statement_pattern)
                                                   : concat("case ", waiver.case_pattern);
    for (const std::string& route : waiver.routes) {
        text += concat(route == waiver.routes.front() ? " on " : ", ", route);
    }
    return plain_text(text);
}

std::string print(const CellDecision& cell) {
    return concat(plain_text(print(cell.cell.key)), ", which is ", name(cell.verdict));
}

class Waiving {
public:
    Waiving(GateReport& report, const Date& today, bool partial) : report_(report), today_(today), partial_(partial) {}

    /// A waiver that is sound, before any cell is looked at.
    bool is_sound(std::size_t index, bool is_for_this_run) {
        const Waiver& waiver = report_.waivers[index];
        const auto days_left = std::chrono::sys_days(waiver.expires) - std::chrono::sys_days(today_);
        if (days_left.count() < 0) {
            add(GateProblemRule::waiver_expired, index, concat("expired on ", pdlcts::print(waiver.expires)));
            return false;
        }
        if (!is_for_this_run) {
            return false;
        }
        const std::size_t before = report_.problems.size();
        if (days_left > longest_waiver) {
            broad(index, concat("expires on ", pdlcts::print(waiver.expires), ", in more than a year"));
        }
        if (is_wildcard(waiver.case_pattern.empty() ? waiver.statement_pattern : waiver.case_pattern)) {
            broad(index, "names cells by wildcards alone");
        }
        if (is_wildcard(waiver.gpu)) {
            broad(index, "names GPUs by wildcards alone");
        }
        if (!names_a_branch(waiver.driver)) {
            broad(index, concat("the driver pattern ", waiver.driver, " does not begin with a branch such as 580."));
        }
        return report_.problems.size() == before;
    }

    /// The cells that it waives; none where something is wrong with it.
    std::vector<CellDecision*> waived_by(std::size_t index) {
        const Waiver& waiver = report_.waivers[index];
        std::vector<CellDecision*> named;
        std::vector<CellDecision*> needing;
        std::set<std::string> statements;
        for (CellDecision& cell : report_.cells) {
            if (names(waiver, cell.cell)) {
                named.push_back(&cell);
                // A pattern of a user's own names no statement: each case is then one.
                statements.insert(cell.cell.statement.empty() ? "case " + cell.cell.key.case_id : cell.cell.statement);
                if (needs(cell, waiver)) {
                    needing.push_back(&cell);
                }
            }
        }
        if (named.empty()) {
            if (!partial_) {
                add(GateProblemRule::waiver_unused, index, "names no cell of this file");
            }
            return {};
        }
        if (statements.size() > 1) {
            broad(index, concat("names cells of ", statements.size(), " statements, such as ", *statements.begin(),
                                " and ", *std::next(statements.begin())));
            return {};
        }
        if (waiver.intermittent) {
            if (named.size() > 1) {
                broad(index, concat("is intermittent and names ", named.size(), " cells, expected one"));
                return {};
            }
            return needing;
        }
        if (needing.empty()) {
            add(GateProblemRule::waiver_unused, index,
                concat("no cell needs it: it names ", print(*named.front()),
                       named.size() > 1 ? concat(", and ", named.size() - 1, " more") : "", "; take it out"));
            return {};
        }
        const auto spare =
            std::find_if(named.begin(), named.end(), [&](const CellDecision* cell) { return !needs(*cell, waiver); });
        if (spare != named.end()) {
            broad(index, concat("also names ", print(**spare), " and does not need it"));
            return {};
        }
        return needing;
    }

    void add(GateProblemRule rule, std::size_t index, const std::string& what) {
        const Waiver& waiver = report_.waivers[index];
        report_.problems.push_back(
            {rule,
             concat("waiver in line ", waiver.line, " (", selector(waiver), ", ", name(waiver.verdict), "): ", what),
             index});
    }
    void broad(std::size_t index, const std::string& what) { add(GateProblemRule::waiver_over_broad, index, what); }

private:
    GateReport& report_;
    Date today_;
    bool partial_;
};

} // namespace

void apply_waivers(GateReport& report, const Environment& environment, const Date& today, bool partial) {
    Waiving waiving(report, today, partial);
    std::map<CellDecision*, std::vector<std::size_t>> waivers_of;
    std::size_t elsewhere = 0;
    for (std::size_t i = 0; i < report.waivers.size(); ++i) {
        const bool here = is_for(report.waivers[i], environment);
        elsewhere += here ? 0 : 1;
        if (waiving.is_sound(i, here)) {
            for (CellDecision* cell : waiving.waived_by(i)) {
                waivers_of[cell].push_back(i);
            }
        }
    }
    for (CellDecision& cell : report.cells) {
        const auto found = waivers_of.find(&cell);
        if (found == waivers_of.end()) {
            continue;
        }
        if (found->second.size() > 1) {
            waiving.broad(found->second[1], concat("names ", print(cell), " and is waived by line ",
                                                   report.waivers[found->second[0]].line, " already"));
            continue;
        }
        const Waiver& waiver = report.waivers[found->second[0]];
        cell.disposition = Disposition::waived;
        cell.waiver = found->second[0];
        cell.why += concat("; waived until ", print(waiver.expires), ": ", plain_text(waiver.reason), " (",
                           plain_text(waiver.link), ")");
    }
    if (elsewhere != 0) {
        report.notes.push_back(
            concat(elsewhere, elsewhere == 1 ? " waiver is" : " waivers are", " for another GPU or driver"));
    }
}

} // namespace pdlcts
