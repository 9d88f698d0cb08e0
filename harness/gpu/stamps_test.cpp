// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/stamps.hpp"

#include "harness/gpu/emit_testing.hpp"
#include "harness/gpu/picture.hpp"

#include "conformance/plan/lower.hpp"

#include <algorithm>
#include <sstream>

using namespace pdlcts;

namespace {

constexpr const char* handshake = R"(memory  x = 0, started = 0
grid primary <<<2, 32>>>
  block 1 thread 0:
      trigger
      trigger
      await started == 1 -> overlapped within 50us
      st.weak x, 1
grid secondary <<<1, 64>>> pss
  thread 0:
      st.relaxed.sys started, 1
-     wait
      ld.weak x -> seen
  threads 32..63:
      wait
      wait
never   seen == 0
armed   overlapped == 1
)";

Litmus stamped(const char* text) {
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return stamped_part(*litmus);
}

Layout layout_of(const Litmus& litmus) {
    const auto layout = lay_out_stamped(litmus);
    REQUIRE_MESSAGE(layout, layout.error().message);
    return layout->program;
}

std::string error_of(const std::string& text) {
    const auto layout = lay_out_stamped(stamped(text.c_str()));
    return layout ? "" : layout.error().message;
}

/// What is emitted of a case without its definitions: the kernels.
std::string kernels(const std::string& source) {
    return source.substr(source.find("// ---- the program"));
}

void check_order(const std::string& text, std::initializer_list<const char*> parts) {
    std::size_t place = 0;
    for (const char* part : parts) {
        const auto found = text.find(part, place);
        REQUIRE_MESSAGE(found != std::string::npos, std::string(part) << " in " << text);
        place = found + 1;
    }
}

/// A record as its blocks leave it.
struct RecordWords {
    Layout layout;
    std::vector<std::uint32_t> words;

    explicit RecordWords(Layout placed) : layout(std::move(placed)), words(layout.words, 7) {
        prepare_stamps(words, layout);
    }
    std::uint32_t* slot(std::size_t grid, std::size_t place) {
        return words.data() + layout.stamps.at(grid).first_word + 16 * place;
    }
    /// The words of a slot as the comment of stamps.hpp has them.
    void write(std::size_t grid, std::size_t place, unsigned multiprocessor,
               std::initializer_list<std::uint64_t> times) {
        slot(grid, place)[0] = multiprocessor;
        std::size_t word = 2;
        for (const std::uint64_t time : times) {
            slot(grid, place)[word++] = static_cast<std::uint32_t>(time);
            slot(grid, place)[word++] = static_cast<std::uint32_t>(time >> 32);
        }
    }
};

constexpr std::uint64_t none = ~std::uint64_t{0};
constexpr std::uint64_t hour = 3'600'000'000'000;

} // namespace

TEST_CASE("without its stamps a stamped kernel is, line by line, the kernel that is counted") {
    const Litmus litmus = stamped(handshake);
    const std::string counted = kernels(emit(litmus, *lay_out(litmus)));
    CHECK_FALSE(contains(counted, "stamp"));
    CHECK_FALSE(contains(counted, "global_timer"));
    std::istringstream lines(kernels(emit(litmus, *lay_out_stamped(litmus))));
    std::string rest;
    std::size_t removed = 0;
    for (std::string line; std::getline(lines, line);) {
        const bool stamp = line.find("stamp") != std::string::npos || line.find("global_timer()") != std::string::npos;
        rest += stamp ? "" : line + "\n";
        removed += stamp;
    }
    CHECK(rest == counted);
    CHECK(removed > 20);
}

TEST_CASE("the clock is read at once, around the first wait, before the first trigger, and behind everything") {
    const std::string source = kernels(emit(stamped(handshake), *lay_out_stamped(stamped(handshake))));
    check_order(source, {"program_primary(", "const nanoseconds began = global_timer();", "if (block >= 2) return;",
                         "const nanoseconds triggered = global_timer();", "griddepcontrol_launch_dependents();",
                         "griddepcontrol_launch_dependents();", "st_weak(location_x",
                         "const nanoseconds ended = global_timer();", "stamp_word(stamps, multiprocessor());",
                         "stamp(stamps + 8, began);", "stamp(stamps + 16, triggered);", "stamp(stamps + 40, ended);",
                         "return;"});
    // Several threads of a block: the earliest and the latest of them.
    check_order(source,
                {"program_secondary(", "if (threadIdx.x == 0) {", "entered = global_timer();", "griddepcontrol_wait();",
                 "returned = global_timer();", "ld_weak(location_x)", "st_weak(record", "ended = global_timer();",
                 "stamp_earliest(stamps + 8, began);", "stamp_earliest(stamps + 24, entered);",
                 "stamp_latest(stamps + 32, returned);", "stamp_latest(stamps + 40, ended);",
                 "if (threadIdx.x >= 32) {", "entered = global_timer();", "griddepcontrol_wait();",
                 "returned = global_timer();", "griddepcontrol_wait();", "ended = global_timer();"});
}

