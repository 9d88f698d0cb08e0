// SPDX-License-Identifier: Apache-2.0
// What is translated for SPIN, and what is refused because the translation would not be exact. No SPIN is needed.
#include "conformance/machine/benchmarks/comparison.hpp"
#include "conformance/machine/benchmarks/families.hpp"
#include "conformance/machine/benchmarks/promela.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;
using namespace pdlcts::spin;

namespace {

/// Two blocks, with these instructions each.
std::string two_blocks(const std::string& memory, const std::string& first, const std::string& second) {
    return "memory " + memory + "\n\ngrid kernel <<<2, 32>>>\n  block 0 thread 0:\n" + first + "  block 1 thread 0:\n" +
           second + "\nends\n";
}

/// Why a program is not compared; empty: it is.
std::string refusal(const std::string& text) {
    REQUIRE(subjects_of("test", text).size() == 3); // it is a program, and every route can express it
    const Result<SpelledOut> plan = prepare({"test", text, Route::stream, false});
    return plan ? "" : plan.error().message;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("load buffering is translated without synchronisation, and refused with it") {
    const auto load_buffering = [](const std::string& between) {
        return two_blocks("x = 0, y = 0", "    ld.relaxed.gpu x -> a\n" + between + "    st.relaxed.gpu y, 1\n",
                          "    ld.relaxed.gpu y -> b\n    st.relaxed.gpu x, 1\n");
    };
    CHECK(refusal(load_buffering("")).empty());
    // PTX forbids nothing here: one fence alone synchronises with nothing.
    CHECK(contains(refusal(load_buffering("    fence.acq_rel.gpu\n")), "load buffering"));
    // A control point keeps its thread's order in time as well.
    CHECK(refusal(load_buffering("    await y == 1 -> c within 1us\n")).empty());
    // Without the way back there is no cycle.
    CHECK(refusal(two_blocks("x = 0, y = 0", "    ld.acquire.gpu x -> a\n    st.relaxed.gpu y, 1\n",
                             "    st.relaxed.gpu x, 1\n    ld.relaxed.gpu y -> b\n"))
              .empty());
}

TEST_CASE("weak writes that race are refused, ordered ones and strong ones are not") {
    CHECK(contains(refusal(two_blocks("x = 0", "    st.weak x, 1\n", "    st.relaxed.gpu x, 2\n")), "race"));
    CHECK(refusal(two_blocks("x = 0", "    st.relaxed.gpu x, 1\n", "    st.relaxed.sys x, 2\n")).empty());
    const auto two_grids = [](const std::string& attribute, const std::string& wait) {
        return "memory x = 0\n\ngrid one <<<1, 32>>>\n  thread 0:\n    st.weak x, 1\n\ngrid two <<<1, 32>>>" +
               attribute + "\n  thread 0:\n" + wait + "    st.weak x, 2\n\nends\n";
    };
    CHECK(refusal(two_grids("", "")).empty());
    CHECK(refusal(two_grids(" pss", "    wait\n")).empty());
    CHECK(contains(refusal(two_grids(" pss", "")), "race"));
}

TEST_CASE("patterns of several instructions and narrow scopes are refused") {
    const std::string reader = "    ld.acquire.gpu y -> a\n    ld.weak x -> b\n";
    CHECK(contains(refusal(two_blocks("x = 0, y = 0", "    st.release.gpu y, 1\n    st.relaxed.gpu y, 2\n", reader)),
                   "after a release"));
    CHECK(contains(
        refusal(two_blocks("x = 0, y = 0", "    st.release.gpu y, 1\n", "    ld.relaxed.gpu y -> c\n" + reader)),
        "before an acquire"));
    CHECK(contains(refusal(two_blocks("x = 0, y = 0", "    red.relaxed.gpu.add y, 1\n    fence.sc.gpu\n", reader)),
                   "reduction"));
    CHECK(contains(refusal(two_blocks("x = 0, y = 0", "    st.release.cta y, 1\n", reader)), "does not cover"));
    CHECK(contains(refusal(two_blocks("x = 0, y = 0", "    atom.relaxed.gpu.cas y, 0, 1 -> c\n", reader)),
                   "does not cover"));
}

TEST_CASE("what would have to be spelled out too often is refused") {
    CHECK(contains(refusal("memory x = 0\n\ngrid kernel <<<500, 32>>>\n  blocks 0..499 thread 0:\n"
                           "    red.relaxed.gpu.add x, 1\n\nends\n"),
                   "spell out"));
}

TEST_CASE("every family is compared") {
    for (const Member& member : families()) {
        CAPTURE(member.name);
        CHECK(refusal(member.text).empty());
    }
}

TEST_CASE("atomics compute as PTX has it, in 32 bits") {
    CHECK(updated(AtomicOperation::add, 0xffffffff, 2) == 1);
    CHECK(updated(AtomicOperation::exch, 5, 7) == 7);
    CHECK(updated(AtomicOperation::min, 0xffffffff, 2) == 2);
    CHECK(updated(AtomicOperation::max, 0xffffffff, 2) == 0xffffffff);
    CHECK(updated(AtomicOperation::bit_and, 6, 3) == 2);
    CHECK(updated(AtomicOperation::bit_or, 6, 3) == 7);
    CHECK(updated(AtomicOperation::bit_xor, 6, 3) == 5);
}

TEST_CASE("what the verifier prints is read as outcomes") {
    SpelledOut plan;
    plan.results = {"a", "b"};
    plan.values = {0, 1, 7};
    // Bits stand for values: 1 for 0, 2 for 1, 4 for 7. A register of a class has several.
    CHECK(outcomes_of(plan, "outcome 1 4\nsomething else\noutcome 6 0\n") ==
          std::set<Outcome>{{{"a", {0}}, {"b", {7}}}, {{"a", {1, 7}}}});
    CHECK(outcomes_of(plan, "no result").empty());
}

TEST_CASE("sets that differ are told apart") {
    const Outcome zero{{"a", {0}}};
    const Outcome one{{"a", {1}}};
    Exploring machine;
    machine.outcomes = {zero, one};
    Verification spin;
    spin.outcomes = {zero, one};
    CHECK_FALSE(disagreement(machine, spin).has_value());
    spin.outcomes = {zero};
    CHECK(disagreement(machine, spin) == "only the machine: a=1; only SPIN: none");
    machine.outcomes = {};
    CHECK(disagreement(machine, spin) == "only the machine: none; only SPIN: a=0");
    machine.outcomes = {zero};
    machine.stuck = true;
    CHECK(disagreement(machine, spin) == "only the machine finds an execution that stops");
}
