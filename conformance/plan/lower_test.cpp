// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/parser.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/plan/routes.hpp"

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

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
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
        // stream.copy-completes-before-pss-kernel, ambiguity.a15-pss-behind-non-kernel
        CHECK(dependencies("memory x = 0\ngrid a <<<1, 1>>>\nmemset x, 7\ngrid b <<<1, 1>>> pss", route) ==
              Lines{"a -> memset x" + full, "memset x -> b" + full});
        CHECK(dependencies("memory x = 0, y = 0\ngrid a <<<1, 1>>>\nmemcpy y, x\ngrid b <<<1, 1>>> pss", route) ==
              Lines{"a -> memcpy y, x" + full, "memcpy y, x -> b" + full});
        CHECK(dependencies("host_memory h = 0\ngrid a <<<1, 1>>>\nhost publish\n  write h, 1\n"
                           "grid b <<<1, 1>>> pss",
                           route) == Lines{"a -> host publish" + full, "host publish -> b" + full});
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
    const std::string event = "grid a <<<1, 1>>> on s programmatic_event e\nwait_event e on t\n";
    const std::pair<std::string, std::string> operations[] = {
        {"memset x, 1 on t", "memset x"}, {"memcpy y, x on t", "memcpy y, x"}, {"host look on t", "host look"}};
    for (const auto& each : operations) {
        CAPTURE(each.second);
        const std::string program = "memory x = 0, y = 0\n" + event + each.first;
        CHECK(dependencies(program, Route::stream) == Lines{"a -> " + each.second + programmatic});
        for (const Route route : {Route::captured, Route::edges}) {
            CHECK(contains(refusal(program, route), "graph.edge.kernel-nodes-only"));
            CHECK(contains(refusal(program, route), each.second));
        }
    }
    CHECK(contains(refusal(event, Route::captured), "left at the end of the capture"));
    CHECK(contains(refusal(event, Route::captured), "graph.capture.partial-edge-not-discardable"));
    CHECK(refusal(event, Route::edges).empty());
}

TEST_CASE("a graph has no place for what the host's thread does itself, and says so") {
    const std::string a = "host_memory h[2] = 0\ngrid a <<<1, 1>>> on s\nrecord e on s\n";
    const auto refused_in_graphs = [&](const std::string& operation, const std::string& advice) {
        CAPTURE(operation);
        CHECK(refusal(a + operation, Route::stream).empty());
        for (const Route route : {Route::captured, Route::edges}) {
            CHECK(contains(refusal(a + operation, route), "`" + operation + "`"));
            CHECK(contains(refusal(a + operation, route), advice));
        }
    };
    refused_in_graphs("sync stream on s", "write `routes stream`");
    refused_in_graphs("sync event e", "write `routes stream`");
    refused_in_graphs("sync device", "write `routes stream`");
    refused_in_graphs("read h[1] -> seen", "put it into a host function");
    refused_in_graphs("write h[0], 7", "put it into a host function");
    CHECK(refusal(a + "host publish on s\n  write h[0], 7", Route::captured).empty());
}

TEST_CASE("copies and host functions are nodes of a graph like memsets") {
    // graph.edge.zero-is-full-serialization
    const std::string chain = "memory x = 0, y = 0\nhost_memory h = 0\ngrid a <<<1, 1>>> on s\nmemcpy y, x on s\n"
                              "host look on s\n  read h -> r\ngrid b <<<1, 1>>> on s";
    for (const Route route : all_routes) {
        CHECK(dependencies(chain, route) ==
              Lines{"a -> memcpy y, x" + full, "memcpy y, x -> host look" + full, "host look -> b" + full});
    }
    // stream.copy-after-chain; in a graph the copy has one edge, and ambiguity.a22-plain-successor-of-unwaited holds.
    const std::string unwaited = "memory x = 0, y = 0\ngrid a <<<1, 1>>>\ngrid b <<<1, 1>>> pss\nmemcpy y, x";
    CHECK(dependencies(unwaited, Route::stream) ==
          Lines{"a -> b" + programmatic, "a -> memcpy y, x" + full, "b -> memcpy y, x" + full});
    CHECK(dependencies(unwaited, Route::edges) == Lines{"a -> b" + programmatic, "b -> memcpy y, x" + full});
}

