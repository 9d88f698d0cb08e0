// SPDX-License-Identifier: Apache-2.0
#include "harness/command/trace_table.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

using Lines = std::vector<std::string>;

const Trace example{"primary begins", "primary thread 0: trigger", "secondary begins",
                    "secondary thread 0: st.relaxed.sys started, 1", "secondary thread 0: ld.weak x -> seen (reads 0)"};

} // namespace

TEST_CASE("a trace is numbered, and says once who acts") {
    CHECK(trace_table(example, {4}) == Lines{"1  primary begins", "2  primary thread 0    trigger",
                                             "3  secondary begins", "4  secondary thread 0  st.relaxed.sys started, 1",
                                             "5                      ld.weak x -> seen          reads 0  <--"});
    CHECK(trace_table({}).empty());
    const Lines many = trace_table(Trace(10, "a begins"));
    CHECK(many.front() == " 1  a begins");
    CHECK(many.back() == "10  a begins");
}

TEST_CASE("a step is found by its node and its instruction, the last one first") {
    CHECK(find_step(example, "secondary", "ld.weak x -> seen") == std::optional<std::size_t>(4));
    CHECK(find_step(example, "second", "ld.weak x -> seen") == std::nullopt);
    CHECK(find_step(example, "primary", "ld.weak x -> seen") == std::nullopt);
    CHECK(find_step({"a thread 0: trigger", "a thread 0: trigger (2 of them)"}, "a", "trigger") ==
          std::optional<std::size_t>(1));
}

TEST_CASE("paragraphs break between words, and not inside quotes") {
    CHECK(wrap_words("one two three", 7) == Lines{"one two", "three"});
    CHECK(wrap_words("see `st.weak x, 1` there", 8) == Lines{"see", "`st.weak x, 1`", "there"});
    CHECK(wrap_words("  ", 8).empty());
    CHECK(wrap_words("incomprehensible", 4) == Lines{"incomprehensible"});
}

TEST_CASE("names are listed as in a sentence") {
    CHECK(enumerate({"stream"}) == "stream");
    CHECK(enumerate({"captured", "edges"}) == "captured and edges");
    CHECK(enumerate({"stream", "captured", "edges"}) == "stream, captured and edges");
}
