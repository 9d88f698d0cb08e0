// SPDX-License-Identifier: Apache-2.0
// Random programs about what threads do to each other.
#include "conformance/machine/small_generator.hpp"

#include <algorithm>
#include <utility>

namespace pdlcts {

// ---- shapes --------------------------------------------------------------------------------------------------------

/// The textbook's shapes: message passing, with an atomic in between; store buffering; load buffering; two writes each;
/// atomics and stores of one word.
std::vector<Instructions> SmallGenerator::parts() {
    std::vector<Instructions> made;
    const auto part = [&](Instruction first, std::optional<Instruction> last) {
        Instructions& instructions = made.emplace_back();
        instructions.push_back(std::move(first));
        if (last) {
            if (chance(65)) {
                instructions.push_back(between());
            }
            instructions.push_back(std::move(*last));
        }
    };
    switch (below(6)) {
    case 0:
    case 1:
        part(write("x"), strong(write("y")));
        part(strong(chance(10) ? write("y") : read("y")), read("x"));
        if (chance(40)) {
            part(location("y").width == Width::u32 ? atomic("y", true) : read("y"), std::nullopt);
        }
        break;
    case 2:
        part(write("x"), read("y"));
        part(write("y"), read("x"));
        break;
    case 3:
        part(read("x"), write("y"));
        part(read("y"), write("x"));
        break;
    case 4:
        part(write("x"), write("y"));
        part(write("y"), write("x"));
        break;
    default:
        for (unsigned count = 2 + below(2); count > 0; --count) {
            const bool is_atomic = location("x").width == Width::u32 && chance(60);
            part(is_atomic ? atomic("x", true) : write("x"), std::nullopt);
        }
        part(write("x"), chance(50) ? std::optional(read("x")) : std::nullopt);
    }
    return made;
}

void SmallGenerator::shape() {
    declare({only_stream});
    narrow_ = pick<unsigned>({0, 15, 50});
    if (chance(25)) {
        // In grids that overlap.
        std::vector<Instructions> all = parts();
        for (std::size_t index = 0; index < all.size(); ++index) {
            Grid made = grid(only_stream);
            made.pss = index > 0 ? std::optional(1) : std::nullopt;
            if (chance(20)) {
                made.domain = pick<Domain>({Domain::standard, Domain::remote});
            }
            all[index].insert(all[index].begin(), Trigger{});
            add_agent(made, 0, 0, std::move(all[index]));
            program_.operations.emplace_back(std::move(made));
        }
    } else {
        // In up to four blocks of up to two warps.
        const bool clusters = chance(30);
        Grid made = grid(only_stream, clusters ? 4 : 2, 64);
        made.cluster = clusters ? 2 : 1;
        if (chance(20)) {
            declare_shared(made);
        }
        std::vector<unsigned> places = {0, 1, 2, 3};
        std::shuffle(places.begin(), places.end(), random_);
        for (Instructions& part : parts()) {
            const unsigned place = places.back();
            places.pop_back();
            add_agent(made, clusters ? place : place / 2, clusters ? 0 : 32 * (place % 2), std::move(part));
        }
        if (!ranks_.empty()) {
            keep_clusters(made);
        }
        program_.operations.emplace_back(std::move(made));
    }
    if (chance(40)) {
        add_observer();
    }
}

// ---- barriers ------------------------------------------------------------------------------------------------------

Instructions SmallGenerator::with_barriers(const Instructions& barriers) {
    Instructions made = accesses(2);
    for (const Instruction& barrier : barriers) {
        made.push_back(barrier);
        if (chance(20)) {
            made.push_back(fence());
        }
        Instructions behind = accesses(2);
        made.insert(made.end(), behind.begin(), behind.end());
    }
    return made;
}

void SmallGenerator::barrier() {
    declare({only_stream});
    weak_ = 70;
    const unsigned users = pick<unsigned>({2, 2, 3});
    const unsigned kind = below(3);
    Grid made = kind == 2 ? grid(only_stream, users, 32) : grid(only_stream, 1, 128);
    made.cluster = made.blocks;
    if (chance(25)) {
        declare_shared(made);
    }
    const bool second = chance(10);
    for (unsigned user = 0; user < users; ++user) {
        Instructions barriers;
        if (kind == 0) {
            barriers = {Barrier{}};
        } else if (kind == 1) {
            barriers = {Barrier{1, 32 * users, user > 0 && chance(30)}};
            if (second) {
                // Perhaps each waits for the other.
                barriers.insert(barriers.begin() + below(2), Barrier{2, 32 * users, false});
            }
        } else {
            const Ordering ordering = chance(80) ? Ordering::release : Ordering::relaxed;
            barriers = {ClusterArrive{ordering}, ClusterWait{}};
        }
        add_agent(made, kind == 2 ? user : 0, kind == 2 ? 0 : 32 * user, with_barriers(barriers));
    }
    if (kind != 0 && made.blocks == 1 && chance(40)) {
        add_agent(made, 0, 96, accesses(2));
    }
    if (!ranks_.empty()) {
        keep_clusters(made);
    }
    program_.operations.emplace_back(std::move(made));
    if (chance(30)) {
        add_observer();
    }
}

/// Producers write and arrive; consumers wait for a phase and read. In one block, or from another block of its cluster.
void SmallGenerator::mbarrier() {
    declare({only_stream});
    weak_ = 70;
    const bool remote = chance(35);
    Grid made = grid(only_stream, remote ? 2 : 1, 96);
    made.cluster = remote ? 2 : 1;
    const unsigned producers = pick<unsigned>({1, 2, 2});
    made.mbarriers = {{"full", pick<unsigned>({1, 1, 2})}};
    if (chance(30)) {
        declare_shared(made);
    }
    for (unsigned producer = 0; producer < producers; ++producer) {
        const unsigned block = remote && chance(60) ? 1 : 0;
        MbarrierArrive arrive{remote && (block == 1 || chance(30)) ? Scope::cluster : Scope::cta, {"full", {}, {}}, {}};
        arrive.mbarrier.rank = arrive.scope == Scope::cluster ? std::optional(0U) : std::nullopt;
        Instructions instructions = accesses(1);
        instructions.push_back(write("x"));
        instructions.emplace_back(arrive);
        if (chance(40)) {
            instructions.push_back(access());
        }
        if (chance(20)) {
            instructions.emplace_back(arrive);
        }
        add_agent(made, block, 32 * producer, std::move(instructions));
    }
    Instructions consumer = accesses(1);
    for (unsigned waits = pick<unsigned>({1, 1, 2}), phase = 0; phase < waits; ++phase) {
        MbarrierWait wait{
            remote && chance(60) ? Scope::cluster : Scope::cta, "full", chance(85) ? phase % 2 : 1, {}, 0};
        wait.result = chance(90) ? std::optional(result()) : std::nullopt;
        consumer.emplace_back(std::move(wait));
        consumer.push_back(chance(80) ? read("x") : write("x"));
    }
    add_agent(made, 0, 64, std::move(consumer));
    if (remote) {
        keep_clusters(made);
    }
    program_.operations.emplace_back(std::move(made));
    if (chance(30)) {
        add_observer();
    }
}

// ---- bulk copies ---------------------------------------------------------------------------------------------------

Instructions SmallGenerator::copy_in(bool ordered) {
    Instructions made;
    if (ordered) {
        made.emplace_back(ProxyFence{});
    }
    const MbarrierArrive arrive{Scope::cta, {"full", {}, {}}, 16};
    const BulkCopy copy{"y", "x", "full"};
    const bool expected_first = chance(70);
    made.push_back(expected_first ? Instruction{arrive} : Instruction{copy});
    made.push_back(expected_first ? Instruction{copy} : Instruction{arrive});
    if (chance(30)) {
        made.push_back(access());
    }
    made.emplace_back(MbarrierWait{Scope::cta, "full", 0, result(), 0});
    made.push_back(chance(70) ? read("y") : write(any_name()));
    return made;
}

Instructions SmallGenerator::copy_out(bool ordered) {
    Instructions made;
    if (ordered) {
        made.emplace_back(ProxyFence{});
    }
    made.emplace_back(BulkCopy{"x", "y", {}});
    if (chance(20)) {
        made.push_back(access());
    }
    made.emplace_back(BulkCommit{});
    made.emplace_back(BulkWait{0, chance(40)});
    if (chance(60)) {
        made.push_back(access());
    }
    return made;
}

/// `x` in global memory, `y` in shared memory of one block; copies both ways, and generic accesses beside them.
void SmallGenerator::bulk() {
    program_.streams = {only_stream};
    weak_ = 80;
    const bool pair = chance(35);
    program_.memory = {{"x", {0, 0, 0, 0}, Width::u32, true}};
    Grid made = grid(only_stream, 1, 64);
    made.mbarriers = {{"full", 1}};
    shared_ = made.shared = {{"y", {0, 0, 0, 0}, Width::u32, true}};
    Grid other = grid(only_stream);
    other.name = "other";
    const auto outside = [&](unsigned most) {
        // Another grid sees `x` alone.
        Instructions instructions;
        for (unsigned count = 1 + below(most); count > 0; --count) {
            instructions.push_back(chance(50) ? read("x") : write("x"));
        }
        return instructions;
    };
    const bool before = pair && chance(50);
    if (before) {
        Instructions first = outside(2);
        if (chance(50)) {
            first.insert(first.begin() + below(static_cast<unsigned>(first.size()) + 1), Trigger{});
        }
        add_agent(other, 0, 0, std::move(first));
        program_.operations.emplace_back(other);
        made.pss = chance(80) ? 1 : 0;
    }
    Instructions copying;
    if (before && chance(60)) {
        copying.emplace_back(Wait{});
    }
    if (pair && !before && chance(50)) {
        copying.emplace_back(Trigger{});
    }
    if (chance(60)) {
        copying.push_back(write(any_name()));
    }
    const Instructions copy = chance(50) ? copy_in(chance(60)) : copy_out(chance(60));
    copying.insert(copying.end(), copy.begin(), copy.end());
    const bool synchronised = chance(40);
    if (synchronised) {
        copying.insert(copying.begin() + below(static_cast<unsigned>(copying.size()) + 1), Barrier{});
    }
    add_agent(made, 0, 0, std::move(copying));
    if (synchronised || chance(40)) {
        Instructions beside = accesses(2);
        if (synchronised) {
            beside.insert(beside.begin() + below(static_cast<unsigned>(beside.size()) + 1), Barrier{});
        } else if (chance(40)) {
            beside.emplace(beside.begin(), MbarrierWait{Scope::cta, "full", 0, result(), 0});
        }
        if (chance(20)) {
            beside.emplace(beside.begin() + below(static_cast<unsigned>(beside.size()) + 1), ProxyFence{});
        }
        add_agent(made, 0, 32, std::move(beside));
    }
    program_.operations.emplace_back(std::move(made));
    if (pair && !before) {
        other.pss = 1;
        Instructions last = outside(2);
        if (chance(60)) {
            last.insert(last.begin(), Wait{});
        }
        add_agent(other, 0, 0, std::move(last));
        program_.operations.emplace_back(other);
    }
}

} // namespace pdlcts
