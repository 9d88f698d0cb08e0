// SPDX-License-Identifier: Apache-2.0
#include "reports/site/pages.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/table.hpp"

#include <algorithm>
#include <map>

namespace pdlcts::site {
namespace {

std::string_view title_of(const Ledger& ledger, std::string_view document) {
    for (const Document& known : ledger.documents) {
        if (known.key == document) {
            return known.title;
        }
    }
    return document;
}

std::string_view what_strength_means(Strength strength) {
    switch (strength) {
    case Strength::guarantee:
        return "the specification promises it";
    case Strength::permission:
        return "it may happen, and nobody promises that it does";
    case Strength::requirement:
        return "the program has to see to it";
    case Strength::equivalence:
        return "two forms have to mean the same";
    case Strength::definition:
        return "it says what something is";
    case Strength::unspecified:
        return "no document settles it: what a device does is recorded, and judged by nobody";
    }
    return "";
}

std::string_view what_basis_means(Basis basis) {
    switch (basis) {
    case Basis::read:
        return "read in its source";
    case Basis::derived:
        return "derived from what documents say";
    case Basis::inferred:
        return "inferred, as no document states it; recorded, never judged";
    }
    return "";
}

void facts(Html& html, const SuiteIndex& index, const Statement& statement) {
    html << "<dl class=\"facts\"><dt>Strength</dt><dd>" << text(name(statement.strength)) << ": "
         << text(what_strength_means(statement.strength)) << "</dd><dt>Basis</dt><dd>" << text(name(statement.basis))
         << ": " << text(what_basis_means(statement.basis)) << "</dd><dt>Sources</dt><dd><ul>";
    for (const Source& source : statement.sources) {
        html << "<li>" << text(title_of(*index.view().ledger, source.document)) << ": " << text(source.section)
             << "</li>";
    }
    html << "</ul></dd>";
    if (statement.minimum_compute_capability != 0) {
        html << "<dt>Hardware</dt><dd>compute capability " << statement.minimum_compute_capability / 10 << "."
             << statement.minimum_compute_capability % 10 << " and higher</dd>";
    }
    if (!statement.minimum_toolkit.empty()) {
        html << "<dt>Toolkit</dt><dd>CUDA " << text(statement.minimum_toolkit) << " and newer</dd>";
    }
    if (!statement.reading.empty()) {
        html << "<dt>How the machine reads it</dt><dd>" << text(statement.reading, 4000) << "</dd>";
    }
    if (!statement.reason.empty()) {
        html << "<dt>Why no case tests it</dt><dd>" << text(statement.reason, 4000) << "</dd>";
    }
    html << "</dl>\n";
}

/// Ambiguities that cite a source of the statement: where documents disagree, or are silent, beside it.
void ambiguities(Html& html, const SuiteIndex& index, const Statement& statement) {
    std::vector<const Statement*> beside;
    for (const Statement* other : index.statements()) {
        const bool shares =
            other != &statement && !other->reading.empty() &&
            std::any_of(other->sources.begin(), other->sources.end(), [&](const Source& source) {
                return std::any_of(statement.sources.begin(), statement.sources.end(), [&](const Source& own) {
                    return own.document == source.document && own.section == source.section;
                });
            });
        if (shares) {
            beside.push_back(other);
        }
    }
    if (beside.empty()) {
        return;
    }
    heading(html, "disagreements", "Where documents disagree or are silent");
    html << "<p>Open questions about the same places of the documents:</p>\n<ul class=\"plain\">";
    for (const Statement* other : beside) {
        html << "<li>";
        statement_link(html, index, other->id);
        html << " " << text(other->text) << "</li>\n";
    }
    html << "</ul>\n";
}

/// The statement's verdict by driver: a row for each GPU and toolkit, oldest driver first.
void history(Html& html, std::span<const Column> columns, std::size_t place) {
    std::map<std::pair<std::string, std::string>, std::vector<const Column*>> groups;
    for (const Column& column : columns) {
        if (column.entries[place] && column.on_gpu) {
            groups[{column.gpu, column.toolkit}].push_back(&column);
        }
    }
    if (groups.empty()) {
        return;
    }
    heading(html, "history", "By driver");
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"History over drivers\"><table "
            "class=\"history\"><caption>Oldest "
            "driver first; a bar stands where the verdict changed</caption><thead><tr><th scope=\"col\">GPU and "
            "toolkit</th><th "
            "scope=\"col\">Verdicts</th></tr></thead><tbody>\n";
    std::size_t shown = 0;
    for (auto& [group, members] : groups) {
        if (++shown > most_listed_columns) {
            break;
        }
        std::sort(members.begin(), members.end(), [](const Column* one, const Column* other) {
            const int order = compare_versions(one->driver, other->driver);
            return order != 0 ? order < 0 : one->started < other->started;
        });
        if (members.size() > most_listed_columns) {
            members.erase(members.begin(), members.end() - most_listed_columns);
        }
        html << "<tr><th scope=\"row\">" << text(group.first, 60) << " <span class=\"of\">CUDA "
             << text(group.second, 60) << "</span></th><td><ol class=\"drivers\">";
        const ColumnEntry* before = nullptr;
        for (const Column* column : members) {
            const ColumnEntry& entry = *column->entries[place];
            html << (before != nullptr && before->verdict.verdict != entry.verdict.verdict
                         ? Markup("<li class=\"changed\">")
                         : Markup("<li>"));
            chip(html, entry.verdict.verdict, entry.stale);
            html << " <a href=\"" << to(column_page(column->name)) << "\">" << text(column->driver, 40) << "</a></li>";
            before = &entry;
        }
        html << "</ol></td></tr>\n";
    }
    html << "</tbody></table></div>\n";
}

void first_sentence(Html& html, const SuiteCase& tested) {
    std::string joined;
    for (const std::string& line : tested.description) {
        joined += (joined.empty() ? "" : " ") + line;
    }
    html << text(joined, 600);
}

} // namespace

std::string statement_page_html(const SuiteIndex& index, std::span<const Column> columns, std::size_t place) {
    const Statement& statement = *index.statements()[place];
    Html html = open_page(statement_page(statement.id), statement.id, Tab::statements);
    html << "<p class=\"where\"><a href=\"" << to(statements_page().at(index.sections()[place]->id)) << "\">"
         << text(index.sections()[place]->title) << "</a></p>\n<blockquote class=\"statement\"><p>"
         << text(statement.text, 4000) << "</p></blockquote>\n";
    facts(html, index, statement);
    history(html, columns, place);
    ambiguities(html, index, statement);
    heading(html, "evidence", "Evidence");
    if (index.cases_of(place).empty()) {
        html << "<p>No case tests this statement.</p>\n";
    }
    for (const std::size_t tested : index.cases_of(place)) {
        const SuiteCase& each = index.view().cases[tested];
        html << "<section class=\"case\"><h3>";
        case_link(html, index, each.id);
        html << "</h3>\n<p>";
        first_sentence(html, each);
        html << "</p>\n";
        cells_table(html, index, columns, tested);
        html << "</section>\n";
    }
    // Where the matrix leads: a column's own row of verdicts.
    if (!columns.empty()) {
        heading(html, "columns", "In each column");
        html << "<ul class=\"plain columns\">\n";
        std::size_t listed = 0;
        for (const Column& column : columns) {
            if (const auto& entry = column.entries[place]; entry && ++listed <= columns_of_a_part * 4) {
                html << "<li id=\"" << text(slug(column.name, 160)) << "\">";
                chip(html, entry->verdict.verdict, entry->stale);
                html << " " << entry->verdict.sharing << " of " << entry->verdict.of << " cells";
                if (const std::string& section = index.sections()[place]->id; has_evidence(column, section)) {
                    html << ": <a href=\"" << to(evidence_page(column.name, section)) << "\">evidence</a>";
                }
                html << " of ";
                column_link(html, column);
                html << "</li>\n";
            }
        }
        html << "</ul>\n";
    }
    return close_page(std::move(html), index.view());
}

std::string statements_page_html(const SuiteIndex& index, std::span<const Column> columns) {
    Html html = open_page(statements_page(), "Statements of the specification", Tab::statements);
    const Column* newest = columns.empty() ? nullptr : &columns.front();
    html << "<p class=\"lead\">Every sentence that the suite knows, in words of its own, by section.</p>\n";
    if (newest != nullptr) {
        html << "<p>The verdicts are those of the first column of the matrix: ";
        column_link(html, *newest);
        html << ".</p>\n";
    }
    const Section* section = nullptr;
    for (std::size_t i = 0; i < index.statements().size(); ++i) {
        const Statement& statement = *index.statements()[i];
        if (section != index.sections()[i]) {
            html << (section == nullptr ? Markup("") : Markup("</ul>\n"));
            section = index.sections()[i];
            heading(html, section->id, section->title);
            html << "<ul class=\"plain\">\n";
        }
        html << "<li>";
        if (newest != nullptr && newest->entries[i]) {
            chip(html, newest->entries[i]->verdict.verdict, newest->entries[i]->stale);
        } else {
            html << "<span class=\"v v-empty\" role=\"img\" aria-label=\"no cell\">\u00b7</span>";
        }
        html << " ";
        statement_link(html, index, statement.id);
        html << " <span class=\"tag\">" << text(name(statement.strength)) << "</span> " << text(statement.text)
             << "</li>\n";
    }
    html << (section == nullptr ? Markup("") : Markup("</ul>\n"));
    return close_page(std::move(html), index.view());
}

} // namespace pdlcts::site
