// SPDX-License-Identifier: Apache-2.0
#include "reports/results/results.hpp"

#include "conformance/litmus/printer.hpp"
#include "reports/results/message.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <map>

namespace pdlcts {
namespace {

using Json = nlohmann::json;

/// Differences of one file, a line each.
struct Findings {
    std::string_view file_name;
    std::vector<std::string> lines;

    void add(const std::string& path, const std::string& what) {
        lines.push_back(fmt::format("{}: {}: {}", file_name, path, what));
    }
};

/// Numbers are compared as numbers; the last digits of an exponential differ between mathematics libraries.
bool same(const Json& stated, const Json& derived) {
    if (stated.is_number_float() || derived.is_number_float()) {
        return std::abs(stated.get<double>() - derived.get<double>()) <= 1e-9 * std::abs(derived.get<double>());
    }
    return stated == derived;
}

std::string shown(const Json& json) {
    return json.is_string() ? in_quotes(json.get_ref<const std::string&>()) : json.dump();
}

/// The file beside the one that its evidence makes. Both have passed read_json, so their shapes agree, and evidence
/// is copied: only what is derived can differ.
void compare(const Json& stated, const Json& derived, const std::string& path, Findings& findings) {
    if (stated.is_object()) {
        for (const auto& [key, value] : stated.items()) {
            compare(value, derived.at(key), path + pointer_step(key), findings);
        }
    } else if (stated.is_array()) {
        for (std::size_t i = 0; i < stated.size(); ++i) {
            compare(stated[i], derived.at(i), path + '/' + std::to_string(i), findings);
        }
    } else if (!same(stated, derived)) {
        const char* why = path == "/digest" ? "; the evidence was changed after the run" : "";
        findings.add(path, fmt::format("the file says {}, its evidence says {}{}", shown(stated), shown(derived), why));
    }
}

void compare_statement(const Cell& cell, const std::string& path, const Ledger& ledger, Findings& findings) {
    if (cell.statement.empty()) {
        if (cell.strength != Strength::guarantee || cell.basis != Basis::read) {
            findings.add(path, "a case that names no statement is judged as a guarantee (read), the file says " +
                                   fmt::format("{} ({})", name(cell.strength), name(cell.basis)));
        }
        return;
    }
    const Statement* statement = find_statement(ledger, cell.statement);
    if (statement == nullptr) {
        findings.add(path + "/statement", "the ledger has no statement " + in_quotes(cell.statement));
        return;
    }
    if (cell.strength != statement->strength) {
        findings.add(path + "/strength", fmt::format("the file says {}, the ledger says {}", name(cell.strength),
                                                     name(statement->strength)));
    }
    if (cell.basis != statement->basis) {
        findings.add(path + "/basis",
                     fmt::format("the file says {}, the ledger says {}", name(cell.basis), name(statement->basis)));
    }
}

} // namespace

std::vector<std::string> verify(std::string_view text, std::string_view file_name, const Ledger& ledger) {
    const Result<Results> results = read_json(text, file_name);
    if (!results) {
        return {results.error().message};
    }
    Findings findings{file_name, {}};
    compare(Json::parse(text), Json::parse(write_json(*results)), "", findings);

    std::map<std::pair<std::string, Route>, std::size_t> seen;
    for (std::size_t i = 0; i < results->cells.size(); ++i) {
        const Cell& cell = results->cells[i];
        const std::string path = fmt::format("/cells/{}", i);
        const auto [first, fresh] = seen.emplace(std::pair{cell.case_id, cell.form.route}, i);
        if (!fresh) {
            findings.add(path, fmt::format("the same case and route as /cells/{}: {} {}", first->second,
                                           in_quotes(cell.case_id), name(cell.form.route)));
        }
        compare_statement(cell, path, ledger, findings);
    }
    return findings.lines;
}

std::vector<std::string> verify(std::string_view text, std::string_view file_name) {
    return verify(text, file_name, embedded_ledger());
}

} // namespace pdlcts
