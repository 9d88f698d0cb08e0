// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/litmus_testing.hpp"
#include "conformance/litmus/printer.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;
using namespace pdlcts::testing;

namespace {

constexpr const char* store_and_load = "memory x = 0\n"
                                       "grid primary <<<1, 32>>>\n"
                                       "  thread 0:\n"
                                       "      st.weak x, 1\n"
                                       "grid secondary <<<1, 32>>> pss\n"
                                       "  thread 0:\n"
                                       "-     wait\n"
                                       "      ld.weak x -> seen\n"
                                       "never seen == 0\n";

} // namespace

TEST_CASE("a program and its control are read from one file") {
    const Litmus litmus = parsed_file(store_and_load);
    const Instruction load = Load{Ordering::weak, Scope::sys, CacheOperator::unspecified, {"x", {}, {}}, {"seen"}};

    Program expected;
    expected.memory = {Location{"x"}};
    expected.streams = {only_stream};
    const Agent storing{{0, 0}, {0, 0}, {Store{Ordering::weak, Scope::sys, {"x", {}, {}}, {1}}}};
    const Agent loading{{0, 0}, {0, 0}, {Wait{}, load}};
    Grid primary;
    primary.name = "primary";
    primary.threads = 32;
    primary.agents = {storing};
    Grid secondary = primary;
    secondary.name = "secondary";
    secondary.pss = 1;
    secondary.agents = {loading};
    expected.operations = {primary, secondary};
    expected.claim.never = Condition{Condition::Kind::comparison, {Quantifier::single, "seen", true, 0}, {}};
    CHECK(litmus.program == expected);

    REQUIRE(litmus.control);
    std::get<Grid>(expected.operations[1]).agents[0].instructions = {load};
    CHECK(*litmus.control == expected);
    CHECK(litmus.description.empty());
    CHECK(litmus.checks.empty());
    CHECK(litmus.routes.empty());
}

TEST_CASE("marks are obeyed in column 1 only") {
    CHECK_FALSE(parsed_file("grid a <<<1, 1>>>\nends\n").control);
    CHECK(parsed_file("grid a <<<1, 1>>>\n+thread 0:\nends\n").control);
    CHECK(parsed_file("grid a <<<1, 1>>>\n+\tthread 0:\nends\n").control);
    SUBCASE("a mark on a line that says nothing is none") {
        CHECK_FALSE(parsed_file("grid a <<<1, 1>>>\n-\n+ # a remark\nends\n").control);
    }
    CHECK(error_of("grid a <<<1, 1>>>\n + thread 0:\nends\n") ==
          "f:2:2: not a line of the language; expected memory, host_memory, stream, grid, an operation of the host "
          "such as record, or a claim, found '+'");
    CHECK(error_of("grid a <<<1, 1>>>\n- thread 0:\n+ thread 0:\nends\n") ==
          "f:2:1: the control is the program; expected marks that make a difference, found '-'");
}

TEST_CASE("program and control are each read on their own: everything but the heading and the claims may differ") {
    const Litmus litmus = parsed_file("- memory x = 0\n+ memory x = 1, y = 0\n"
                                      "- grid a <<<1, 1>>> on s\n+ grid a <<<2, 1>>>\n"
                                      "thread 0:\n- ld.weak x -> r\n+ ld.weak y -> r\n"
                                      "never r == 1\n");
    REQUIRE(litmus.control);
    CHECK(litmus.program == parsed_file("memory x = 0\ngrid a <<<1, 1>>> on s\nthread 0:\nld.weak x -> r\n"
                                        "never r == 1\n")
                                .program);
    CHECK(*litmus.control == parsed_file("memory x = 1, y = 0\ngrid a <<<2, 1>>>\nthread 0:\nld.weak y -> r\n"
                                         "never r == 1\n")
                                 .program);
}

TEST_CASE("errors of the control say so, in lines of the file") {
    CHECK(error_of("memory x = 0\n"
                   "grid a <<<1, 32>>>\n"
                   "  thread 0:\n"
                   "-     ld.weak x -> seen\n"
                   "never seen == 0\n") ==
          "f:5:7: in the control: nothing writes the register; expected a result of an instruction, found 'seen'");
    CHECK(error_of("grid a <<<1, 32>>>\n"
                   "- ends\n") == "f:2:1: program and control share their ends; expected 'ends' without a mark, "
                                  "found '-'");
    CHECK(error_of("grid a <<<1, 32>>>\n"
                   "  thread 0:\n"
                   "+     waits\n"
                   "ends\n") == "f:3:7: in the control: unknown instruction; expected an instruction such as trigger, "
                                "wait or ld.weak, found 'waits'");
}

