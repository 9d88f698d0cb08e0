// SPDX-License-Identifier: Apache-2.0
// The outcome sets of conformance/machine/outcomes come from an independent reading of the rules, by brute force, and
// were held against what a GPU showed. The machine has to give the same sets, exactly, on the route `stream`.
#include "conformance/litmus/parser.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/plan/lower.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

using namespace pdlcts;

namespace {

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

/// `program:` and `control:`, each followed by one indented outcome a line.
std::map<std::string, std::set<std::string>> read_outcomes(const std::filesystem::path& path) {
    std::istringstream lines(read_file(path));
    std::map<std::string, std::set<std::string>> sets;
    std::string heading;
    for (std::string line; std::getline(lines, line);) {
        if (line.starts_with("  ")) {
            sets[heading].insert(line.substr(2));
        } else if (line.ends_with(":")) {
            heading = line.substr(0, line.size() - 1);
            sets[heading];
        }
    }
    return sets;
}

std::set<std::string> explored(const Program& program) {
    const Result<Plan> plan = lower(program, Route::stream);
    REQUIRE_MESSAGE(plan, (plan ? "" : plan.error().message));
    const Exploration exploration = explore(program, *plan);
    REQUIRE_MESSAGE(exploration.decided, exploration.undecided_because);
    CHECK(!exploration.stuck);
    std::set<std::string> outcomes;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        outcomes.insert(print(outcome));
    }
    return outcomes;
}

} // namespace

TEST_CASE("the machine agrees with every published outcome set") {
    const std::filesystem::path folder = std::filesystem::path(PDLCTS_SOURCE_DIR) / "conformance/machine/outcomes";
    std::size_t programs = 0;
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
        if (entry.path().extension() != ".litmus") {
            continue;
        }
        CAPTURE(entry.path().filename().string());
        const Result<Litmus> litmus = parse_litmus(read_file(entry.path()), entry.path().filename().string());
        REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
        const auto expected = read_outcomes(std::filesystem::path(entry.path()).replace_extension(".outcomes"));
        CHECK(explored(litmus->program) == expected.at("program"));
        ++programs;
        CHECK(litmus->control.has_value() == expected.contains("control"));
        if (litmus->control) {
            CHECK(explored(*litmus->control) == expected.at("control"));
            ++programs;
        }
    }
    CHECK(programs == 53);
    MESSAGE("outcome sets compared: " << programs);
}