TEST_CASE("stamps stand behind everything else of the record, on lines of their own") {
    const Litmus litmus = stamped(handshake);
    const Layout plain = lay_out(litmus)->program;
    const Layout layout = layout_of(litmus);
    REQUIRE(layout.stamps.size() == 2);
    CHECK(layout.stamps[0].first_word == plain.words);
    CHECK(layout.stamps[0].blocks == Range{1, 1}); // block 0 has no agent
    CHECK(layout.stamps[1].first_word == plain.words + words_a_line);
    CHECK(layout.words == plain.words + 2 * words_a_line);
    CHECK_FALSE(layout.stamps[0].several_threads);
    CHECK(layout.stamps[1].several_threads);
}

TEST_CASE("what cannot be stamped says why") {
    CHECK(contains(error_of("grid g <<<1, 1>>>\nends\n"), "nothing to stamp"));
    CHECK(contains(error_of("memory x = 0\ngrid g <<<65535, 32>>>\n  thread 0:\n      st.weak x, 1\n"
                            "grid h <<<2, 32>>>\n  thread 0:\n      st.weak x, 1\nends\n"),
                   "65537 blocks"));
    CHECK(error_of(handshake).empty());
}

TEST_CASE("times are read as they were written, and what was not written is absent") {
    RecordWords record(layout_of(stamped(handshake)));
    record.write(0, 0, 17, {hour, hour + 64, none, 0, hour + 320});
    record.write(1, 0, 131, {hour + 32, none, hour + 96, hour + 640, hour + 672});
    const auto grids = read_stamps(record.words, record.layout);
    REQUIRE(grids);
    REQUIRE(grids->size() == 2);
    CHECK((*grids)[0] == std::vector<BlockStamps>{{1, 17, hour, hour + 64, {}, {}, hour + 320}});
    CHECK((*grids)[1] == std::vector<BlockStamps>{{0, 131, hour + 32, {}, hour + 96, hour + 640, hour + 672}});
}

TEST_CASE("stamps that lack a block, or are out of order, are no trial") {
    const auto read = [](std::initializer_list<std::uint64_t> primary, std::initializer_list<std::uint64_t> secondary) {
        RecordWords record(layout_of(stamped(handshake)));
        record.write(0, 0, 17, primary);
        record.write(1, 0, 131, secondary);
        return read_stamps(record.words, record.layout).has_value();
    };
    CHECK(read({hour, none, none, 0, hour}, {hour, none, hour, hour, hour}));
    CHECK_FALSE(read({none, none, none, 0, 0}, {hour, none, hour, hour, hour})); // a block that never came
    CHECK_FALSE(read({hour, none, none, 0, hour - 32}, {hour, none, hour, hour, hour}));
    CHECK_FALSE(read({hour, hour + 64, none, 0, hour + 32}, {hour, none, hour, hour, hour}));
    CHECK_FALSE(read({hour, none, none, 0, hour}, {hour, none, hour + 96, hour + 64, hour + 96}));
    CHECK_FALSE(read({hour, none, none, 0, hour}, {hour, none, hour, 0, hour}));
}

// ---- pictures ----------------------------------------------------------------------------------------------------

namespace {

struct Pictured {
    Litmus litmus;
    Plan plan;
    std::vector<GridStamps> stamps;

    Pictured(const char* text, Route route)
        : litmus(stamped(text)), plan(*lower(litmus.program, route)), stamps(layout_of(litmus).stamps) {}
    CellPictures of(const std::vector<StampedTrial>& trials) const {
        return pictures_of(litmus.program, plan, stamps, trials);
    }
};

/// The primary ends `length` behind its begin; the secondary begins 64 before that, and its wait returns `wait` behind.
StampedTrial trial(std::uint64_t start, std::uint64_t length, std::uint64_t wait, bool armed = true) {
    const std::uint64_t end = start + length;
    return {armed ? "armed" : "-",
            armed,
            {{{1, 5, start, start + 32, {}, {}, end}}, {{0, 6, end - 64, {}, end - 32, end + wait, end + wait + 32}}}};
}

} // namespace

TEST_CASE("quantiles are values that were measured") {
    std::vector<std::int64_t> values;
    for (std::int64_t value = 100; value >= 1; --value) {
        values.push_back(value);
    }
    CHECK(figures_of(values) == LatencyFigures{100, 5, 50, 95});
    CHECK(figures_of({-32}) == LatencyFigures{1, -32, -32, -32});
    CHECK(figures_of({64, -32, 0}) == LatencyFigures{3, -32, 0, 64});
    CHECK(figures_of({4, 3, 2, 1}) == LatencyFigures{4, 1, 2, 4});
}

