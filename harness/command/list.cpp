// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "harness/catalogue/catalogue.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace pdlcts {
namespace {

using Json = nlohmann::ordered_json;

/// The routes that can express the case, and so have a cell.
std::vector<std::string> expressible_routes(const Case& listed) {
    std::vector<std::string> routes;
    for (const Route route : cell_routes(listed, embedded_ledger())) {
        const bool control_lowers = !listed.litmus.control || lower(*listed.litmus.control, route);
        if (lower(listed.litmus.program, route) && control_lowers) {
            routes.emplace_back(name(route));
        }
    }
    return routes;
}

std::vector<std::string> cases_of(const Statement& statement) {
    std::vector<std::string> ids;
    for (const Case& listed : embedded_cases()) {
        const std::vector<std::string>& checks = listed.litmus.checks;
        if (std::find(checks.begin(), checks.end(), statement.id) != checks.end()) {
            ids.push_back(listed.id);
        }
    }
    return ids;
}

std::string list_json() {
    Json statements = Json::array();
    for (const Section& section : embedded_ledger().sections) {
        for (const Statement& statement : section.statements) {
            statements.push_back({{"id", statement.id},
                                  {"section", section.id},
                                  {"strength", name(statement.strength)},
                                  {"basis", name(statement.basis)},
                                  {"text", statement.text},
                                  {"cases", cases_of(statement)}});
        }
    }
    Json cases = Json::array();
    for (const Case& listed : embedded_cases()) {
        cases.push_back({{"id", listed.id},
                         {"statement", listed.statement},
                         {"kind", kind_of(listed, embedded_ledger())},
                         {"routes", expressible_routes(listed)}});
    }
    return Json{{"statements", statements}, {"cases", cases}}.dump(2);
}

void list_cases() {
    const Section* section = nullptr;
    for (const Case& listed : embedded_cases()) {
        const Section* const own = section_of(embedded_ledger(), listed.statement);
        if (own != section) {
            fmt::print("{}{}\n", section == nullptr ? "" : "\n", own->title);
            section = own;
        }
        fmt::print("  {}\n      {} ({}), on {}\n", listed.id, listed.statement,
                   name(find_statement(embedded_ledger(), listed.statement)->strength),
                   fmt::join(expressible_routes(listed), ", "));
    }
    fmt::print("\n{} cases. `pdlcts explain CASE` shows one, `pdlcts list --statements` what they test.\n",
               embedded_cases().size());
}

void list_statements() {
    std::size_t count = 0;
    std::size_t tested = 0;
    for (const Section& section : embedded_ledger().sections) {
        fmt::print("{}\n", section.title);
        for (const Statement& statement : section.statements) {
            const std::vector<std::string> cases = cases_of(statement);
            ++count;
            tested += cases.empty() ? 0 : 1;
            fmt::print("  {} ({}, {})\n      {}\n", statement.id, name(statement.strength), name(statement.basis),
                       statement.text);
            if (!cases.empty()) {
                fmt::print("      tested by {}\n", fmt::join(cases, ", "));
            }
        }
        fmt::print("\n");
    }
    fmt::print("{} statements, {} of them tested by a case.\n", count, tested);
}

} // namespace

ExitCode list(const ListOptions& options) {
    if (options.json) {
        fmt::print("{}\n", list_json());
    } else if (options.statements) {
        list_statements();
    } else {
        list_cases();
    }
    return ExitCode::success;
}

} // namespace pdlcts
