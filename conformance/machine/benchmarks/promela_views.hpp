// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/benchmarks/spelled_out.hpp"

#include <string>
#include <vector>

/// Which views and counters a model needs, and how they are called.
namespace pdlcts::spin {

struct Views {
    std::vector<std::size_t> written;        ///< locations that some instruction writes: no others are in views
    std::vector<std::vector<bool>> carrying; ///< for each location and write, whether the write may release something
    std::vector<bool> keeps_completion;      ///< for each node, whether its completion view matters to another one
    std::vector<bool> counts_triggers;       ///< for each node
    std::vector<bool> trigger_releases;      ///< for each node, whether its triggers stand behind fences that matter
    bool sc_fences = false;                  ///< whether there are at least two

    bool carries(std::size_t location, std::size_t write) const { return carrying[location][write]; }
    bool may_trigger(const SpelledOut& plan, const Block& block) const;
};

Views views_of(const SpelledOut& plan);

/// What a thread keeps besides what it has performed.
struct ThreadViews {
    std::vector<std::size_t> known;      ///< locations of which it knows anything that matters
    std::vector<std::size_t> acquirable; ///< `written`, or none
    std::vector<std::size_t> released;   ///< `written`, or none
};

ThreadViews thread_views(const Views& views, const Thread& thread);

std::string value_variable(std::size_t location, std::size_t write);
std::string released_variable(std::size_t location, std::size_t write, std::size_t of);
std::string barrier_variable(std::size_t block, unsigned round, std::size_t location);

std::string newer(std::size_t location, const std::string& one, const std::string& other);

/// Conditions and views of nodes, as expressions.
std::string began(const SpelledOut& plan, std::size_t node);
std::string complete(const SpelledOut& plan, std::size_t node);
/// What a node's threads know when they begin; empty: nothing.
std::string begin_view(const SpelledOut& plan, const Views& views, std::size_t node, std::size_t location);
std::string completion_view(const SpelledOut& plan, const Views& views, std::size_t node, std::size_t location);

} // namespace pdlcts::spin
