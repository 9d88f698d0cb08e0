// SPDX-License-Identifier: Apache-2.0
// Outcome sets that were written down without the machine. It has to give the same sets, exactly.
#include "conformance/machine/outcome_folder.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace pdlcts;

namespace {

constexpr std::array<Route, 1> stream_only{Route::stream};
constexpr std::array<Route, 3> every_route{Route::stream, Route::captured, Route::edges};

} // namespace

TEST_CASE("the machine agrees with every published outcome set") {
    // From an independent reading of the rules, by brute force, and held against what a GPU showed.
    const FolderCounts counts = check_folder("outcomes", stream_only);
    CHECK(counts.sets == 53);
    MESSAGE("outcome sets compared: " << counts.sets << " of " << counts.files << " files");
}

TEST_CASE("the machine agrees with the textbook shapes of memory models") {
    const FolderCounts counts = check_folder("textbook", stream_only);
    CHECK(counts.sets >= 133);
    MESSAGE("outcome sets compared: " << counts.sets << " of " << counts.files << " files");
}

TEST_CASE("where the machine is known to differ from the documents it does so in the known direction") {
    const FolderCounts weaker = check_folder("differences/weaker", every_route, Relation::weaker);
    const FolderCounts stronger = check_folder("differences/stronger", every_route, Relation::stronger);
    CHECK(weaker.files == 17);
    CHECK(stronger.files == 5);
    MESSAGE("known differences: " << weaker.files << " files weaker, " << stronger.files << " files stronger");
}

TEST_CASE("the machine agrees with the plans whose outcomes were written down by hand") {
    const FolderCounts counts = check_folder("plans", every_route);
    CHECK(counts.sets >= 324);
    MESSAGE("outcome sets compared: " << counts.sets << " of " << counts.files << " files");
}