TEST_CASE("the median and the worst trial are those of the longest gap, among the armed") {
    const Pictured pictured(handshake, Route::stream);
    const auto [pictures, latency] =
        pictured.of({trial(hour, 960, 320), trial(hour + 10'016, 960, 4800), trial(hour + 20'000, 960, 9600, false),
                     trial(hour + 30'016, 640, 352), trial(hour + 40'000, 960, 384), trial(hour + 50'016, 960, 416)});
    CHECK(pictures.trials == 6);
    CHECK(pictures.armed == 5);
    CHECK(pictures.resolution_ns == 32);
    CHECK(pictures.measure == PictureMeasure::gap);
    REQUIRE(pictures.median);
    CHECK(pictures.median->trial == 4); // of 320 352 384 416 4800
    CHECK(pictures.median->measured == 384);
    CHECK(pictures.worst->trial == 1);
    CHECK(pictures.worst->measured == 4800);
    CHECK(pictures.worst->armed);
    REQUIRE(pictures.median->nodes.size() == 2);
    CHECK(pictures.median->nodes[0] == NodePicture{"primary", 2, 1, 0, 960, {{1, 5, 0, 32, {}, {}, 960}}});
    CHECK(pictures.median->nodes[1] == NodePicture{"secondary", 1, 1, 896, 1376, {{0, 6, 896, {}, 928, 1344, 1376}}});
    REQUIRE(latency.size() == 1);
    CHECK(latency[0] == Latency{"primary",
                                "secondary",
                                "type programmatic, port programmatic",
                                {},
                                {5, -64, -64, -64},
                                LatencyFigures{5, 320, 384, 4800}});
}

TEST_CASE("where no trial is armed the pictures are of unarmed ones, and say so") {
    const auto [pictures, latency] = Pictured(handshake, Route::edges).of({trial(hour, 960, 320, false)});
    CHECK(pictures.armed == 0);
    CHECK(pictures.trials == 1);
    REQUIRE(pictures.worst);
    CHECK_FALSE(pictures.worst->armed);
    CHECK(latency.size() == 1);
    const auto without = Pictured(handshake, Route::edges).of({});
    CHECK_FALSE(without.pictures.median);
    CHECK_FALSE(without.pictures.note.empty());
}

TEST_CASE("grids are neighbours across what is no grid, and not across another grid") {
    const auto pairs = [](const char* text, Route route) {
        const Litmus litmus = stamped(text);
        return neighbouring_grids(litmus.program, *lower(litmus.program, route));
    };
    const char* chain = "memory x = 0\ngrid a <<<1, 1>>>\n  thread 0:\n      trigger\nmemset x, 0\n"
                        "grid b <<<1, 1>>>\n  thread 0:\n      trigger\ngrid c <<<1, 1>>>\n  thread 0:\n      trigger\n"
                        "ends\n";
    for (const Route route : basic_routes) {
        CHECK(pairs(chain, route) == std::vector<NeighbouringGrids>{{0, 2, {1}}, {2, 3, {}}});
    }
    CHECK(pairs("memory x = 0\nstream s, t\ngrid a <<<1, 1>>> on s\n  thread 0:\n      trigger\n"
                "grid b <<<1, 1>>> on t\n  thread 0:\n      trigger\nends\n",
                Route::stream)
              .empty());
}

TEST_CASE("grids that depend on none are measured by how long they take together") {
    const Pictured alone("memory x = 0\ngrid a <<<40, 1>>>\n  thread 0:\n      st.weak x, 1\nends\n", Route::stream);
    StampedTrial wide{"-", true, {{}}};
    for (unsigned block = 0; block < 40; ++block) {
        wide.grids[0].push_back(
            {block, block, hour + 32 * (block % 7), {}, {}, {}, hour + 320 + (block == 23 ? 64 : 0)});
    }
    const auto [pictures, latency] = alone.of({wide});
    CHECK(latency.empty());
    CHECK(pictures.measure == PictureMeasure::duration);
    CHECK(pictures.worst->measured == 384);
    const NodePicture& node = pictures.worst->nodes.at(0);
    CHECK(node.blocks == 40);
    CHECK(node.stamped == 40);
    CHECK(node.end == 384);
    CHECK(node.shown.size() == most_shown_blocks);
    const auto shows = [&](unsigned block) {
        return std::any_of(node.shown.begin(), node.shown.end(),
                           [=](const BlockPicture& each) { return each.block == block; });
    };
    CHECK(shows(0));  // first of the class
    CHECK(shows(39)); // last of it
    CHECK(shows(23)); // the last to end
    CHECK(shows(6));  // the last to begin
    CHECK(std::is_sorted(node.shown.begin(), node.shown.end(),
                         [](const BlockPicture& a, const BlockPicture& b) { return a.block < b.block; }));
}
