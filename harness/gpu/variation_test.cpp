// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/variation.hpp"

#include "conformance/litmus/parser.hpp"
#include "harness/gpu/background_load.hpp"
#include "harness/gpu/calibration.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <map>
#include <set>

using namespace pdlcts;

namespace {

/// Program and control share all agents but the last of the secondary.
constexpr const char* text = R"(memory  x = 0, started = 0
grid primary <<<1, 32>>>
  thread 0:
      await started == 1 -> overlapped within 20us
      delay 3us
      delay 30us
      st.weak x, 1
grid secondary <<<1, 32>>> pss
  thread 0:
      st.relaxed.sys started, 1
+     delay 400ns
      ld.weak x -> seen
never   seen == 0
)";

CaseLayout layout() {
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return *lay_out(*litmus);
}

const Timing& timing_of(const Layout& layout, const std::string& ending) {
    const auto found = std::find_if(layout.timings.begin(), layout.timings.end(),
                                    [&](const Timing& timing) { return timing.key.ends_with(ending); });
    REQUIRE(found != layout.timings.end());
    return *found;
}

struct Written {
    const Layout& layout;
    std::vector<std::uint32_t> record = std::vector<std::uint32_t>(layout.words);
    std::uint32_t operator[](const std::string& ending) const { return record[timing_of(layout, ending).word]; }
};

Written written(const Layout& layout, std::uint64_t seed, const Variation& variation, std::uint64_t pair) {
    Written result{layout};
    TrialTimes(layout, seed).write(result.record, variation, pair, 0, false);
    return result;
}

constexpr Variation other_times{true, 0, 0, false};

/// A pilot in which the poll took so many nanoseconds, from trial to trial.
Pilot pilot_of(const Layout& layout, const std::vector<std::uint32_t>& words) {
    Pilot pilot(layout);
    std::vector<std::uint32_t> record(layout.words);
    for (const std::uint32_t word : words) {
        record[timing_of(layout, "20us").latency_word] = word;
        pilot.note(record);
    }
    return pilot;
}

std::vector<std::uint32_t> words_of(std::initializer_list<std::pair<unsigned, std::uint32_t>> runs) {
    std::vector<std::uint32_t> words;
    for (const auto& [count, word] : runs) {
        words.insert(words.end(), count, word);
    }
    return words;
}

} // namespace

TEST_CASE("of eight places of a batch six are plain, one has other times, one has extra blocks; a seed replays") {
    std::set<unsigned> before;
    std::set<unsigned> behind;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        for (std::uint64_t first = 0; first < 240; first += 8) {
            std::map<std::string_view, int> names;
            for (std::uint64_t place = first; place < first + 8; ++place) {
                const Variation variation = variation_at(seed, place);
                CHECK(variation == variation_at(seed, place));
                ++names[name(variation, false)];
                before.insert(variation.blocks_before);
                behind.insert(variation.blocks_behind);
            }
            CHECK(names == std::map<std::string_view, int>{{"plain", 6}, {"timing", 1}, {"blocks", 1}});
        }
    }
    CHECK(before == std::set<unsigned>{0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(behind == before);
}

TEST_CASE("other seeds vary other places, and begin with the control elsewhere") {
    int same = 0;
    int control_begins = 0;
    for (std::uint64_t place = 0; place < 800; ++place) {
        same += variation_at(1, place) == variation_at(2, place) ? 1 : 0;
        control_begins += control_first(1, place) ? 1 : 0;
    }
    CHECK(same < 700);
    CHECK(control_begins > 300);
    CHECK(control_begins < 500);
}

TEST_CASE("a batch beside a background kernel is never the first of its size, and most batches are not") {
    std::vector<std::uint64_t> batches(33, 62);
    batches[0] = 40;
    std::set<std::vector<bool>> all;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const std::vector<bool> loaded = loaded_batches(batches, seed);
        CHECK(loaded == loaded_batches(batches, seed));
        CHECK(std::count(loaded.begin(), loaded.end(), true) == 2);
        CHECK_FALSE(loaded[0]);
        CHECK_FALSE(loaded[1]);
        all.insert(loaded);
    }
    CHECK(all.size() > 10);
    // A case that asks for load has it beside all that may have it.
    CHECK(loaded_batches(std::vector<std::uint64_t>{64, 64, 64, 64, 8}, 1, 1) ==
          std::vector<bool>{false, false, true, true, false});
    CHECK(loaded_batches(std::vector<std::uint64_t>{64, 186}, 1) == std::vector<bool>{false, false});
    CHECK(loaded_batches(std::vector<std::uint64_t>{64}, 1) == std::vector<bool>{false});
    CHECK(loaded_batches({}, 1).empty());
}

