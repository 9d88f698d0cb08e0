// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"
#include "reports/matrix/matrix.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/matrix/table.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr std::size_t page_width = 100;
constexpr std::size_t heading_width = 13; ///< a longer name of a GPU is broken at its spaces
constexpr std::size_t gap = 2;
constexpr std::string_view nothing = ".";

std::string spaces(std::size_t count) {
    return std::string(count, ' ');
}

std::string left(std::string_view text, std::size_t to) {
    return std::string(text) + spaces(to > width(text) ? to - width(text) : 0);
}
std::string right(std::string_view text, std::size_t to) {
    return spaces(to > width(text) ? to - width(text) : 0) + std::string(text);
}

// ---- colours ------------------------------------------------------------------------------------------------------

constexpr std::string_view bold = "1";
constexpr std::string_view dim = "2";

std::string_view colour_of(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::refuted:
        return "1;31";
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::harness_error:
        return "35";
    case Verdict::pass:
    case Verdict::proved:
        return "32";
    case Verdict::observed:
        return "36";
    case Verdict::vacuous:
    case Verdict::not_observed:
    case Verdict::not_decided:
        return "33";
    case Verdict::recorded:
        return "34";
    case Verdict::not_supported:
    case Verdict::missing:
        break;
    }
    return dim;
}

class TextWriter {
public:
    TextWriter(const MatrixTable& table, bool colour) : table_(table), colour_(colour) {}

    std::string write() && {
        line(painted("Programmatic Dependent Launch: conformance matrix", bold));
        if (!table_.suite.empty()) {
            line("suite " + table_.suite);
        }
        if (table_.sections.empty()) {
            line("");
            line("Nothing was run, so nothing is shown.");
        }
        measure();
        for (std::size_t first = 0; first < table_.columns.size() && !table_.sections.empty();
             first += columns_a_block_) {
            write_block(first, std::min(first + columns_a_block_, table_.columns.size()));
        }
        write_legend();
        write_remarks();
        write_notes();
        return std::move(out_);
    }

private:
    const MatrixTable& table_;
    bool colour_;
    std::string out_;
    std::size_t label_width_ = 0;
    std::size_t entry_width_ = 0; ///< of the letter and the fraction
    std::size_t note_width_ = 0;
    std::size_t column_width_ = 0;
    std::size_t columns_a_block_ = 1;

    void line(std::string text) {
        text.erase(text.find_last_not_of(' ') + 1);
        out_ += text + '\n';
    }
    std::string painted(std::string_view text, std::string_view colour) const {
        return colour_ && !text.empty() ? concat("\x1b[", colour, "m", text, "\x1b[0m") : std::string(text);
    }

    /// The lines over a column: GPU, driver, toolkit, start.
    static std::vector<std::string> heading(const MatrixColumn& column) {
        std::string_view gpu = column.gpu;
        constexpr std::string_view maker = "NVIDIA ";
        if (gpu.starts_with(maker)) {
            gpu.remove_prefix(maker.size());
        }
        std::vector<std::string> lines = wrap(gpu, heading_width);
        const auto add = [&](const std::string& text) {
            for (const std::string& each : wrap(text, heading_width)) {
                lines.push_back(each);
            }
        };
        if (!column.driver.empty()) {
            add(column.driver);
        }
        if (!column.toolkit.empty()) {
            add("CUDA " + column.toolkit);
        }
        if (!column.started.empty()) {
            add(column.started);
        }
        return lines;
    }

    static std::string label(const MatrixRow& row) { return "  " + row.label + (row.derived ? " *" : ""); }

    void measure() {
        for (const MatrixSection& section : table_.sections) {
            for (const MatrixRow& row : section.rows) {
                label_width_ = std::max(label_width_, width(label(row)));
                for (const auto& entry : row.entries) {
                    entry_width_ = std::max(entry_width_, entry ? print(entry->verdict).size() : nothing.size());
                }
            }
        }
        // The totals, with the meaning of each letter, stand in the same columns.
        for (const Verdict verdict : table_.verdicts) {
            label_width_ = std::max(label_width_, legend(verdict).size());
        }
        note_width_ = table_.notes.empty() ? 0 : concat(" [", table_.notes.size(), "]").size();
        column_width_ = entry_width_ + note_width_;
        for (const MatrixColumn& column : table_.columns) {
            for (const std::string& each : heading(column)) {
                column_width_ = std::max(column_width_, width(each));
            }
        }
        const std::size_t room = page_width > label_width_ ? page_width - label_width_ : 0;
        columns_a_block_ = std::max<std::size_t>(1, room / (gap + column_width_));
    }

