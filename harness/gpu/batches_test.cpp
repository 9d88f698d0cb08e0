// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/batches.hpp"

#include "conformance/litmus/parser.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <numeric>
#include <set>

using namespace pdlcts;

namespace {

Litmus litmus_of(const std::string& instructions) {
    auto litmus = parse_litmus("memory x = 0\ngrid g <<<1, 1>>>\n  thread 0:\n" + instructions + "ends\n", "t.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return *litmus;
}

std::uint64_t largest_for(const Litmus& litmus, std::chrono::milliseconds deadline) {
    const auto layout = lay_out(litmus);
    REQUIRE(layout);
    return largest_batch(litmus, *layout, deadline);
}

} // namespace

TEST_CASE("batches hold exactly the trials asked for, in at most three sizes, a small one first") {
    for (const std::uint64_t largest : {1, 7, 8, 250}) {
        for (std::uint64_t trials = 0; trials < 1200; trials += trials < 20 ? 1 : 37) {
            const auto batches = cut_into_batches(trials, largest);
            CHECK(std::accumulate(batches.begin(), batches.end(), std::uint64_t{0}) == trials);
            CHECK(std::set(batches.begin(), batches.end()).size() <= 3);
            CHECK(std::all_of(batches.begin(), batches.end(),
                              [=](std::uint64_t size) { return size > 0 && size <= largest; }));
            CHECK((batches.empty() || batches.front() <= warm_up_trials));
        }
    }
}

TEST_CASE("the graphs of a standard run have two sizes, and of none there are many more batches for that") {
    for (const std::uint64_t trials : {500, 2000}) {
        const std::uint64_t largest = worthwhile_graph(trials);
        const auto batches = cut_into_batches(trials, largest, 40);
        REQUIRE(batches.size() > 2);
        CHECK(std::set(batches.begin() + 1, batches.end()).size() == 1);
        CHECK(batches.size() <= 2 + trials * 4 / (3 * largest));
    }
    // 1,993 is a prime: no size divides it, and the last batch is smaller.
    const auto prime = cut_into_batches(2001, 50);
    CHECK(prime.size() == 41);
    CHECK(std::set(prime.begin(), prime.end()) == std::set<std::uint64_t>{8, 50, 43});
}

TEST_CASE("a batch ends within half the deadline even if every poll runs into its bound") {
    using namespace std::chrono_literals;
    const Litmus slow = litmus_of("await x == 1 -> r within 100ms\ndelay 100ms\n");
    CHECK(longest_trial(slow.program) == 200ms);
    CHECK(largest_for(slow, 20s) == 50);
    CHECK(largest_for(slow, 1ms) == 1);
    CHECK(largest_for(litmus_of("trigger\n"), 20s) == most_trials_a_batch);
}

TEST_CASE("blocks that take turns take as much longer") {
    using namespace std::chrono_literals;
    const auto longest = [](const char* grid, const char* agent) {
        const auto litmus = parse_litmus(std::string("memory x = 0\ngrid g ") + grid + "\n  " + agent +
                                             ":\nawait x == 1 within 1ms\nends\n",
                                         "t.litmus");
        REQUIRE_MESSAGE(litmus, litmus.error().message);
        return longest_trial(litmus->program);
    };
    CHECK(longest("<<<16, 32>>>", "blocks 0..15 thread 0") == 1ms);
    CHECK(longest("<<<17, 32>>>", "blocks 0..16 thread 0") == 2ms);
    CHECK(longest("<<<5000, 32>>>", "blocks 0..4999 thread 0") == 313ms);
    CHECK(longest("<<<5000, 32>>>", "block 0 thread 0") == 1ms);
}

TEST_CASE("a wait for an mbarrier counts with the time that a bulk copy is given to end") {
    using namespace std::chrono_literals;
    const auto litmus = parse_litmus("grid g <<<1, 32>>>\n  mbarrier m = 1\n  thread 0:\n"
                                     "      mbarrier.wait.acquire.cta m, 0 within 400us\nends\n",
                                     "t.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    CHECK(longest_trial(litmus->program) == 500us);
}

TEST_CASE("the least deadline is missed by no trial whose polls all run into their bounds") {
    using namespace std::chrono_literals;
    std::string polls;
    for (int poll = 0; poll < 30; ++poll) {
        polls += "await x == 1 within 1000ms\n";
    }
    const Litmus litmus = litmus_of(polls);
    CHECK(least_deadline(litmus) == 60s);
    CHECK(largest_for(litmus, least_deadline(litmus)) == 1);
    CHECK(least_deadline(litmus_of("trigger\n")) == 0ms);
    CHECK(least_deadline(litmus_of("delay 1ns\n")) == 1ms);
}

TEST_CASE("the host is never further ahead than it may be, and waits only for what was recorded") {
    for (std::size_t in_flight = 1; in_flight <= 64; ++in_flight) {
        const Pace pace{in_flight};
        std::vector<bool> recorded;
        std::size_t done = 0; // openings that are known to be over
        for (std::size_t issued = 0; issued < 400;) {
            recorded.push_back(pace.is_awaited(issued++));
            if (const auto awaited = pace.awaited_behind(issued)) {
                CAPTURE(in_flight);
                CAPTURE(issued);
                REQUIRE(*awaited < issued);
                CHECK(recorded[*awaited]);
                done = *awaited + 1;
            }
            CHECK(issued - done <= in_flight + pace.between_waits());
        }
        CHECK(done > 0);
    }
}

TEST_CASE("what is in flight on streams fits the queue of a GPU") {
    CHECK(trials_in_flight(0) == 32);
    CHECK(trials_in_flight(10) == 32);
    CHECK(trials_in_flight(100) == 5);
    CHECK(trials_in_flight(100000) == 2);
    for (std::size_t operations = 1; operations <= 256; ++operations) {
        // The next wait comes after half as many more.
        CHECK(trials_in_flight(operations) * operations * 3 / 2 <= 1024);
    }
}
