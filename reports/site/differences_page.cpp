// SPDX-License-Identifier: Apache-2.0
#include "reports/site/pages.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/table.hpp"

#include <algorithm>
#include <map>
#include <set>

/// Any two columns would be as many pages as there are columns, squared. So each column has a page against its
/// predecessor, and one page holds the letters of all columns, from which a script shows any two.
namespace pdlcts::site {
namespace {

bool differ(const ColumnCell* one, const ColumnCell* other) {
    return (one == nullptr) != (other == nullptr) || (one != nullptr && one->verdict != other->verdict);
}

void side(Html& html, const ColumnCell* cell, const SuiteCase& tested) {
    html << "<td>";
    if (cell == nullptr) {
        html << "<span class=\"none\">no cell</span></td>";
        return;
    }
    named_chip(html, cell->verdict, cell->currency == Currency::stale);
    html << " <span class=\"of\">";
    evidence_words(html, *cell, tested);
    if (!cell->reason.empty()) {
        html << " " << text(cell->reason, 300);
    }
    html << "</span></td>";
}

/// Text of JSON that stands in a page: everything but the plainest characters is written as its number, so that neither
/// JSON nor HTML can read it as its own.
class JsonText {
public:
    void raw(Markup markup) { json_ += markup.text(); }
    void string(std::string_view text) {
        json_ += '"';
        for (const char character : text) {
            const bool plain = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
                               (character >= '0' && character <= '9') ||
                               std::string_view(" .,-_/()+?:").find(character) != std::string_view::npos;
            json_ += plain ? character : '?';
        }
        json_ += '"';
    }
    const std::string& json() const { return json_; }

private:
    std::string json_;
};

std::string letters_of(const Column& column, const std::vector<CellKey>& keys) {
    std::string letters;
    auto cell = column.cells.begin();
    for (const CellKey key : keys) {
        while (cell != column.cells.end() && cell->key < key) {
            ++cell;
        }
        const bool there = cell != column.cells.end() && cell->key == key;
        letters += there ? letter(cell->verdict) : '.';
    }
    return letters;
}

std::vector<CellKey> keys_of(std::span<const Column> columns) {
    std::set<CellKey> keys;
    for (const Column& column : columns) {
        for (const ColumnCell& cell : column.cells) {
            keys.insert(cell.key);
        }
    }
    return {keys.begin(), keys.end()};
}

void data(Html& html, const SuiteIndex& index, std::span<const Column> columns) {
    const std::vector<CellKey> keys = keys_of(columns);
    JsonText json;
    json.raw("{\"cells\":[");
    bool first = true;
    for (const CellKey key : keys) {
        const SuiteCase& tested = index.view().cases[case_of(key)];
        json.raw(first ? Markup("[") : Markup(",["));
        json.string(tested.id);
        json.raw(",");
        json.string(route_name(key));
        json.raw(",");
        json.string(tested.statement);
        json.raw(",");
        json.string(case_page(tested.id).path());
        json.raw("]");
        first = false;
    }
    json.raw("],\"names\":{");
    for (int verdict = 0; verdict <= static_cast<int>(Verdict::missing); ++verdict) {
        const char shown[] = {letter(static_cast<Verdict>(verdict)), '\0'};
        json.raw(verdict == 0 ? Markup("") : Markup(","));
        json.string(shown);
        json.raw(":");
        json.string(name(static_cast<Verdict>(verdict)));
    }
    json.raw("},\"columns\":[");
    first = true;
    for (const Column& column : columns) {
        json.raw(first ? Markup("{\"name\":") : Markup(",{\"name\":"));
        json.string(column.name);
        json.raw(",\"title\":");
        json.string(title_of(column) + ", " + column.when);
        json.raw(",\"letters\":");
        json.string(letters_of(column, keys));
        json.raw("}");
        first = false;
    }
    json.raw("]}");
    html << "<script type=\"application/json\" id=\"letters\">" << plain_data(json.json()) << "</script>\n";
}

} // namespace

std::string changes_page_html(const SuiteIndex& index, const Column& column, const Column& predecessor) {
    Html html = open_page(changes_page(column.name), concat("What changed: ", title_of(column)), Tab::differences);
    html << "<p>Since ";
    column_link(html, predecessor);
    html << ", in ";
    column_link(html, column);
    html << ".</p>\n";
    if (column.suite.git_hash != predecessor.suite.git_hash) {
        html << "<p class=\"warning\">The two runs are of different suites, so a difference may be the suite's. Cells "
                "marked \u2020 are of an "
                "earlier version of their case.</p>\n";
    }
    std::set<CellKey> keys;
    for (const Column* each : {&column, &predecessor}) {
        for (const ColumnCell& cell : each->cells) {
            keys.insert(cell.key);
        }
    }
    std::size_t changed = 0;
    Html rows(changes_page(column.name));
    for (const CellKey key : keys) {
        const ColumnCell* now = find_cell(column, key);
        const ColumnCell* before = find_cell(predecessor, key);
        if (!differ(now, before)) {
            continue;
        }
        ++changed;
        const SuiteCase& tested = index.view().cases[case_of(key)];
        rows << "<tr><th scope=\"row\">";
        case_link(rows, index, tested.id);
        rows << " <span class=\"of\">" << text(route_name(key)) << "</span><br>";
        statement_link(rows, index, tested.statement);
        rows << "</th>";
        side(rows, before, tested);
        side(rows, now, tested);
        rows << "</tr>\n";
    }
    html << "<p>" << Grouped{changed} << " of " << Grouped{keys.size()} << " cells differ in their verdict.</p>\n";
    if (changed != 0) {
        html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Changes\"><table "
                "class=\"changes\"><caption>Cells whose verdict "
                "changed</caption><thead><tr><th scope=\"col\">cell</th><th scope=\"col\">before</th><th "
                "scope=\"col\">now</th></tr></thead><tbody>\n"
             << rows << "</tbody></table></div>\n";
    }
    return close_page(std::move(html), index.view());
}

std::string differences_page_html(const SuiteIndex& index, std::span<const Column> columns) {
    Html html = open_page(differences_page(), "Differences between columns", Tab::differences);
    html << "<p class=\"lead\">What changed between two drivers, two toolkits or two GPUs, cell by cell.</p>\n"
            "<form class=\"filters\" id=\"pair\" hidden aria-label=\"Two columns\">\n<label>From <select "
            "name=\"from\"></select></label>\n<label>To <select "
            "name=\"to\"></select></label>\n<button type=\"button\" name=\"swap\">Swap</button>\n<output "
            "id=\"pair-count\" "
            "aria-live=\"polite\"></output>\n</form>\n<div id=\"pair-result\"></div>\n";
    heading(html, "pages", "Each column against the one before it");
    std::size_t listed = 0;
    Html list(differences_page());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        if (const Column* predecessor = predecessor_of(columns, i)) {
            ++listed;
            list << "<li><a href=\"" << to(changes_page(columns[i].name)) << "\">" << text(title_of(columns[i]), 160)
                 << "</a>, " << text(columns[i].when) << ", since driver "
                 << text(predecessor->driver.empty() ? "none" : predecessor->driver, 40) << ", toolkit "
                 << text(predecessor->toolkit.empty() ? "none" : predecessor->toolkit, 60) << ", "
                 << text(predecessor->when) << "</li>\n";
        }
    }
    if (listed == 0) {
        html << "<p>No GPU has two columns yet, so there is nothing to compare.</p>\n";
    } else {
        html << "<ul>\n" << list << "</ul>\n";
    }
    data(html, index, columns);
    return close_page(std::move(html), index.view());
}

} // namespace pdlcts::site
