// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/outcome_folder.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/counted.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace pdlcts {
namespace {

using OutcomeSet = std::set<std::string>;

/// What one heading says: a set, or that the route cannot express the program.
struct Expectation {
    bool expressible = true;
    OutcomeSet outcomes;
};

/// By heading: `program`, `control`, `program on captured`.
using Expectations = std::map<std::string, Expectation>;

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    REQUIRE_MESSAGE(file, "cannot read " << path.string());
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

Expectations read_expectations(const std::filesystem::path& path) {
    const std::string not_expressible = ": not expressible";
    std::istringstream lines(read_file(path));
    Expectations expectations;
    Expectation* current = nullptr;
    const auto begin = [&](const std::string& heading) {
        CHECK_MESSAGE(!expectations.contains(heading), "a second heading " << heading);
        current = &expectations[heading];
    };
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  ")) {
            REQUIRE_MESSAGE(current != nullptr, "an outcome before the first heading: " << line);
            CHECK_MESSAGE(current->outcomes.insert(line.substr(2)).second, "an outcome twice: " << line);
        } else if (line.ends_with(not_expressible)) {
            begin(line.substr(0, line.size() - not_expressible.size()));
            current->expressible = false;
        } else {
            REQUIRE_MESSAGE(line.ends_with(":"), "neither a heading nor an outcome: " << line);
            begin(line.substr(0, line.size() - 1));
        }
    }
    return expectations;
}

std::string listed(const OutcomeSet& outcomes) {
    std::string text;
    for (const std::string& outcome : outcomes) {
        text += "\n  " + outcome;
    }
    return text.empty() ? " none" : text;
}

OutcomeSet without(const OutcomeSet& all, const OutcomeSet& taken) {
    OutcomeSet rest;
    std::set_difference(all.begin(), all.end(), taken.begin(), taken.end(), std::inserter(rest, rest.end()));
    return rest;
}

/// Whether the sets are equal.
bool check_program(const Program& program, Route route, const Expectation& expected, const Explorer& explorer) {
    const Result<Plan> plan = lower(program, route);
    CHECK_MESSAGE(static_cast<bool>(plan) == expected.expressible, (plan ? "expressible" : plan.error().message));
    if (!plan || !expected.expressible) {
        return static_cast<bool>(plan) == expected.expressible;
    }
    OutcomeSet outcomes;
    for (const Outcome& outcome : explorer(program, *plan)) {
        outcomes.insert(print(outcome));
    }
    const OutcomeSet lacks = without(expected.outcomes, outcomes);
    const OutcomeSet adds = without(outcomes, expected.outcomes);
    CHECK_MESSAGE(lacks.empty(), "lacks:" << listed(lacks));
    CHECK_MESSAGE(adds.empty(), "adds:" << listed(adds));
    return lacks.empty() && adds.empty();
}

} // namespace

FolderCounts check_folder(const std::string& who, const std::string& folder, std::span<const Route> routes,
                          const Explorer& explorer) {
    FolderCounts counts;
    const std::filesystem::path machine = std::filesystem::path(PDLCTS_SOURCE_DIR) / "conformance/machine";
    for (const auto& entry : std::filesystem::directory_iterator(machine / folder)) {
        if (entry.path().extension() != ".litmus") {
            continue;
        }
        const std::string file = entry.path().filename().string();
        CAPTURE(file);
        const Result<Litmus> litmus = parse_litmus(read_file(entry.path()), file);
        REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
        const Expectations expectations =
            read_expectations(std::filesystem::path(entry.path()).replace_extension(".outcomes"));
        std::set<std::string> used;
        const auto compare = [&](const std::string& version, const Program& program, Route route) {
            const std::string on_route = version + " on " + std::string(name(route));
            const std::string heading = expectations.contains(on_route) ? on_route : version;
            CAPTURE(on_route);
            REQUIRE_MESSAGE(expectations.contains(heading), "no outcomes are written down");
            used.insert(heading);
            counts.disagreements += check_program(program, route, expectations.at(heading), explorer) ? 0 : 1;
            counts.routes.insert(route);
            ++counts.sets;
        };
        for (const Route route : routes) {
            const std::vector<Route>& allowed = litmus->routes;
            if (!allowed.empty() && std::find(allowed.begin(), allowed.end(), route) == allowed.end()) {
                continue;
            }
            compare("program", litmus->program, route);
            if (litmus->control) {
                compare("control", *litmus->control, route);
            }
        }
        for (const auto& expectation : expectations) {
            CHECK_MESSAGE(used.contains(expectation.first),
                          "no program and route has the heading " << expectation.first);
        }
        ++counts.files;
    }
    counted(who, " against the sets in ", folder, ": ", counts.files, " programs, ", counts.sets, " sets, ",
            counts.routes.size(), counts.routes.size() == 1 ? " route" : " routes", ", ", counts.disagreements,
            " disagreements");
    return counts;
}

} // namespace pdlcts
