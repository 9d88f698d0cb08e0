// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/picture.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

namespace pdlcts {
namespace {

bool is_grid(const Program& program, const Node& node) {
    return std::holds_alternative<Grid>(program.operations[node.operation]);
}

/// The nodes that a node depends on, directly or not.
std::vector<std::set<std::size_t>> ancestors_of(const Plan& plan) {
    std::vector<std::set<std::size_t>> ancestors(plan.nodes.size());
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        for (const Dependency& dependency : plan.nodes[node].dependencies) {
            ancestors[node].insert(dependency.upstream);
            const std::set<std::size_t>& further = ancestors[dependency.upstream];
            ancestors[node].insert(further.begin(), further.end());
        }
    }
    return ancestors;
}

std::int64_t difference(std::uint64_t from, std::uint64_t to) {
    return static_cast<std::int64_t>(to - from);
}

/// The times of a grid that others are held against.
struct Extent {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::optional<std::uint64_t> wait_returned; ///< the first
};

Extent extent_of(const std::vector<BlockStamps>& blocks) {
    Extent extent{blocks.front().begin, blocks.front().end, std::nullopt};
    for (const BlockStamps& block : blocks) {
        extent.begin = std::min(extent.begin, block.begin);
        extent.end = std::max(extent.end, block.end);
        if (block.wait_returned) {
            extent.wait_returned = std::min(extent.wait_returned.value_or(*block.wait_returned), *block.wait_returned);
        }
    }
    return extent;
}

/// What two grids next to each other show in one trial.
struct Gaps {
    std::int64_t begin = 0;
    std::optional<std::int64_t> wait_return;
};

/// A program on its plan, as far as it is stamped.
class Stamped {
public:
    Stamped(const Program& program, const Plan& plan, const std::vector<GridStamps>& stamps)
        : program_(program), plan_(plan), stamps_(stamps) {
        for (std::size_t place = 0; place < stamps.size(); ++place) {
            place_of_operation_[stamps[place].operation] = place;
        }
        for (NeighbouringGrids& pair : neighbouring_grids(program, plan)) {
            if (place(pair.primary) && place(pair.secondary)) {
                pairs_.push_back(std::move(pair));
            }
        }
    }

    const std::vector<NeighbouringGrids>& pairs() const { return pairs_; }

    Gaps gaps(const NeighbouringGrids& pair, const StampedTrial& trial) const {
        const Extent primary = extent_of(trial.grids[*place(pair.primary)]);
        const Extent secondary = extent_of(trial.grids[*place(pair.secondary)]);
        Gaps gaps{difference(primary.end, secondary.begin), std::nullopt};
        if (secondary.wait_returned) {
            gaps.wait_return = difference(primary.end, *secondary.wait_returned);
        }
        return gaps;
    }

    PictureMeasure measure() const { return pairs_.empty() ? PictureMeasure::duration : PictureMeasure::gap; }

    static std::int64_t duration(const StampedTrial& trial) {
        Extent whole = extent_of(trial.grids.front());
        for (const auto& grid : trial.grids) {
            const Extent extent = extent_of(grid);
            whole.begin = std::min(whole.begin, extent.begin);
            whole.end = std::max(whole.end, extent.end);
        }
        return difference(whole.begin, whole.end);
    }

    std::int64_t measured(const StampedTrial& trial) const {
        if (pairs_.empty()) {
            return duration(trial);
        }
        std::optional<std::int64_t> longest;
        for (const NeighbouringGrids& pair : pairs_) {
            const Gaps found = gaps(pair, trial);
            const std::int64_t gap = found.wait_return.value_or(found.begin);
            longest = std::max(longest.value_or(gap), gap);
        }
        return *longest;
    }

    Latency latency(const NeighbouringGrids& pair, const std::vector<const StampedTrial*>& trials) const {
        Latency latency;
        latency.primary = node_name(program_, plan_.nodes[pair.primary]);
        latency.secondary = node_name(program_, plan_.nodes[pair.secondary]);
        for (const Dependency& dependency : plan_.nodes[pair.secondary].dependencies) {
            if (dependency.upstream == pair.primary) {
                latency.dependency = concat("type ", name(dependency.type), ", port ", name(dependency.port));
            }
        }
        for (const std::size_t node : pair.between) {
            latency.between.push_back(node_name(program_, plan_.nodes[node]));
        }
        std::vector<std::int64_t> begin;
        std::vector<std::int64_t> wait_return;
        for (const StampedTrial* trial : trials) {
            const Gaps found = gaps(pair, *trial);
            begin.push_back(found.begin);
            if (found.wait_return) {
                wait_return.push_back(*found.wait_return);
            }
        }
        latency.begin = figures_of(std::move(begin));
        if (!wait_return.empty()) {
            latency.wait_return = figures_of(std::move(wait_return));
        }
        return latency;
    }

