// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"
#include "harness/command/exit_code.hpp"

#include <variant>

namespace pdlcts {

/// Why a command ends early: the complaint, and the exit code that goes with it.
struct Refusal {
    ExitCode code = ExitCode::usage;
    std::string message;
};

/// The cases that patterns select, in the order of the list.
std::variant<std::vector<Case>, Refusal> select_cases(const std::vector<std::string>& patterns);

/// What `--case`, `--section` and `--statement` choose together: of each option that is given, one value has to fit.
struct Selection {
    std::vector<std::string> patterns;
    std::vector<std::string> sections;   ///< globs over the part of an id in front of its `/`
    std::vector<std::string> statements; ///< globs over statement ids
    bool operator==(const Selection&) const = default;
};
std::variant<std::vector<Case>, Refusal> select_cases(const Selection& selection);
std::vector<NativeCase> select_native_cases(const Selection& selection);

/// The routes of these names, in the order of the list; `all` is every one.
std::vector<Route> select_routes(const std::vector<std::string>& names);

/// A case by its id or the name behind its section, or else a litmus file.
std::variant<Case, Refusal> find_case_or_file(const std::string& name);

/// A user's own litmus file.
std::variant<Case, Refusal> read_case_file(const std::string& name);

/// The text of a file, at most `largest` bytes of it.
std::variant<std::string, Refusal> read_text_file(const std::string& name, std::size_t largest);

} // namespace pdlcts
