// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/parser.hpp"
#include "conformance/plan/lower.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

using Lines = std::vector<std::string>;

Plan planned(const std::string& operations, Route route) {
    const Result<Litmus> litmus = parse_litmus(operations + "\nends\n", "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    const Result<Plan> plan = lower(litmus->program, route);
    REQUIRE_MESSAGE(plan, (plan ? "" : plan.error().message));
    return *plan;
}

Lines dependencies(const std::string& operations, Route route) {
    const Result<Litmus> litmus = parse_litmus(operations + "\nends\n", "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    return print_dependencies(litmus->program, planned(operations, route));
}

std::string refusal(const std::string& operations, Route route) {
    const Result<Litmus> litmus = parse_litmus(operations + "\nends\n", "example.litmus");
    REQUIRE_MESSAGE(litmus, (litmus ? "" : litmus.error().message));
    const Result<Plan> plan = lower(litmus->program, route);
    return plan ? "" : plan.error().message;
}

const std::string full = ": type default, port default";
const std::string programmatic = ": type programmatic, port programmatic";
const std::string at_block_start = ": type programmatic, port launch completion";
const std::string launch_completion = ": type default, port launch completion";

} // namespace

TEST_CASE("one stream, every route: pss relaxes the order behind a kernel") {
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        CHECK(dependencies("grid a <<<1, 1>>>\ngrid b <<<1, 1>>>", route) == Lines{"a -> b" + full});
        CHECK(dependencies("grid a <<<1, 1>>>\ngrid b <<<1, 1>>> pss", route) == Lines{"a -> b" + programmatic});
        CHECK(dependencies("grid a <<<1, 1>>>\ngrid b <<<1, 1>>> pss = 0", route) == Lines{"a -> b" + full});
        CHECK(dependencies("grid a <<<1, 1>>>\ngrid b <<<1, 1>>> pss = 7", route) == Lines{"a -> b" + programmatic});
        CHECK(dependencies("grid a <<<1, 1>>> pss", route).empty());
        // stream.copy-completes-before-pss-kernel
        CHECK(dependencies("memory x = 0\ngrid a <<<1, 1>>>\nmemset x, 7\ngrid b <<<1, 1>>> pss", route) ==
              Lines{"a -> memset x" + full, "memset x -> b" + full});
        CHECK(dependencies("grid a <<<1, 1>>>\nrecord e\ngrid b <<<1, 1>>> pss", route) ==
              Lines{"a -> b" + programmatic});
        // attr.pss.previous-kernel-in-stream: C depends on B alone.
        CHECK(dependencies("grid a <<<1, 1>>>\ngrid b <<<1, 1>>> pss\ngrid c <<<1, 1>>> pss", route) ==
              Lines{"a -> b" + programmatic, "b -> c" + programmatic});
    }
}

TEST_CASE("a plain operation waits for its whole stream, but in a graph only for what its edges name") {
    const std::string chain = "grid a <<<1, 1>>>\ngrid b <<<1, 1>>> pss\ngrid c <<<1, 1>>>";
    CHECK(dependencies(chain, Route::stream) == Lines{"a -> b" + programmatic, "a -> c" + full, "b -> c" + full});
    CHECK(dependencies(chain, Route::captured) == Lines{"a -> b" + programmatic, "b -> c" + full});
    CHECK(dependencies(chain, Route::edges) == Lines{"a -> b" + programmatic, "b -> c" + full});
}

