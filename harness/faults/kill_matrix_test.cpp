// SPDX-License-Identifier: Apache-2.0
// The kill matrix of a few faults and cases, against what each fault has to do to each case by the statements.
#include "harness/faults/kill_matrix.hpp"

#include "harness/faults/faults_testing.hpp"

#include <set>

using namespace pdlcts;

namespace {

/// Cases that speak of as many rules.
constexpr const char* some_cases[] = {
    "wait/blocks-until-completion",
    "wait/holds-one-thread-only",
    "wait/in-a-plain-launch",
    "visibility/barrier-behind-one-wait",
    "trigger/kickoff-requires-all-blocks",
    "trigger/plain-successor",
    "stream/memset-before-a-secondary",
    "event-programmatic/all-blocks-have-to-trigger",
    "event-launch-completion/fires",
};

using Names = std::set<std::string>;

struct Expected {
    Fault fault;
    Names failed;      ///< cases that FAIL
    Names only_killed; ///< that end in something else
};

const Expected expectations[] = {
    // Controls that wait no longer show that the wait holds them.
    {Fault::wait_returns_at_once,
     {"wait/blocks-until-completion", "visibility/barrier-behind-one-wait"},
     {"wait/holds-one-thread-only", "wait/in-a-plain-launch"}},
    {Fault::wait_without_flush, {"wait/blocks-until-completion", "visibility/barrier-behind-one-wait"}, {}},
    {Fault::wait_speaks_to_its_thread_alone, {"visibility/barrier-behind-one-wait"}, {}},
    {Fault::wait_holds_the_whole_block, {}, {"wait/holds-one-thread-only"}},
    // A plain successor that waits is such a grid, too; that case makes no claim of its end.
    {Fault::wait_without_prerequisite_hangs, {"wait/in-a-plain-launch"}, {"trigger/plain-successor"}},
    {Fault::one_triggered_block_is_enough,
     {"trigger/kickoff-requires-all-blocks", "event-programmatic/all-blocks-have-to-trigger"},
     {}},
    {Fault::programmatic_event_after_the_first_block, {"event-programmatic/all-blocks-have-to-trigger"}, {}},
    // The memset, too, is a plain successor.
    {Fault::plain_successor_overlaps, {"trigger/plain-successor", "stream/memset-before-a-secondary"}, {}},
    {Fault::pss_applied_across_a_memset, {"stream/memset-before-a-secondary"}, {}},
    {Fault::pss_applied_across_a_copy, {}, {}},
    {Fault::launch_completion_event_never_fires, {"event-launch-completion/fires"}, {}},
    {Fault::launch_completion_event_at_the_end, {}, {"event-launch-completion/fires"}},
};

Names names_of(const std::vector<std::string>& texts) {
    return {texts.begin(), texts.end()};
}

} // namespace

TEST_CASE("each fault kills the cases of its rule, and leaves the others alone") {
    std::vector<Case> cases;
    for (const char* id : some_cases) {
        cases.push_back(case_of(id));
    }
    KillOptions options;
    for (const Expected& expected : expectations) {
        options.faults.push_back(find_fault(name_of(expected.fault)));
    }
    const KillMatrix matrix = kill_matrix(cases, options);
    CHECK(matrix.weak.empty());
    REQUIRE(matrix.faults.size() == std::size(expectations));
    for (const Expected& expected : expectations) {
        const auto row = std::find_if(matrix.faults.begin(), matrix.faults.end(),
                                      [&](const FaultRow& each) { return each.info->fault == expected.fault; });
        REQUIRE(row != matrix.faults.end());
        CAPTURE(row->info->name);
        Names killed = expected.failed;
        killed.insert(expected.only_killed.begin(), expected.only_killed.end());
        CHECK(names_of(row->failed_by()) == expected.failed);
        CHECK(names_of(row->killed_by()) == killed);
        CHECK((row->trials_to_kill == 0) == killed.empty());
    }
    CHECK_FALSE(matrix.every_fault);
    CHECK(matrix.unused.empty());
}

TEST_CASE("the score is of the faults that can be noticed, and one that is said to be equivalent must not be") {
    static const FaultInfo noticeable{
        .fault = Fault::no_overlap, .name = "a", .statement = "b", .change = "c.", .cause = "d."};
    static const FaultInfo hidden{.fault = Fault::pss_ignored,
                                  .name = "e",
                                  .statement = "b",
                                  .change = "c.",
                                  .cause = "d.",
                                  .equivalent_because = "nobody can tell"};
    const KillingCell cell{"wait/repeated", Route::stream, Verdict::pass, Verdict::fail, "", true};
    KillMatrix matrix;
    matrix.faults = {{&noticeable, {cell}, 1}, {&hidden, {}, 0}};
    CHECK(matrix.killed() == 1);
    CHECK(matrix.not_equivalent() == 1);
    CHECK(matrix.holds());
    matrix.faults[1].cells = {cell};
    CHECK_FALSE(matrix.holds());
    matrix.faults[1].cells = matrix.faults[0].cells = {};
    CHECK(matrix.killed() == 0);
    CHECK_FALSE(matrix.holds());
    matrix.faults[0].cells = {cell};
    matrix.guarantees = {{"wait.repeat-returns", {}}};
    CHECK(matrix.holds()); // faults were selected
    matrix.every_fault = true;
    CHECK_FALSE(matrix.holds());
}

TEST_CASE("what counts as a kill") {
    CHECK(is_kill(Verdict::pass, Verdict::fail));
    CHECK(is_kill(Verdict::recorded, Verdict::unexplained));
    CHECK(is_kill(Verdict::recorded, Verdict::timeout));
    CHECK(is_kill(Verdict::pass, Verdict::vacuous));
    CHECK(is_kill(Verdict::observed, Verdict::not_observed));
    CHECK_FALSE(is_kill(Verdict::pass, Verdict::pass));
    CHECK_FALSE(is_kill(Verdict::fail, Verdict::fail));
    CHECK_FALSE(is_kill(Verdict::not_observed, Verdict::vacuous)); // there was nothing to take away
    CHECK_FALSE(is_kill(Verdict::pass, Verdict::recorded));        // the driver says what it has built
    CHECK_FALSE(is_kill(Verdict::not_observed, Verdict::observed));
}
