// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/variation.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

/// Independent draws of one seed.
enum class Purpose : std::uint64_t { places = 1, order, load, times };

std::uint64_t draw(std::uint64_t seed, Purpose purpose, std::uint64_t number) {
    return mix(mix(seed ^ mix(static_cast<std::uint64_t>(purpose))) + number);
}

constexpr std::uint64_t places_a_round = 8;
constexpr unsigned most_clusters_added = 8;

/// Not std::hash: a seed replays on every machine.
std::uint64_t hash(std::string_view text) {
    std::uint64_t state = text.size();
    for (const char character : text) {
        state = mix(state ^ static_cast<unsigned char>(character));
    }
    return state;
}

std::uint32_t longest_of_delay(std::uint32_t own) {
    return own + std::min(own, most_added_to_delay);
}

/// From low to high, both included.
std::uint32_t between(std::uint32_t low, std::uint32_t high, std::uint64_t drawn) {
    return low + static_cast<std::uint32_t>(drawn % (std::uint64_t{high} - low + 1));
}

} // namespace

std::string_view name(const Variation& variation, bool loaded) {
    if (variation.measures) {
        return "pilot";
    }
    const bool blocks = variation.blocks_before + variation.blocks_behind > 0;
    if (variation.timing) {
        return loaded ? "timing and load" : "timing";
    }
    if (blocks) {
        return loaded ? "blocks and load" : "blocks";
    }
    return loaded ? "load" : "plain";
}

Variation variation_at(std::uint64_t seed, std::uint64_t place) {
    const std::uint64_t round = draw(seed, Purpose::places, place / places_a_round);
    const std::uint64_t first = round % places_a_round;
    const std::uint64_t second = (first + 1 + (round >> 8) % (places_a_round - 1)) % places_a_round;
    Variation variation;
    variation.timing = place % places_a_round == first;
    if (place % places_a_round == second) {
        const unsigned added = 1 + static_cast<unsigned>((round >> 16) % most_clusters_added);
        variation.blocks_before = static_cast<unsigned>((round >> 24) % (added + 1));
        variation.blocks_behind = added - variation.blocks_before;
    }
    return variation;
}

bool control_first(std::uint64_t seed, std::uint64_t place) {
    return draw(seed, Purpose::order, place) % 2 == 1;
}

std::vector<bool> loaded_batches(std::span<const std::uint64_t> batches, std::uint64_t seed, std::size_t of_so_many) {
    std::vector<std::size_t> candidates;
    std::set<std::uint64_t> sizes;
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
        // The first batch is the pilot.
        if (batch > 0 && !sizes.insert(batches[batch]).second) {
            candidates.push_back(batch);
        }
    }
    std::vector<bool> loaded(batches.size(), false);
    const std::size_t wanted = std::min(candidates.size(), (batches.size() + of_so_many - 2) / of_so_many);
    for (std::size_t number = 0; number < wanted; ++number) {
        const std::size_t chosen = draw(seed, Purpose::load, number) % candidates.size();
        loaded[candidates[chosen]] = true;
        candidates.erase(candidates.begin() + static_cast<std::ptrdiff_t>(chosen));
    }
    return loaded;
}

TrialTimes::TrialTimes(const Layout& layout, std::uint64_t seed) : layout_(layout), seed_(seed) {
    for (const Timing& timing : layout.timings) {
        times_.push_back({timing.kind, timing.word, timing.nanoseconds, timing.nanoseconds, hash(timing.key)});
    }
}

void TrialTimes::use(const Windows& windows) {
    for (std::size_t time = 0; time < times_.size(); ++time) {
        if (const auto window = windows.find(layout_.timings[time].key); window != windows.end()) {
            times_[time].window = window->second;
        }
    }
}

std::uint32_t TrialTimes::most_added() const {
    std::uint32_t added = 0;
    for (const Time& time : times_) {
        added += time.kind == TimingKind::start   ? longest_late_start
                 : time.kind == TimingKind::delay ? longest_of_delay(time.own) - time.own
                                                  : 0;
    }
    return added;
}

std::uint32_t TrialTimes::drawn(const Time& time, std::uint64_t pair) const {
    const std::uint64_t random = mix(draw(seed_, Purpose::times, pair) ^ time.key);
    return time.kind == TimingKind::start ? between(0, longest_late_start, random)
                                          : between(time.own / 2, longest_of_delay(time.own), random);
}

void TrialTimes::write(std::span<std::uint32_t> record, const Variation& variation, std::uint64_t pair,
                       std::uint32_t allowance, bool own_bounds) const {
    for (const Time& time : times_) {
        if (time.kind != TimingKind::poll) {
            record[time.word] = variation.timing ? drawn(time, pair) : time.own;
        } else if (own_bounds) {
            record[time.word] = time.own;
        } else {
            const std::uint64_t window = std::uint64_t{time.window} + (variation.timing ? allowance : 0);
            record[time.word] = static_cast<std::uint32_t>(std::min<std::uint64_t>(window, time.own));
        }
    }
}

} // namespace pdlcts
