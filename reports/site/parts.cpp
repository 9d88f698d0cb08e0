// SPDX-License-Identifier: Apache-2.0
#include "reports/site/parts.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/matrix/table.hpp"

#include <algorithm>
#include <set>

namespace pdlcts::site {
namespace {

void tab_link(Html& html, const Address& address, std::string_view name, bool current) {
    html << "<li><a href=\"" << to(address) << "\"";
    if (current) {
        html << " aria-current=\"page\"";
    }
    html << ">" << text(name) << "</a></li>";
}

} // namespace

Html open_page(const Address& address, std::string_view heading, Tab tab) {
    Html html(address);
    html << "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
            // Nothing but the site's own files, whatever a results file would like: no inline script, no other host.
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'self'; script-src "
            "'self'; img-src 'self'; base-uri 'none'; form-action 'none'\">\n"
            "<meta name=\"referrer\" content=\"no-referrer\">\n<meta name=\"color-scheme\" content=\"light "
            "dark\">\n<title>"
         << text(heading) << " - PDL conformance</title>\n<link rel=\"icon\" href=\"" << to(asset("icon.svg"))
         << "\">\n<link rel=\"stylesheet\" href=\"" << to(asset("site.css")) << "\">\n<script src=\""
         << to(asset("site.js"))
         << "\" defer></script>\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to content</a>\n<header "
            "class=\"top\"><div class=\"bar\">\n<a class=\"brand\" href=\""
         << to(front_page()) << "\">PDL <span>conformance</span></a>\n<nav aria-label=\"Site\"><ul>";
    tab_link(html, front_page(), "Matrix", tab == Tab::matrix);
    tab_link(html, statements_page(), "Statements", tab == Tab::statements);
    tab_link(html, cases_page(), "Cases", tab == Tab::cases);
    tab_link(html, columns_page(), "Devices", tab == Tab::columns);
    tab_link(html, differences_page(), "Differences", tab == Tab::differences);
    tab_link(html, machine_page(), "Machine", tab == Tab::machine);
    tab_link(html, guide_page(), "Guide", tab == Tab::guide);
    html << "</ul></nav></div></header>\n<main id=\"main\" tabindex=\"-1\">\n<h1>" << text(heading) << "</h1>\n";
    return html;
}

std::string close_page(Html page, const SuiteView& view) {
    page << "\n</main>\n<footer><p>Written by pdlcts " << text(view.suite.version, 40) << ", git "
         << text(view.suite.git_hash.substr(0, 12)) << ". No verdict is stronger than its evidence: the <a href=\""
         << to(guide_page())
         << "\">guide</a> says what each means. The abstract machine, not this page, says what the specification "
            "allows.</p></footer>\n</body>\n</html>\n";
    return std::move(page).take();
}

Markup shape_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
        return "v-fail";
    case Verdict::unexplained:
        return "v-unexplained";
    case Verdict::refuted:
        return "v-refuted";
    case Verdict::timeout:
        return "v-timeout";
    case Verdict::crash:
        return "v-crash";
    case Verdict::device_error:
        return "v-device-error";
    case Verdict::harness_error:
        return "v-harness-error";
    case Verdict::pass:
        return "v-pass";
    case Verdict::observed:
        return "v-observed";
    case Verdict::proved:
        return "v-proved";
    case Verdict::recorded:
        return "v-recorded";
    case Verdict::vacuous:
        return "v-vacuous";
    case Verdict::not_observed:
        return "v-not-observed";
    case Verdict::not_decided:
        return "v-not-decided";
    case Verdict::not_supported:
        return "v-not-supported";
    case Verdict::missing:
        break;
    }
    return "v-missing";
}

void chip(Html& html, Verdict verdict, bool stale) {
    const char shown[] = {letter(verdict), '\0'};
    html << "<span class=\"v " << shape_of(verdict) << "\" role=\"img\" aria-label=\"" << text(name(verdict));
    if (stale) {
        html << ", of an earlier version of the case";
    }
    html << "\">" << text(shown) << "</span>";
    if (stale) {
        html << "<span class=\"stale\" aria-hidden=\"true\">\u2020</span>";
    }
}

void named_chip(Html& html, Verdict verdict, bool stale) {
    const char shown[] = {letter(verdict), '\0'};
    html << "<span class=\"v " << shape_of(verdict) << "\" aria-hidden=\"true\">" << text(shown) << "</span> <b>"
         << text(name(verdict)) << "</b>";
    if (stale) {
        html << " <span class=\"stale\">\u2020 of an earlier version of the case</span>";
    }
}

void statement_link(Html& html, const SuiteIndex& index, std::string_view id) {
    if (index.find_statement(id)) {
        html << "<a class=\"id\" href=\"" << to(statement_page(id)) << "\">" << text(id) << "</a>";
    } else {
        html << "<code>" << text(id, 80) << "</code>";
    }
}

void case_link(Html& html, const SuiteIndex& index, std::string_view id) {
    if (index.find_case(id)) {
        html << "<a class=\"id\" href=\"" << to(case_page(id)) << "\">" << text(id) << "</a>";
    } else {
        html << "<code>" << text(id, 80) << "</code>";
    }
}

void column_link(Html& html, const Column& column) {
    html << "<a href=\"" << to(column_page(column.name)) << "\">" << text(column.gpu, 60) << "</a> <span class=\"of\">";
    if (!column.driver.empty()) {
        html << "driver " << text(column.driver, 40);
    }
    if (!column.toolkit.empty()) {
        html << ", toolkit " << text(column.toolkit, 60);
    }
    html << (column.driver.empty() && column.toolkit.empty() ? Markup("") : Markup(", "));
    html << text(column.when) << "</span>";
}