TEST_CASE("the description is the first block of comment lines") {
    const std::string rest = "grid a <<<1, 1>>>\nends\n";
    using Lines = std::vector<std::string>;
    CHECK(parsed_file("# One.\n#\n#  two # three \n" + rest).description == Lines{"One.", "", " two # three"});
    CHECK(parsed_file("\n  # One.\n\n# not this\n" + rest).description == Lines{"One."});
    CHECK(parsed_file("# One.\n" + rest + "# not this\n").description == Lines{"One."});
    CHECK(parsed_file(rest + "# not this\n").description == Lines{});
    CHECK(error_of("# One.\n- # Two.\n" + rest) ==
          "f:2:1: program and control share their description; expected '#' without a mark, found '-'");
}

TEST_CASE("checks and routes stand at the top, unmarked, once") {
    const std::string rest = "grid a <<<1, 1>>>\nends\n";
    const Litmus litmus = parsed_file("checks trigger.only-first-counts , a.b_2\nroutes edges, stream # both\n" + rest);
    CHECK(litmus.checks == std::vector<std::string>{"trigger.only-first-counts", "a.b_2"});
    CHECK(litmus.routes == std::vector<Route>{Route::edges, Route::stream});
    CHECK(parsed_file("routes captured\n" + rest).routes == std::vector<Route>{Route::captured});
    const Litmus everywhere = parsed_file("routes all\n" + rest);
    CHECK(everywhere.routes == std::vector<Route>(std::begin(all_routes), std::end(all_routes)));
    CHECK(everywhere.routes.size() == 7);
    CHECK(print(everywhere).find("routes  all\n") != std::string::npos);
    CHECK(print(litmus).find("routes  edges, stream\n") != std::string::npos);

    const Errors errors = {
        {"checks\n", "f:1:7: missing statement; expected the id of a statement, found the end of the line"},
        {"checks a b\n", "f:1:10: more than checks takes; expected the end of the line, found 'b'"},
        {"checks a.b, a.b\n", "f:1:13: a statement is checked twice; expected another statement, found 'a'"},
        {"routes queue\n", "f:1:8: unknown route; expected 'stream', 'captured', 'edges', 'cloned', 'child', 'updated' "
                           "or 'driver', found 'queue'"},
        {"routes all, edges\n", "f:1:11: more than routes takes; expected the end of the line, found ','"},
        {"routes edges, all\n", "f:1:15: unknown route; expected 'stream', 'captured', 'edges', 'cloned', 'child', "
                                "'updated' or 'driver', found 'all'"},
        {"routes edges, edges\n", "f:1:15: a route is named twice; expected another route, found 'edges'"},
        {"+ checks a.b\n",
         "f:1:1: program and control share their checks; expected 'checks' without a mark, found '+'"},
        {"checks a.b\n- routes edges\n",
         "f:2:1: program and control share their routes; expected 'routes' without a mark, found '-'"},
        {"routes edges\nchecks a.b\n",
         "f:2:1: out of place; expected checks, because, routes and load in this order at the top, each once, "
         "before memory, found 'checks'"},
        {"checks a\nchecks b\n",
         "f:2:1: out of place; expected checks, because, routes and load in this order at the top, each once, before "
         "memory, found 'checks'"},
        {"memory x = 0\nroutes edges\n",
         "f:2:1: out of place; expected checks, because, routes and load in this order at the top, each once, "
         "before memory, found 'routes'"},
    };
    for (const auto& [heading, message] : errors) {
        CHECK(error_of(heading + rest) == message);
    }
}

TEST_CASE("load asks for memory traffic beside the trials, behind routes") {
    const std::string rest = "grid a <<<1, 1>>>\nends\n";
    CHECK_FALSE(parsed_file("routes edges\n" + rest).memory_load);
    const Litmus litmus = parsed_file("routes edges\nload memory # as others do\n" + rest);
    CHECK(litmus.memory_load);
    CHECK(print(litmus).find("\nload  memory\n") != std::string::npos);
    const Errors errors = {
        {"load\n", "f:1:5: unknown load; expected 'memory', found the end of the line"},
        {"load memory, memory\n", "f:1:12: more than load takes; expected the end of the line, found ','"},
        {"- load memory\n", "f:1:1: program and control share their load; expected 'load' without a mark, found '-'"},
        {"load memory\nroutes edges\n",
         "f:2:1: out of place; expected checks, because, routes and load in this order at the top, each once, before "
         "memory, found 'routes'"},
    };
    for (const auto& [heading, message] : errors) {
        CHECK(error_of(heading + rest) == message);
    }
}

