// SPDX-License-Identifier: Apache-2.0
#include "reports/site/cell_parts.hpp"
#include "reports/site/histogram_table.hpp"
#include "reports/site/pages.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"

#include <set>

namespace pdlcts::site {
namespace {

/// A page beyond this goes on in the results file: no file of a stranger fills a disk.
constexpr std::size_t largest_page = 3'000'000;

class Writer {
public:
    Writer(const SuiteIndex& index, const Column& column, bool pictures)
        : index_(index), column_(column), pictures_(pictures) {}

    std::string page(const std::string& section, const SectionCells& cells) {
        const std::string title = concat("Evidence: ", section_title(section));
        Html html = open_page(evidence_page(column_.name, section), title, Tab::columns);
        html << "<p class=\"where\">";
        column_link(html, column_);
        html << "</p>\n";
        std::size_t left_out = 0;
        for (const auto& [cell, judgement] : cells.cells) {
            if (html.size() > largest_page) {
                ++left_out;
                continue;
            }
            write(html, *cell, *judgement);
        }
        for (const auto& [cell, judgement] : cells.native) {
            if (html.size() > largest_page) {
                ++left_out;
                continue;
            }
            write(html, *cell, *judgement);
        }
        if (left_out != 0) {
            html << "<p>"
                 << counted(left_out, "more cell is left out here; it is", "more cells are left out here; they are")
                 << " in the results file.</p>\n";
        }
        return close_page(std::move(html), index_.view());
    }

private:
    const SuiteIndex& index_;
    const Column& column_;
    bool pictures_;
    std::set<std::string> anchors_;

    std::string section_title(const std::string& section) const {
        for (const Section& each : index_.view().ledger->sections) {
            if (each.id == section) {
                return each.title;
            }
        }
        return "cells of no case of this suite";
    }
    /// Ids are unique on a page: of two cells that would share one, the second has none.
    void open(Html& html, const std::string& case_id, std::string_view route, const Judgement& judgement, bool stale) {
        html << "<section class=\"case\"";
        const std::string anchor = front_page().at(case_id).anchor();
        if (anchors_.insert(anchor).second) {
            html << " id=\"" << text(anchor, 200) << "\"";
        }
        html << "><h2>";
        case_link(html, index_, case_id);
        html << " <span class=\"of\">" << text(route) << "</span> ";
        named_chip(html, judgement.verdict, stale);
        html << "</h2>\n<p>";
    }
    bool is_stale(CellKey key) const {
        const ColumnCell* cell = find_cell(column_, key);
        return cell != nullptr && cell->currency == Currency::stale;
    }
    void write(Html& html, const Cell& cell, const Judgement& judgement) {
        const auto place = index_.find_case(cell.case_id);
        open(html, cell.case_id, name(cell.form.route), judgement, place && is_stale(key_of(*place, cell.form.route)));
        statement_link(html, index_, cell.statement);
        if (!judgement.reason.empty()) {
            html << ". " << text(judgement.reason, 1000);
        }
        html << "</p>\n";
        if (!cell.incident_detail.empty()) {
            html << "<pre tabindex=\"0\">" << verbatim(std::string_view(cell.incident_detail).substr(0, 2000))
                 << "</pre>\n";
        }
        if (cell.machine) {
            html << "<p>The abstract machine's answer; no GPU ran: " << text(cell.machine->reason, 400) << "</p>\n";
        }
        histogram_table(html, cell.form, cell.claim, nullptr);
        if (cell.other_form) {
            html << "<p>The other form, on route " << text(name(cell.other_form->route)) << ":</p>\n";
            histogram_table(html, *cell.other_form, cell.claim, nullptr);
        }
        html << "<details><summary>How it ran</summary>";
        const Structure& structure = cell.form.program.structure;
        const bool alike = cell.form.control && cell.form.control->structure == structure;
        structure_list(html, structure, alike ? "Program and control" : "Program");
        if (cell.form.control && !alike) {
            structure_list(html, cell.form.control->structure, "Control");
        }
        html << "<p>Image <code>" << text(cell.image.empty() ? "none" : cell.image, 80) << "</code>, digest <code>"
             << text(cell.digest, 64) << "</code>.";
        if (cell.form.branches == 1U) {
            html << " One trial at a time.";
        } else if (cell.form.branches) {
            html << " " << *cell.form.branches << " chains of trials side by side.";
        }
        html << "</p></details>\n";
        latency_table(html, cell.latency);
        if (pictures_ && cell.pictures && cell.pictures->median) {
            html << "<details><summary>Timeline of the median and the worst trial</summary>\n";
            pictures(html, cell, concat(cell.case_id, "-", name(cell.form.route)));
            html << "</details>\n";
        }
        html << "</section>\n";
    }
    void write(Html& html, const NativeCell& cell, const Judgement& judgement) {
        const auto place = index_.find_case(cell.case_id);
        open(html, cell.case_id, "native", judgement, place && is_stale(native_key(*place)));
        statement_link(html, index_, cell.statement);
        if (!judgement.reason.empty()) {
            html << ". " << text(judgement.reason, 1000);
        }
        html << "</p>\n";
        if (!cell.incident_detail.empty()) {
            html << "<pre tabindex=\"0\">" << verbatim(std::string_view(cell.incident_detail).substr(0, 2000))
                 << "</pre>\n";
        }
        probes_table(html, cell);
        html << "</section>\n";
    }
};

} // namespace

std::map<std::string, SectionCells> cells_by_section(const SuiteIndex& index, const Results& results,
                                                     const JudgedResults& judged) {
    std::map<std::string, SectionCells> sections;
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        const Cell& cell = results.cells[i];
        sections[index.section_of(cell.case_id, cell.statement)].cells.emplace_back(&cell, &judged.cells[i].judgement);
    }
    for (std::size_t i = 0; i < results.native.size(); ++i) {
        const NativeCell& cell = results.native[i];
        const Judgement& judgement = judged.cells[results.cells.size() + i].judgement;
        sections[index.section_of(cell.case_id, cell.statement)].native.emplace_back(&cell, &judgement);
    }
    return sections;
}

std::string evidence_page_html(const SuiteIndex& index, const Column& column, const std::string& section,
                               const SectionCells& cells, bool pictures) {
    return Writer(index, column, pictures).page(section, cells);
}

} // namespace pdlcts::site