    TrialPicture picture(const StampedTrial& trial, std::uint64_t number) const {
        TrialPicture picture;
        picture.trial = number;
        picture.outcome = trial.outcome;
        picture.armed = trial.armed;
        picture.measured = measured(trial);
        const std::uint64_t origin = extent_of(trial.grids.front()).begin;
        for (const Node& node : plan_.nodes) {
            NodePicture& drawn = picture.nodes.emplace_back();
            drawn.node = node_name(program_, node);
            if (const auto* grid = std::get_if<Grid>(&program_.operations[node.operation])) {
                drawn.blocks = grid->blocks;
                const auto found = place_of_operation_.find(node.operation);
                if (found != place_of_operation_.end()) {
                    draw(drawn, *grid, trial.grids[found->second], origin);
                }
            }
        }
        return picture;
    }

private:
    std::optional<std::size_t> place(std::size_t node) const {
        const auto found = place_of_operation_.find(plan_.nodes[node].operation);
        return found == place_of_operation_.end() ? std::nullopt : std::optional(found->second);
    }

    static std::set<std::size_t> choose(const Grid& grid, const std::vector<BlockStamps>& blocks);
    static void draw(NodePicture& drawn, const Grid& grid, const std::vector<BlockStamps>& blocks,
                     std::uint64_t origin);

    const Program& program_;
    const Plan& plan_;
    const std::vector<GridStamps>& stamps_;
    std::map<std::size_t, std::size_t> place_of_operation_;
    std::vector<NeighbouringGrids> pairs_;
};

/// Indices of the blocks that are shown.
std::set<std::size_t> Stamped::choose(const Grid& grid, const std::vector<BlockStamps>& blocks) {
    std::set<std::size_t> chosen;
    const auto choose = [&](std::size_t index) {
        if (chosen.size() < most_shown_blocks) {
            chosen.insert(index);
        }
    };
    const auto extreme = [&](auto before) {
        choose(static_cast<std::size_t>(std::min_element(blocks.begin(), blocks.end(), before) - blocks.begin()));
    };
    using Block = BlockStamps;
    extreme([](const Block& a, const Block& b) { return a.begin < b.begin; });
    extreme([](const Block& a, const Block& b) { return a.end > b.end; });
    extreme([](const Block& a, const Block& b) { return a.begin > b.begin; });
    extreme([](const Block& a, const Block& b) { return a.end < b.end; });
    extreme([](const Block& a, const Block& b) { return a.trigger.value_or(0) > b.trigger.value_or(0); });
    extreme([](const Block& a, const Block& b) {
        return a.wait_returned.value_or(~0ull) < b.wait_returned.value_or(~0ull);
    });
    for (const Agent& agent : grid.agents) {
        for (const unsigned block : {agent.blocks.first, agent.blocks.last}) {
            const auto found =
                std::find_if(blocks.begin(), blocks.end(), [=](const Block& stamps) { return stamps.block == block; });
            choose(static_cast<std::size_t>(found - blocks.begin()));
        }
    }
    for (std::size_t part = 0; part < most_shown_blocks; ++part) {
        choose(part * (blocks.size() - 1) / (most_shown_blocks - 1));
    }
    return chosen;
}

void Stamped::draw(NodePicture& drawn, const Grid& grid, const std::vector<BlockStamps>& blocks, std::uint64_t origin) {
    const Extent extent = extent_of(blocks);
    drawn.stamped = blocks.size();
    drawn.begin = difference(origin, extent.begin);
    drawn.end = difference(origin, extent.end);
    const auto relative = [&](const std::optional<std::uint64_t>& time) {
        return time ? std::optional(difference(origin, *time)) : std::nullopt;
    };
    const auto show = [&](const BlockStamps& block) {
        drawn.shown.push_back({block.block, block.multiprocessor, difference(origin, block.begin),
                               relative(block.trigger), relative(block.wait_entered), relative(block.wait_returned),
                               difference(origin, block.end)});
    };
    if (blocks.size() <= most_shown_blocks) {
        std::for_each(blocks.begin(), blocks.end(), show);
        return;
    }
    for (const std::size_t index : choose(grid, blocks)) {
        show(blocks[index]);
    }
}

/// The greatest number that divides the difference of any two stamps.
std::uint64_t resolution_of(const std::vector<StampedTrial>& trials) {
    std::uint64_t resolution = 0;
    std::optional<std::uint64_t> first;
    const auto note = [&](std::uint64_t time) {
        first = first.value_or(time);
        resolution = std::gcd(resolution, time > *first ? time - *first : *first - time);
    };
    for (const StampedTrial& trial : trials) {
        for (const auto& grid : trial.grids) {
            for (const BlockStamps& block : grid) {
                note(block.begin);
                note(block.end);
                for (const auto& time : {block.trigger, block.wait_entered, block.wait_returned}) {
                    if (time) {
                        note(*time);
                    }
                }
            }
        }
    }
    return resolution;
}

} // namespace

