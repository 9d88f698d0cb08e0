// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/requirements.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

// What an H200 says of itself.
constexpr DeviceLimits hopper{true, 4, 232448, -5, 0, true, false};

std::string why(const std::string& text, const DeviceLimits& limits) {
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return why_unsupported(*litmus, limits).value_or("");
}

std::string why_grid(const std::string& attributes, const DeviceLimits& limits) {
    return why("grid g <<<4, 32>>> " + attributes + "\nends\n", limits);
}

bool contains(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a GPU that lacks what a grid asks for says what") {
    CHECK(why_grid("cluster 4 priority -5 domain remote shared_memory 232448", hopper).empty());
    DeviceLimits limits = hopper;
    limits.launches_clusters = false;
    CHECK(contains(why_grid("cluster 2", limits), "grid g has clusters"));
    CHECK(why_grid("", limits).empty());
    limits = hopper;
    limits.why_no_peer = "none of the others will do";
    CHECK(why_grid("on s peer", limits) == "grid g is on a second GPU, and none of the others will do");
    limits.has_peer = true;
    CHECK(why_grid("on s peer", limits).empty());
    const auto why_atomic = [&](const std::string& instruction) {
        return why("memory x = 0\ngrid g <<<1, 32>>> on s peer\n  shared tile = 0\n  thread 0:\n      " + instruction +
                       "\nends\n",
                   limits);
    };
    CHECK(contains(why_atomic("red.relaxed.sys.add x, 1"), "grid g has atomics"));
    CHECK(why_atomic("st.relaxed.sys x, 1").empty());
    CHECK(why_atomic("red.relaxed.cta.add tile, 1").empty());
    limits.has_peer_atomics = true;
    CHECK(why_atomic("red.relaxed.sys.add x, 1").empty());
    limits = hopper;
    limits.memory_sync_domains = 1;
    CHECK(contains(why_grid("domain remote", limits), "one domain"));
    CHECK(why_grid("domain default", limits).empty());
    CHECK(contains(why_grid("priority -6", hopper), "priority -6, and this GPU has -5 to 0"));
    CHECK(contains(why_grid("priority 1", hopper), "priority 1"));
    limits = hopper;
    limits.shared_memory_a_block = 65536;
    CHECK(contains(why_grid("shared_memory 65537", limits), "65537 bytes of shared memory, and this GPU has 65536"));
}

TEST_CASE("shared memory is what is declared, in whole lines of 16 bytes, and what the launch asks for") {
    const std::string text = "grid g <<<1, 32>>> shared_memory 232401\n  shared a = 0, b[5] = 0\n"
                             "  mbarrier m = 1\nends\n";
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    CHECK(declared_shared_memory(std::get<Grid>(litmus->program.operations[0])) == 16 + 32 + 8);
    CHECK(contains(why(text, hopper), "232457 bytes"));
}

TEST_CASE("host memory needs a GPU that reaches it, and shared atomics one whose are the host's too") {
    const std::string text = "host_memory h = 0, i = 0\ngrid g <<<1, 32>>>\n  thread 0:\n"
                             "      red.relaxed.sys.add h, 1\n"
                             "host f\n    write i, 1\nends\n";
    CHECK(why(text, hopper).empty());
    DeviceLimits limits = hopper;
    limits.maps_host_memory = false;
    CHECK(contains(why(text, limits), "host memory"));
    const std::string both = "host_memory h = 0\nwrite h, 1\ngrid g <<<1, 32>>>\n  thread 0:\n"
                             "      red.relaxed.sys.add h, 1\nends\n";
    CHECK(contains(why(both, hopper), "the host writes h"));
    limits = hopper;
    limits.has_host_atomics = true;
    CHECK(why(both, limits).empty());
}

TEST_CASE("a control that the GPU cannot run is named so") {
    const std::string text = "- grid g <<<4, 32>>>\n+ grid g <<<4, 32>>> priority 7\nends\n";
    CHECK(contains(why(text, hopper), "the control: grid g has priority 7"));
}
