// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/stamps.hpp"

#include "harness/gpu/ptx_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace pdlcts {
namespace {

// The places of a slot, in words.
constexpr std::size_t begin_word = 2;
constexpr std::size_t trigger_word = 4;
constexpr std::size_t wait_entered_word = 6;
constexpr std::size_t wait_returned_word = 8;
constexpr std::size_t end_word = 10;

constexpr std::uint64_t no_time = ~std::uint64_t{0};
constexpr std::uint32_t no_multiprocessor = ~std::uint32_t{0};

std::uint64_t time_at(std::span<const std::uint32_t> slot, std::size_t word) {
    return slot[word] | std::uint64_t{slot[word + 1]} << 32;
}

void set_time(std::span<std::uint32_t> slot, std::size_t word, std::uint64_t time) {
    slot[word] = static_cast<std::uint32_t>(time);
    slot[word + 1] = static_cast<std::uint32_t>(time >> 32);
}

std::optional<GridStamps> stamps_for(const Grid& grid) {
    if (grid.agents.empty()) {
        return std::nullopt;
    }
    GridStamps stamps;
    stamps.grid = grid.name;
    stamps.blocks = grid.agents.front().blocks;
    for (const Agent& agent : grid.agents) {
        stamps.blocks.first = std::min(stamps.blocks.first, agent.blocks.first);
        stamps.blocks.last = std::max(stamps.blocks.last, agent.blocks.last);
    }
    for (unsigned block = stamps.blocks.first; block <= stamps.blocks.last; ++block) {
        unsigned threads = 0;
        for (const Agent& agent : grid.agents) {
            threads += agent.blocks.contains(block) ? agent.threads.size() : 0;
        }
        stamps.named += threads > 0 ? 1 : 0;
        stamps.several_threads |= threads > 1;
    }
    return stamps;
}

/// The block's times follow one another. A block without any is one that no agent names.
bool in_order(const BlockStamps& block) {
    const auto inside = [&](const std::optional<std::uint64_t>& time) {
        return !time || (block.begin <= *time && *time <= block.end);
    };
    return block.begin <= block.end && inside(block.trigger) && inside(block.wait_entered) &&
           inside(block.wait_returned) && block.wait_entered.has_value() == block.wait_returned.has_value() &&
           (!block.wait_entered || *block.wait_entered <= *block.wait_returned);
}

} // namespace

Litmus stamped_part(const Litmus& litmus) {
    Litmus stamped = litmus;
    stamped.control.reset();
    return stamped;
}

Result<CaseLayout> lay_out_stamped(const Litmus& stamped) {
    auto layout = lay_out(stamped);
    if (!layout) {
        return layout;
    }
    Layout& program = layout->program;
    std::size_t blocks = 0;
    for (std::size_t index = 0; index < stamped.program.operations.size(); ++index) {
        const auto* grid = std::get_if<Grid>(&stamped.program.operations[index]);
        if (grid != nullptr && grid->peer) {
            return Error{"grids of the program run on two GPUs, whose clocks tell different times"};
        }
        auto stamps = grid == nullptr ? std::nullopt : stamps_for(*grid);
        if (!stamps) {
            continue;
        }
        stamps->operation = index;
        stamps->first_word = program.words;
        program.words += (stamps->blocks.size() * stamp_words + words_a_line - 1) / words_a_line * words_a_line;
        blocks += stamps->blocks.size();
        program.stamps.push_back(*std::move(stamps));
    }
    if (blocks == 0) {
        return Error{"no grid of the program has an agent, so there is nothing to stamp"};
    }
    if (blocks > most_stamped_blocks) {
        return Error{fmt::format("the grids of the program have {} blocks, and at most {} are stamped", blocks,
                                 most_stamped_blocks)};
    }
    return layout;
}

const GridStamps* stamps_of(const Layout& layout, const Grid& grid) {
    const auto found = std::find_if(layout.stamps.begin(), layout.stamps.end(),
                                    [&](const GridStamps& stamps) { return stamps.grid == grid.name; });
    return found == layout.stamps.end() ? nullptr : &*found;
}

// ---- emission ----------------------------------------------------------------------------------------------------

std::string DeviceFunctions::global_timer() {
    return use("global_timer",
               define("nanoseconds", "global_timer()",
                      "    nanoseconds now;\n" + statement("mov.u64 %0, %%globaltimer;", ": \"=l\"(now) :") +
                          "    return now;\n"));
}

std::string DeviceFunctions::multiprocessor() {
    return use("multiprocessor", define("word", "multiprocessor()",
                                        "    word number;\n" + statement("mov.u32 %0, %%smid;", ": \"=r\"(number) :") +
                                            "    return number;\n"));
}

std::string DeviceFunctions::stamp_word() {
    return use("stamp_word", define("void", "stamp_word(address at, word number)",
                                    statement("st.weak.global.u32 [%0], %1;", ":: \"l\"(at), \"r\"(number)")));
}

