// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"

#include <doctest/doctest.h>
// As ledger.cpp has it: one program has one toml++.
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <map>
#include <set>

using namespace pdlcts;

namespace {

std::vector<std::string> strings(const toml::table& table, const char* key) {
    std::vector<std::string> list;
    if (const toml::array* const array = table[key].as_array()) {
        for (const toml::node& each : *array) {
            list.push_back(each.value_or(std::string()));
        }
    }
    return list;
}

/// What each case names behind `because`, by its id.
std::map<std::string, std::set<std::string>> named_by_cases() {
    std::map<std::string, std::set<std::string>> named;
    const auto add = [&](const std::string& id, const std::vector<Report>& reports) {
        std::set<std::string>& own = named[id];
        for (const Report& report : reports) {
            own.insert(print(report));
        }
    };
    for (const Case& listed : embedded_cases()) {
        add(listed.id, listed.litmus.because);
    }
    for (const NativeCase& listed : embedded_native_cases()) {
        add(listed.id, listed.because);
    }
    return named;
}

} // namespace

TEST_CASE("every collected report is a case that names it, or has the reason why it is none") {
    const toml::table file = toml::parse_file(PDLCTS_SOURCE_DIR "/cases/field-reports.toml");
    const toml::array* const reports = file["report"].as_array();
    REQUIRE(reports != nullptr);
    const auto named = named_by_cases();
    std::set<std::int64_t> numbers;
    std::size_t with_cases = 0;
    for (const toml::node& node : *reports) {
        REQUIRE(node.is_table());
        const toml::table& report = *node.as_table();
        const std::int64_t number = report["number"].value_or(std::int64_t{0});
        CAPTURE(number);
        CHECK(numbers.insert(number).second);
        CHECK(!report["about"].value_or(std::string()).empty());
        const std::vector<std::string> cases = strings(report, "cases");
        const bool has_reason = !report["reason"].value_or(std::string()).empty();
        CHECK(cases.empty() == has_reason);
        with_cases += cases.empty() ? 0 : 1;
        for (const std::string& id : cases) {
            CHECK_MESSAGE(named.count(id) == 1, id, " is no case");
        }
        for (const std::string& thread : strings(report, "threads")) {
            const Result<std::vector<Report>> read = parse_reports(thread, "cases/field-reports.toml", 1, 1);
            REQUIRE_MESSAGE(read, thread);
            const bool is_named = std::any_of(cases.begin(), cases.end(), [&](const std::string& id) {
                return named.count(id) == 1 && named.at(id).count(print(read->front())) == 1;
            });
            CHECK_MESSAGE(is_named, "no case of the list names ", thread);
        }
    }
    // The numbers under which the reports were collected: some were never given out.
    std::set<std::int64_t> collected;
    for (std::int64_t number = 1; number <= 70; ++number) {
        collected.insert(number);
    }
    for (const int gap : {17, 28, 29, 31, 32, 44, 46, 57, 63, 65}) {
        collected.erase(gap);
    }
    CHECK(numbers == collected);
    MESSAGE(numbers.size(), " collected reports, ", with_cases, " of them cases");
}
