// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/instruction_parser.hpp"

#include "conformance/litmus/access_parser.hpp"
#include "conformance/litmus/bulk_parser.hpp"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace pdlcts {

namespace {

constexpr unsigned threads_of_warp = 32;
constexpr unsigned last_barrier = 15; ///< the block has 16; number 0 is the one without a number

/// What follows `fence`: an ordering, or nothing for `proxy`.
constexpr Spelling<std::optional<Ordering>> fences[] = {
    {"acq_rel", Ordering::acq_rel}, {"sc", Ordering::sc}, {"proxy", std::nullopt}};

constexpr Spelling<bool> barriers[] = {{"sync", false}, {"arrive", true}};
constexpr Spelling<bool> cluster_barriers[] = {{"arrive", true}, {"wait", false}};
constexpr Spelling<Ordering> cluster_arrivals[] = {{"release", Ordering::release}, {"relaxed", Ordering::relaxed}};

Instruction parse_fence(InstructionReader& reader) {
    const auto ordering = reader.cursor.qualifier(fences, "a fence needs its ordering");
    if (!ordering) {
        reader.cursor.expect_qualifier("async", "a proxy fence needs its proxy");
        return ProxyFence{};
    }
    return Fence{*ordering, reader.cursor.qualifier(scopes, "a fence needs its scope")};
}

Instruction parse_barrier(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    Barrier barrier;
    barrier.arrive = cursor.qualifier(barriers, "incomplete barrier");
    reader.end_of_mnemonic("this barrier");
    if (cursor.at_end() && !barrier.arrive) {
        return barrier;
    }
    barrier.number = static_cast<unsigned>(cursor.number("the barrier", 1, last_barrier));
    cursor.expect(",", "a named barrier needs its number of threads");
    const Cursor at = cursor;
    barrier.threads = static_cast<unsigned>(cursor.number("the number of threads", threads_of_warp, 1024));
    if (barrier.threads % threads_of_warp != 0) {
        at.fail("the threads of a barrier are whole warps", "a multiple of " + std::to_string(threads_of_warp));
    }
    return barrier;
}

Instruction parse_cluster_barrier(InstructionReader& reader) {
    Cursor& cursor = reader.cursor;
    cursor.expect_qualifier("cluster", "incomplete cluster barrier");
    if (cursor.qualifier(cluster_barriers, "incomplete cluster barrier")) {
        return ClusterArrive{cursor.qualifier(cluster_arrivals, "an arrival needs its ordering")};
    }
    cursor.expect_qualifier("acquire", "a wait needs its ordering");
    return ClusterWait{};
}

struct Form {
    std::string_view word;
    Instruction (*parse)(InstructionReader&);
};

constexpr Form forms[] = {
    {"trigger", [](InstructionReader&) { return Instruction{Trigger{}}; }},
    {"wait", [](InstructionReader&) { return Instruction{Wait{}}; }},
    {"exit", [](InstructionReader&) { return Instruction{Exit{}}; }},
    {"bar", parse_barrier},
    {"barrier", parse_cluster_barrier},
    {"fence", parse_fence},
    {"ld", parse_load},
    {"st", parse_store},
    {"red", parse_reduction},
    {"atom", parse_atomic},
    {"await", parse_await},
    {"mbarrier", parse_mbarrier},
    {"cp", parse_bulk},
    {"delay", [](InstructionReader& reader) { return Instruction{Delay{reader.cursor.duration("the delay")}}; }},
};

const Form* find_form(std::string_view word) {
    const Form* form = std::find_if(std::begin(forms), std::end(forms), [&](const Form& f) { return f.word == word; });
    return form == std::end(forms) ? nullptr : form;
}

} // namespace

bool opens_instruction(std::string_view word) {
    return find_form(word) != nullptr;
}

ParsedInstruction parse_instruction(Cursor& cursor, const Declarations& declarations, const Grid& grid,
                                    const Agent& agent) {
    const std::string word(cursor.peek_word());
    const Form* form = find_form(word);
    if (form == nullptr) {
        cursor.fail("unknown instruction", "an instruction such as trigger, wait or ld.weak");
    }
    cursor.accept_word(word);
    InstructionReader reader{cursor, declarations, grid, agent};
    Instruction instruction = form->parse(reader);
    cursor.expect_end(word);
    return {std::move(instruction), std::move(reader.results)};
}

} // namespace pdlcts