    void write_block(std::size_t first, std::size_t last) {
        line("");
        write_headings(first, last);
        for (const MatrixSection& section : table_.sections) {
            line(painted(section.title, bold));
            for (const MatrixRow& row : section.rows) {
                std::string text = left(label(row), label_width_);
                for (std::size_t column = first; column < last; ++column) {
                    text += spaces(gap) + entry_text(row.entries[column]);
                }
                line(text);
            }
        }
        write_totals(first, last);
    }

    void write_headings(std::size_t first, std::size_t last) {
        std::size_t height = 0;
        for (std::size_t column = first; column < last; ++column) {
            height = std::max(height, heading(table_.columns[column]).size());
        }
        for (std::size_t i = 0; i < height; ++i) {
            std::string text = spaces(label_width_);
            for (std::size_t column = first; column < last; ++column) {
                const std::vector<std::string> lines = heading(table_.columns[column]);
                text += spaces(gap) + left(i < lines.size() ? lines[i] : "", column_width_);
            }
            line(text);
        }
    }

    std::string entry_text(const std::optional<MatrixEntry>& entry) const {
        if (!entry) {
            return painted(nothing, dim) + spaces(column_width_ - nothing.size());
        }
        const std::string text = print(entry->verdict);
        const std::string note = entry->note == 0 ? "" : concat(" [", entry->note, "]");
        return painted(text, colour_of(entry->verdict.verdict)) + spaces(entry_width_ - text.size()) +
               painted(note, dim) + spaces(column_width_ - entry_width_ - note.size());
    }

    static std::string legend(Verdict verdict) {
        return concat("  ", letter(verdict), "  ", left(name(verdict), 13), "  ", meaning(verdict));
    }

    void write_totals(std::size_t first, std::size_t last) {
        line("");
        line(painted("Statements by verdict", bold));
        for (const Verdict verdict : table_.verdicts) {
            std::string text = painted(left(legend(verdict), label_width_), colour_of(verdict));
            for (std::size_t column = first; column < last; ++column) {
                const auto& totals = table_.columns[column].totals;
                const auto count = totals.find(verdict);
                const std::string number = count == totals.end() ? "0" : concat(count->second);
                text += spaces(gap) + left(right(number, 3), column_width_);
            }
            line(text);
        }
        std::string text = left("  all", label_width_);
        for (std::size_t column = first; column < last; ++column) {
            std::size_t sum = 0;
            for (const auto& [verdict, count] : table_.columns[column].totals) {
                sum += count;
            }
            text += spaces(gap) + left(right(concat(sum), 3), column_width_);
        }
        line(text);
    }

    void write_paragraph(std::string_view mark, std::string_view text) {
        const std::string indent = spaces(mark.size());
        bool first = true;
        for (const std::string& each : wrap(text, page_width - mark.size())) {
            line((first ? std::string(mark) : indent) + each);
            first = false;
        }
    }

    void write_legend() {
        if (table_.sections.empty()) {
            return;
        }
        line("");
        write_paragraph("", "2/3: this verdict in 2 of the statement's 3 cells; a cell is one case on one route. The "
                            "first verdict of the list above that occurs is the statement's. A dot: no cell.");
        if (table_.any_derived) {
            write_paragraph("", "*: no document says this in one sentence; it is derived from what they say.");
        }
    }

    void write_remarks() {
        if (table_.remarks.empty()) {
            return;
        }
        line("");
        for (const std::string& remark : table_.remarks) {
            write_paragraph("! ", remark);
        }
    }

    void write_notes() {
        if (table_.notes.empty()) {
            return;
        }
        line("");
        line(painted("Notes", bold));
        const std::size_t mark_width = concat("[", table_.notes.size(), "] ").size();
        for (std::size_t i = 0; i < table_.notes.size(); ++i) {
            const MatrixNote& note = table_.notes[i];
            std::string labels;
            for (const std::string& each : shown_labels(note)) {
                labels += (labels.empty() ? "" : ", ") + each;
            }
            write_paragraph(left(concat("[", i + 1, "]"), mark_width), labels);
            for (const NoteLine& each : note.lines) {
                const std::string reason = each.reason.empty() ? "" : ": " + each.reason;
                write_paragraph(spaces(mark_width) + "  ", concat(name(each.verdict), " on ", each.where, reason));
            }
        }
    }
};

} // namespace

std::string matrix_text(std::span<const Results> columns, const Ledger& ledger, const MatrixStyle& style) {
    return matrix_text(judged(columns), ledger, style);
}

std::string matrix_text(std::span<const JudgedResults> columns, const Ledger& ledger, const MatrixStyle& style) {
    const MatrixTable table = build_table(columns, ledger, style.every_statement);
    return TextWriter(table, style.colour).write();
}

} // namespace pdlcts