TEST_CASE("programmatic and launch-completion events across streams") {
    const auto events = [](const std::string& attribute) {
        return "grid a <<<1, 1>>> on s " + attribute + "\nwait_event e on t\ngrid b <<<1, 1>>> on t";
    };
    for (const Route route : all_routes) {
        CAPTURE(static_cast<int>(route));
        CHECK(dependencies(events("programmatic_event e"), route) == Lines{"a -> b" + programmatic});
        CHECK(dependencies(events("programmatic_event e at_block_start"), route) == Lines{"a -> b" + at_block_start});
        CHECK(dependencies(events("launch_completion_event e"), route) == Lines{"a -> b" + launch_completion});
        // In the primary's own stream the stream's order is the stronger one.
        CHECK(dependencies("grid a <<<1, 1>>> programmatic_event e\nwait_event e\ngrid b <<<1, 1>>>", route) ==
              Lines{"a -> b" + full});
        CHECK(dependencies("grid a <<<1, 1>>> on s\ngrid b <<<1, 1>>> on t pss", route).empty());
    }
    CHECK(planned(events("programmatic_event e"), Route::captured).undocumented.empty());
    CHECK(planned(events("launch_completion_event e"), Route::captured).undocumented.size() == 1);
    CHECK(planned(events("launch_completion_event e"), Route::edges).undocumented.empty());
}

TEST_CASE("an event carries all earlier work of its stream, and what that stream itself waits for") {
    const std::string across = "grid a <<<1, 1>>> on s\nrecord e on s\nwait_event e on t\nrecord f on t\n"
                               "wait_event f on u\ngrid b <<<1, 1>>> on u";
    const std::string unwaited = "grid a <<<1, 1>>> on s\ngrid b <<<1, 1>>> on s pss\nrecord e on s\n"
                                 "wait_event e on t\ngrid c <<<1, 1>>> on t";
    for (const Route route : all_routes) {
        CHECK(dependencies(across, route) == Lines{"a -> b" + full});
    }
    // stream.event-covers-unwaited-primary
    CHECK(dependencies(unwaited, Route::stream) == Lines{"a -> b" + programmatic, "a -> c" + full, "b -> c" + full});
    CHECK(dependencies(unwaited, Route::captured) == Lines{"a -> b" + programmatic, "b -> c" + full});
}

TEST_CASE("pss behind an event: ordered in a stream, undocumented in a capture") {
    const std::string waited = "grid a <<<1, 1>>> on s\nrecord e on s\nwait_event e on t\ngrid b <<<1, 1>>> on t pss";
    CHECK(dependencies(waited, Route::stream) == Lines{"a -> b" + full});
    CHECK(dependencies(waited, Route::edges) == Lines{"a -> b" + full});
    CHECK(dependencies(waited, Route::captured) == Lines{"a -> b" + programmatic});
    CHECK(planned(waited, Route::captured).undocumented.size() == 1);
    const std::string both = "grid a <<<1, 1>>> on s\nrecord e on s\ngrid b <<<1, 1>>> on t\nwait_event e on t\n"
                             "grid c <<<1, 1>>> on t pss";
    CHECK(dependencies(both, Route::stream) == Lines{"a -> c" + full, "b -> c" + programmatic});
    CHECK(planned(both, Route::captured).undocumented.size() == 1);
}

TEST_CASE("what a graph cannot express is refused with the reason") {
    const std::string into_memset = "memory x = 0\ngrid a <<<1, 1>>> on s programmatic_event e\nwait_event e on t\n"
                                    "memset x, 1 on t";
    CHECK(refusal(into_memset, Route::stream).empty());
    CHECK(refusal(into_memset, Route::captured).find("graph.edge.kernel-nodes-only") != std::string::npos);
    CHECK(refusal(into_memset, Route::edges).find("graph.edge.kernel-nodes-only") != std::string::npos);
    const std::string dangling = "grid a <<<1, 1>>> on s programmatic_event e\nwait_event e on t";
    CHECK(refusal(dangling, Route::captured).find("left at the end of the capture") != std::string::npos);
    CHECK(refusal(dangling, Route::edges).empty());
}

TEST_CASE("implied dependencies are left out, and dependencies point backwards") {
    const Plan plan =
        planned("grid a <<<1, 1>>>\ngrid b <<<1, 1>>>\ngrid c <<<1, 1>>>\ngrid d <<<1, 1>>>", Route::stream);
    for (std::size_t node = 0; node < plan.nodes.size(); ++node) {
        CHECK(plan.nodes[node].dependencies.size() == (node == 0 ? 0 : 1));
        for (const Dependency& dependency : plan.nodes[node].dependencies) {
            CHECK(dependency.upstream + 1 == node);
        }
    }
}