TEST_CASE("what the host issues after a sync comes after what was waited for") {
    // cudaStreamSynchronize is about its stream alone.
    CHECK(dependencies("grid a <<<1, 1>>> on s\ngrid b <<<1, 1>>> on t\nsync stream on s\ngrid c <<<1, 1>>> on u",
                       Route::stream) == Lines{"a -> sync stream on s" + full, "sync stream on s -> c" + full});
    // stream.sync-covers-unwaited-primary
    CHECK(dependencies("host_memory h = 0\ngrid a <<<1, 1>>>\ngrid b <<<1, 1>>> pss\nsync stream\nread h -> r",
                       Route::stream) == Lines{"a -> b" + programmatic, "a -> sync stream" + full,
                                               "b -> sync stream" + full, "sync stream -> read h -> r" + full});
    CHECK(dependencies("grid a <<<1, 1>>> on s\ngrid b <<<1, 1>>> on t\nsync device\ngrid c <<<1, 1>>> on t pss",
                       Route::stream) == Lines{"a -> sync device" + full, "b -> sync device" + full,
                                               "b -> c" + programmatic, "sync device -> c" + full});
    // An operation that waits for an event is the stream's, so that the stream's end comes after the event.
    CHECK(dependencies("grid a <<<1, 1>>> on s\nrecord e on s\nwait_event e on t\nsync stream on t", Route::stream) ==
          Lines{"a -> sync stream on t" + full});
    CHECK(dependencies("sync device\nsync stream on s\ngrid a <<<1, 1>>> on s", Route::stream) ==
          Lines{"sync device -> sync stream on s" + full, "sync stream on s -> a" + full});
}

TEST_CASE("the host waits for an event as a stream would") {
    const auto synchronized = [](const std::string& attribute) {
        return "grid a <<<1, 1>>> on s " + attribute + "\nsync event e\ngrid b <<<1, 1>>> on t";
    };
    // ambiguity.a18-non-kernel-waits-programmatic-event: a time, and no view
    CHECK(dependencies(synchronized("programmatic_event e"), Route::stream) ==
          Lines{"a -> sync event e" + programmatic, "sync event e -> b" + full});
    CHECK(dependencies(synchronized("programmatic_event e at_block_start"), Route::stream) ==
          Lines{"a -> sync event e" + at_block_start, "sync event e -> b" + full});
    CHECK(dependencies(synchronized("launch_completion_event e"), Route::stream) ==
          Lines{"a -> sync event e" + launch_completion, "sync event e -> b" + full});
    // stream.event-covers-unwaited-primary; what follows the record in the stream is not waited for.
    CHECK(dependencies("grid a <<<1, 1>>> on s\ngrid b <<<1, 1>>> on s pss\nrecord e on s\ngrid c <<<1, 1>>> on s\n"
                       "sync event e",
                       Route::stream) == Lines{"a -> b" + programmatic, "a -> c" + full, "b -> c" + full,
                                               "a -> sync event e" + full, "b -> sync event e" + full});
}

TEST_CASE("the host's thread is a chain, no part of any stream") {
    CHECK(dependencies("host_memory h = 0\nwrite h, 1\ngrid a <<<1, 1>>> on s\nread h -> early\n"
                       "grid b <<<1, 1>>> on s pss\ngrid c <<<1, 1>>> on t\nwrite h, 2",
                       Route::stream) ==
          Lines{"write h, 1 -> a" + full, "write h, 1 -> read h -> early" + full,
                // attr.pss.previous-kernel-in-stream: nothing of the stream lies between a and b.
                "a -> b" + programmatic, "read h -> early -> b" + full, "read h -> early -> c" + full,
                "read h -> early -> write h, 2" + full});
    // The host function is the stream's, and the thread does not wait for it.
    CHECK(dependencies("host_memory h = 0\nhost publish\n  write h, 1\nread h -> r\ngrid a <<<1, 1>>>",
                       Route::stream) == Lines{"host publish -> a" + full, "read h -> r -> a" + full});
}

TEST_CASE("a detour changes nothing of a plan but its route") {
    const std::string program =
        "memory x = 0\nstream s, t\ngrid a <<<1, 1>>> on s programmatic_event e\nwait_event e on t\n"
        "grid b <<<1, 1>>> on t\nmemset x, 7 on s\ngrid c <<<1, 1>>> on s\n"
        "grid d <<<1, 1>>> on s pss launch_completion_event l\nwait_event l on t\n"
        "grid f <<<1, 1>>> on t";
    const std::pair<Route, Route> detours[] = {{Route::cloned, Route::captured},
                                               {Route::child, Route::edges},
                                               {Route::updated, Route::captured},
                                               {Route::driver, Route::stream}};
    for (const auto& [route, basic] : detours) {
        Plan plan = planned(program, route);
        CHECK(plan.route == route);
        plan.route = basic;
        CHECK(plan == planned(program, basic));
        const std::string host = "host_memory h = 0\ngrid a <<<1, 1>>>\nread h -> r";
        CHECK(refusal(host, route) == refusal(host, basic));
        CHECK(launches_graph(route) == launches_graph(basic));
    }
    CHECK_FALSE(launches_graph(Route::driver));
    CHECK(launches_graph(Route::child));
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
