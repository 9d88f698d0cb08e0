// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/check.hpp"
#include "harness/catalogue/catalogue.hpp"

#include <string>
#include <vector>

/// What `list` and `check` say, for a program that reads it.
namespace pdlcts {

/// The routes on which the case has a cell.
std::vector<std::string> names_of_routes(const Case& listed);

/// The ids of the cases and native checks that test a statement: those that name it first.
std::vector<std::string> cases_testing(const Statement& statement);

/// {"statements": [{"id", "section", "strength", "basis", "text", "cases", "reason"}],
///  "cases": [{"id", "statement", "kind", "routes"}]}
///
/// `reason` is why no case can test the statement, empty where one does; `kind` is `litmus`, `equivalence` or `native`,
/// and a native check's one route is called `native`.
std::string list_json();

/// Every statement with the cases that test it, or the reason why none can; and how many have either.
struct Coverage {
    std::string text;
    std::size_t statements = 0;
    std::size_t covered = 0;
};
Coverage coverage();

struct CheckedCase {
    Case listed;
    std::vector<Check> checks; ///< one a route
};

/// [{"case", "route", "answer", "reason", "states", "trace", "advice"}]
std::string check_json(const std::vector<CheckedCase>& cases);

} // namespace pdlcts