std::vector<NeighbouringGrids> neighbouring_grids(const Program& program, const Plan& plan) {
    const std::vector<std::set<std::size_t>> ancestors = ancestors_of(plan);
    std::vector<NeighbouringGrids> pairs;
    for (std::size_t secondary = 0; secondary < plan.nodes.size(); ++secondary) {
        if (!is_grid(program, plan.nodes[secondary])) {
            continue;
        }
        for (const std::size_t primary : ancestors[secondary]) {
            if (!is_grid(program, plan.nodes[primary])) {
                continue;
            }
            NeighbouringGrids pair{primary, secondary, {}};
            for (const std::size_t node : ancestors[secondary]) {
                if (ancestors[node].contains(primary)) {
                    pair.between.push_back(node);
                }
            }
            const bool another_grid = std::any_of(pair.between.begin(), pair.between.end(),
                                                  [&](std::size_t node) { return is_grid(program, plan.nodes[node]); });
            if (!another_grid) {
                pairs.push_back(std::move(pair));
            }
        }
    }
    return pairs;
}

CellPictures pictures_of(const Program& program, const Plan& plan, const std::vector<GridStamps>& stamps,
                         const std::vector<StampedTrial>& trials) {
    CellPictures result;
    Pictures& pictures = result.pictures;
    const Stamped stamped(program, plan, stamps);
    pictures.trials = trials.size();
    pictures.measure = stamped.measure();
    pictures.armed = static_cast<std::uint64_t>(
        std::count_if(trials.begin(), trials.end(), [](const StampedTrial& trial) { return trial.armed; }));
    if (trials.empty()) {
        pictures.note = "no stamped trial was complete";
        return result;
    }
    const bool fits = plan.nodes.size() <= most_picture_nodes &&
                      std::all_of(trials.begin(), trials.end(), [](const StampedTrial& trial) {
                          return Stamped::duration(trial) <= longest_picture_nanoseconds;
                      });
    if (!fits) {
        pictures.note = concat("a picture holds ", most_picture_nodes, " nodes and a minute at most");
        return result;
    }
    pictures.resolution_ns = resolution_of(trials);
    std::vector<const StampedTrial*> counted;
    for (const StampedTrial& trial : trials) {
        if (trial.armed || pictures.armed == 0) {
            counted.push_back(&trial);
        }
    }
    std::vector<std::pair<std::int64_t, const StampedTrial*>> by_measure;
    for (const StampedTrial* trial : counted) {
        by_measure.emplace_back(stamped.measured(*trial), trial);
    }
    std::stable_sort(by_measure.begin(), by_measure.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    const auto drawn = [&](const StampedTrial* trial) {
        return stamped.picture(*trial, static_cast<std::uint64_t>(trial - trials.data()));
    };
    pictures.median = drawn(by_measure[rank_of(50, by_measure.size())].second);
    pictures.worst = drawn(by_measure.back().second);
    for (const NeighbouringGrids& pair : stamped.pairs()) {
        if (result.latency.size() < most_latencies) {
            result.latency.push_back(stamped.latency(pair, counted));
        }
    }
    return result;
}

} // namespace pdlcts
