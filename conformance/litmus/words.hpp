// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

/// The words of the litmus language, for its parser and its printer. Internal to conformance/litmus.
namespace pdlcts {

template <typename Enumeration>
struct Spelling {
    std::string_view word;
    Enumeration value;
};

template <typename Enumeration, std::size_t Size>
constexpr std::string_view spell(const Spelling<Enumeration> (&table)[Size], Enumeration value) {
    return std::find_if(table, table + Size - 1, [=](const auto& entry) { return entry.value == value; })->word;
}

inline constexpr Spelling<Ordering> all_orderings[] = {{"weak", Ordering::weak},       {"relaxed", Ordering::relaxed},
                                                       {"acquire", Ordering::acquire}, {"release", Ordering::release},
                                                       {"acq_rel", Ordering::acq_rel}, {"sc", Ordering::sc}};
inline constexpr Spelling<Ordering> load_orderings[] = {
    {"weak", Ordering::weak}, {"relaxed", Ordering::relaxed}, {"acquire", Ordering::acquire}};
inline constexpr Spelling<Ordering> store_orderings[] = {
    {"weak", Ordering::weak}, {"relaxed", Ordering::relaxed}, {"release", Ordering::release}};
inline constexpr Spelling<Ordering> fence_orderings[] = {{"acq_rel", Ordering::acq_rel}, {"sc", Ordering::sc}};
inline constexpr Spelling<Ordering> reduction_orderings[] = {{"relaxed", Ordering::relaxed},
                                                             {"release", Ordering::release}};
inline constexpr Spelling<Ordering> atomic_orderings[] = {{"relaxed", Ordering::relaxed},
                                                          {"acquire", Ordering::acquire},
                                                          {"release", Ordering::release},
                                                          {"acq_rel", Ordering::acq_rel}};

inline constexpr Spelling<Scope> scopes[] = {
    {"cta", Scope::cta}, {"cluster", Scope::cluster}, {"gpu", Scope::gpu}, {"sys", Scope::sys}};

/// The scopes of what belongs to a block or its cluster: mbarriers.
inline constexpr Spelling<Scope> cluster_scopes[] = {{"cta", Scope::cta}, {"cluster", Scope::cluster}};

/// Elements of one access.
inline constexpr Spelling<unsigned> vector_lanes[] = {{"v2", 2}, {"v4", 4}};

inline constexpr Spelling<Width> widths[] = {{"u32", Width::u32}, {"u16", Width::u16}, {"u8", Width::u8}};

inline constexpr Spelling<Domain> domain_words[] = {{"remote", Domain::remote}, {"default", Domain::standard}};

inline constexpr Spelling<CacheOperator> cache_operators[] = {
    {"ca", CacheOperator::ca}, {"cg", CacheOperator::cg}, {"nc", CacheOperator::nc}};

/// PTX's `red` returns nothing, so it has neither `exch` nor `cas`.
inline constexpr Spelling<AtomicOperation> reduction_operations[] = {
    {"add", AtomicOperation::add},     {"min", AtomicOperation::min},   {"max", AtomicOperation::max},
    {"and", AtomicOperation::bit_and}, {"or", AtomicOperation::bit_or}, {"xor", AtomicOperation::bit_xor}};
inline constexpr Spelling<AtomicOperation> atomic_operations[] = {
    {"add", AtomicOperation::add},     {"exch", AtomicOperation::exch},   {"min", AtomicOperation::min},
    {"max", AtomicOperation::max},     {"and", AtomicOperation::bit_and}, {"or", AtomicOperation::bit_or},
    {"xor", AtomicOperation::bit_xor}, {"cas", AtomicOperation::cas}};

inline constexpr Spelling<Route> route_words[] = {
    {"stream", Route::stream}, {"captured", Route::captured}, {"edges", Route::edges},  {"cloned", Route::cloned},
    {"child", Route::child},   {"updated", Route::updated},   {"driver", Route::driver}};

inline constexpr Spelling<bool> load_words[] = {{"memory", true}};

inline constexpr Spelling<Report::Kind> report_words[] = {{"issue", Report::Kind::issue}, {"pull", Report::Kind::pull}};

/// Nanoseconds a unit, the largest first.
inline constexpr Spelling<std::uint64_t> time_units[] = {{"ms", 1'000'000}, {"us", 1'000}, {"ns", 1}};

/// Words of the language that name nothing else.
inline constexpr std::string_view keywords[] = {"all",
                                                "any",
                                                "armed",
                                                "at_block_start",
                                                "atom",
                                                "await",
                                                "bar",
                                                "barrier",
                                                "because",
                                                "block",
                                                "blocks",
                                                "checks",
                                                "cluster",
                                                "cp",
                                                "delay",
                                                "device",
                                                "domain",
                                                "ends",
                                                "event",
                                                "exit",
                                                "fence",
                                                "grid",
                                                "host",
                                                "host_memory",
                                                "launch_completion_event",
                                                "ld",
                                                "load",
                                                "mbarrier",
                                                "memcpy",
                                                "memory",
                                                "memset",
                                                "never",
                                                "on",
                                                "peer",
                                                "priority",
                                                "programmatic_event",
                                                "pss",
                                                "read",
                                                "record",
                                                "red",
                                                "remote",
                                                "routes",
                                                "shared",
                                                "shared_memory",
                                                "sometimes",
                                                "st",
                                                "stream",
                                                "sync",
                                                "thread",
                                                "threads",
                                                "trigger",
                                                "wait",
                                                "wait_event",
                                                "within",
                                                "write"};

static_assert(std::is_sorted(std::begin(keywords), std::end(keywords)));

/// Where the words of each small letter begin: results files ask this of every register of every outcome.
inline constexpr auto first_keyword_of = [] {
    std::array<std::size_t, 27> first{};
    for (std::size_t letter = 0; letter < first.size(); ++letter) {
        while (first[letter] < std::size(keywords) &&
               keywords[first[letter]].front() < static_cast<char>('a' + letter)) {
            ++first[letter];
        }
    }
    return first;
}();

inline constexpr bool is_keyword(std::string_view word) {
    if (word.empty() || word.front() < 'a' || word.front() > 'z') {
        return false;
    }
    const auto letter = static_cast<std::size_t>(word.front() - 'a');
    const auto* const end = keywords + first_keyword_of[letter + 1];
    return std::find(keywords + first_keyword_of[letter], end, word) != end;
}
static_assert(std::all_of(std::begin(keywords), std::end(keywords), is_keyword));

inline constexpr bool is_letter(char character) {
    return (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') || character == '_';
}
inline constexpr bool is_digit(char character) {
    return character >= '0' && character <= '9';
}
inline constexpr bool is_word_character(char character) {
    return is_letter(character) || is_digit(character);
}
inline constexpr bool is_blank(char character) {
    return character == ' ' || character == '\t';
}

} // namespace pdlcts
