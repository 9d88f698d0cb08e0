// SPDX-License-Identifier: Apache-2.0
// The list of faults, and that each is where it says.
#include "conformance/machine/machine.hpp"
#include "conformance/plan/lower_faults.hpp"
#include "harness/faults/faults_testing.hpp"

#include <regex>
#include <set>

using namespace pdlcts;

TEST_CASE("every fault has a name of its own, breaks a statement of the ledger, and says what it changes and how") {
    std::set<std::string_view> names;
    std::size_t place = 0;
    for (const FaultInfo& info : all_faults()) {
        CAPTURE(info.name);
        CHECK(static_cast<std::size_t>(info.fault) == ++place);
        CHECK(names.insert(info.name).second);
        CHECK(find_fault(info.name) == &info);
        CHECK(name_of(info.fault) == info.name);
        CHECK(std::regex_match(std::string(info.name), std::regex("[a-z]+(-[a-z]+)*")));
        CHECK(find_statement(embedded_ledger(), std::string(info.statement)) != nullptr);
        CHECK(info.change.ends_with("."));
        CHECK(info.cause.ends_with("."));
    }
    CHECK(names.size() >= 45);
    CHECK(find_fault("none") == nullptr);
    CHECK(find_fault("") == nullptr);
    CHECK(name_of(Fault::none) == "none");
}

TEST_CASE("a report is an issue or a pull request of a repository") {
    const std::regex one("[A-Za-z0-9_.-]+/[A-Za-z0-9_.-]+ (issue|pull) [1-9][0-9]*");
    std::size_t with_report = 0;
    for (const FaultInfo& info : all_faults()) {
        std::string reports(info.reports);
        with_report += reports.empty() ? 0 : 1;
        for (std::size_t comma = 0; !reports.empty(); reports.erase(0, comma)) {
            comma = std::min(reports.find(", "), reports.size());
            CHECK_MESSAGE(std::regex_match(reports.substr(0, comma), one), reports);
            comma = std::min(comma + 2, reports.size());
        }
    }
    CHECK(with_report >= 20);
}

TEST_CASE("a fault that has no rule to break in a program leaves all its outcomes as they are") {
    std::size_t without = 0;
    for (const char* id : {"wait/two-events-are-both-covered", "wait/beyond-a-middle-that-waits",
                           "model/default-serialization", "trigger/kickoff-requires-all-blocks",
                           "visibility/flag-between-running-grids", "event-launch-completion/overtaken",
                           "trigger/fence-before-the-trigger", "stream/memset-before-a-secondary"}) {
        const Program& program = case_of(id).litmus.program;
        const Plan plan = *lower(program, Route::stream);
        const Exploration sound = explore(program, plan);
        for (const FaultInfo& info : all_faults()) {
            Result<Sampler> sampler = Sampler::make(program, plan, info.fault);
            REQUIRE(sampler);
            if (!sampler->has_fault()) {
                CAPTURE(info.name);
                CAPTURE(id);
                const Exploration faulty = explore(program, plan, {}, info.fault);
                CHECK(faulty.outcomes == sound.outcomes);
                CHECK(faulty.stuck == sound.stuck);
                ++without;
            }
        }
    }
    CHECK(without > 100);
}

TEST_CASE("what a launch does wrong is no part of a graph that was built by hand") {
    const Program& program = case_of("graph-capture/pss-port").litmus.program;
    const Plan sound = *lower(program, Route::edges);
    for (const FaultInfo& info : all_faults()) {
        CAPTURE(info.name);
        CHECK(lower(program, Route::edges, info.fault)->nodes == sound.nodes);
        const bool by_hand = info.fault == Fault::explicit_edges_treated_as_default;
        const bool again =
            info.fault == Fault::replay_loses_annotated_edges || info.fault == Fault::replay_keeps_the_triggers;
        CHECK((as_launched(program, sound, info.fault, false).nodes != sound.nodes) == by_hand);
        CHECK((as_launched(program, sound, info.fault, true).nodes != sound.nodes) == (by_hand || again));
    }
}

TEST_CASE("what a faulty route builds") {
    const auto built = [](const char* id, Route route, Fault fault) {
        const Program& program = case_of(id).litmus.program;
        return print_dependencies(program, *lower(program, route, fault));
    };
    using Lines = std::vector<std::string>;
    CHECK(built("graph-capture/pss-port", Route::captured, Fault::capture_drops_edge_types) ==
          Lines{"primary -> secondary: type default, port default"});
    CHECK(built("graph-capture/pss-port", Route::cloned, Fault::capture_drops_edge_types) ==
          Lines{"primary -> secondary: type default, port default"});
    CHECK(built("graph-capture/event-blockstart-port", Route::captured, Fault::capture_swaps_event_ports) ==
          Lines{"primary -> secondary: type programmatic, port programmatic"});
    CHECK(built("stream/memset-before-a-secondary", Route::stream, Fault::pss_applied_across_a_memset) ==
          Lines{"primary -> memset y: type default, port default",
                "primary -> secondary: type programmatic, port programmatic"});
    CHECK(built("model/attribute-on-primary-only", Route::stream, Fault::pss_of_the_primary_taken_for_the_secondarys) ==
          Lines{"primary -> secondary: type programmatic, port programmatic"});
    CHECK(built("stream/plain-kernel-behind-an-unwaited-primary", Route::stream,
                Fault::plain_kernel_forgets_an_unwaited_primary) ==
          Lines{"primary -> secondary: type programmatic, port programmatic",
                "secondary -> plain: type default, port default"});
}
