// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <random>

/// Random programs for tests, small enough to be explored by brute force. Every one keeps the rules of the language.
namespace pdlcts {

/// What a random program is about. Together they use every construct of the language.
enum class Theme {
    shape,    ///< a textbook's shape: any scope, ordering and space, in blocks, clusters or grids that overlap
    barrier,  ///< a shape across bar.sync, named barriers and cluster barriers
    mbarrier, ///< arrivals, phases and waits
    bulk,     ///< bulk copies beside generic accesses
    trigger,  ///< a primary with secondaries that may start early
    event,    ///< a primary in one stream, and what waits for it in another
    host,     ///< what the host does between grids and beside them
    anything, ///< grids with no pattern to them
};
inline constexpr Theme all_themes[] = {Theme::shape,   Theme::barrier, Theme::mbarrier, Theme::bulk,
                                       Theme::trigger, Theme::event,   Theme::host,     Theme::anything};

std::string_view name(Theme theme);

/// About `size` instructions that matter, each counted as often as it is executed.
Program small_random_program(std::mt19937& random, Theme theme, unsigned size);

/// Of a theme drawn at random.
Program small_random_program(std::mt19937& random, unsigned size);

} // namespace pdlcts