TEST_CASE("the load beside a batch leaves three quarters of the multiprocessors alone, and is another for each batch") {
    for (const unsigned multiprocessors : {1u, 16u, 132u}) {
        DeviceLimits limits;
        limits.multiprocessors = multiprocessors;
        std::set<unsigned> blocks;
        std::set<std::pair<bool, bool>> kinds;
        for (std::uint64_t batch = 0; batch < 300; ++batch) {
            const BackgroundLoad load = background_load(7, batch, limits);
            CHECK(load == background_load(7, batch, limits));
            CHECK(load.blocks >= 1);
            blocks.insert(load.blocks);
            kinds.insert({load.fills_shared_memory, load.streams_memory});
        }
        CHECK(*blocks.rbegin() == std::max(multiprocessors / 4, 1u));
        CHECK(kinds.size() == 4);
        for (std::uint64_t batch = 0; batch < 300; ++batch) {
            // No seed leaves a case that asks for load without either kind, or with a small one.
            const BackgroundLoad load = memory_load(batch, batch, limits);
            CHECK(load.streams_memory != memory_load(batch, batch + 1, limits).streams_memory);
            CHECK(2 * load.blocks >= *blocks.rbegin());
            CHECK(load.blocks <= *blocks.rbegin());
        }
    }
}

TEST_CASE("times of a plain trial are the program's; others are drawn within bounds, alike for program and control") {
    const CaseLayout both = layout();
    const Written plain = written(both.program, 1, {}, 5);
    CHECK(plain["20us"] == 20'000);
    CHECK(plain["3us"] == 3'000);
    CHECK(plain["primary: thread 0"] == 0);
    std::set<std::uint32_t> delays;
    for (std::uint64_t pair = 0; pair < 500; ++pair) {
        const Written program = written(both.program, 1, other_times, pair);
        const Written control = written(*both.control, 1, other_times, pair);
        CHECK(program.record == written(both.program, 1, other_times, pair).record);
        for (const char* shared : {"20us", "3us", "30us", "primary: thread 0", "secondary: thread 0"}) {
            CHECK(program[shared] == control[shared]);
        }
        CHECK(program["primary: thread 0"] <= longest_late_start);
        CHECK(program["3us"] >= 1'500);
        CHECK(program["3us"] <= 6'000);
        CHECK(program["30us"] >= 15'000);
        CHECK(program["30us"] <= 40'000); // not 60: a trial must not become much longer
        CHECK(control["400ns"] >= 200);
        CHECK(control["400ns"] <= 800);
        delays.insert(program["3us"]);
    }
    CHECK(delays.size() > 400);
    CHECK(*delays.begin() < 1'600);
    CHECK(*delays.rbegin() > 5'900);
}

TEST_CASE("windows hold in every trial, grow with other times, and never beyond the program's own bound") {
    const CaseLayout both = layout();
    TrialTimes times(both.program, 1);
    CHECK(times.most_added() == 2 * longest_late_start + 3'000 + 10'000);
    times.use({{timing_of(both.program, "20us").key, 5'000}});
    Written result{both.program};
    const auto window = [&](const Variation& variation, std::uint32_t allowance, bool own_bounds) {
        times.write(result.record, variation, 0, allowance, own_bounds);
        return result["20us"];
    };
    CHECK(window({}, 7'000, false) == 5'000);
    CHECK(window(other_times, 7'000, false) == 12'000);
    CHECK(window(other_times, 17'000, false) == 20'000);
    CHECK(window({}, 0, true) == 20'000);
}

TEST_CASE(
    "a window is a multiple of the longer form's high latency, and the ceiling where a poll is rarely satisfied") {
    const CaseLayout both = layout();
    const auto window = [&](const std::vector<std::uint32_t>& program, const std::vector<std::uint32_t>& control) {
        const Pilot of_control = pilot_of(*both.control, control);
        const std::vector<PollWindow> polls = calibrate(pilot_of(both.program, program), &of_control);
        REQUIRE(polls.size() == 1);
        CHECK(polls[0].ceiling_ns == 20'000);
        return polls[0];
    };
    // The first eight warm up: whatever they took, it does not count.
    const PollWindow never_in_program =
        window(words_of({{64, unsatisfied_poll}}), words_of({{8, 15'001}, {28, 1'501}, {26, 1'801}, {2, 9'001}}));
    CHECK(never_in_program.program == PollLatencies{56, 0, 0, 0});
    CHECK(never_in_program.control == PollLatencies{56, 56, 1'500, 1'800});
    CHECK(never_in_program.window_ns == 7'200);

    CHECK(window(words_of({{64, 3'001}}), words_of({{64, 1'001}})).window_ns == 12'000);
    CHECK(window(words_of({{64, 1}}), words_of({{64, 65}})).window_ns == shortest_window);
    CHECK(window(words_of({{64, 9'001}}), words_of({{64, 1'001}})).window_ns == 20'000);
    CHECK(window(words_of({{64, unsatisfied_poll}}), words_of({{64, unsatisfied_poll}})).window_ns == 20'000);
    CHECK(window(words_of({{64, 0}}), words_of({{64, 0}})).window_ns == 20'000);
    // 15 trials in which it was satisfied are too few, 16 are enough; then the rare ones of the other form count too.
    CHECK(window(words_of({{49, unsatisfied_poll}, {15, 501}}), {}).window_ns == 20'000);
    CHECK(window(words_of({{48, unsatisfied_poll}, {16, 501}}), {}).window_ns == shortest_window);
    CHECK(window(words_of({{63, unsatisfied_poll}, {1, 4'001}}), words_of({{64, 501}})).window_ns == 16'000);
}
