// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/example_cells.hpp"

#include <doctest/doctest.h>

#include <random>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

using Random = std::mt19937;

bool chance(Random& random, int percent) {
    return std::uniform_int_distribution(0, 99)(random) < percent;
}

template <typename T, std::size_t N>
T one_of(Random& random, const T (&choices)[N]) {
    return choices[std::uniform_int_distribution<std::size_t>(0, N - 1)(random)];
}

void disturb(Random& random, Observation& observation) {
    constexpr std::uint64_t counts[] = {0, 1, 20, 21, 100, 999, 1000, 5000};
    constexpr const char* outcomes[] = {"overlapped=1 seen=1", "overlapped=0 seen=1",     "overlapped=1 seen=0",
                                        "overlapped=0 seen=0", "overlapped=1 seen=other", "broken outcome"};
    while (chance(random, 40)) {
        observation.tally.outcomes[one_of(random, outcomes)] = one_of(random, counts);
    }
    if (chance(random, 5)) {
        observation.tally = {};
    }
    observation.tally.unwritten = chance(random, 5) ? 1 : 0;
    observation.decided = !chance(random, 10);
    if (chance(random, 20)) {
        observation.allowed.emplace_back("overlapped=1 seen=0");
    }
    if (chance(random, 5)) {
        observation.structure.built.emplace_back("x -> y: type full, port full");
    }
    if (chance(random, 5)) {
        observation.structure.undocumented.emplace_back("no document");
    }
}

/// Any cell: mostly sound, with a few things wrong.
Cell random_cell(Random& random) {
    Cell cell = chance(random, 30) ? equivalence_cell() : never_cell();
    if (chance(random, 20)) {
        constexpr Strength strengths[] = {Strength::guarantee,  Strength::permission,  Strength::requirement,
                                          Strength::definition, Strength::unspecified, Strength::equivalence};
        cell.strength = one_of(random, strengths);
    }
    constexpr Basis bases[] = {Basis::read, Basis::read, Basis::derived, Basis::inferred};
    cell.basis = one_of(random, bases);
    if (chance(random, 10)) {
        constexpr Incident incidents[] = {Incident::timeout,       Incident::crash,   Incident::device_error,
                                          Incident::harness_error, Incident::missing, Incident::not_supported};
        cell.incident = one_of(random, incidents);
    }
    cell.claim.ends = chance(random, 20);
    cell.thresholds.quick = chance(random, 20);
    disturb(random, cell.form.program);
    if (chance(random, 10)) {
        cell.form.control.reset();
    } else {
        disturb(random, *cell.form.control);
    }
    if (cell.other_form) {
        disturb(random, cell.other_form->program);
    }
    return cell;
}

constexpr int rounds = 5000;

} // namespace

TEST_CASE("judging twice gives the same judgement") {
    Random random(1);
    for (int i = 0; i < rounds; ++i) {
        const Cell cell = random_cell(random);
        const Cell copy = cell;
        CHECK(judge(cell) == judge(copy));
        CHECK(cell == copy);
    }
}

TEST_CASE("no picture and no latency changes a judgement") {
    Random random(8);
    for (int i = 0; i < rounds; ++i) {
        const Cell cell = random_cell(random);
        Cell pictured = cell;
        pictured.pictures.emplace();
        pictured.pictures->trials = std::uniform_int_distribution<std::uint64_t>(0, 100)(random);
        pictured.pictures->note = "overlapped=1 seen=0";
        pictured.pictures->worst = TrialPicture{0, "overlapped=1 seen=0", true, 1, {}};
        pictured.latency.emplace_back().primary = "x -> y: type full, port full";
        CHECK(judge(cell) == judge(pictured));
    }
}

TEST_CASE("a violation more never improves the verdict") {
    Random random(2);
    int turned = 0;
    for (int i = 0; i < rounds; ++i) {
        Cell cell = random_cell(random);
        const Verdict before = judge(cell).verdict;
        cell.form.program.tally.outcomes[chance(random, 50) ? "overlapped=1 seen=0" : "overlapped=0 seen=0"] += 1;
        const Judgement after = judge(cell);
        CHECK(after.verdict != Verdict::pass);
        CHECK(after.verdict != Verdict::observed);
        CHECK(after.upper_bound == 1);
        CHECK((before != Verdict::fail || after.verdict == Verdict::fail));
        turned += before == Verdict::pass && after.verdict == Verdict::fail ? 1 : 0;
    }
    CHECK(turned > rounds / 50);
}

TEST_CASE("a control without violations never gives a PASS") {
    Random random(3);
    int turned = 0;
    for (int i = 0; i < rounds; ++i) {
        Cell cell = random_cell(random);
        const Verdict before = judge(cell).verdict;
        if (cell.form.control) {
            std::erase_if(cell.form.control->tally.outcomes,
                          [](const auto& entry) { return entry.first.find("seen=0") != std::string::npos; });
        }
        const Verdict after = judge(cell).verdict;
        CHECK(after != Verdict::pass);
        turned += before == Verdict::pass && after == Verdict::vacuous ? 1 : 0;
    }
    CHECK(turned > 0);
}

TEST_CASE("a PASS holds all that a PASS needs") {
    Random random(4);
    int passes = 0;
    for (int i = 0; i < rounds; ++i) {
        const Cell cell = random_cell(random);
        const Judgement judgement = judge(cell);
        if (judgement.verdict != Verdict::pass) {
            continue;
        }
        ++passes;
        CHECK(cell.incident == Incident::none);
        CHECK(cell.basis != Basis::inferred);
        CHECK(cell.strength != Strength::unspecified);
        CHECK(judgement.violations == 0);
        CHECK(judgement.armed >= (cell.thresholds.quick ? 100 : 1000));
        CHECK(judgement.control_armed_violations >= 21);
        CHECK(cell.form.program.decided);
        CHECK(cell.form.program.tally.unwritten == 0);
        CHECK((cell.basis != Basis::derived || judgement.reason.find("derived") != std::string::npos));
        CHECK((!cell.thresholds.quick || judgement.reason.find("quick") != std::string::npos));
    }
    CHECK(passes > rounds / 50);
}
