// SPDX-License-Identifier: Apache-2.0
#include "reports/site/pages.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/matrix/table.hpp"

#include <algorithm>
#include <functional>
#include <set>

namespace pdlcts::site {
namespace {

void row(Html& html, std::string_view name, std::string_view value) {
    if (!value.empty()) {
        html << "<dt>" << text(name) << "</dt><dd>" << text(value, 200) << "</dd>";
    }
}

std::string version_of(int version) {
    return version == 0 ? "" : concat(version / 1000, ".", version % 1000 / 10);
}

void environment(Html& html, const Column& column) {
    const Environment& environment = column.environment;
    html << "<dl class=\"facts\">";
    row(html, "GPU", environment.gpu);
    row(html, "Compute capability",
        environment.compute_capability == 0
            ? ""
            : concat(environment.compute_capability / 10, ".", environment.compute_capability % 10, ", ",
                     environment.multiprocessors, " multiprocessors"));
    row(html, "Driver",
        environment.driver_version.empty()
            ? ""
            : concat(environment.driver_version, ", CUDA ", version_of(environment.driver_api_version)));
    row(html, "Runtime", version_of(environment.runtime_version));
    row(html, "NVRTC", environment.nvrtc_version);
    row(html, "MIG, MPS, ECC",
        environment.driver_version.empty()
            ? ""
            : concat(environment.mig_mode, ", ", environment.mps, ", ", environment.ecc));
    row(html, "Compute mode", environment.compute_mode);
    row(html, "Clocks",
        environment.sm_clock_mhz == 0
            ? ""
            : concat(environment.sm_clock_mhz, " MHz, memory ", environment.memory_clock_mhz, " MHz"));
    row(html, "System",
        environment.operating_system.empty() ? ""
                                             : concat(environment.operating_system, ", kernel ", environment.kernel));
    row(html, "Suite",
        concat(column.suite.version, ", git ", plain_text(column.suite.git_hash, 12).substr(0, 12),
               column.suite.dirty ? ", with changes" : ""));
    row(html, "Started", column.started);
    html << "<dt>Took</dt><dd>" << static_cast<std::uint64_t>(std::max(0.0, column.seconds)) << " s, "
         << Grouped{column.trials} << " trials of programs and controls, seed " << column.seed << "</dd>";
    if (!column.remarks.empty()) {
        html << "<dt>Remarks</dt><dd><ul>";
        for (const std::string& remark : column.remarks) {
            html << "<li>" << text(remark, 200) << "</li>";
        }
        html << "</ul></dd>";
    }
    html << "</dl>\n";
}

void totals(Html& html, const Column& column) {
    html << "<ul class=\"legend\" aria-label=\"Statements by verdict\">";
    for (const auto& [verdict, count] : column.totals) {
        html << "<li>";
        named_chip(html, verdict);
        html << " <span class=\"count\">" << Grouped{count} << "</span> <span class=\"of\">" << text(meaning(verdict))
             << "</span></li>";
    }
    html << "</ul>\n";
}

using Chooses = std::function<bool(const Statement&, const ColumnEntry&)>;

void chosen(Html& html, const SuiteIndex& index, const Column& column, std::string_view title,
            std::string_view explanation, const Chooses& chooses, bool open) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < index.statements().size(); ++i) {
        if (column.entries[i] && chooses(*index.statements()[i], *column.entries[i])) {
            places.push_back(i);
        }
    }
    if (places.empty()) {
        return;
    }
    html << "<details" << (open ? Markup(" open") : Markup("")) << "><summary>" << text(title)
         << " <span class=\"count\">" << Grouped{places.size()} << "</span></summary>\n<p>" << text(explanation)
         << "</p>\n<ul class=\"plain\">\n";
    for (const std::size_t place : places) {
        const Statement& statement = *index.statements()[place];
        html << "<li>";
        chip(html, column.entries[place]->verdict.verdict, column.entries[place]->stale);
        html << " " << text(statement.text, 600) << " ";
        statement_link(html, index, statement.id);
        html << "</li>\n";
    }
    html << "</ul></details>\n";
}

