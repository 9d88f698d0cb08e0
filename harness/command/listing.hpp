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

/// The ids of the cases that name a statement.
std::vector<std::string> cases_testing(const Statement& statement);

/// {"statements": [{"id", "section", "strength", "basis", "text", "cases"}],
///  "cases": [{"id", "statement", "kind", "routes"}]}
std::string list_json();

struct CheckedCase {
    Case listed;
    std::vector<Check> checks; ///< one a route
};

/// [{"case", "route", "answer", "reason", "states", "trace", "advice"}]
std::string check_json(const std::vector<CheckedCase>& cases);

} // namespace pdlcts
