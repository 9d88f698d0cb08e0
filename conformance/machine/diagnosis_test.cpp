// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/check.hpp"
#include "conformance/machine/diagnosis.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/small_program.hpp"
#include "conformance/machine/twin.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/counted.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

using namespace pdlcts;

namespace {

using Lines = std::vector<std::string>;

struct Diagnosed {
    std::vector<DecidingRead> reads;
    Lines remedies;
    bool says(const std::string& part) const {
        return std::any_of(reads.begin(), reads.end(),
                           [&](const DecidingRead& read) { return read.why.find(part) != std::string::npos; });
    }
};

Diagnosed diagnosed(const std::string& text, Route route = Route::stream) {
    const Result<Litmus> litmus = parse_litmus(text, "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    const Check refuted = check(*litmus, route);
    REQUIRE(refuted.answer == Answer::refuted);
    REQUIRE(refuted.counterexample);
    Diagnosed result;
    result.reads =
        deciding_reads(litmus->program, *refuted.program_plan, *litmus->program.claim.never, *refuted.counterexample);
    for (const Remedy& remedy : remedies(litmus->program, *refuted.program_plan, result.reads)) {
        result.remedies.push_back(remedy.change);
    }
    return result;
}

/// A primary that stores behind its trigger, then whatever a secondary is.
std::string behind_primary(const std::string& secondary, const std::string& primary = "trigger\nst.weak x, 1") {
    return "memory x = 0\ngrid primary <<<1, 32>>>\nthread 0:\n" + primary + "\n" + secondary + "\nnever seen == 0\n";
}

/// The condition that holds of this outcome, and at most of those that have more values of a class's registers.
Condition is(const Outcome& outcome) {
    std::vector<Condition> operands;
    for (const auto& [result, values] : outcome) {
        for (const Value value : values) {
            operands.push_back({Condition::Kind::comparison, Comparison{Quantifier::single, result, true, value}, {}});
        }
    }
    return operands.size() == 1 ? operands.front() : Condition{Condition::Kind::conjunction, {}, operands};
}

const std::string load = "ld.weak x -> seen";

} // namespace

TEST_CASE("a missing wait is named, and what stands in for it") {
    const Diagnosed late = diagnosed(behind_primary("grid secondary <<<1, 32>>> pss\nthread 0:\n" + load));
    REQUIRE(late.reads.size() == 1);
    CHECK(late.reads[0].stale);
    CHECK(late.reads[0].value == 0);
    CHECK(late.says("`ld.weak x -> seen` of secondary thread 0 can still read 0, the initial value of `x`, in spite of "
                    "`st.weak x, 1` of primary thread 0"));
    CHECK(late.says("as soon as every block of primary has triggered or exited, which brings nothing"));
    CHECK(late.says("no thread of secondary executes `wait`"));
    // A fence before the trigger does not cover a store behind it.
    CHECK(late.remedies == Lines{"`wait` before `ld.weak x -> seen` in secondary thread 0", "secondary without `pss`"});

    const Diagnosed early =
        diagnosed(behind_primary("grid secondary <<<1, 32>>> pss\nthread 0:\n" + load, "st.weak x, 1\ntrigger"));
    CHECK(early.remedies == Lines{"`wait` before `ld.weak x -> seen` in secondary thread 0",
                                  "`fence.acq_rel.gpu` before `trigger` in primary thread 0",
                                  "secondary without `pss`"});

    const Diagnosed silent =
        diagnosed(behind_primary("grid secondary <<<1, 32>>> pss\nthread 0:\n" + load + "\nwait", "st.weak x, 1"));
    CHECK(silent.says("every block of primary has exited, which counts as a trigger"));
    CHECK(silent.says("this thread reads before its `wait`"));
}

TEST_CASE("another thread's wait has to be passed on") {
    const Diagnosed other =
        diagnosed(behind_primary("grid secondary <<<1, 64>>> pss\nthread 0:\nwait\nthread 32:\n" + load));
    CHECK(other.says("wait.blocks-executing-thread"));
    CHECK(other.remedies == Lines{"`wait` before `ld.weak x -> seen` in secondary thread 32",
                                  "`bar.sync` for the whole block, behind the `wait` in secondary thread 0 and before "
                                  "`ld.weak x -> seen` in secondary thread 32",
                                  "secondary without `pss`"});
}

TEST_CASE("a chain whose middle does not wait") {
    const std::string chain = behind_primary("grid middle <<<1, 32>>> pss\nthread 0:\ntrigger\n"
                                             "grid last <<<1, 32>>> pss\nthread 0:\nwait\n" +
                                             load);
    const Diagnosed skipped = diagnosed(chain);
    CHECK(skipped.says("last comes after middle and not after primary"));
    CHECK(skipped.says("wait.intransitive-if-middle-skips"));
    CHECK(std::find(skipped.remedies.begin(), skipped.remedies.end(), "`wait` first of all in middle thread 0") !=
          skipped.remedies.end());
}

TEST_CASE("streams and the host") {
    const std::string across = "memory x = 0\ngrid primary <<<1, 32>>> on s\nthread 0:\nst.weak x, 1\n"
                               "grid secondary <<<1, 32>>> on t pss\nthread 0:\nwait\nld.weak x -> seen\n"
                               "never seen == 0\n";
    for (const Route route : basic_routes) {
        const Diagnosed streams = diagnosed(across, route);
        CHECK(streams.says("no stream, event or sync orders secondary after primary"));
        // In a capture pss turns the event's edge into a programmatic one; the thread waits, so that holds too.
        CHECK(streams.remedies == Lines{"an ordinary event between the streams: `record done on s` behind primary, "
                                        "`wait_event done on t` before secondary"});
    }
    const Diagnosed host = diagnosed("host_memory h = 0\ngrid primary <<<1, 32>>>\nthread 0:\nst.weak h, 1\n"
                                     "read h -> seen\nnever seen == 0\n");
    CHECK(host.says("`read h -> seen` of the host can still read 0"));
    CHECK(host.remedies == Lines{"`sync stream` before `read h -> seen`"});
}

TEST_CASE("events that bring no view") {
    const auto behind_event = [](const std::string& attribute, const std::string& first) {
        return diagnosed("memory x = 0\ngrid primary <<<1, 32>>> on s " + attribute + " e\nthread 0:\nst.weak x, 1\n" +
                         "wait_event e on t\ngrid secondary <<<1, 32>>> on t\nthread 0:\n" + first +
                         "ld.weak x -> seen\nnever seen == 0\n");
    };
    CHECK(behind_event("launch_completion_event", "wait\n").says("event.lc.not-visible-to-wait"));
    CHECK(behind_event("programmatic_event", "").remedies.front() ==
          "`wait` before `ld.weak x -> seen` in secondary thread 0");
}

TEST_CASE("domains and the async proxy") {
    const Diagnosed domains = diagnosed(
        "memory x = 0\ngrid primary <<<1, 32>>> domain remote\nthread 0:\nst.weak x, 1\nfence.acq_rel.gpu\ntrigger\n"
        "grid secondary <<<1, 32>>> pss\nthread 0:\nld.weak x -> seen\nnever seen == 0\n");
    CHECK(domains.says("visibility.gpu-fence-cross-domain-insufficient"));
    CHECK(std::find(domains.remedies.begin(), domains.remedies.end(),
                    "`fence.acq_rel.sys` before `trigger` in primary thread 0") != domains.remedies.end());

    const Diagnosed copy =
        diagnosed("memory v[4] = 0\ngrid primary <<<1, 32>>>\nthread 0:\ntrigger\nst.weak v[1], 1\n"
                  "grid secondary <<<1, 32>>> pss\nshared tile[4] = 0\nmbarrier full = 1\nthread 0:\nwait\n"
                  "mbarrier.arrive.expect_tx.release.cta full, 16\ncp.async.bulk.shared.global tile, v, full\n"
                  "mbarrier.wait.acquire.cta full, 0 -> done within 1us\nld.weak tile[1] -> seen\n"
                  "never done == 1 && seen == 0\n");
    CHECK(copy.says("`ld.weak tile[1] -> seen` of secondary thread 0 reads what "
                    "`cp.async.bulk.shared.global tile, v, full` has copied"));
    CHECK(copy.says("the initial value of `v[1]`, in spite of `st.weak v[1], 1` of primary thread 0"));
    CHECK(copy.remedies.front() ==
          "`fence.proxy.async` before `cp.async.bulk.shared.global tile, v, full` in secondary thread 0");
}

TEST_CASE("a value that came too early is told of from its write") {
    const Diagnosed overlap = diagnosed("memory started = 0\ngrid primary <<<1, 32>>>\nthread 0:\ntrigger\n"
                                        "await started == 1 -> overlapped within 1us\n"
                                        "grid secondary <<<1, 32>>> pss\nthread 0:\nst.relaxed.sys started, 1\n"
                                        "never overlapped == 1\n");
    REQUIRE(overlap.reads.size() == 1);
    CHECK(!overlap.reads[0].stale);
    CHECK(overlap.says("can read what `st.relaxed.sys started, 1` of secondary thread 0 writes: secondary may begin"));
    CHECK(overlap.remedies ==
          Lines{"`wait` before `st.relaxed.sys started, 1` in secondary thread 0", "secondary without `pss`"});
}

TEST_CASE("two writes that race, a scope that is too narrow, a cache that is not coherent") {
    const Diagnosed race = diagnosed("memory x = 0\ngrid a <<<1, 32>>>\nthread 0:\ntrigger\nst.weak x, 1\n"
                                     "grid b <<<1, 32>>> pss\nthread 0:\nst.weak x, 2\n"
                                     "grid c <<<1, 32>>>\nthread 0:\nld.weak x -> final\nnever final != 2\n");
    CHECK(race.says("as that need not come before `st.weak x, 2` of b thread 0: b may begin as soon as"));
    CHECK(race.remedies == Lines{"`wait` before `st.weak x, 2` in b thread 0", "b without `pss`"});

    const Diagnosed flag = diagnosed("memory x = 0, flag = 0\ngrid a <<<2, 32>>>\nblock 0 thread 0:\nst.weak x, 1\n"
                                     "st.release.cta flag, 1\nblock 1 thread 0:\nld.acquire.gpu flag -> got\n"
                                     "ld.weak x -> seen\nnever got == 1 && seen == 0\n");
    CHECK(flag.reads.size() == 1); // The flag was seen, as it should be.
    CHECK(flag.says("no release and acquire of a scope that holds both"));
    CHECK(flag.remedies == Lines{"scope gpu in `st.release.cta flag, 1`"});

    const Diagnosed cached =
        diagnosed(behind_primary("grid secondary <<<1, 32>>> pss\nthread 0:\nwait\nld.weak.nc x -> seen"));
    CHECK(cached.says("visibility.nc-loads-excluded"));
    CHECK(cached.remedies == Lines{"`ld.weak.nc x -> seen` without .nc"});
}

TEST_CASE("copies that are not finished, barriers that release nothing, and a host that writes later") {
    const Diagnosed copy =
        diagnosed("memory v[4] = 0\ngrid primary <<<1, 32>>>\nshared tile[4] = 1\nthread 0:\n"
                  "cp.async.bulk.global.shared v, tile\ncp.async.bulk.commit_group\ncp.async.bulk.wait_group.read 0\n"
                  "fence.acq_rel.gpu\ntrigger\ngrid secondary <<<1, 32>>> pss\nthread 0:\nld.weak v[2] -> seen\n"
                  "never seen == 0\n");
    CHECK(copy.says("waits until the source of a copy is read, not until it is written"));
    CHECK(copy.remedies == Lines{"`wait` before `ld.weak v[2] -> seen` in secondary thread 0",
                                 "`cp.async.bulk.wait_group` without .read in primary thread 0",
                                 "secondary without `pss`"});

    const Diagnosed barrier =
        diagnosed("memory x = 0\ngrid a <<<2, 32>>> cluster 2\nblock 0 thread 0:\nst.weak x, 1\n"
                  "barrier.cluster.arrive.relaxed\nbarrier.cluster.wait.acquire\nblock 1 thread 0:\n"
                  "barrier.cluster.arrive.release\nbarrier.cluster.wait.acquire\nld.weak x -> seen\nnever seen == 0\n");
    CHECK(barrier.remedies == Lines{"`barrier.cluster.arrive.release` in the place of `.relaxed` in a"});

    const Diagnosed host = diagnosed("host_memory h = 0\ngrid a <<<1, 32>>>\nthread 0:\nld.weak h -> seen\n"
                                     "write h, 1\nnever seen == 0\n");
    CHECK(host.says("the host issues that after a, so that it need not have happened"));
    CHECK(host.remedies.empty());
}

TEST_CASE("every refuted claim of a random program is explained, and the twin confirms each change that helps") {
    unsigned explained = 0;
    unsigned confirmed = 0;
    unsigned disagreements = 0;
    for (unsigned seed = 0; seed < 160; ++seed) {
        std::mt19937 random(seed);
        Litmus litmus;
        litmus.program = small_random_program(random, all_themes[seed % std::size(all_themes)], 4 + seed % 3);
        const Result<Plan> plan = lower(litmus.program, Route::stream);
        REQUIRE(plan);
        const Exploration exploration = explore(litmus.program, *plan, {2'000});
        if (!exploration.decided || exploration.outcomes.begin()->first.empty()) {
            continue;
        }
        litmus.program.claim = {};
        const std::size_t chosen = seed % 3 % exploration.outcomes.size();
        const auto outcome = std::next(exploration.outcomes.begin(), static_cast<std::ptrdiff_t>(chosen));
        litmus.program.claim.never = is(outcome->first);
        const Check refuted = check(litmus, Route::stream);
        REQUIRE(refuted.counterexample);
        const std::vector<DecidingRead> reads =
            deciding_reads(litmus.program, *plan, *litmus.program.claim.never, *refuted.counterexample);
        CHECK_MESSAGE(!reads.empty(), "seed " << seed << "\n" << print(litmus.program));
        ++explained;
        for (const Remedy& remedy : remedies(litmus.program, *plan, reads, {2'000})) {
            const Result<Plan> changed = lower(remedy.changed, Route::stream);
            REQUIRE(changed);
            const auto twin = twin::explore(remedy.changed, *changed, 50'000);
            const bool holds =
                !twin || std::none_of(twin->outcomes.begin(), twin->outcomes.end(),
                                      [&](const auto& each) { return matches(*litmus.program.claim.never, each); });
            CHECK_MESSAGE(holds, "seed " << seed << ": " << remedy.change << "\n" << print(litmus.program));
            disagreements += holds ? 0 : 1;
            confirmed += twin ? 1 : 0;
        }
    }
    counted("twin against the changes that check proposes: ", explained, " refuted claims, ", confirmed, " changes, ",
            disagreements, " disagreements");
    CHECK(explained > 100);
    CHECK(confirmed > 20);
}
