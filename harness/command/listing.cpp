// SPDX-License-Identifier: Apache-2.0
#include "harness/command/listing.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "harness/catalogue/native_case.hpp"
#include "harness/command/cells.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace pdlcts {

using Json = nlohmann::ordered_json;

std::vector<std::string> names_of_routes(const Case& listed) {
    std::vector<std::string> routes;
    for (const Route route : routes_with_cell(listed, embedded_ledger())) {
        routes.emplace_back(name(route));
    }
    return routes;
}

std::vector<std::string> cases_testing(const Statement& statement) {
    std::vector<std::string> ids;
    for (const Case& listed : embedded_cases()) {
        if (listed.statement == statement.id) {
            ids.push_back(listed.id);
        }
    }
    for (const NativeCase& listed : embedded_native_cases()) {
        if (listed.statement == statement.id) {
            ids.push_back(listed.id);
        }
    }
    return ids;
}

namespace {

Json addresses(const std::vector<Report>& reports) {
    Json list = Json::array();
    for (const Report& report : reports) {
        list.push_back(address(report));
    }
    return list;
}

} // namespace

std::string list_json() {
    Json statements = Json::array();
    for (const Section& section : embedded_ledger().sections) {
        for (const Statement& statement : section.statements) {
            statements.push_back({{"id", statement.id},
                                  {"section", section.id},
                                  {"strength", name(statement.strength)},
                                  {"basis", name(statement.basis)},
                                  {"text", statement.text},
                                  {"cases", cases_testing(statement)},
                                  {"reason", statement.reason}});
        }
    }
    Json cases = Json::array();
    for (const Case& listed : embedded_cases()) {
        cases.push_back({{"id", listed.id},
                         {"statement", listed.statement},
                         {"kind", kind_of(listed, embedded_ledger())},
                         {"because", addresses(listed.litmus.because)},
                         {"routes", names_of_routes(listed)}});
    }
    for (const NativeCase& listed : embedded_native_cases()) {
        cases.push_back({{"id", listed.id},
                         {"statement", listed.statement},
                         {"kind", "native"},
                         {"because", addresses(listed.because)},
                         {"routes", {"native"}}});
    }
    return Json{{"statements", statements}, {"cases", cases}}.dump(2);
}

Coverage coverage() {
    Coverage result;
    std::size_t reasons = 0;
    for (const Section& section : embedded_ledger().sections) {
        result.text += concat(section.title, "\n");
        for (const Statement& statement : section.statements) {
            std::string by;
            for (const std::string& id : cases_testing(statement)) {
                by += (by.empty() ? "" : ", ") + id;
            }
            const bool covered = !by.empty() || !statement.reason.empty();
            ++result.statements;
            reasons += by.empty() && covered ? 1 : 0;
            result.covered += covered ? 1 : 0;
            result.text += concat("  ", statement.id, "\n      ",
                                  !by.empty() ? by
                                  : covered   ? concat("no case: ", statement.reason)
                                              : "NEITHER",
                                  "\n");
        }
        result.text += "\n";
    }
    result.text += concat("coverage ", result.covered, "/", result.statements, " (",
                          result.covered * 100 / std::max<std::size_t>(result.statements, 1),
                          " %): ", embedded_cases().size() + embedded_native_cases().size(), " cases, ", reasons,
                          " statements with the reason why there is none\n");
    return result;
}

std::string check_json(const std::vector<CheckedCase>& cases) {
    Json answers = Json::array();
    for (const CheckedCase& checked : cases) {
        for (const Check& check : checked.checks) {
            answers.push_back({{"case", checked.listed.id},
                               {"route", name(check.route)},
                               {"answer", name(check.answer)},
                               {"reason", check.reason},
                               {"states", check.program.states + check.control.states},
                               {"trace", check.trace},
                               {"advice", check.advice}});
        }
    }
    return answers.dump(2);
}

} // namespace pdlcts