TEST_CASE("because names public reports, between checks and routes") {
    const std::string rest = "grid a <<<1, 1>>>\nends\n";
    const Litmus litmus = parsed_file(
        "checks a.b\nbecause NVIDIA/cccl issue 9134 , ggml-org/llama.cpp pull 24030 # both\nroutes edges\n" + rest);
    CHECK(litmus.because == std::vector<Report>{{"NVIDIA/cccl", Report::Kind::issue, 9134},
                                                {"ggml-org/llama.cpp", Report::Kind::pull, 24030}});
    CHECK(print(litmus.because.front()) == "NVIDIA/cccl issue 9134");
    CHECK(address(litmus.because.front()) == "https://github.com/NVIDIA/cccl/issues/9134");
    CHECK(address(litmus.because.back()) == "https://github.com/ggml-org/llama.cpp/pull/24030");

    const Errors errors = {
        {"because\n", "f:1:8: missing repository; expected an owner and a name such as 'NVIDIA/cccl', found the end of "
                      "the line"},
        {"because cccl issue 1\n",
         "f:1:9: missing repository; expected an owner and a name such as 'NVIDIA/cccl', found 'cccl'"},
        {"because a/b 1\n", "f:1:13: unknown kind of report; expected 'issue' or 'pull', found '1'"},
        {"because a/b issue 0\n", "f:1:19: number of a report is out of range; expected 1 to 4294967295, found '0'"},
        {"because a/b issue 1, a/b issue 1\n", "f:1:22: a report is named twice; expected another report, found 'a'"},
        {"because a/b issue 1 2\n", "f:1:21: more than because takes; expected the end of the line, found '2'"},
        {"- because a/b issue 1\n",
         "f:1:1: program and control share their because; expected 'because' without a mark, found '-'"},
        {"routes edges\nbecause a/b issue 1\n", "f:2:1: out of place; expected checks, because, routes and load in "
                                                "this order at the top, each once, before memory, "
                                                "found 'because'"},
    };
    for (const auto& [heading, message] : errors) {
        CHECK(error_of(heading + rest) == message);
    }
}

TEST_CASE("the parts of a program stand in order") {
    const std::string order = "; expected memory, host_memory, stream, operations and claims in this order, found ";
    CHECK(error_of("stream s\nmemory x = 0\n") == "f:2:1: the memory line is out of place" + order + "'memory'");
    CHECK(error_of("grid a <<<1, 1>>>\nstream s\n") == "f:2:1: the stream line is out of place" + order + "'stream'");
    CHECK(error_of("grid a <<<1, 1>>>\nends\nrecord e\n") ==
          "f:3:1: an operation of the host is out of place" + order + "'record'");
    CHECK(error_of("grid a <<<1, 1>>>\nends\nthread 0:\n") ==
          "f:3:1: an agent outside a grid; expected a grid before it, found 'thread'");
    CHECK(error_of("memory x = 0\n") ==
          "f:2:1: the program launches nothing; expected a grid, found the end of the file");
    CHECK(error_of("") == "f:1:1: the program launches nothing; expected a grid, found the end of the file");
    CHECK(error_of("grid a <<<1, 1>>>") ==
          "f:1:18: the program claims nothing; expected never, sometimes or ends, found the end of the file");
}

TEST_CASE("a file that is not text is refused") {
    const std::string rest = "\ngrid a <<<1, 1>>>\nends\n";
    CHECK(error_of("# \xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80" + rest) == "no error");
    CHECK(error_of("# caf\xe9" + rest) == "f:1:6: the text is not UTF-8; expected UTF-8, found the byte 0xe9");
    CHECK(error_of("# \xc3\xa9 \xed\xa0\x80" + rest) ==
          "f:1:5: the text is not UTF-8; expected UTF-8, found the byte 0xed");
    for (const char* bytes :
         {"\xc0\x80", "\xe0\x80\x80", "\xf0\x80\x80\x80", "\xf4\x90\x80\x80", "\xff", "\x80", "\xe2\x82"}) {
        CHECK(error_of(std::string("# ") + bytes + rest).starts_with("f:1:3: the text is not UTF-8"));
    }
    CHECK(error_of(std::string("# a\0b", 5) + rest) == "f:1:4: control character; expected text, found the byte 0x00");
    CHECK(error_of("# a\rb" + rest) == "f:1:4: control character; expected text, found the byte 0x0d");
    CHECK(error_of("grid a <<<1, 1>>>\r\nends\r\n") == "no error");
    CHECK(error_of("grid \xc3\xa9 <<<1, 1>>>\n") ==
          "f:1:6: missing name; expected a name for a grid, found '\xc3\xa9'");

    const std::string small = "grid a <<<1, 1>>>\nends\n#";
    CHECK(error_of(small + std::string(largest_litmus_file - small.size(), 'x')) == "no error");
    CHECK(error_of(small + std::string(largest_litmus_file - small.size() + 1, 'x')) ==
          "f:1:1: the file is too long; expected at most 65536 bytes, found 65537");
}

TEST_CASE("a long word is quoted in part") {
    const std::string message = error_of("grid " + std::string(100, 'g') + "\n" + std::string(100, 'w'));
    CHECK(message == "f:1:106: missing launch shape; expected '<<<', found the end of the line");
    CHECK(error_of(std::string(100, 'w')) ==
          "f:1:1: not a line of the language; expected memory, host_memory, "
          "stream, grid, an operation of the host such as record, or a claim, found '" +
              std::string(40, 'w') + "...'");
}
