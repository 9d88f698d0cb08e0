// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/layout.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/litmus/random_litmus.hpp"
#include "harness/gpu/location_key.hpp"
#include "harness/gpu/trial_record.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

/// How often a program was laid out of those drawn; others have values that leave no room for a salt.
constexpr int drawn = 1500;
constexpr int fewest_laid_out = 100;

/// Marks words as taken, each at most once.
void take(std::vector<bool>& taken, std::size_t first, std::size_t count) {
    REQUIRE(first + count <= taken.size());
    for (std::size_t word = first; word < first + count; ++word) {
        CHECK_FALSE(taken[word]);
        taken[word] = true;
    }
}

void check_places(const Layout& layout) {
    std::vector<bool> device(layout.words);
    std::vector<bool> host(layout.host_words);
    CHECK(layout.words % words_a_line == 0);
    CHECK(layout.host_words % words_a_line == 0);
    take(device, 0, 1);
    for (const Timing& timing : layout.timings) {
        take(device, timing.word, 1);
        if (timing.kind == TimingKind::poll) {
            take(device, timing.latency_word, 1);
        }
    }
    if (!host.empty()) {
        take(host, 0, 1);
    }
    for (const PlacedLocation& location : layout.locations) {
        CHECK(location.word % words_a_line == 0);
        take(location.memory == Memory::device ? device : host, location.word, (location.bytes() + 3) / 4);
    }
    for (const RegisterSlots& result : layout.registers) {
        CHECK(result.first_word % words_a_line == 0);
        take(result.memory == Memory::device ? device : host, result.first_word, result.slots);
    }
}

/// The element of a location as a device of this byte order loads it.
std::uint32_t load(std::span<const std::uint32_t> record, const PlacedLocation& location, std::size_t element) {
    std::uint32_t word = 0;
    const std::byte* bytes = std::as_bytes(record).data() + location.word * 4 + element * bytes_of(location.width);
    std::memcpy(&word, bytes, bytes_of(location.width));
    return word;
}

void check_initial_values(const Layout& layout, std::uint32_t base) {
    std::vector<std::uint32_t> device(layout.words);
    std::vector<std::uint32_t> host(layout.host_words);
    const TrialRecords records{device, host};
    prepare(records, layout, base);
    for (const PlacedLocation& location : layout.locations) {
        for (std::size_t element = 0; element < location.initial.size(); ++element) {
            const std::uint32_t word = load(records.of(location.memory), location, element);
            CHECK(layout.encoding.decode(location.name, word, base) == location.initial[element]);
        }
    }
    CHECK(outcome_of(records, layout, base).has_value() == layout.registers.empty());
}

/// Every value that an instruction stores comes back from its encoding, in shared memory too.
void check_stores(const Program& program, const Layout& layout, std::uint32_t base) {
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
            for (const Instruction& instruction : grid->agents[agent].instructions) {
                const auto* store = std::get_if<Store>(&instruction);
                for (std::size_t lane = 0; store != nullptr && lane < store->values.size(); ++lane) {
                    const std::string key = location_key(*grid, store->element.location);
                    const std::uint32_t word = layout.encoding.encode(key, store->values[lane], base);
                    CHECK(word <= static_cast<std::uint32_t>(largest_value_of(layout.encoding.width(key))));
                    CHECK(layout.encoding.decode(key, word, base) == store->values[lane]);
                }
            }
        }
    }
}

} // namespace

TEST_CASE("in random programs nothing overlaps, and what is written is read back") {
    std::mt19937 random(20261130);
    int laid_out = 0;
    for (int program = 0; program < drawn; ++program) {
        const Litmus litmus = random_litmus(random);
        const auto layout = lay_out(litmus);
        if (!layout) {
            continue;
        }
        ++laid_out;
        INFO(print(litmus));
        check_places(layout->program);
        const std::array<const Encoding*, 1> encodings{&layout->program.encoding};
        SaltSequence salts(encodings, random());
        for (int trial = 0; trial < 3; ++trial) {
            const std::uint32_t base = salts.next().value();
            check_initial_values(layout->program, base);
            check_stores(litmus.program, layout->program, base);
        }
    }
    CHECK(laid_out >= fewest_laid_out);
}
