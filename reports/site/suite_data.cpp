// SPDX-License-Identifier: Apache-2.0
#include "reports/site/suite_data.hpp"

#include "conformance/support/concat.hpp"
#include "reports/results/json.hpp"

#include <algorithm>

// As ledger.cpp has it: one program has one toml++.
#ifdef NDEBUG
#undef NDEBUG
#endif
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace pdlcts::site {
namespace {

const EmbeddedFile* find_file(std::span<const EmbeddedFile> files, std::string_view name) {
    const auto found =
        std::find_if(files.begin(), files.end(), [&](const EmbeddedFile& file) { return file.name.ends_with(name); });
    return found == files.end() ? nullptr : &*found;
}

std::string joined(std::string_view text) {
    std::string line;
    for (const char character : text) {
        const bool blank = character == '\n' || character == ' ';
        if (!blank || (!line.empty() && line.back() != ' ')) {
            line += blank ? ' ' : character;
        }
    }
    while (!line.empty() && line.back() == ' ') {
        line.pop_back();
    }
    return line;
}

// ---- the kill matrix ----------------------------------------------------------------------------------------------

std::string string_of(const Json& object, std::string_view key) {
    const Json* value = object.find(key);
    const auto* text = value == nullptr ? nullptr : value->as<std::string>();
    return text == nullptr ? "" : *text;
}

std::vector<std::string> strings_of(const Json& object, std::string_view key) {
    std::vector<std::string> strings;
    const Json* value = object.find(key);
    if (const auto* list = value == nullptr ? nullptr : value->as<Json::List>()) {
        for (const Json& each : *list) {
            if (const auto* text = each.as<std::string>()) {
                strings.push_back(*text);
            }
        }
    }
    return strings;
}

std::size_t count_of(const Json& object, std::string_view key) {
    const Json* value = object.find(key);
    const auto* number = value == nullptr ? nullptr : value->as<std::uint64_t>();
    return number == nullptr ? 0 : *number;
}

std::string read_faults(const EmbeddedFile& file, SuiteData& data) {
    const Result<Json> json = parse_json(file.text, file.name);
    if (!json) {
        return json.error().message;
    }
    const Json* faults = json->find("faults");
    const auto* list = faults == nullptr ? nullptr : faults->as<Json::List>();
    if (list == nullptr || list->empty()) {
        return file.name + ": expected a list of faults";
    }
    for (const Json& each : *list) {
        data.faults.push_back({string_of(each, "name"), string_of(each, "statement"), string_of(each, "change"),
                               string_of(each, "cause"), string_of(each, "reports"),
                               string_of(each, "equivalent_because"), strings_of(each, "killed_by"),
                               strings_of(each, "failed_by")});
        if (data.faults.back().name.empty() || data.faults.back().change.empty()) {
            return file.name + ": expected a name and a change of every fault";
        }
    }
    data.killed_faults = count_of(*json, "killed");
    data.faults_that_count = count_of(*json, "of");
    return "";
}

// ---- the rules ----------------------------------------------------------------------------------------------------

std::string without_marks(std::string_view markdown) {
    std::string text;
    for (const char character : markdown) {
        text += character == '`' || character == '*' ? std::string() : std::string(1, character);
    }
    return joined(text);
}

/// Between backquotes.
std::vector<std::string> quoted(std::string_view cell) {
    std::vector<std::string> names;
    for (std::size_t begin = cell.find('`'); begin != std::string_view::npos;) {
        const std::size_t end = cell.find('`', begin + 1);
        if (end == std::string_view::npos) {
            break;
        }
        names.emplace_back(cell.substr(begin + 1, end - begin - 1));
        begin = cell.find('`', end + 1);
    }
    return names;
}

std::string read_rules(const EmbeddedFile& file, SuiteData& data) {
    std::string_view rest = file.text;
    std::string section;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.starts_with("## ")) {
            section = line.substr(3);
        } else if (section == "Grids" && line.starts_with("| ") && !line.starts_with("| rule")) {
            const std::size_t bar = line.find(" | ");
            if (bar != std::string_view::npos) {
                data.rules.push_back({without_marks(line.substr(2, bar - 2)), quoted(line.substr(bar))});
            }
        } else if (section == "Memory" && line.starts_with("- ")) {
            data.memory_rules.emplace_back(line.substr(2));
        } else if (section == "Memory" && line.starts_with("  ") && !data.memory_rules.empty()) {
            data.memory_rules.back() += concat(" ", line);
        }
    }
    for (std::string& rule : data.memory_rules) {
        rule = without_marks(rule);
    }
    return data.rules.empty() || data.memory_rules.empty()
               ? file.name + ": expected a table of rules under Grids and a list under Memory"
               : "";
}

// ---- public reports -----------------------------------------------------------------------------------------------

std::string read_field_reports(const EmbeddedFile& file, SuiteData& data) {
    toml::table parsed;
    try {
        parsed = toml::parse(file.text);
    } catch (const toml::parse_error& error) {
        return concat(file.name, ":", error.source().begin.line, ": ", error.description());
    }
    const toml::array* const tables = parsed["report"].as_array();
    if (tables == nullptr) {
        return file.name + ": expected tables [[report]]";
    }
    for (const toml::node& node : *tables) {
        const toml::table* const table = node.as_table();
        if (table == nullptr) {
            return file.name + ": expected tables [[report]]";
        }
        FieldReport report{
            joined((*table)["about"].value_or(std::string())), joined((*table)["beyond"].value_or(std::string())), {}};
        if (const toml::array* const cases = (*table)["cases"].as_array()) {
            for (const toml::node& each : *cases) {
                report.cases.push_back(each.value_or(std::string()));
            }
        }
        data.field_reports.push_back(std::move(report));
    }
    return "";
}

} // namespace

Result<SuiteData> read_suite_data(std::span<const EmbeddedFile> files) {
    SuiteData data;
    for (const auto& [name, read] : {std::pair("faults.json", &read_faults),
                                     {"README.md", &read_rules},
                                     {"field-reports.toml", &read_field_reports}}) {
        const EmbeddedFile* file = find_file(files, name);
        if (file == nullptr) {
            return Error{concat(name, ": the file is missing")};
        }
        if (const std::string problem = read(*file, data); !problem.empty()) {
            return Error{problem};
        }
    }
    return data;
}

} // namespace pdlcts::site
