// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/machine.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/plan/lower.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace pdlcts;

namespace {

using Outcomes = std::set<std::string>;

Program parsed(const std::string& text) {
    const Result<Litmus> litmus = parse_litmus(text + "\nends\n", "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    return litmus->program;
}

Exploration explored(const std::string& text, Route route = Route::stream) {
    const Program program = parsed(text);
    const Result<Plan> plan = lower(program, route);
    REQUIRE_MESSAGE(plan, (plan ? "" : plan.error().message));
    Exploration exploration = explore(program, *plan);
    REQUIRE_MESSAGE(exploration.decided, exploration.undecided_because);
    CHECK(!exploration.stuck);
    return exploration;
}

Outcomes outcomes(const std::string& text, Route route = Route::stream) {
    Outcomes printed;
    for (const auto& [outcome, trace] : explored(text, route).outcomes) {
        printed.insert(print(outcome));
    }
    return printed;
}

/// Two threads in blocks of their own, the shape in which the memory model's textbook tests stand.
std::string two_blocks(const std::string& memory, const std::string& first, const std::string& second) {
    return "memory " + memory + "\ngrid g <<<2, 1>>>\nblock 0 thread 0:\n" + first + "\nblock 1 thread 0:\n" + second;
}

} // namespace

// ---- PTX's memory model, by the outcomes that its text allows ------------------------------------------------------

TEST_CASE("message passing needs a release and an acquire of a scope that covers both") {
    const auto passing = [](const std::string& store, const std::string& load) {
        return outcomes(two_blocks("x = 0, f = 0", "st.weak x, 1\n" + store, load + "\nld.weak x -> seen"));
    };
    const Outcomes ordered = {"got=0 seen=0", "got=0 seen=1", "got=1 seen=1"};
    Outcomes racing = ordered;
    racing.insert("got=1 seen=0");
    CHECK(passing("st.release.gpu f, 1", "ld.acquire.gpu f -> got") == ordered);
    CHECK(passing("fence.acq_rel.gpu\nst.relaxed.gpu f, 1", "ld.relaxed.gpu f -> got\nfence.acq_rel.gpu") == ordered);
    CHECK(passing("fence.sc.sys\nst.relaxed.sys f, 1", "ld.acquire.sys f -> got") == ordered);
    CHECK(passing("st.release.gpu f, 1", "ld.relaxed.gpu f -> got") == racing);
    CHECK(passing("st.relaxed.gpu f, 1", "ld.acquire.gpu f -> got") == racing);
    CHECK(passing("st.weak f, 1", "ld.weak f -> got") == racing);
    // Between blocks a scope of one block is none.
    CHECK(passing("st.release.cta f, 1", "ld.acquire.cta f -> got") == racing);
    CHECK(passing("fence.acq_rel.cta\nst.relaxed.gpu f, 1", "ld.relaxed.gpu f -> got\nfence.acq_rel.gpu") == racing);
}

TEST_CASE("a scope of one block orders within that block") {
    const std::string text = "memory x = 0, f = 0\ngrid g <<<1, 2>>>\nthread 0:\nst.weak x, 1\nst.release.cta f, 1\n"
                             "thread 1:\nld.acquire.cta f -> got\nld.weak x -> seen";
    CHECK(outcomes(text) == Outcomes{"got=0 seen=0", "got=0 seen=1", "got=1 seen=1"});
}

TEST_CASE("store buffering is forbidden by fence.sc alone") {
    const auto buffering = [](const std::string& fence) {
        return outcomes(two_blocks("x = 0, y = 0", "st.relaxed.gpu x, 1\n" + fence + "ld.relaxed.gpu y -> a",
                                   "st.relaxed.gpu y, 1\n" + fence + "ld.relaxed.gpu x -> b"));
    };
    CHECK(buffering("").contains("a=0 b=0"));
    CHECK(buffering("fence.acq_rel.gpu\n").contains("a=0 b=0"));
    CHECK(buffering("fence.sc.gpu\n") == Outcomes{"a=0 b=1", "a=1 b=0", "a=1 b=1"});
    CHECK(buffering("fence.sc.cta\n").contains("a=0 b=0"));
}

TEST_CASE("load buffering is open to relaxed accesses, and closed by fences") {
    const auto buffering = [](const std::string& fence) {
        return outcomes(two_blocks("x = 0, y = 0", "ld.relaxed.gpu x -> a\n" + fence + "st.relaxed.gpu y, 1",
                                   "ld.relaxed.gpu y -> b\n" + fence + "st.relaxed.gpu x, 1"));
    };
    CHECK(buffering("").contains("a=1 b=1"));
    CHECK(!buffering("fence.acq_rel.gpu\n").contains("a=1 b=1"));
    CHECK(buffering("fence.acq_rel.cta\n").contains("a=1 b=1"));
}

TEST_CASE("coherence: strong reads of one word do not go back, weak ones may") {
    const auto reads = [](const std::string& load) {
        return outcomes(two_blocks("x = 0", "st.relaxed.gpu x, 1", load + " x -> a\n" + load + " x -> b"));
    };
    CHECK(reads("ld.relaxed.gpu") == Outcomes{"a=0 b=0", "a=0 b=1", "a=1 b=1"});
    CHECK(reads("ld.weak").contains("a=1 b=0"));
}

TEST_CASE("writes take any place that coherence leaves open") {
    // 2+2W, observed by a third block that reads each word after both writers' grid has completed.
    const std::string text = "memory x = 0, y = 0\ngrid g <<<2, 1>>>\nblock 0 thread 0:\nst.relaxed.gpu x, 1\n"
                             "st.relaxed.gpu y, 2\nblock 1 thread 0:\nst.relaxed.gpu y, 1\nst.relaxed.gpu x, 2\n"
                             "grid h <<<1, 1>>>\nthread 0:\nld.relaxed.gpu x -> a\nld.relaxed.gpu y -> b";
    CHECK(outcomes(text) == Outcomes{"a=1 b=1", "a=1 b=2", "a=2 b=1", "a=2 b=2"});
}

TEST_CASE("two readers may see two writers in different orders") {
    const std::string text = "memory x = 0, y = 0\ngrid g <<<4, 1>>>\nblock 0 thread 0:\nst.relaxed.gpu x, 1\n"
                             "block 1 thread 0:\nst.relaxed.gpu y, 1\n"
                             "block 2 thread 0:\nld.acquire.gpu x -> a\nld.acquire.gpu y -> b\n"
                             "block 3 thread 0:\nld.acquire.gpu y -> c\nld.acquire.gpu x -> d";
    CHECK(outcomes(text).contains("a=1 b=0 c=1 d=0"));
}

TEST_CASE("release and acquire are cumulative, also over an atomic in between") {
    const std::string wrc = "memory x = 0, f = 0\ngrid g <<<3, 1>>>\nblock 0 thread 0:\nst.relaxed.gpu x, 1\n"
                            "block 1 thread 0:\nld.acquire.gpu x -> a\nst.release.gpu f, 1\n"
                            "block 2 thread 0:\nld.acquire.gpu f -> b\nld.relaxed.gpu x -> c";
    // The store of x is relaxed, so reading it acquires nothing: PTX 8.9 asks for a release pattern.
    CHECK(outcomes(wrc).contains("a=1 b=1 c=1"));
    const std::string chained = "memory x = 0, f = 0\ngrid g <<<3, 1>>>\nblock 0 thread 0:\nst.weak x, 1\n"
                                "st.release.gpu f, 1\nblock 1 thread 0:\nred.relaxed.gpu.add f, 1\n"
                                "block 2 thread 0:\nld.acquire.gpu f -> b\nld.weak x -> c";
    const Outcomes seen = outcomes(chained);
    CHECK(!seen.contains("b=2 c=0"));
    CHECK(seen.contains("b=2 c=1"));
}

TEST_CASE("atomics of one word lose no update; a weak store may come between") {
    CHECK(outcomes("memory n = 0\ngrid g <<<3, 1>>>\nblocks 0..2 thread 0:\nred.relaxed.gpu.add n, 1\n"
                   "grid h <<<1, 1>>>\nthread 0:\nld.weak n -> total") == Outcomes{"total=3"});
    CHECK(outcomes(two_blocks("n = 5", "atom.relaxed.gpu.exch n, 1 -> a", "atom.relaxed.gpu.exch n, 2 -> b")) ==
          Outcomes{"a=2 b=5", "a=5 b=1"});
    CHECK(outcomes(two_blocks("n = 5", "atom.relaxed.gpu.min n, 3 -> a", "atom.relaxed.gpu.max n, 4 -> b")) ==
          Outcomes{"a=5 b=3", "a=5 b=5"});
}

// ---- PDL -----------------------------------------------------------------------------------------------------------

TEST_CASE("the fence rule: a fence of block scope, one behind the trigger, or another thread's does not count") {
    const auto read_early = [](const std::string& primary) {
        return outcomes("memory x = 0\ngrid p <<<1, 2>>>\n" + primary +
                        "\ngrid s <<<1, 1>>> pss\nthread 0:\nld.weak x -> seen");
    };
    const Outcomes fresh = {"seen=1"};
    const Outcomes open = {"seen=0", "seen=1"};
    CHECK(read_early("thread 0:\nst.weak x, 1\nfence.acq_rel.gpu\ntrigger") == fresh);
    CHECK(read_early("thread 0:\nst.weak x, 1\nfence.sc.sys\ntrigger\ntrigger") == fresh);
    CHECK(read_early("thread 0:\nst.weak x, 1\nfence.acq_rel.cta\ntrigger") == open);
    CHECK(read_early("thread 0:\nst.weak x, 1\ntrigger\nfence.acq_rel.gpu") == open);
    // A later trigger of the block cannot be relied on (visibility.fence-writer-pattern).
    CHECK(read_early("thread 0:\ntrigger\nst.weak x, 1\nfence.acq_rel.gpu\ntrigger") == open);
    CHECK(read_early("thread 0:\nst.weak x, 1\nfence.acq_rel.gpu\nthread 1:\ntrigger") == open);
    // Other threads' writes need a happens-before to the fence.
    CHECK(read_early("thread 0:\nst.weak x, 1\nbar.sync\nthread 1:\nbar.sync\nfence.acq_rel.gpu\ntrigger") == fresh);
    CHECK(read_early("thread 0:\nst.weak x, 1\nthread 1:\nfence.acq_rel.gpu\ntrigger") == open);
}

TEST_CASE("wait covers all prerequisites, and only those of programmatic type") {
    const std::string two = "memory x = 0, y = 0\nstream s, t, u\n"
                            "grid a <<<1, 1>>> on s programmatic_event e\nthread 0:\ntrigger\nst.weak x, 1\n"
                            "grid b <<<1, 1>>> on t programmatic_event f at_block_start\nthread 0:\nst.weak y, 1\n"
                            "wait_event e on u\nwait_event f on u\n"
                            "grid c <<<1, 1>>> on u\nthread 0:\nwait\nld.weak x -> sx\nld.weak y -> sy";
    for (const Route route : basic_routes) {
        CHECK(outcomes(two, route) == Outcomes{"sx=1 sy=1"});
    }
}

TEST_CASE("an event at block start waits until all blocks have begun; a launch-completion event orders nothing") {
    const auto watched = [](const std::string& attribute) {
        return "memory started = 0\nstream s, t\ngrid a <<<1, 1>>> on s\nthread 0:\nld.relaxed.gpu started -> seen\n"
               "grid b <<<2, 1>>> on s " +
               attribute + "\nwait_event e on t\ngrid c <<<1, 1>>> on t\nthread 0:\nst.relaxed.gpu started, 1";
    };
    for (const Route route : {Route::stream, Route::edges}) {
        // No block of b begins before a is complete.
        CHECK(outcomes(watched("programmatic_event e at_block_start"), route) == Outcomes{"seen=0"});
        CHECK(outcomes(watched("launch_completion_event e"), route) == Outcomes{"seen=0", "seen=1"});
    }
}

TEST_CASE("a block that has not begun holds the secondary back, however many have triggered") {
    const std::string text = "memory started = 0\ngrid p <<<3, 1>>>\nblocks 0..1 thread 0:\ntrigger\n"
                             "block 2 thread 0:\nld.relaxed.gpu started -> seen\n"
                             "grid s <<<1, 1>>> pss\nthread 0:\nst.relaxed.gpu started, 1";
    CHECK(outcomes(text) == Outcomes{"seen=0"});
}

TEST_CASE("in a graph a plain kernel behind a kernel that did not wait may overtake the first") {
    const std::string chain = "memory x = 0\ngrid a <<<1, 1>>>\nthread 0:\ntrigger\nst.weak x, 1\n"
                              "grid b <<<1, 1>>> pss\nthread 0:\ntrigger\n"
                              "grid c <<<1, 1>>>\nthread 0:\nld.weak x -> seen";
    CHECK(outcomes(chain, Route::stream) == Outcomes{"seen=1"});             // stream.plain-kernel-after-chain
    CHECK(outcomes(chain, Route::captured) == Outcomes{"seen=0", "seen=1"}); // ambiguity A22
}

TEST_CASE("a non-coherent load after the wait may be stale") {
    const std::string text = "memory x = 0\ngrid p <<<1, 1>>>\nthread 0:\nst.weak x, 1\n"
                             "grid s <<<1, 1>>> pss\nthread 0:\nwait\nld.weak.nc x -> seen";
    CHECK(outcomes(text) == Outcomes{"seen=0", "seen=1"});
}

// ---- the search itself ---------------------------------------------------------------------------------------------

TEST_CASE("a class of blocks or threads has the outcomes of the spelled-out one") {
    const std::string body = "trigger\nred.relaxed.gpu.add n, 1\nawait n == 2 -> ";
    const auto with = [](const std::string& agents) {
        return "memory n = 0\n" + agents + "\ngrid s <<<1, 1>>> pss\nthread 0:\nld.relaxed.gpu n -> total";
    };
    for (unsigned count = 1; count <= 4; ++count) {
        CAPTURE(count);
        const std::string last = std::to_string(count - 1);
        std::string blocks;
        std::string threads;
        for (unsigned index = 0; index < count; ++index) {
            const std::string number = std::to_string(index);
            blocks += "block " + number + " thread 0:\n" + body + "r" + number + " within 1us\n";
            threads += "thread " + number + ":\n" + body + "r" + number + " within 1us\n";
        }
        const std::string size = std::to_string(count);
        // Renamed to one register, spelled-out outcomes are the class's.
        const auto merged = [](const Outcomes& spelled) {
            Outcomes result;
            for (const std::string& text : spelled) {
                Outcome together;
                for (const auto& [name, values] : *parse_outcome(text)) {
                    together[name.starts_with('r') ? "r" : name].insert(values.begin(), values.end());
                }
                result.insert(print(together));
            }
            return result;
        };
        CHECK(outcomes(with("grid p <<<" + size + ", 1>>>\nblocks 0.." + last + " thread 0:\n" + body +
                            "r within 1us")) == merged(outcomes(with("grid p <<<" + size + ", 1>>>\n" + blocks))));
        CHECK(outcomes(with("grid p <<<1, " + size + ">>>\nthreads 0.." + last + ":\n" + body + "r within 1us")) ==
              merged(outcomes(with("grid p <<<1, " + size + ">>>\n" + threads))));
    }
}

TEST_CASE("a wait or a full dependency never adds outcomes, and neither does taking pss away") {
    const auto text = [](const std::string& attribute, const std::string& wait) {
        return "memory x = 0, y = 0\ngrid p <<<2, 1>>>\nblocks 0..1 thread 0:\ntrigger\nst.weak x, 1\nst.weak y, 1\n"
               "grid s <<<1, 1>>>" +
               attribute + "\nthread 0:\n" + wait + "ld.weak x -> a\nld.weak y -> b";
    };
    const Outcomes open = outcomes(text(" pss", ""));
    for (const Outcomes& fewer :
         {outcomes(text(" pss", "wait\n")), outcomes(text("", "")), outcomes(text("", "wait\n"))}) {
        CHECK(std::includes(open.begin(), open.end(), fewer.begin(), fewer.end()));
        CHECK(fewer.size() < open.size());
    }
}

TEST_CASE("large grids of identical blocks are counted, not spelled out") {
    const auto withholding = [](const std::string& blocks, const std::string& last) {
        return "memory started = 0\ngrid p <<<" + blocks + ", 128>>>\nblocks 0.." + last +
               " thread 0:\ntrigger\nblock " + last + " thread 1:\nawait started == 1 -> seen within 1us\n" +
               "grid s <<<1, 1>>> pss\nthread 0:\nst.relaxed.sys started, 1";
    };
    CHECK(outcomes(withholding("3", "2")) == outcomes(withholding("5000", "4999")));
    // One block more that withholds its trigger while it watches: nothing starts.
    const std::string text = "memory started = 0\ngrid p <<<5000, 128>>>\nblocks 0..4998 thread 0:\ntrigger\n"
                             "block 4999 thread 0:\nawait started == 1 -> seen within 1us\ntrigger\n"
                             "grid s <<<1, 1>>> pss\nthread 0:\nst.relaxed.sys started, 1";
    const Exploration exploration = explored(text);
    CHECK(exploration.outcomes.size() == 1);
    CHECK(exploration.outcomes.contains({{"seen", {0}}}));
    CHECK(exploration.states < 20);
}

TEST_CASE("large grids of identical blocks that store or count are as cheap as small ones") {
    // Each block stores the same, so that which one stored cannot be told.
    const auto storing = [](const std::string& blocks) {
        return "memory x = 0, started = 0\ngrid p <<<" + blocks +
               ", 128>>>\nthread 0:\ntrigger\nawait started == 1 -> overlapped within 1us\nst.weak x, 1\n"
               "grid s <<<1, 1>>> pss\nthread 0:\nst.relaxed.sys started, 1\nwait\nld.weak x -> seen";
    };
    CHECK(outcomes(storing("5000")) == outcomes(storing("3")));
    // Each block counts itself; the last one waits for all others, and withholds its trigger.
    const auto counting = [](unsigned blocks) {
        const std::string last = std::to_string(blocks - 1);
        return "memory arrived = 0, started = 0, done = 0\ngrid p <<<" + std::to_string(blocks) +
               ", 32>>>\nblocks 0.." + std::to_string(blocks - 2) +
               " thread 0:\ntrigger\nred.relaxed.gpu.add arrived, 1\nawait done == 1 -> finished within 1us\nblock " +
               last + " thread 0:\nawait arrived == " + last +
               " -> ready within 1us\nawait started == 1 -> seen within 1us\nst.relaxed.gpu done, 1\n"
               "grid s <<<1, 1>>> pss\nthread 0:\nst.relaxed.sys started, 1";
    };
    CHECK(outcomes(counting(1000)) == outcomes(counting(3)));
    CHECK(explored(counting(500)).states < 15 * 500);
}

TEST_CASE("a program without memory may have fences") {
    const Exploration exploration = explored("grid a <<<1, 1>>>\nthread 0:\nfence.sc.gpu\ngrid b <<<1, 1>>> pss\n"
                                             "thread 0:\nfence.sc.gpu\nfence.acq_rel.sys\nwait");
    CHECK(!exploration.stuck);
    CHECK(exploration.outcomes.size() == 1);
}

TEST_CASE("a limit is an answer of its own") {
    const Program program = parsed(two_blocks("x = 0", "st.weak x, 1", "ld.weak x -> r"));
    Limits limits;
    limits.states = 3;
    const Exploration exploration = explore(program, *lower(program, Route::stream), limits);
    CHECK(!exploration.decided);
    CHECK(exploration.undecided_because == "more than 3 states");
    std::string long_thread = "memory x = 0\ngrid g <<<1, 1>>>\nthread 0:\n";
    for (int index = 0; index < 65; ++index) {
        long_thread += "st.weak x, 1\n";
    }
    const Program too_long = parsed(long_thread);
    const Exploration refused = explore(too_long, *lower(too_long, Route::stream));
    CHECK(!refused.decided);
    CHECK(refused.undecided_because.find("64 instructions") != std::string::npos);
}

TEST_CASE("a trace tells the execution line by line") {
    const Exploration exploration =
        explored("memory x = 0\ngrid p <<<1, 1>>>\nthread 0:\nst.weak x, 1\ngrid s <<<1, 1>>> pss\nthread 0:\n"
                 "ld.weak x -> seen");
    CHECK(exploration.trace(exploration.outcomes.at({{"seen", {0}}})) ==
          Trace{"p begins", "p thread 0: st.weak x, 1", "s begins", "s thread 0: ld.weak x -> seen (reads 0)"});
}
