// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/native_case.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/support/concat.hpp"
#include "conformance/support/sha256.hpp"
#include "harness/catalogue/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <sstream>

namespace pdlcts {
namespace {

std::string_view trimmed(std::string_view text) {
    const auto is_blank = [](char c) { return c == ' ' || c == '\t' || c == '\r'; };
    while (!text.empty() && is_blank(text.front())) {
        text.remove_prefix(1);
    }
    while (!text.empty() && is_blank(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

/// What stands behind a word that opens a line, if it does.
std::optional<std::string_view> behind(std::string_view line, std::string_view word) {
    if (!line.starts_with(word) || line.size() == word.size() ||
        (line[word.size()] != ' ' && line[word.size()] != '\t')) {
        return std::nullopt;
    }
    return trimmed(line.substr(word.size()));
}

std::vector<std::string> split(std::string_view list) {
    std::vector<std::string> parts;
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        parts.emplace_back(trimmed(list.substr(0, comma)));
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return parts;
}

} // namespace

Result<NativeCase> read_native_case(const EmbeddedFile& file, const Ledger& ledger) {
    NativeCase read;
    read.file = file.name;
    read.text = file.text;
    std::istringstream lines(file.text);
    std::size_t number = 0;
    for (std::string text; std::getline(lines, text);) {
        ++number;
        const std::string_view line = trimmed(text);
        if (line.starts_with('#')) {
            read.description.emplace_back(trimmed(line.substr(1)));
        } else if (const auto ids = behind(line, "checks"); ids && read.checks.empty()) {
            read.checks = split(*ids);
        } else if (const auto list = behind(line, "because")) {
            const auto column = static_cast<std::size_t>(list->data() - text.data()) + 1;
            const auto reports = parse_reports(*list, file.name, number, column);
            if (!reports) {
                return reports.error();
            }
            read.because.insert(read.because.end(), reports->begin(), reports->end());
        } else if (!line.empty()) {
            return Error{
                concat(file.name, ":", number,
                       ": expected a comment, one line `checks STATEMENT` or a line `because REPORT, ...`, found '",
                       line, "'")};
        }
    }
    if (number > longest_case_lines) {
        return Error{
            concat(file.name, ": the check has ", number, " lines; expected ", longest_case_lines, " at most")};
    }
    if (read.description.empty()) {
        return Error{concat(file.name, ":1: a check begins with comment lines that say what is asked, and what must be "
                                       "answered")};
    }
    if (read.checks.empty()) {
        return Error{
            concat(file.name, ": a check names the statement that it tests; expected a line `checks STATEMENT`")};
    }
    for (const std::string& id : read.checks) {
        if (find_statement(ledger, id) == nullptr) {
            return Error{concat(file.name, ": unknown statement ", id, "; `pdlcts list --statements` shows them all")};
        }
    }
    read.statement = read.checks.front();
    const std::filesystem::path path(file.name);
    const std::string folder = path.parent_path().filename().string();
    if (const Section* section = section_of(ledger, read.statement); section->id != folder) {
        return Error{concat(file.name, ": ", read.statement, " belongs to section ", section->id,
                            "; expected the file in the folder of that name, found it in ", folder)};
    }
    read.id = folder + "/" + path.stem().string();
    return read;
}

bool is_selected(const NativeCase& selected, std::string_view pattern) {
    Case named;
    named.id = selected.id;
    named.statement = selected.statement;
    return is_selected(named, pattern);
}

std::string digest_of(std::span<const NativeCase> cases) {
    std::string text;
    for (const NativeCase& listed : cases) {
        text += listed.id + "\n" + listed.text + "\n";
    }
    return sha256(text);
}

} // namespace pdlcts
