// SPDX-License-Identifier: Apache-2.0
#include "reports/site/histogram_table.hpp"

#include "conformance/litmus/outcome.hpp"
#include "conformance/litmus/parser.hpp"
#include "reports/site/cell_parts.hpp"

#include <algorithm>
#include <string_view>
#include <tuple>
#include <vector>

namespace pdlcts::site {
namespace {

/// What was seen of an outcome on one side, program or control.
struct Seen {
    std::uint64_t count = 0;
    bool allowed = false;
};
struct Row {
    std::string_view outcome;
    Seen program;
    Seen control;
};

/// A side of the table.
struct Side {
    std::uint64_t trials = 0;
    bool decided = false;
    const Histogram* sum = nullptr;
};

/// Every outcome that was seen or is allowed, those that were seen most first.
std::vector<Row> rows_of(const Form& form) {
    std::vector<Row> rows;
    const auto collect = [&](const Observation& observation) {
        for (const std::string& outcome : observation.allowed) {
            rows.push_back({outcome, {}, {}});
        }
        for (const auto& [outcome, count] : observation.tally.outcomes) {
            rows.push_back({outcome, {}, {}});
        }
    };
    collect(form.program);
    if (form.control) {
        collect(*form.control);
    }
    const auto before = [](const Row& one, const Row& other) { return one.outcome < other.outcome; };
    std::sort(rows.begin(), rows.end(), before);
    const auto same = [](const Row& one, const Row& other) { return one.outcome == other.outcome; };
    rows.erase(std::unique(rows.begin(), rows.end(), same), rows.end());

    const auto fill = [&](const Observation& observation, Seen Row::*side) {
        const auto row = [&](std::string_view outcome) -> Seen& {
            return (*std::lower_bound(rows.begin(), rows.end(), Row{outcome, {}, {}}, before)).*side;
        };
        for (const std::string& outcome : observation.allowed) {
            row(outcome).allowed = true;
        }
        for (const auto& [outcome, count] : observation.tally.outcomes) {
            row(outcome).count = count;
        }
    };
    fill(form.program, &Row::program);
    if (form.control) {
        fill(*form.control, &Row::control);
    }
    std::stable_sort(rows.begin(), rows.end(), [](const Row& one, const Row& other) {
        return std::tie(one.program.count, one.control.count) > std::tie(other.program.count, other.control.count);
    });
    return rows;
}

void side_heads(Html& html, std::string_view of, bool sums) {
    html << "<th scope=\"col\">" << text(of)
         << "</th><th scope=\"col\">trials</th><th scope=\"col\"><span class=\"sr\">share</span></th>";
    if (sums) {
        html << "<th scope=\"col\">all columns</th>";
    }
}

/// A cell with a bar of a share of 0 to 1, for the eye only: the style draws it, s1 to s20.
void share_cell(Html& html, double share) {
    constexpr int steps = 20;
    const int filled = static_cast<int>(std::clamp(share, 0.0, 1.0) * steps);
    html << "<td class=\"share";
    if (share > 0) {
        html << " s" << std::max(filled, 1);
    }
    html << "\"></td>";
}

void side_cells(Html& html, const Side& side, const Seen& seen, std::string_view outcome) {
    html << "<td class=\"word\">";
    if (!side.decided) {
        html << "not decided";
    } else if (seen.allowed) {
        html << "allowed";
    } else {
        html << (seen.count != 0 ? Markup("<b class=\"bad\">not allowed</b>") : Markup("not allowed"));
    }
    if (seen.count != 0) {
        html << "</td><td class=\"number\">" << Grouped{seen.count} << "</td>";
    } else {
        html << "</td><td class=\"number none\">never</td>";
    }
    share_cell(html, side.trials == 0 ? 0 : static_cast<double>(seen.count) / static_cast<double>(side.trials));
    if (side.sum != nullptr) {
        const auto known = side.sum->outcomes.find(outcome);
        html << "<td class=\"number\">";
        if (known != side.sum->outcomes.end()) {
            html << Grouped{known->second.trials} << " <span class=\"of\">in " << Grouped{known->second.columns}
                 << " of " << Grouped{side.sum->columns} << "</span>";
        }
        html << "</td>";
    }
}

/// Whether the claim speaks of the outcome.
bool is_named(const Result<Condition>& named, std::string_view outcome) {
    if (!named) {
        return false;
    }
    const Result<Outcome> parsed = parse_outcome(outcome);
    return parsed && matches(*named, *parsed);
}

} // namespace

void histogram_table(Html& html, const Form& form, const ClaimText& claim, const CellHistograms* sums) {
    const std::vector<Row> rows = rows_of(form);
    if (rows.empty()) {
        return;
    }
    const Result<Condition> named = parse_condition(claim.never.empty() ? claim.sometimes : claim.never);
    const bool shows_sums = sums != nullptr && sums->program.columns > 1;
    const Side program{form.program.tally.trials(), form.program.decided, shows_sums ? &sums->program : nullptr};
    Side control;
    if (form.control) {
        control = {form.control->tally.trials(), form.control->decided, shows_sums ? &sums->control : nullptr};
    }
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Outcomes\"><table "
            "class=\"outcomes\"><caption>Outcomes of "
         << counted(program.trials, "trial", "trials") << " of the program";
    if (form.control) {
        html << " and " << Grouped{control.trials} << " of its control";
    }
    html << ", and what the specification allows</caption><thead><tr><th scope=\"col\">outcome</th>";
    side_heads(html, "program", shows_sums);
    if (form.control) {
        side_heads(html, "control", shows_sums);
    }
    html << "</tr></thead><tbody>\n";
    for (std::size_t i = 0; i < std::min(rows.size(), most_rows); ++i) {
        const Row& row = rows[i];
        html << "<tr><th scope=\"row\"><code>" << text(row.outcome, 200) << "</code>";
        if (is_named(named, row.outcome)) {
            html << (claim.never.empty() ? Markup(" <span class=\"tag\">sometimes</span>")
                                         : Markup(" <span class=\"tag\">never</span>"));
        }
        html << "</th>";
        side_cells(html, program, row.program, row.outcome);
        if (form.control) {
            side_cells(html, control, row.control, row.outcome);
        }
        html << "</tr>\n";
    }
    html << "</tbody></table></div>\n";
    if (rows.size() > most_rows) {
        html << "<p>" << counted(rows.size() - most_rows, "more outcome is", "more outcomes are")
             << " in the results file.</p>\n";
    }
    if (form.program.tally.unwritten != 0) {
        html << "<p>In " << counted(form.program.tally.unwritten, "trial", "trials")
             << " a register was never written.</p>\n";
    }
}

} // namespace pdlcts::site
