// SPDX-License-Identifier: Apache-2.0
#include "reports/site/pages.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/matrix/table.hpp"

#include <algorithm>
#include <set>

namespace pdlcts::site {
namespace {

/// A row that the ledger does not have: a user's own pattern, or a statement of another suite.
std::set<std::string> other_rows(std::span<const Column> columns) {
    std::set<std::string> labels;
    for (const Column& column : columns) {
        for (const auto& [label, entry] : column.others) {
            if (labels.size() < most_other_rows) {
                labels.insert(label);
            }
        }
    }
    return labels;
}

std::string suite_of(const Column& column) {
    return concat("suite ", plain_text(column.suite.version, 20), " \u00b7 ",
                  plain_text(column.suite.git_hash, 7).substr(0, 7));
}

void heads(Html& html, std::span<const Column> columns) {
    html << "<thead>\n<tr class=\"suites\"><td></td>";
    for (std::size_t i = 0; i < columns.size();) {
        std::size_t end = i;
        while (end < columns.size() && suite_of(columns[end]) == suite_of(columns[i]) &&
               columns[end].same_cases == columns[i].same_cases) {
            ++end;
        }
        html << "<th scope=\"colgroup\" colspan=\"" << (end - i) << "\">" << text(suite_of(columns[i]));
        if (!columns[i].same_cases) {
            html << " <span class=\"stale\">other cases</span>";
        }
        html << "</th>";
        i = end;
    }
    html << "</tr>\n<tr class=\"columns\"><th scope=\"col\">Statement</th>";
    for (const Column& column : columns) {
        html << "<th scope=\"col\" data-gpu=\"" << text(column.gpu, 60) << "\" data-driver=\""
             << text(column.driver, 40) << "\"><a href=\"" << to(column_page(column.name)) << "\">"
             << text(column.gpu, 60) << "</a> <span class=\"of\">"
             << text(column.driver.empty() ? "no driver" : column.driver, 40) << "</span> <span class=\"of\">"
             << text(column.toolkit.empty() ? "no toolkit" : "CUDA " + column.toolkit, 60)
             << "</span> <span class=\"of\">" << text(column.when) << "</span></th>";
    }
    html << "</tr>\n</thead>\n";
}

void entry_cell(Html& html, const ColumnEntry* entry, const Column& column, const Address* page) {
    if (entry == nullptr) {
        html << "<td></td>";
        return;
    }
    const StatementVerdict& verdict = entry->verdict;
    html << "<td>";
    if (page == nullptr) {
        chip(html, verdict.verdict, entry->stale);
    } else {
        const char shown[] = {letter(verdict.verdict), '\0'};
        html << "<a class=\"v " << shape_of(verdict.verdict) << "\" tabindex=\"-1\" href=\""
             << to(page->at(column.name)) << "\" aria-label=\"" << text(name(verdict.verdict)) << " in "
             << verdict.sharing << " of " << verdict.of;
        if (entry->stale) {
            html << ", of an earlier version";
        }
        html << "\">" << text(shown) << "</a>";
        if (entry->stale) {
            html << "<span class=\"stale\">\u2020</span>";
        }
    }
    if (verdict.sharing != verdict.of) {
        html << "<span class=\"of\" aria-hidden=\"true\">" << verdict.sharing << "/" << verdict.of << "</span>";
    }
    html << "</td>";
}

void rows(Html& html, const SuiteIndex& index, std::span<const Column> columns) {
    const Section* section = nullptr;
    for (std::size_t i = 0; i < index.statements().size(); ++i) {
        const Statement& statement = *index.statements()[i];
        const bool shown = std::any_of(columns.begin(), columns.end(),
                                       [&](const Column& column) { return column.entries[i].has_value(); });
        if (!shown) {
            continue;
        }
        if (section != index.sections()[i]) {
            html << (section == nullptr ? Markup("") : Markup("</tbody>\n"));
            section = index.sections()[i];
            html << "<tbody data-section=\"" << text(section->id) << "\">\n<tr class=\"section\"><th colspan=\""
                 << (columns.size() + 1) << "\" scope=\"rowgroup\"><span>" << text(section->title)
                 << "</span></th></tr>\n";
        }
        const Address page = statement_page(statement.id);
        html << "<tr data-strength=\"" << text(name(statement.strength))
             << "\"><th scope=\"row\"><a class=\"id\" href=\"" << to(page) << "\">" << text(statement.id) << "</a>";
        if (statement.basis == Basis::derived) {
            html << "<span class=\"derived\" title=\"derived: no document says it in one sentence\">*</span>";
        }
        html << "<span class=\"sentence\">" << text(statement.text) << "</span></th>";
        for (const Column& column : columns) {
            entry_cell(html, column.entries[i] ? &*column.entries[i] : nullptr, column, &page);
        }
        html << "</tr>\n";
    }
    html << (section == nullptr ? Markup("") : Markup("</tbody>\n"));
    const std::set<std::string> others = other_rows(columns);
    if (others.empty()) {
        return;
    }
    html << "<tbody data-section=\"other\">\n<tr class=\"section\"><th colspan=\"" << (columns.size() + 1)
         << "\" scope=\"rowgroup\"><span>Patterns and statements that this suite does not have</span></th></tr>\n";
    for (const std::string& label : others) {
        html << "<tr data-strength=\"none\"><th scope=\"row\"><code>" << text(label, 60) << "</code></th>";
        for (const Column& column : columns) {
            const auto entry = column.others.find(label);
            entry_cell(html, entry == column.others.end() ? nullptr : &entry->second, column, nullptr);
        }
        html << "</tr>\n";
    }
    html << "</tbody>\n";
}

void option(Html& html, std::string_view value, std::string_view shown) {
    html << "<option value=\"" << text(value, 60) << "\">" << text(shown, 60) << "</option>";
}

void filters(Html& html, const SuiteIndex& index, std::span<const Column> columns) {
    std::set<Verdict> verdicts;
    std::set<std::string> gpus;
    const auto newest_first = [](const std::string& one, const std::string& other) {
        const int order = compare_versions(one, other);
        return order != 0 ? order > 0 : one < other;
    };
    std::set<std::string, decltype(newest_first)> drivers(newest_first);
    for (const Column& column : columns) {
        for (const auto& [verdict, count] : column.totals) {
            verdicts.insert(verdict);
        }
        gpus.insert(column.gpu);
        drivers.insert(column.driver);
    }
    html << "<form class=\"filters\" id=\"filters\" hidden aria-label=\"Filter the matrix\">\n<label>Text <input "
            "type=\"search\" name=\"text\" "
            "placeholder=\"id or words\"></label>\n<label>Verdict <select name=\"verdict\"><option "
            "value=\"\">any</option>";
    for (const Verdict verdict : verdicts) {
        const char value[] = {letter(verdict), '\0'};
        option(html, value, name(verdict));
    }
    html << "</select></label>\n<label>Strength <select name=\"strength\"><option value=\"\">any</option>";
    for (const Strength strength : {Strength::guarantee, Strength::permission, Strength::requirement,
                                    Strength::equivalence, Strength::definition, Strength::unspecified}) {
        option(html, name(strength), name(strength));
    }
    html << "</select></label>\n<label>Section <select name=\"section\"><option value=\"\">any</option>";
    for (const Section& section : index.view().ledger->sections) {
        option(html, section.id, section.title);
    }
    html << "</select></label>\n<label>GPU <select name=\"gpu\"><option value=\"\">any</option>";
    for (const std::string& gpu : gpus) {
        option(html, gpu, gpu);
    }
    html << "</select></label>\n<label>Driver <select name=\"driver\"><option value=\"\">any</option>";
    for (const std::string& driver : drivers) {
        if (!driver.empty()) {
            option(html, driver, driver);
        }
    }
    html << "</select></label>\n<label class=\"one\">Column <select name=\"column\"><option value=\"\">all</option>";
    for (std::size_t i = 0; i < columns.size(); ++i) {
        html << "<option value=\"" << i << "\">" << text(title_of(columns[i]), 120) << "</option>";
    }
    html << "</select></label>\n<label class=\"check\"><input type=\"checkbox\" name=\"differs\"> only what "
            "differs</label>\n"
            "<button type=\"reset\">Clear</button>\n<output id=\"count\" aria-live=\"polite\"></output>\n</form>\n";
}

void legend(Html& html, std::span<const Column> columns) {
    std::map<Verdict, std::size_t> totals;
    for (const Column& column : columns) {
        for (const auto& [verdict, count] : column.totals) {
            totals[verdict] += count;
        }
    }
    html << "<ul class=\"legend\" aria-label=\"The alphabet of verdicts\">";
    for (const auto& [verdict, count] : totals) {
        html << "<li>";
        named_chip(html, verdict);
        if (columns.size() == 1) {
            html << " <span class=\"count\">" << Grouped{count} << "</span>";
        }
        html << " <span class=\"of\">" << text(meaning(verdict)) << "</span></li>";
    }
    html << "</ul>\n";
}

void parts_list(Html& html, std::size_t part, std::size_t parts, std::size_t all_columns) {
    if (parts == 1) {
        return;
    }
    html << "<nav class=\"parts\" aria-label=\"Parts of the matrix\"><p>" << Grouped{all_columns} << " columns, "
         << columns_of_a_part << " on a page: ";
    for (std::size_t i = 0; i < parts; ++i) {
        html << "<a href=\"" << to(matrix_page(i)) << "\"";
        if (i == part) {
            html << " aria-current=\"page\"";
        }
        html << ">" << (i + 1) << "</a> ";
    }
    html << "</p></nav>\n";
}

bool any_stale(std::span<const Column> columns) {
    return std::any_of(columns.begin(), columns.end(), [](const Column& column) {
        return std::any_of(column.entries.begin(), column.entries.end(),
                           [](const auto& entry) { return entry && entry->stale; });
    });
}

} // namespace

std::string matrix_page_html(const SuiteIndex& index, std::span<const Column> all, std::size_t part) {
    const std::size_t parts = std::max<std::size_t>(1, (all.size() + columns_of_a_part - 1) / columns_of_a_part);
    const std::size_t first = std::min(part * columns_of_a_part, all.size());
    const std::span<const Column> columns = all.subspan(first, std::min(columns_of_a_part, all.size() - first));
    const std::string title = part == 0 ? "Programmatic Dependent Launch, statement by statement"
                                        : concat("The matrix, part ", part + 1, " of ", parts);
    Html html = open_page(matrix_page(part), title, Tab::matrix);
    html << "<p class=\"lead\">What the specification of Programmatic Dependent Launch says, and what was seen on real "
            "GPUs. A row is a "
            "sentence of the specification, a column a GPU with its driver and toolkit. Every cell leads to its "
            "evidence: outcomes that were counted, and a control that shows that a violation would have been seen. "
            "<a href=\""
         << to(guide_page()) << "\">What a pass means, and what not</a>.</p>\n";
    if (columns.empty()) {
        html << "<p>No results file was given, so nothing is shown.</p>\n";
        return close_page(std::move(html), index.view());
    }
    legend(html, columns);
    filters(html, index, columns);
    parts_list(html, part, parts, all.size());
    html << "<div class=\"matrix\" id=\"matrix\" role=\"region\" tabindex=\"0\" aria-label=\"Matrix of statements and "
            "devices\">\n<table>\n"
            "<caption>Each statement with its worst verdict in each column; 2/3: that verdict in two of the "
            "statement's three cells. An "
            "empty field: no cell.</caption>\n";
    heads(html, columns);
    rows(html, index, columns);
    html << "</table>\n</div>\n";
    if (any_stale(columns)) {
        html << "<p><span class=\"stale\">\u2020</span> A case behind this verdict has changed since the run: it "
                "speaks of the "
                "earlier version, and is no evidence for this one.</p>\n";
    }
    html << "<p><span class=\"derived\">*</span> Derived: no document says this in one sentence.</p>\n";
    return close_page(std::move(html), index.view());
}

} // namespace pdlcts::site
