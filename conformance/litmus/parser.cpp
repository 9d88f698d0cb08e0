// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/parser.hpp"

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/program_parser.hpp"
#include "conformance/litmus/source_text.hpp"

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

namespace pdlcts {

namespace {

void check_unmarked(const SourceLine& line, std::string_view word) {
    if (line.mark != ' ') {
        throw SyntaxFailure{line.number, 1, "program and control share their " + std::string(word),
                            quoted(word) + " without a mark", quoted(std::string_view(&line.mark, 1))};
    }
}

void parse_checks(Cursor& cursor, Litmus& litmus) {
    do {
        const Cursor at = cursor;
        std::string id = cursor.statement_id();
        if (std::find(litmus.checks.begin(), litmus.checks.end(), id) != litmus.checks.end()) {
            at.fail("a statement is checked twice", "another statement");
        }
        litmus.checks.push_back(std::move(id));
    } while (cursor.accept(","));
    cursor.expect_end("checks");
}

void parse_because(Cursor& cursor, std::vector<Report>& because) {
    do {
        const Cursor at = cursor;
        Report report{cursor.repository(), cursor.one_of(report_words, "unknown kind of report"), 0};
        report.number = static_cast<std::uint32_t>(cursor.number("number of a report", 1, 4294967295));
        if (std::find(because.begin(), because.end(), report) != because.end()) {
            at.fail("a report is named twice", "another report");
        }
        because.push_back(std::move(report));
    } while (cursor.accept(","));
    cursor.expect_end("because");
}

void parse_because(Cursor& cursor, Litmus& litmus) {
    parse_because(cursor, litmus.because);
}

void parse_routes(Cursor& cursor, Litmus& litmus) {
    if (cursor.accept_word("all")) {
        litmus.routes.assign(std::begin(all_routes), std::end(all_routes));
        cursor.expect_end("routes");
        return;
    }
    do {
        const Cursor at = cursor;
        const Route route = cursor.one_of(route_words, "unknown route");
        if (std::find(litmus.routes.begin(), litmus.routes.end(), route) != litmus.routes.end()) {
            at.fail("a route is named twice", "another route");
        }
        litmus.routes.push_back(route);
    } while (cursor.accept(","));
    cursor.expect_end("routes");
}

void parse_load(Cursor& cursor, Litmus& litmus) {
    cursor.one_of(load_words, "unknown load");
    litmus.memory_load = true;
    cursor.expect_end("load");
}

constexpr struct {
    std::string_view word;
    void (*parse)(Cursor&, Litmus&);
} heading_lines[] = {
    {"checks", parse_checks}, {"because", parse_because}, {"routes", parse_routes}, {"load", parse_load}};

/// Reads the heading, each of whose lines may be left out, and returns the lines behind it.
std::span<const SourceLine> parse_heading(std::span<const SourceLine> lines, Litmus& litmus) {
    for (const auto& [word, parse_line] : heading_lines) {
        if (lines.empty()) {
            break;
        }
        Cursor cursor(lines.front().text, lines.front().number, lines.front().column);
        if (!cursor.accept_word(word)) {
            continue;
        }
        check_unmarked(lines.front(), word);
        parse_line(cursor, litmus);
        lines = lines.subspan(1);
    }
    return lines;
}

/// Program and control are held to one claim, so a claim cannot belong to one of them.
void check_claims_unmarked(std::span<const SourceLine> lines) {
    for (const SourceLine& line : lines) {
        Cursor cursor(line.text, line.number, line.column);
        for (const std::string_view word : {"never", "sometimes", "ends", "armed"}) {
            if (cursor.accept_word(word)) {
                check_unmarked(line, word);
                break;
            }
        }
    }
}

std::vector<SourceLine> without(std::span<const SourceLine> lines, char mark) {
    std::vector<SourceLine> kept;
    std::copy_if(lines.begin(), lines.end(), std::back_inserter(kept),
                 [=](const SourceLine& line) { return line.mark != mark; });
    return kept;
}

Program parse_control(std::span<const SourceLine> lines, const SourceText& source) {
    try {
        return parse_program(without(lines, '-'), source.end_line, source.end_column);
    } catch (SyntaxFailure& failure) {
        failure.what = "in the control: " + failure.what;
        throw;
    }
}

Litmus parse(std::string_view text) {
    SourceText source = split(text);
    Litmus litmus;
    litmus.description = std::move(source.description);
    const std::span<const SourceLine> lines = parse_heading(source.lines, litmus);
    check_claims_unmarked(lines);
    litmus.program = parse_program(without(lines, '+'), source.end_line, source.end_column);
    if (!source.marked) {
        return litmus;
    }
    litmus.control = parse_control(lines, source);
    if (litmus.control == litmus.program) {
        const auto marked = [](const SourceLine& line) { return line.mark != ' '; };
        const SourceLine& first = *std::find_if(lines.begin(), lines.end(), marked);
        throw SyntaxFailure{first.number, 1, "the control is the program", "marks that make a difference",
                            quoted(std::string_view(&first.mark, 1))};
    }
    return litmus;
}

} // namespace

Result<std::vector<Report>> parse_reports(std::string_view text, std::string_view file_name, std::size_t line,
                                          std::size_t column) {
    try {
        Cursor cursor(text, line, column);
        std::vector<Report> reports;
        parse_because(cursor, reports);
        return reports;
    } catch (const SyntaxFailure& failure) {
        return to_error(failure, file_name);
    }
}

Result<Litmus> parse_litmus(std::string_view text, std::string_view file_name) {
    try {
        return parse(text);
    } catch (const SyntaxFailure& failure) {
        return to_error(failure, file_name);
    }
}

} // namespace pdlcts
