// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/example_results.hpp"
#include "reports/site/site.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>

/// A small suite, and sites made of it, for tests.
namespace pdlcts::examples {

inline site::SuiteCase suite_case(const char* id, const char* statement) {
    site::SuiteCase tested;
    tested.id = id;
    tested.statement = statement;
    tested.checks = {statement};
    tested.description = {"What is claimed."};
    tested.text = "# What is claimed.\nmemory  x = 0\n\ngrid primary <<<1, 32>>>\n  thread 0:\n-     wait\n      "
                  "ld.weak x -> seen\n";
    tested.source = "extern \"C\" __global__ void program_primary(const void* trial) { return; }\n";
    tested.claim = {"seen == 0", "", false, "overlapped == 1"};
    tested.reports = {{"NVIDIA/cccl issue 9134", "https://github.com/NVIDIA/cccl/issues/9134"}};
    site::SuiteRoute route;
    route.answer = "PROVED";
    route.decided = true;
    route.allowed = {"overlapped=1 seen=1"};
    route.reproducer = "int main() {}\n";
    tested.routes = {route};
    return tested;
}

/// The cases of one_of_each. Cells whose digest begins with `d` are of another version.
inline site::SuiteView small_suite(const Ledger& ledger) {
    site::SuiteView view;
    view.suite = {"0.1.0", std::string(40, 'a'), false, std::string(64, 'c')};
    view.ledger = &ledger;
    view.cases = {suite_case("trigger.allows-overlap/hand-shake", "trigger.allows-overlap"),
                  suite_case("visibility.after-wait/post-trigger", "visibility.after-wait"),
                  suite_case("graph-query/get-edges-lossy", "graph-query.lossy")};
    view.cases.back().native = true;
    view.faults = {{"wait-returns-at-once",
                    "wait.no-prerequisite",
                    "The wait returns.",
                    "A bug.",
                    "",
                    "",
                    {"trigger.allows-overlap/hand-shake"},
                    {}}};
    view.rules = {{"A rule.", {"wait.no-prerequisite"}}};
    view.memory_rules = {"Time."};
    view.currency = [](const Cell& cell) {
        return cell.digest.starts_with("d") ? site::Currency::stale : site::Currency::current;
    };
    view.native_currency = [](const NativeCell&) { return site::Currency::current; };
    return view;
}

/// Every file below a folder, by its path there.
inline std::map<std::string, std::string> files_below(const std::filesystem::path& folder) {
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        if (entry.is_regular_file()) {
            std::ifstream stream(entry.path(), std::ios::binary);
            files.emplace(std::filesystem::relative(entry.path(), folder).string(),
                          std::string(std::istreambuf_iterator<char>(stream), {}));
        }
    }
    return files;
}

} // namespace pdlcts::examples
