// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/timing.hpp"

#include "conformance/litmus/printer.hpp"

#include <map>

namespace pdlcts {
namespace {

/// Keys that occur once each: equals are numbered.
class Keys {
public:
    std::string unique(const std::string& key) {
        const unsigned number = ++seen_[key];
        return number == 1 ? key : key + " #" + std::to_string(number);
    }

private:
    std::map<std::string, unsigned> seen_;
};

void append_timings(std::vector<Timing>& timings, const Grid& grid, const Agent& agent, Keys& keys) {
    const std::string agent_key = grid.name + ": " + print_header(agent, grid);
    const auto append = [&](TimingKind kind, const std::string& key, std::uint64_t nanoseconds) {
        timings.push_back({kind, grid.name, keys.unique(key), static_cast<std::uint32_t>(nanoseconds), 0, 0});
    };
    append(TimingKind::start, agent_key, 0);
    for (const Instruction& instruction : agent.instructions) {
        const std::string key = agent_key + ": " + print(instruction);
        if (const auto* await = std::get_if<Await>(&instruction)) {
            append(TimingKind::poll, key, await->within_nanoseconds);
        } else if (const auto* wait = std::get_if<MbarrierWait>(&instruction)) {
            append(TimingKind::poll, key, wait->within_nanoseconds);
        } else if (const auto* delay = std::get_if<Delay>(&instruction)) {
            append(TimingKind::delay, key, delay->nanoseconds);
        }
    }
}

} // namespace

std::vector<Timing> timings_of(const Program& program) {
    static_assert(longest_bound_nanoseconds < unsatisfied_poll);
    std::vector<Timing> timings;
    Keys keys;
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            for (const Agent& agent : grid->agents) {
                append_timings(timings, *grid, agent, keys);
            }
        }
    }
    return timings;
}

} // namespace pdlcts