void evidence_words(Html& html, const ColumnCell& cell, const SuiteCase& tested) {
    if (cell.trials == 0) {
        return;
    }
    const bool seeks = !tested.claim.sometimes.empty();
    if (seeks || !tested.claim.never.empty()) {
        html << (seeks ? Markup("seen in ") : Markup("violated in ")) << Grouped{cell.violations} << " of "
             << counted(cell.armed, "armed trial", "armed trials");
        if (!seeks && cell.violations == 0 && cell.upper_bound < 1) {
            html << ", rate below " << text(rate(cell.upper_bound));
        }
        if (cell.control_trials != 0) {
            html << "; control " << Grouped{cell.control_armed_violations} << " of " << Grouped{cell.control_armed};
        }
    } else {
        html << counted(cell.trials, "trial", "trials");
    }
    if (cell.quick) {
        html << " (quick)";
    }
}

void heading(Html& html, std::string_view anchor, std::string_view words) {
    html << "<h2 id=\"" << text(slug(anchor)) << "\">" << text(words) << "</h2>\n";
}

namespace {

std::vector<CellKey> keys_of(std::size_t case_index, const SuiteCase& tested, std::span<const Column> columns) {
    if (tested.native) {
        return {native_key(case_index)};
    }
    std::set<CellKey> keys;
    for (const SuiteRoute& route : tested.routes) {
        keys.insert(key_of(case_index, route.route));
    }
    for (const Column& column : columns) {
        for (const Route route : all_routes) {
            if (find_cell(column, key_of(case_index, route)) != nullptr) {
                keys.insert(key_of(case_index, route));
            }
        }
    }
    return {keys.begin(), keys.end()};
}

void table_cell(Html& html, const ColumnCell* cell, const SuiteCase& tested) {
    if (cell == nullptr) {
        html << "<td class=\"none\">no cell</td>";
        return;
    }
    html << "<td>";
    chip(html, cell->verdict, cell->currency == Currency::stale);
    html << " <span class=\"of\">";
    evidence_words(html, *cell, tested);
    if (!cell->reason.empty()) {
        html << (cell->trials == 0 ? Markup("") : Markup(": ")) << text(cell->reason, 300);
    }
    html << "</span></td>";
}

void left_out(Html& html, std::span<const Column> rest, const std::vector<CellKey>& keys) {
    std::map<Verdict, std::size_t> counts;
    std::vector<const Column*> against;
    for (const Column& column : rest) {
        bool negative = false;
        for (const CellKey key : keys) {
            if (const ColumnCell* cell = find_cell(column, key)) {
                ++counts[cell->verdict];
                negative = negative || cell->verdict == Verdict::fail || cell->verdict == Verdict::unexplained;
            }
        }
        if (negative && against.size() < most_listed_columns) {
            against.push_back(&column);
        }
    }
    html << "<p>" << counted(rest.size(), "more column", "more columns") << ", by their cells:";
    for (const auto& [verdict, count] : counts) {
        html << " ";
        named_chip(html, verdict);
        html << " " << Grouped{count} << " ";
    }
    html << "</p>";
    if (!against.empty()) {
        html << "<p>With FAIL or UNEXPLAINED among them:</p><ul>";
        for (const Column* column : against) {
            html << "<li>";
            column_link(html, *column);
            html << "</li>";
        }
        html << "</ul>";
    }
}

} // namespace

void cells_table(Html& html, const SuiteIndex& index, std::span<const Column> columns, std::size_t case_index) {
    const SuiteCase& tested = index.view().cases[case_index];
    const std::vector<CellKey> keys = keys_of(case_index, tested, columns);
    const auto has_cell = [&](const Column& column) {
        return std::any_of(keys.begin(), keys.end(), [&](CellKey key) { return find_cell(column, key) != nullptr; });
    };
    if (std::none_of(columns.begin(), columns.end(), has_cell)) {
        html << "<p>No results file has a cell of this case.</p>\n";
        return;
    }
    const std::string section = index.section_of(tested.id, tested.statement);
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Cells of " << text(tested.id)
         << "\"><table class=\"cells\"><caption>A row a column of the matrix, a column a route</caption><thead><tr><th "
            "scope=\"col\">Device</th>";
    for (const CellKey key : keys) {
        html << "<th scope=\"col\">" << text(route_name(key)) << "</th>";
    }
    html << "</tr></thead><tbody>\n";
    const std::span<const Column> listed = columns.first(std::min(columns.size(), most_listed_columns));
    for (const Column& column : listed) {
        if (!has_cell(column)) {
            continue;
        }
        html << "<tr><th scope=\"row\"><a href=\"" << to(evidence_page(column.name, section).at(tested.id)) << "\">"
             << text(column.gpu, 60) << "</a> <span class=\"of\">" << text(column.driver, 40) << " \u00b7 "
             << text(column.toolkit.empty() ? "no toolkit" : "CUDA " + column.toolkit, 60) << " \u00b7 "
             << text(column.when) << "</span></th>";
        for (const CellKey key : keys) {
            table_cell(html, find_cell(column, key), tested);
        }
        html << "</tr>\n";
    }
    html << "</tbody></table></div>\n";
    if (listed.size() < columns.size()) {
        left_out(html, columns.subspan(listed.size()), keys);
    }
}

} // namespace pdlcts::site
