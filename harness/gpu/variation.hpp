// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/layout.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Jitter: what differs between the trials of a run beside their salts, so that a verdict does not rest on one
/// interleaving. All of it is drawn from the seed; program and control of a pair have the same draws.
///
/// None of it changes what a program may do. Time means nothing to the specification. Extra blocks exit at once: they
/// count as exited for the secondary's start (trigger.implicit-on-exit), begin and end at any time an execution of the
/// plain grid leaves them, access nothing, and are no block that the program names; a program cannot ask how many
/// blocks there are. A test holds the machine's outcomes of every case with and without them against each other.
namespace pdlcts {

/// How one pair of trials is launched. Fixed by its place in a batch, as graphs are kept from batch to batch.
struct Variation {
    bool timing = false;        ///< agents start late, and delays are other than the program's
    unsigned blocks_before = 0; ///< extra blocks of every grid, in clusters
    unsigned blocks_behind = 0;
    bool measures = false; ///< a trial of the pilot (calibration.hpp)
    bool operator==(const Variation&) const = default;
};

/// `plain`, `pilot`, `timing`, `blocks`, and with a background kernel beside it `load`, `timing and load`, ...
std::string_view name(const Variation& variation, bool loaded);

/// Three quarters of the places of a batch are plain, of every eight of them six; the others have other times or extra
/// blocks.
Variation variation_at(std::uint64_t seed, std::uint64_t place);

/// Which form comes first in a pair.
bool control_first(std::uint64_t seed, std::uint64_t place);

inline constexpr std::size_t batches_a_loaded_one = 16;

/// Which batches have a background kernel beside them: one of `of_so_many`, of those whose size came before, so that
/// nothing is loaded, allocated or built while the kernel runs. The first of its size never is.
std::vector<bool> loaded_batches(std::span<const std::uint64_t> batches, std::uint64_t seed,
                                 std::size_t of_so_many = batches_a_loaded_one);

inline constexpr std::uint32_t longest_late_start = 2'000;   ///< nanoseconds
inline constexpr std::uint32_t most_added_to_delay = 10'000; ///< nanoseconds; a delay is at most doubled

/// The bounds of polls by key, where they are not the program's own (calibration.hpp).
using Windows = std::map<std::string, std::uint32_t>;

/// The times of one form's trials.
class TrialTimes {
public:
    TrialTimes(const Layout& layout, std::uint64_t seed);

    void use(const Windows& windows);
    /// The most that other times can make a trial of this form longer.
    std::uint32_t most_added() const;
    /// Writes the times of one trial over those that `prepare` wrote. Program and control of a pair share its number.
    /// With `timing` the windows grow by `allowance`, which is what the trial may be longer, but never beyond the
    /// program's own bounds; with `own_bounds` polls have those.
    void write(std::span<std::uint32_t> record, const Variation& variation, std::uint64_t pair, std::uint32_t allowance,
               bool own_bounds) const;

private:
    struct Time {
        TimingKind kind;
        std::size_t word;
        std::uint32_t own;
        std::uint32_t window;
        std::uint64_t key;
    };
    std::uint32_t drawn(const Time& time, std::uint64_t pair) const;

    const Layout& layout_;
    std::uint64_t seed_;
    std::vector<Time> times_;
};

} // namespace pdlcts
