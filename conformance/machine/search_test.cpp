// SPDX-License-Identifier: Apache-2.0
// The two searches: by parts, which is fast, and state by state, which is simple. They have to meet the same states.
#include "conformance/machine/search.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/parts.hpp"
#include "conformance/machine/small_program.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/counted.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace pdlcts;

namespace {

struct Counts {
    std::size_t plans = 0;
    std::size_t states = 0;
    std::size_t disagreements = 0;
};

bool are_same(const Exploration& one, const Exploration& other) {
    return one.decided == other.decided && one.states == other.states && one.outcomes == other.outcomes &&
           one.lines == other.lines && one.stuck == other.stuck;
}

void compare(const Program& program, const Plan& plan, Counts& counts) {
    const Result<machine::Code> code = machine::compile(program, plan);
    if (!code || !machine::has_parts(*code)) {
        return;
    }
    const Exploration wholes = machine::explore_wholes(*code, {2'000});
    ++counts.plans;
    counts.states += wholes.states;
    // Every step by its own cells alone, from the third memory on, and none.
    for (const std::size_t few_shared_parts : {0, 2, 1'000'000}) {
        const Exploration parts = machine::explore_parts(*code, {2'000}, few_shared_parts);
        counts.disagreements += are_same(wholes, parts) ? 0 : 1;
        CHECK_MESSAGE(are_same(wholes, parts), wholes.states << " and " << parts.states << " states\n"
                                                             << print(program));
    }
}

void compare(const std::string& text, Counts& counts) {
    const Result<Litmus> litmus = parse_litmus(text + "\nends\n", "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    compare(litmus->program, *lower(litmus->program, Route::stream), counts);
}

} // namespace

TEST_CASE("both searches meet the same states of random programs, with the same outcomes and traces") {
    Counts counts;
    for (const Theme theme : all_themes) {
        for (unsigned seed = 0; seed < 60; ++seed) {
            CAPTURE(seed);
            std::mt19937 random(seed);
            const Program program = small_random_program(random, theme, 3 + seed % 5);
            for (const Route route : {Route::stream, Route::edges}) {
                if (const Result<Plan> plan = lower(program, route)) {
                    compare(program, *plan, counts);
                }
            }
        }
    }
    counted("machine, both searches: ", counts.plans, " plans, ", counts.states, " states, ", counts.disagreements,
            " disagreements");
    CHECK(counts.plans > 700);
}

TEST_CASE("both searches meet the same states where blocks have to follow what others do") {
    Counts counts;
    // A write that is put before one that others know, relaxed reads of what is not released yet, an atomic's place.
    compare("memory x = 0, y = 0\ngrid g <<<4, 1>>>\nblock 0 thread 0:\nst.relaxed.gpu x, 1\n"
            "block 1 thread 0:\nst.relaxed.gpu x, 2\nblock 2 thread 0:\nld.relaxed.gpu x -> a\nld.relaxed.gpu x -> b\n"
            "block 3 thread 0:\nld.relaxed.gpu y -> c\nst.release.gpu x, 3",
            counts);
    compare("memory x = 0, y = 0\ngrid g <<<3, 1>>>\nblock 0 thread 0:\nld.relaxed.gpu y -> a\nst.release.gpu x, 1\n"
            "block 1 thread 0:\nld.relaxed.gpu x -> b\nfence.acq_rel.gpu\nst.relaxed.gpu y, 1\n"
            "block 2 thread 0:\natom.relaxed.gpu.add x, 1 -> c",
            counts);
    // Racing stores of one value, and counts, of blocks that are alike.
    compare("memory x = 0, n = 0\ngrid g <<<6, 1>>>\nblocks 0..5 thread 0:\nst.weak x, 1\nred.relaxed.gpu.add n, 1\n"
            "grid h <<<1, 1>>> pss\nthread 0:\nawait n == 6 -> every within 1us\nld.weak x -> a\nwait\nld.weak x -> b",
            counts);
    CHECK(counts.plans == 3);
    CHECK(counts.states > 200);
}

TEST_CASE("a limit stops both searches") {
    const Result<Litmus> litmus = parse_litmus("memory x = 0\ngrid g <<<2, 1>>>\nblock 0 thread 0:\nst.weak x, 1\n"
                                               "block 1 thread 0:\nld.weak x -> a\nends\n",
                                               "example.litmus");
    REQUIRE(litmus);
    const Result<machine::Code> code = machine::compile(litmus->program, *lower(litmus->program, Route::stream));
    REQUIRE(code);
    for (const Exploration& stopped : {machine::explore_wholes(*code, {2}), machine::explore_parts(*code, {2})}) {
        CHECK(!stopped.decided);
        CHECK(stopped.undecided_because == "more than 2 states");
    }
}
