// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/catalogue/catalogue.hpp"
#include "harness/gpu/gpu.hpp"
#include "harness/judge/cell.hpp"

#include <functional>
#include <optional>

/// From a case and what happened to it, to the cell that is judged and kept.
namespace pdlcts {

/// Trials of the program of a cell, and as many of its control. A standard run makes twice what a PASS needs to be
/// armed: on a device that arms half of its trials a case still counts.
constexpr std::uint64_t trials_of_a_cell(bool quick) {
    return quick ? 250 : 2000;
}

/// The same of this cell: what no document settles is RECORDED whatever it shows, and a quarter shows it as well. What
/// shows itself where memory is busy (`load memory`) shows itself seldom: an H200 in 0 to 9 of 2,000 trials, so five
/// times as many tell it from one that never does.
std::uint64_t trials_of(const Cell& cell, const Litmus& litmus, bool quick);

/// What the machine has to say of a case on a route before a device is asked: a cell without an observation, or the
/// reason why there is none.
Result<Cell> prepare_cell(const Case& listed, Route route, const Thresholds& thresholds, const Ledger& ledger);

/// The routes on which a run has cells of the case: those that were asked for and on which it makes its claim, and its
/// own where nobody asked.
std::vector<Route> wanted_routes(const Case& listed, std::span<const Route> asked, const Ledger& ledger);

/// Those of its own routes that can express the case, and so have a cell.
std::vector<Route> routes_with_cell(const Case& listed, const Ledger& ledger);

/// The cell of a run on the machine.
Result<Cell> machine_cell(const Case& listed, Route route, const Ledger& ledger);

/// What the machine allows of a program on a plan, as an observation has it.
struct AllowedSet {
    bool decided = false;
    std::vector<std::string> outcomes;
    bool operator==(const AllowedSet&) const = default;
};
AllowedSet allowed_set(const Program& program, const Plan& plan);
using AllowedSetOf = std::function<AllowedSet(const Program&, const Plan&)>;

/// Fills in what happened on a device: the form, the allowed sets of the plan that was really built, image, digest.
/// `other` is the run of the second form of an equivalence. `allowed`: who is asked what the machine allows; they may
/// know it from before (machine_answers.hpp).
void record_run(Cell& cell, const Case& listed, const CompiledCase& compiled, RouteRun run,
                std::optional<RouteRun> other, const AllowedSetOf& allowed = allowed_set);

/// Whether the blocks of a launch can be instances of program and control (conformance/plan/instances.hpp): the machine
/// proves it of the plans that the run had.
bool proves_instances(const Litmus& litmus, const RouteRun& run);

/// Files a run of instances beside the trials of its form. What went wrong in it goes wrong with the form.
void record_instances(RouteRun& trials, RouteRun instances);

/// The digest that a cell carries: the case's canonical text, the route, the image, and the source that ran.
std::string digest_of_run(const Litmus& litmus, Route route, std::string_view image, std::string_view source);

/// Who wrote a results file, by its own word.
enum class WrittenBy {
    another_suite,
    /// One with the same cases: what a case claims is then known, whatever else has changed.
    a_suite_with_these_cases,
    /// This one: then a cell's digest is known too.
    this_suite,
};

/// Derives again, with the machine, what a results file says that the machine allows and answers. Cells whose case is
/// not, or no longer, the one of this program are counted; of them only the claim is held to the case, where the file
/// says that the cases are the same.
struct MachineReview {
    std::vector<std::string> differences;
    std::size_t reviewed = 0;
    std::size_t other_version = 0;
};
MachineReview review_with_machine(std::span<const Cell> cells, const Ledger& ledger, WrittenBy written_by);

/// The cells that a run of every case of this suite has, and these cells lack: `trigger/implicit-on-exit on stream`.
std::vector<std::string> missing_cells(std::span<const Cell> cells, const Ledger& ledger);

} // namespace pdlcts
