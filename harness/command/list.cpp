// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/listing.hpp"

#include "conformance/litmus/printer.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"

#include <fmt/format.h>

namespace pdlcts {
namespace {

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
                   fmt::join(names_of_routes(listed), ", "));
    }
    section = nullptr;
    for (const NativeCase& listed : embedded_native_cases()) {
        const Section* const own = section_of(embedded_ledger(), listed.statement);
        if (own != section) {
            fmt::print("\n{}, native checks\n", own->title);
            section = own;
        }
        fmt::print("  {}\n      {} ({})\n", listed.id, listed.statement,
                   name(find_statement(embedded_ledger(), listed.statement)->strength));
    }
    fmt::print("\n{} cases. `pdlcts explain CASE` shows one, `pdlcts list --statements` what they test.\n",
               embedded_cases().size() + embedded_native_cases().size());
}

void list_statements() {
    std::size_t count = 0;
    std::size_t tested = 0;
    for (const Section& section : embedded_ledger().sections) {
        fmt::print("{}\n", section.title);
        for (const Statement& statement : section.statements) {
            const std::vector<std::string> cases = cases_testing(statement);
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
    } else if (options.coverage) {
        const Coverage covered = coverage();
        fmt::print("{}", covered.text);
        return covered.covered == covered.statements ? ExitCode::success : ExitCode::negative;
    } else if (options.statements) {
        list_statements();
    } else {
        list_cases();
    }
    return ExitCode::success;
}

} // namespace pdlcts