std::string DeviceFunctions::stamp() {
    return use("stamp", define("void", "stamp(address at, nanoseconds time)",
                               statement("st.weak.global.u64 [%0], %1;", ":: \"l\"(at), \"l\"(time)")));
}

std::string DeviceFunctions::stamp_earliest() {
    return use("stamp_earliest",
               define("void", "stamp_earliest(address at, nanoseconds time)",
                      statement("red.relaxed.gpu.global.min.u64 [%0], %1;", ":: \"l\"(at), \"l\"(time)")));
}

std::string DeviceFunctions::stamp_latest() {
    return use("stamp_latest",
               define("void", "stamp_latest(address at, nanoseconds time)",
                      statement("red.relaxed.gpu.global.max.u64 [%0], %1;", ":: \"l\"(at), \"l\"(time)")));
}

std::string stamp_of_begin(const Grid& grid, const Layout& layout, DeviceFunctions& functions) {
    return stamps_of(layout, grid) == nullptr
               ? ""
               : fmt::format("    const nanoseconds began = {}();\n", functions.global_timer());
}

AgentStamps::AgentStamps(KernelText& out, unsigned depth)
    : out_(out), depth_(depth), stamps_(stamps_of(out.layout, out.grid)) {}

void AgentStamps::read_clock(const char* variable) {
    out_.line(depth_, fmt::format("const nanoseconds {} = {}();", variable, out_.functions.global_timer()));
}

void AgentStamps::before_trigger() {
    if (stamps_ != nullptr && !triggered_) {
        read_clock("triggered");
        triggered_ = true;
    }
}

void AgentStamps::before_wait() {
    if (stamps_ != nullptr && !waits_) {
        read_clock("entered");
        waits_ = true;
    }
}

void AgentStamps::behind_wait() {
    if (stamps_ != nullptr && !waited_) {
        read_clock("returned");
        waited_ = true;
    }
}

void AgentStamps::finish() {
    if (stamps_ == nullptr) {
        return;
    }
    DeviceFunctions& functions = out_.functions;
    read_clock("ended");
    constexpr std::size_t word_bytes = sizeof(std::uint32_t);
    out_.line(depth_, fmt::format("const address stamps = record + {} + {}ull * (block - {});",
                                  stamps_->first_word * word_bytes, stamp_words * word_bytes, stamps_->blocks.first));
    out_.line(depth_, fmt::format("{}(stamps, {}());", functions.stamp_word(), functions.multiprocessor()));
    const auto write = [&](std::size_t word, const char* variable, bool earliest) {
        const std::string function = !stamps_->several_threads ? functions.stamp()
                                     : earliest                ? functions.stamp_earliest()
                                                               : functions.stamp_latest();
        out_.line(depth_, fmt::format("{}(stamps + {}, {});", function, word * word_bytes, variable));
    };
    write(begin_word, "began", true);
    if (triggered_) {
        write(trigger_word, "triggered", true);
    }
    if (waited_) {
        write(wait_entered_word, "entered", true);
        write(wait_returned_word, "returned", false);
    }
    write(end_word, "ended", false);
}

// ---- records -----------------------------------------------------------------------------------------------------

void prepare_stamps(std::span<std::uint32_t> record, const Layout& layout) {
    for (const GridStamps& stamps : layout.stamps) {
        for (std::size_t block = 0; block < stamps.blocks.size(); ++block) {
            const auto slot = record.subspan(stamps.first_word + block * stamp_words, stamp_words);
            slot[0] = no_multiprocessor;
            for (const std::size_t word : {begin_word, trigger_word, wait_entered_word}) {
                set_time(slot, word, no_time);
            }
            for (const std::size_t word : {wait_returned_word, end_word}) {
                set_time(slot, word, 0);
            }
        }
    }
}

std::optional<std::vector<std::vector<BlockStamps>>> read_stamps(std::span<const std::uint32_t> record,
                                                                 const Layout& layout) {
    std::vector<std::vector<BlockStamps>> grids;
    for (const GridStamps& stamps : layout.stamps) {
        std::vector<BlockStamps>& blocks = grids.emplace_back();
        for (unsigned block = stamps.blocks.first; block <= stamps.blocks.last; ++block) {
            const auto slot =
                record.subspan(stamps.first_word + (block - stamps.blocks.first) * stamp_words, stamp_words);
            if (time_at(slot, begin_word) == no_time) {
                continue;
            }
            const auto unless = [&](std::uint64_t none, std::size_t word) {
                const std::uint64_t time = time_at(slot, word);
                return time == none ? std::nullopt : std::optional(time);
            };
            const BlockStamps read{block,
                                   slot[0],
                                   time_at(slot, begin_word),
                                   unless(no_time, trigger_word),
                                   unless(no_time, wait_entered_word),
                                   unless(0, wait_returned_word),
                                   time_at(slot, end_word)};
            if (read.multiprocessor == no_multiprocessor || !in_order(read)) {
                return std::nullopt;
            }
            blocks.push_back(read);
        }
        if (blocks.size() != stamps.named) {
            return std::nullopt;
        }
    }
    return grids;
}

} // namespace pdlcts
