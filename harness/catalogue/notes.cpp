// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/notes.hpp"

#include "conformance/litmus/words.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>

// As ledger.cpp has it: one program has one toml++.
#ifdef NDEBUG
#undef NDEBUG
#endif
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace pdlcts {
namespace {

/// A line break and the blanks around it count as one space.
std::string joined(std::string_view text) {
    std::string line;
    for (const char c : text) {
        const bool is_blank = c == '\n' || c == ' ';
        if (!is_blank || (!line.empty() && line.back() != ' ')) {
            line += is_blank ? ' ' : c;
        }
    }
    while (!line.empty() && line.back() == ' ') {
        line.pop_back();
    }
    return line;
}

bool is_route(std::string_view name) {
    return std::any_of(std::begin(route_words), std::end(route_words),
                       [=](const Spelling<Route>& each) { return each.word == name; });
}

bool speak_of_one_cell(const CaseNote& left, const CaseNote& right) {
    return left.case_id == right.case_id &&
           (left.routes.empty() || right.routes.empty() ||
            std::find_first_of(left.routes.begin(), left.routes.end(), right.routes.begin(), right.routes.end()) !=
                left.routes.end());
}

/// What is wrong in one table; empty where it became a note.
std::string read_note(const toml::table& table, CaseNote& note) {
    for (const auto& [key, value] : table) {
        if (key == "case" && value.is_string()) {
            note.case_id = value.value_or(std::string());
        } else if (key == "text" && value.is_string()) {
            note.text = joined(value.value_or(std::string()));
        } else if (key == "routes" && value.is_array()) {
            for (const toml::node& each : *value.as_array()) {
                const std::string route = each.value_or(std::string());
                if (!is_route(route)) {
                    return concat("unknown route '", route, "'");
                }
                note.routes.push_back(route);
            }
        } else {
            return concat("expected `case` and `text`, strings, and `routes`, a list, found '", std::string_view(key),
                          "'");
        }
    }
    return note.case_id.empty() || note.text.empty() ? "a note names its case and has a text" : "";
}

} // namespace

Result<std::vector<CaseNote>> read_notes(const EmbeddedFile& file) {
    toml::table parsed;
    try {
        parsed = toml::parse(file.text);
    } catch (const toml::parse_error& error) {
        return Error{concat(file.name, ":", error.source().begin.line, ":", error.source().begin.column, ": ",
                            error.description())};
    }
    const toml::array* const tables = parsed["note"].as_array();
    if (tables == nullptr || parsed.size() != 1) {
        return Error{concat(file.name, ": expected tables [[note]], and nothing else")};
    }
    std::vector<CaseNote> notes;
    for (const toml::node& node : *tables) {
        CaseNote note;
        const std::string problem =
            node.is_table() ? read_note(*node.as_table(), note) : std::string("expected tables [[note]]");
        const auto line = node.source().begin.line;
        if (!problem.empty()) {
            return Error{concat(file.name, ":", line, ": ", problem)};
        }
        if (std::any_of(notes.begin(), notes.end(),
                        [&](const CaseNote& other) { return speak_of_one_cell(note, other); })) {
            return Error{concat(file.name, ":", line, ": a second note for a cell of ", note.case_id)};
        }
        notes.push_back(std::move(note));
    }
    return notes;
}

} // namespace pdlcts
