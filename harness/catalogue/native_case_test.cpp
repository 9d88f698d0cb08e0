// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace pdlcts;

namespace {

std::string error_of(const std::string& text, const std::string& name = "cases/graph-query/edges.check") {
    const Result<NativeCase> read = read_native_case({name, text}, embedded_ledger());
    return read ? "" : read.error().message;
}

const std::string sound = "# An annotated edge makes a query without edge data lossy.\n"
                          "# A plain one does not.\n"
                          "checks  graph.query.get-edges-lossy, error.lossy-query\n"
                          "because pytorch/pytorch pull 168305\n";

} // namespace

TEST_CASE("the page of a native check is read") {
    const Result<NativeCase> read = read_native_case({"cases/graph-query/edges.check", sound}, embedded_ledger());
    REQUIRE_MESSAGE(read, read.error().message);
    CHECK(read->id == "graph-query/edges");
    CHECK(read->statement == "graph.query.get-edges-lossy");
    CHECK(read->checks == std::vector<std::string>{"graph.query.get-edges-lossy", "error.lossy-query"});
    CHECK(read->because == std::vector<Report>{{"pytorch/pytorch", Report::Kind::pull, 168305}});
    CHECK(read->description == std::vector<std::string>{"An annotated edge makes a query without edge data lossy.",
                                                        "A plain one does not."});
}

TEST_CASE("what is wrong in the page of a native check is said") {
    CHECK(error_of(sound).empty());
    CHECK(error_of("# a\nchecks graph.query.get-edges-lossy\nwhen\n") ==
          "cases/graph-query/edges.check:3: expected a comment, one line `checks STATEMENT` or a line `because REPORT, "
          "...`, "
          "found 'when'");
    CHECK(error_of("checks graph.query.get-edges-lossy\n").find(":1: a check begins with comment lines") !=
          std::string::npos);
    CHECK(error_of("# a\nchecks graph.query.get-edges-lossy\nbecause an engine\n")
              .starts_with("cases/graph-query/edges.check:3:9: "));
    CHECK(error_of("# a\n").find("expected a line `checks STATEMENT`") != std::string::npos);
    CHECK(error_of("# a\nchecks graph.query.nothing\n").find("unknown statement graph.query.nothing") !=
          std::string::npos);
    CHECK(error_of("# a\nchecks graph.query.get-edges-lossy,\n").empty());
    CHECK(error_of(sound, "cases/trigger/edges.check").find("belongs to section graph-query") != std::string::npos);
    CHECK(error_of(sound + sound).find(":7: expected") != std::string::npos);
    CHECK(error_of(std::string(41, '#') + std::string(41, '\n')).find("expected 40 at most") != std::string::npos);
}

TEST_CASE("every statement has a case or the reason why it has none, and not both") {
    std::set<std::string> tested;
    for (const Case& listed : embedded_cases()) {
        tested.insert(listed.statement);
    }
    for (const NativeCase& listed : embedded_native_cases()) {
        tested.insert(listed.statement);
    }
    std::size_t statements = 0;
    for (const Section& section : embedded_ledger().sections) {
        for (const Statement& statement : section.statements) {
            ++statements;
            CHECK_MESSAGE((tested.count(statement.id) == 1) != !statement.reason.empty(), statement.id);
        }
    }
    CHECK(embedded_cases().size() + embedded_native_cases().size() >= 220);
    MESSAGE(embedded_cases().size(), " litmus cases and ", embedded_native_cases().size(), " native checks for ",
            statements, " statements");
}

TEST_CASE("cases and native checks have ids of their own") {
    std::set<std::string> ids;
    for (const Case& listed : embedded_cases()) {
        CHECK(ids.insert(listed.id).second);
    }
    for (const NativeCase& listed : embedded_native_cases()) {
        CHECK(ids.insert(listed.id).second);
        CHECK(is_selected(listed, listed.id));
        CHECK(is_selected(listed, listed.statement));
    }
}
