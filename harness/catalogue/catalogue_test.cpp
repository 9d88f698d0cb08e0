// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/catalogue.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace pdlcts;

namespace {

const std::string good = R"(# Says what is claimed.
checks  wait.blocks-until-completion
memory  x = 0
grid primary <<<1, 32>>>
  thread 0:
      trigger
      st.weak x, 1
grid secondary <<<1, 32>>> pss
  thread 0:
-     wait
      ld.weak x -> seen
never   seen == 0
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t position = text.find(from);
    REQUIRE(position != std::string::npos);
    return text.replace(position, from.size(), to);
}

std::string error_of(const std::string& text, const std::string& name = "cases/wait/example.litmus") {
    const Result<Case> read = read_case({name, text}, embedded_ledger());
    return read ? "" : read.error().message;
}

bool says(const std::string& message, const char* part) {
    return message.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a case is named by its place below cases/") {
    const Result<Case> read = read_case({"cases/wait/example.litmus", good}, embedded_ledger());
    REQUIRE(read);
    CHECK(read->id == "wait/example");
    CHECK(read->statement == "wait.blocks-until-completion");
    CHECK(kind_of(*read, embedded_ledger()) == "litmus");
    CHECK(cell_routes(*read, embedded_ledger()).size() == 3);
}

TEST_CASE("a case that lacks what every case must have is refused") {
    CHECK(error_of(good).empty());
    CHECK(says(error_of(replaced(good, "# Says what is claimed.\n", "")), "begins with comment lines"));
    CHECK(says(error_of(replaced(good, "checks  wait.blocks-until-completion\n", "")), "expected a line `checks"));
    CHECK(says(error_of(replaced(good, "wait.blocks", "wait.blotches")), "unknown statement"));
    CHECK(says(error_of(replaced(good, "-     wait", "      wait")), "without a control"));
    CHECK(says(error_of(good, "cases/trigger/example.litmus"), "belongs to section wait"));
    CHECK(says(error_of(good + std::string(40, '\n')), "expected 40 at most"));
    CHECK(says(error_of(replaced(good, "never   seen == 0", "ends")), "needs `never` or `sometimes`"));
    CHECK(says(error_of(replaced(good, "thread 0:\n-", "threads 0..1:\n-")), "expected `any seen`"));
    CHECK(says(error_of(replaced(good, "never   seen == 0", "never  seen ==")), "cases/wait/example.litmus:12:"));
}

TEST_CASE("a cell can be asked for on every route that launches a plan of which the case makes its claim") {
    const auto routes_with_cells = [](const Case& listed) {
        std::vector<Route> routes;
        for (const Route route : all_routes) {
            if (has_cell_on(listed, route, embedded_ledger())) {
                routes.push_back(route);
            }
        }
        return routes;
    };
    const auto read = [](const std::string& routes) {
        const Result<Case> result =
            read_case({"cases/wait/example.litmus", replaced(good, "memory", routes + "memory")}, embedded_ledger());
        REQUIRE_MESSAGE(result, result.error().message);
        return *result;
    };
    using Routes = std::vector<Route>;
    CHECK(routes_with_cells(read("")) == Routes(std::begin(all_routes), std::end(all_routes)));
    CHECK(cell_routes(read(""), embedded_ledger()).size() == 3);
    CHECK(cell_routes(read("routes all\n"), embedded_ledger()).size() == 7);
    CHECK(routes_with_cells(read("routes stream\n")) == Routes{Route::stream, Route::driver});
    CHECK(cell_routes(read("routes stream\n"), embedded_ledger()) == Routes{Route::stream});
    CHECK(routes_with_cells(read("routes captured\n")) == Routes{Route::captured, Route::cloned, Route::updated});
    CHECK(routes_with_cells(read("routes edges, driver\n")) == Routes{Route::edges, Route::child, Route::driver});
}

TEST_CASE("an equivalence names the two routes that it compares") {
    const std::string text = replaced(good, "wait.blocks-until-completion", "graph.capture.pss-port");
    const std::string name = "cases/graph-capture/example.litmus";
    for (const char* routes : {"", "routes captured\n", "routes stream, edges\n", "routes captured, edges, child\n"}) {
        CHECK(says(error_of(replaced(text, "memory", routes + std::string("memory")), name), "expected two routes"));
    }
    const std::string routed = replaced(text, "memory", "routes captured, edges\nmemory");
    const Result<Case> read = read_case({name, routed}, embedded_ledger());
    REQUIRE(read);
    CHECK(kind_of(*read, embedded_ledger()) == "equivalence");
    CHECK(cell_routes(*read, embedded_ledger()) == std::vector{Route::captured});
    CHECK(other_route(*read, embedded_ledger()) == Route::edges);
    // The second form stays; the first may take a detour.
    CHECK(has_cell_on(*read, Route::cloned, embedded_ledger()));
    CHECK_FALSE(has_cell_on(*read, Route::edges, embedded_ledger()));
    CHECK_FALSE(has_cell_on(*read, Route::stream, embedded_ledger()));
}

TEST_CASE("a user's own file needs none of that") {
    const Result<Case> read =
        read_user_case({"somewhere/my-pattern.litmus", "grid only <<<1, 32>>>\nends\n"}, embedded_ledger());
    REQUIRE(read);
    CHECK(read->id == "my-pattern");
    CHECK(read->statement.empty());
    CHECK(statement_of(*read, embedded_ledger()).strength == Strength::guarantee);
}

TEST_CASE("cases are selected by id, name or statement") {
    const Result<Case> read = read_case({"cases/wait/example.litmus", good}, embedded_ledger());
    REQUIRE(read);
    for (const char* pattern : {"wait/example", "wait/*", "*", "exam*", "?xample", "wait.blocks-*", "***e***"}) {
        CAPTURE(pattern);
        CHECK(is_selected(*read, pattern));
    }
    for (const char* pattern : {"", "wait", "trigger/*", "example?", "wait/"}) {
        CAPTURE(pattern);
        CHECK(!is_selected(*read, pattern));
    }
}

TEST_CASE("the embedded cases are distinct, and digested as a list") {
    const std::vector<Case>& cases = embedded_cases();
    CHECK(cases.size() >= 12);
    std::set<std::string> ids;
    for (const Case& listed : cases) {
        ids.insert(listed.id);
    }
    CHECK(ids.size() == cases.size());
    CHECK(digest_of(cases) == digest_of(embedded_cases()));
    CHECK(digest_of(cases) != digest_of(std::span(cases).subspan(1)));
}
