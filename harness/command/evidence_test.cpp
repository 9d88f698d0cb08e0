// SPDX-License-Identifier: Apache-2.0
#include "harness/command/evidence.hpp"

#include "harness/judge/example_cells.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("evidence is added up by route, launches and instances apart") {
    // 2,000 trials and as many of the control in half a second, 1,990 of them killed.
    std::vector<Cell> cells{examples::never_cell(), examples::never_cell(), examples::sometimes_cell()};
    cells[1].form.instances =
        Instances{.launches = 4,
                  .blocks = 256,
                  .program = {.outcomes = {{"overlapped=1 seen=1", 1024}}},
                  .control = Tally{.outcomes = {{"overlapped=1 seen=0", 1000}, {"overlapped=0 seen=0", 24}}},
                  .time = {.seconds = 0.5, .launch_seconds = 0.125}};
    CHECK(evidence_of_trials(cells, Route::stream) ==
          Evidence{12000, 2 * 1990, {.seconds = 1.5, .launch_seconds = 0.75}});
    CHECK(evidence_of_instances(cells, Route::stream) == // what is not armed is no kill
          Evidence{2048, 1000, {.seconds = 0.5, .launch_seconds = 0.125}});
    CHECK(evidence_of_trials(cells, Route::captured) == Evidence{});
    CHECK(print_evidence(cells) ==
          std::vector<std::string>{
              "stream: 12000 trials in 1.50 s (8000/s, 16000/s while they ran), 3980 killed controls (2653/s, 5306/s)",
              "stream: 2048 instances in 0.50 s (4096/s, 16384/s while they ran), 1000 killed controls (2000/s, "
              "8000/s)"});
}

TEST_CASE("both forms of an equivalence count, each for its route; what did not run for none") {
    const std::vector<Cell> cells{examples::equivalence_cell()};
    CHECK(evidence_of_trials(cells, Route::captured).executions == 4000);
    CHECK(evidence_of_trials(cells, Route::edges).executions == 4000);
    CHECK(print_evidence(cells).size() == 2);
    std::vector<Cell> predicted{examples::never_cell()};
    predicted[0].form.time.reset();
    CHECK(print_evidence(predicted).empty());
}