bool promises(const Statement& statement) {
    return statement.strength == Strength::guarantee || statement.strength == Strength::equivalence ||
           statement.strength == Strength::definition;
}

void reliance(Html& html, const SuiteIndex& index, const Column& column) {
    if (!column.on_gpu) {
        return;
    }
    heading(html, "rely", "What you may rely on here");
    chosen(
        html, index, column, "Promised, and shown to hold",
        "No violation in any trial, while the control, in the same run, was violated: it would have been seen. It is "
        "the "
        "specification that promises it; a run can only fail to refute.",
        [](const Statement& statement, const ColumnEntry& entry) {
            return promises(statement) && entry.verdict.verdict == Verdict::pass && !entry.stale;
        },
        false);
    chosen(
        html, index, column, "Promised by the specification, not shown here",
        "The run could not have shown a violation, or there was none to show. The promise stands; this device adds "
        "nothing to it.",
        [](const Statement& statement, const ColumnEntry& entry) {
            return promises(statement) &&
                   (entry.verdict.verdict == Verdict::vacuous || entry.verdict.verdict == Verdict::not_observed ||
                    entry.verdict.verdict == Verdict::not_supported || entry.stale);
        },
        false);
    heading(html, "rely-not", "What you must not rely on here");
    chosen(
        html, index, column, "Broken on this device",
        "A trial broke what the documents say, or showed what they rule out.",
        [](const Statement&, const ColumnEntry& entry) {
            return entry.verdict.verdict == Verdict::fail || entry.verdict.verdict == Verdict::unexplained;
        },
        true);
    chosen(
        html, index, column, "Hazards that really bite here",
        "The program has to see to it: without that, the effect was seen.",
        [](const Statement& statement, const ColumnEntry& entry) {
            return statement.strength == Strength::requirement && entry.verdict.verdict == Verdict::observed;
        },
        false);
    chosen(
        html, index, column, "May happen, and did",
        "Nobody promises it. That it was seen here says that a program has to be right with it, and must not need it.",
        [](const Statement& statement, const ColumnEntry& entry) {
            return statement.strength == Strength::permission && entry.verdict.verdict == Verdict::observed;
        },
        false);
    chosen(
        html, index, column, "Settled by no document",
        "What this device did is recorded. The next driver may do otherwise.",
        [](const Statement&, const ColumnEntry& entry) { return entry.verdict.verdict == Verdict::recorded; }, false);
}

void latencies(Html& html, const SuiteIndex& index, const Column& column) {
    const auto has = [](const ColumnCell& cell) { return cell.begin.has_value(); };
    if (std::none_of(column.cells.begin(), column.cells.end(), has)) {
        return;
    }
    heading(html, "latency", "Latencies");
    html << "<p>From the last instruction of a grid to the first of the next (negative: they overlap), and to the "
            "return of its wait: median "
            "nanoseconds of the first pair of grids of each cell, with the 5th and the 95th percentile. Nobody "
            "promises a figure.</p>\n"
            "<details><summary>Table</summary><div class=\"scroll\" role=\"group\" tabindex=\"0\" "
            "aria-label=\"Latencies\"><table><caption>Latencies in "
            "nanoseconds</caption><thead><tr><th scope=\"col\">case</th><th scope=\"col\">route</th><th "
            "scope=\"col\">grids</th><th "
            "scope=\"col\">to its begin</th><th scope=\"col\">to the return of its wait</th></tr></thead><tbody>\n";
    const auto figures = [&](const std::optional<LatencyFigures>& shown) {
        html << "<td class=\"number\">";
        if (shown) {
            html << "<b>" << shown->median_ns << "</b> <span class=\"of\">" << shown->p5_ns << " to " << shown->p95_ns
                 << "</span>";
        }
        html << "</td>";
    };
    for (const ColumnCell& cell : column.cells) {
        if (!has(cell)) {
            continue;
        }
        html << "<tr><th scope=\"row\">";
        case_link(html, index, index.view().cases[case_of(cell.key)].id);
        html << "</th><td>" << text(route_name(cell.key)) << "</td><td>" << text(cell.pair, 100) << "</td>";
        figures(cell.begin);
        figures(cell.wait_return);
        html << "</tr>\n";
    }
    html << "</tbody></table></div></details>\n";
}

