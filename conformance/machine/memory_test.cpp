// SPDX-License-Identifier: Apache-2.0
// Corners of PTX's memory model in which a machine of views easily allows too little or too much.
#include "conformance/litmus/parser.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/plan/lower.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace pdlcts;

namespace {

std::set<std::string> outcomes(const std::string& text) {
    const Result<Litmus> litmus = parse_litmus(text + "\nends\n", "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    const Exploration exploration = explore(litmus->program, *lower(litmus->program, Route::stream));
    REQUIRE(exploration.decided);
    std::set<std::string> printed;
    for (const auto& [outcome, trace] : exploration.outcomes) {
        printed.insert(print(outcome));
    }
    return printed;
}

} // namespace

TEST_CASE("a weak store may come between what an atomic reads and what it writes, and be lost (PTX 8.10.3)") {
    const auto handed_over = [](const std::string& store) {
        return outcomes("memory n = 0, f = 0\ngrid g <<<2, 1>>>\nblock 0 thread 0:\n" + store +
                        " n, 7\nfence.acq_rel.gpu\nst.relaxed.gpu f, 1\n"
                        "block 1 thread 0:\nawait f == 1 -> a within 1us\natom.relaxed.gpu.add n, 1 -> old\n"
                        "grid h <<<1, 1>>>\nthread 0:\nld.weak n -> last");
    };
    // The flag is read without an acquire: the atomic may read 0, and then write before the 7 or behind it.
    CHECK(handed_over("st.weak").contains("a=1 last=7 old=0"));
    CHECK(handed_over("st.weak").contains("a=1 last=1 old=0"));
    CHECK(handed_over("st.relaxed.gpu").contains("a=1 last=7 old=0"));
    CHECK(!handed_over("st.relaxed.gpu").contains("a=1 last=1 old=0"));
}

TEST_CASE("two atomics read one write only if it races with them (PTX 8.9.6, 8.10.3)") {
    const auto seen = [](const std::string& store) {
        return outcomes("memory n = 0\ngrid g <<<3, 1>>>\nblock 0 thread 0:\n" + store +
                        " n, 5\nblock 1 thread 0:\natom.relaxed.gpu.add n, 1 -> a\n"
                        "block 2 thread 0:\natom.relaxed.gpu.add n, 1 -> b");
    };
    const std::set<std::string> one_order{"a=0 b=1", "a=1 b=0", "a=0 b=5", "a=5 b=0", "a=5 b=6", "a=6 b=5"};
    CHECK(seen("st.relaxed.gpu") == one_order);
    // A weak store precedes neither of the atomics' writes in coherence order, so that none comes between.
    std::set<std::string> racing = one_order;
    racing.insert("a=5 b=5");
    CHECK(seen("st.weak") == racing);
}

TEST_CASE("what was released in the scope of a block reaches that block only, also through others' atomics") {
    // `trigger` keeps the order around a fence of block scope.
    const auto passed_on = [](const std::string& fence, const std::string& reader) {
        const std::string atomic = "thread 0:\natom.relaxed.gpu.add f, 1 -> a\n";
        const std::string read = "ld.acquire.gpu f -> b\nld.weak x -> c\n";
        return outcomes("memory x = 0, f = 0\ngrid g <<<2, 2>>>\nblock 0 thread 0:\nst.weak x, 1\ntrigger\n" + fence +
                        "\ntrigger\nst.relaxed.gpu f, 1\nblock 1 " + atomic + "block " + reader + " thread 1:\n" +
                        read);
    };
    CHECK(passed_on("fence.acq_rel.cta", "1").contains("a=1 b=2 c=0"));
    CHECK(!passed_on("fence.acq_rel.gpu", "1").contains("a=1 b=2 c=0"));
    CHECK(!passed_on("fence.acq_rel.cta", "0").contains("a=1 b=2 c=0"));
}

TEST_CASE("a fence of block scope acquires nothing from another block, also through its own block's atomics") {
    const auto acquired = [](const std::string& fence) {
        return outcomes("memory x = 0, f = 0\ngrid g <<<2, 2>>>\nblock 0 thread 0:\nst.weak x, 1\n"
                        "st.release.gpu f, 1\nblock 1 thread 0:\natom.relaxed.gpu.add f, 1 -> a\n"
                        "block 1 thread 1:\nld.relaxed.gpu f -> b\ntrigger\n" +
                        fence + "\ntrigger\nld.weak x -> c");
    };
    CHECK(acquired("fence.acq_rel.cta").contains("a=1 b=2 c=0"));
    CHECK(!acquired("fence.acq_rel.gpu").contains("a=1 b=2 c=0"));
}

TEST_CASE("a release of a wide scope is passed on by a store and an atomic of its block") {
    const std::set<std::string> seen =
        outcomes("memory x = 0, f = 0\ngrid g <<<2, 2>>>\nblock 0 thread 0:\nst.weak x, 1\nfence.acq_rel.gpu\n"
                 "st.relaxed.cta f, 1\nblock 0 thread 1:\natom.relaxed.gpu.add f, 1 -> a\n"
                 "block 1 thread 0:\nld.acquire.gpu f -> b\nld.weak x -> c");
    CHECK(seen.contains("a=1 b=2 c=1"));
    CHECK(!seen.contains("a=1 b=2 c=0"));
}

TEST_CASE("a release covers what precedes it in program order, not what was performed before it") {
    const std::set<std::string> seen =
        outcomes("memory f = 0, g = 0, z = 0\ngrid p <<<3, 1>>>\n"
                 "block 0 thread 0:\nld.relaxed.gpu g -> r\nst.release.gpu f, 1\nst.relaxed.gpu z, 1\n"
                 "block 1 thread 0:\nawait z == 1 -> a within 1us\nst.relaxed.gpu g, 1\n"
                 "block 2 thread 0:\nld.acquire.gpu f -> b\nld.weak z -> c");
    CHECK(seen.contains("a=1 b=1 c=0 r=1"));
}

TEST_CASE("an acquire says nothing of the reads that precede it in program order") {
    const std::set<std::string> seen =
        outcomes("memory x = 0, f = 0, z = 0\ngrid p <<<3, 1>>>\nblock 0 thread 0:\nst.weak x, 5\n"
                 "st.release.gpu f, 1\nblock 1 thread 0:\nld.weak x -> a\nld.acquire.gpu f -> b\n"
                 "st.relaxed.gpu z, 1\nblock 2 thread 0:\nawait z == 1 -> c within 1us\nst.weak x, 1\n"
                 "grid h <<<1, 1>>>\nthread 0:\nld.weak x -> last");
    CHECK(seen.contains("a=1 b=1 c=1 last=5"));
}

TEST_CASE("a fence of block scope acquires what another thread of the block has released, whatever the scopes") {
    const auto acquired = [](const std::string& ordering) {
        return outcomes("memory x = 0, y = 0\ngrid g <<<2, 2>>>\nblock 0 thread 0:\nst.weak x, 1\n"
                        "fence.acq_rel.gpu\nst.relaxed.gpu y, 1\nblock 0 thread 1:\nawait y == 1 -> a within 1us\n"
                        "fence.acq_rel.cta\natom." +
                        ordering + ".gpu.add x, 2 -> b\nblock 1 thread 0:\nred.relaxed.gpu.add y, 4");
    };
    CHECK(!acquired("relaxed").contains("a=1 b=0"));
    CHECK(!acquired("release").contains("a=1 b=0"));
    CHECK(acquired("release").contains("a=1 b=1"));
}
