// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/pictures.hpp"

#include "reports/pictures/aligned.hpp"
#include "reports/results/example_results.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

/// A primary that runs for 7,100 ns, in two blocks; a secondary whose wait returns 100 ns behind it.
Cell pictured() {
    Cell cell = examples::never_cell();
    TrialPicture picture{40, "seen=1", true, 100, {}};
    picture.nodes = {{"primary", 9, 9, 0, 7100, {{0, 17, 0, 700, {}, {}, 7000}, {8, 18, 100, 800, {}, {}, 7100}}},
                     {"memset y", 0, 0, 0, 0, {}},
                     {"secondary", 1, 1, 1000, 7100, {{0, 40, 1000, {}, 2000, 7000, 7100}}}};
    cell.pictures = Pictures{100, 98, 32, PictureMeasure::gap, "", picture, std::nullopt};
    cell.latency = {{"primary", "secondary", "", {"memset y"}, {98, -96, -64, 32}, LatencyFigures{98, 320, 352, 416}}};
    return cell;
}

} // namespace

TEST_CASE("words begin and numbers end at one place, and no line ends in spaces") {
    CHECK(aligned({{"ab", "1", "x"}, {"c", "100"}, {"", "", "yy"}}, 1) == "ab    1   x\nc   100\n         yy\n");
    CHECK(aligned({{"caf\xc3\xa9", "1"}, {"tests", "2"}}, 1) == "caf\xc3\xa9   1\ntests  2\n");
}

TEST_CASE("a picture is a table of times and bars over time, a line for each block") {
    const std::string text = picture_text(pictured());
    CAPTURE(text);
    CHECK(text.starts_with("visibility.after-wait/post-trigger-writes on stream: 100 stamped trials, 98 of them armed. "
                           "They count for no verdict.\n"));
    CHECK(contains(text, "in steps of 32. Chosen by the gap:"));
    CHECK(contains(text, "The median trial: gap 100 ns, outcome seen=1\n"));
    CHECK_FALSE(contains(text, "The worst trial"));
    CHECK(contains(text, "node       block  SM  begin  trigger  wait entered  wait returned   end\n"
                         "primary        0  17      0      700             -              -  7000\n"
                         "               8  18    100      800             -              -  7100\n"
                         "  all 9                   0                                        7100\n"
                         "memset y       -   -      -        -             -              -     -\n"
                         "secondary      0  40   1000        -          2000           7000  7100\n"));
    // 72 columns for 7,100 ns: 100 ns each.
    const std::string run(63, '=');
    CHECK(contains(text, "primary    SM 17 block 0  [======T" + run.substr(0, 62) + "]\n"));
    CHECK(contains(text, "           SM 18 block 8   [======T" + run.substr(0, 62) + "]\n"));
    CHECK(contains(text, "secondary  SM 40 block 0            [=========w" + std::string(49, '.') + "r]\n"));
}

TEST_CASE("without a picture it is said why") {
    Cell cell = pictured();
    cell.pictures->median.reset();
    cell.pictures->note = "grids of the program run on two GPUs";
    CHECK(picture_text(cell) == "visibility.after-wait/post-trigger-writes on stream: no picture: grids of the program "
                                "run on two GPUs\n");
    cell.pictures.reset();
    CHECK(contains(picture_text(cell), "without --quick and --no-pictures"));
}

TEST_CASE("latencies are a line for each pair of grids, with their unit") {
    const Results results = examples::results_of(examples::h200(), {pictured()});
    const std::string text = latency_text(results);
    CAPTURE(text);
    CHECK(text.starts_with("Latencies on NVIDIA H200, driver 580.159.04, nanoseconds, to 32 ns.\n"));
    CHECK(contains(text, "primary -> memset y -> secondary"));
    CHECK(contains(text, " -96     -64    32  320     352   416  98\n"));
    const std::string markdown = latency_markdown(results);
    CHECK(contains(markdown, "| -96 | -64 | 32 | 320 | 352 | 416 | 98 |\n"));
    const Results none = examples::results_of(examples::h200(), {examples::never_cell()});
    CHECK(contains(latency_text(none), "no latencies"));
}

TEST_CASE("a stranger's text and times cannot break a line or the terminal") {
    Cell cell = pictured();
    NodePicture& node = cell.pictures->median->nodes[0];
    node.node = "\x1b[31m\nprimary";
    node.shown[0].begin = -longest_picture_nanoseconds;
    node.shown[0].end = longest_picture_nanoseconds;
    cell.latency[0].between = {"|x\n"};
    const std::string text = picture_text(cell) + latency_text(examples::results_of(examples::h200(), {cell}));
    CHECK_FALSE(contains(text, "\x1b"));
    CHECK_FALSE(contains(text, "\nprimary"));
    CHECK_FALSE(contains(text, "|x\n"));
    CHECK(contains(latency_markdown(examples::results_of(examples::h200(), {cell})), "\\|x"));
}