void evidence_links(Html& html, const SuiteIndex& index, const Column& column) {
    heading(html, "evidence", "Evidence");
    html << "<p>Every cell with its outcomes, by section:</p>\n<ul class=\"inline\">";
    for (const Section& section : index.view().ledger->sections) {
        if (has_evidence(column, section.id)) {
            html << "<li><a href=\"" << to(evidence_page(column.name, section.id)) << "\">" << text(section.title)
                 << "</a></li>";
        }
    }
    if (has_evidence(column, "other")) {
        html << "<li><a href=\"" << to(evidence_page(column.name, "other"))
             << "\">cells of no case of this suite</a></li>";
    }
    html << "</ul>\n";
}

} // namespace

const Column* predecessor_of(std::span<const Column> columns, std::size_t place) {
    for (std::size_t i = place + 1; i < columns.size(); ++i) {
        if (columns[i].on_gpu == columns[place].on_gpu && columns[i].gpu == columns[place].gpu) {
            return &columns[i];
        }
    }
    return nullptr;
}

std::string column_page_html(const SuiteIndex& index, const Column& column, const Column* predecessor) {
    Html html = open_page(column_page(column.name), title_of(column), Tab::columns);
    totals(html, column);
    if (predecessor != nullptr) {
        html << "<p><a href=\"" << to(changes_page(column.name)) << "\">What changed</a> since ";
        column_link(html, *predecessor);
        html << ".</p>\n";
    }
    if (!column.same_cases) {
        html << "<p class=\"warning\">The run was of another list of cases than this site's: cells whose case has "
                "changed since are marked "
                "\u2020, and are no evidence for the case as it is here.</p>\n";
    }
    reliance(html, index, column);
    latencies(html, index, column);
    heading(html, "environment", "Environment");
    environment(html, column);
    evidence_links(html, index, column);
    return close_page(std::move(html), index.view());
}

std::string columns_page_html(const SuiteIndex& index, std::span<const Column> columns) {
    Html html = open_page(columns_page(), "Devices", Tab::columns);
    html << "<p class=\"lead\">Every results file of this site: a run on a GPU with its driver and toolkit. Each page "
            "says what you may rely on there, "
            "and what you must not.</p>\n";
    std::set<Verdict> verdicts;
    for (const Column& column : columns) {
        for (const auto& [verdict, count] : column.totals) {
            verdicts.insert(verdict);
        }
    }
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Devices\"><table><caption>Statements by "
            "verdict</caption><thead><tr><th "
            "scope=\"col\">Device</th><th scope=\"col\">Suite</th>";
    for (const Verdict verdict : verdicts) {
        html << "<th scope=\"col\">";
        chip(html, verdict);
        html << "</th>";
    }
    html << "<th scope=\"col\">Remarks</th></tr></thead><tbody>\n";
    for (const Column& column : columns) {
        html << "<tr><th scope=\"row\">";
        column_link(html, column);
        html << "</th><td>" << text(column.suite.version, 20) << "</td>";
        for (const Verdict verdict : verdicts) {
            const auto count = column.totals.find(verdict);
            html << "<td class=\"number\">" << (count == column.totals.end() ? std::size_t{0} : count->second)
                 << "</td>";
        }
        html << "<td>";
        for (const std::string& remark : column.remarks) {
            html << (&remark == &column.remarks.front() ? Markup("") : Markup("; ")) << text(remark, 120);
        }
        html << "</td></tr>\n";
    }
    html << "</tbody></table></div>\n";
    return close_page(std::move(html), index.view());
}

} // namespace pdlcts::site
