// SPDX-License-Identifier: Apache-2.0
#include "harness/faults/kill_matrix.hpp"

#include "conformance/support/parallel.hpp"
#include "harness/command/machine_answers.hpp"
#include "harness/faults/sampled_gpu.hpp"
#include "harness/worker/seeds.hpp"

#include <algorithm>
#include <optional>
#include <set>

namespace pdlcts {
namespace {

constexpr std::uint64_t seeds_of_a_median = 5;

/// A cell of the sound machine, with what the faulty ones are compared with.
struct SoundCell {
    std::size_t case_index = 0;
    std::size_t number = 0; ///< of the cell, from 1 on: it draws the seed
    Cell prepared;          ///< without an observation
    Cell cell;
    Verdict verdict = Verdict::missing;
};

bool same_trials(const Observation& one, const Observation& other) {
    return one.tally == other.tally && one.structure == other.structure;
}

bool same_trials(const Form& one, const Form& other) {
    return same_trials(one.program, other.program) && one.control.has_value() == other.control.has_value() &&
           (!one.control || same_trials(*one.control, *other.control));
}

class Runner {
public:
    /// `machine`: what runs on these cases have asked of it.
    Runner(const std::vector<Case>& cases, Fault fault, const KillOptions& options, MachineAnswers& machine)
        : cases_(cases), gpu_(fault), options_(options), machine_(machine) {
        std::vector<const Litmus*> programs;
        for (const Case& listed : cases) {
            programs.push_back(&listed.litmus);
        }
        compiled_ = gpu_.compile(programs);
    }

    /// The cell as a run of the product makes it.
    Cell run(const SoundCell& place) {
        Cell cell = place.prepared;
        const Case& listed = cases_[place.case_index];
        const Result<CompiledCase>& compiled = compiled_[place.case_index];
        if (!compiled) {
            cell.incident = Incident::harness_error;
            cell.incident_detail = compiled.error().message;
            return cell;
        }
        RouteRun first = run_form(place, cell.form.route, 0);
        std::optional<RouteRun> second;
        if (const std::optional<Route> other = other_route(listed, embedded_ledger())) {
            second = run_form(place, *other, 1);
        }
        record_run(cell, listed, *compiled, std::move(first), std::move(second),
                   [this](const Program& program, const Plan& plan) { return machine_.answer(program, plan); });
        return cell;
    }

    /// Whether the fault can show in a cell at all: if not, its trials are the sound machine's.
    bool can_show(const SoundCell& place) {
        const Result<CompiledCase>& compiled = compiled_[place.case_index];
        const std::optional<Route> other = other_route(cases_[place.case_index], embedded_ledger());
        return !compiled || gpu_.has_fault(*compiled, place.prepared.form.route) ||
               (other && gpu_.has_fault(*compiled, *other));
    }

    /// The trial of a cell's program, from 1 on, that violates first; nothing where none of the run does.
    std::optional<std::uint64_t> first_violation(const SoundCell& place, std::uint64_t seed) {
        return gpu_.first_violation(*compiled_[place.case_index], place.prepared.form.route,
                                    seed_of(seed, place.number, 0), trials_of_a_cell(true));
    }

private:
    RouteRun run_form(const SoundCell& place, Route route, std::uint64_t form) {
        TrialOptions trials;
        trials.trials = trials_of_a_cell(true);
        trials.seed = seed_of(options_.seed, place.number, form);
        return gpu_.run(cases_[place.case_index].litmus, *compiled_[place.case_index], route, trials);
    }

    const std::vector<Case>& cases_;
    SampledGpu gpu_;
    const KillOptions& options_;
    MachineAnswers& machine_;
    std::vector<Result<CompiledCase>> compiled_;
};

std::vector<SoundCell> run_sound(const std::vector<Case>& cases, const KillOptions& options, MachineAnswers& machine) {
    std::vector<SoundCell> cells;
    Thresholds thresholds;
    thresholds.quick = true;
    thresholds.program_trials = 100;
    for (std::size_t index = 0; index < cases.size(); ++index) {
        for (const Route route : cell_routes(cases[index], embedded_ledger())) {
            if (Result<Cell> prepared = prepare_cell(cases[index], route, thresholds, embedded_ledger())) {
                cells.push_back({index, cells.size() + 1, *std::move(prepared), {}, Verdict::missing});
            }
        }
    }
    Runner sound(cases, Fault::none, options, machine);
    for (SoundCell& each : cells) {
        each.cell = sound.run(each);
        each.verdict = judge(each.cell).verdict;
    }
    return cells;
}

std::uint64_t median(std::vector<std::uint64_t> numbers) {
    std::sort(numbers.begin(), numbers.end());
    return numbers[numbers.size() / 2];
}

bool names(const Case& listed, std::string_view statement) {
    const std::vector<std::string>& checks = listed.litmus.checks;
    return std::find(checks.begin(), checks.end(), statement) != checks.end();
}

/// One fault, on every cell.
void run_fault(const std::vector<Case>& cases, const std::vector<SoundCell>& sound, const KillOptions& options,
               MachineAnswers& machine, FaultRow& row) {
    Runner faulty(cases, row.info->fault, options, machine);
    for (const SoundCell& each : sound) {
        if (!faulty.can_show(each)) {
            continue;
        }
        const Cell cell = faulty.run(each);
        const bool alike = cell.incident == each.cell.incident && same_trials(cell.form, each.cell.form) &&
                           (!cell.other_form || same_trials(*cell.other_form, *each.cell.other_form));
        if (alike) {
            continue;
        }
        const Judgement judgement = judge(cell);
        if (!is_kill(each.verdict, judgement.verdict)) {
            continue;
        }
        const Case& listed = cases[each.case_index];
        row.cells.push_back({listed.id, cell.form.route, each.verdict, judgement.verdict, judgement.reason,
                             names(listed, row.info->statement)});
        std::vector<std::uint64_t> needed;
        for (std::uint64_t seed = 0; seed < seeds_of_a_median; ++seed) {
            const bool fails = judgement.verdict == Verdict::fail;
            const auto first = fails ? faulty.first_violation(each, options.seed + seed) : std::nullopt;
            needed.push_back(first.value_or(trials_of_a_cell(true)));
        }
        const std::uint64_t trials = median(std::move(needed));
        row.trials_to_kill = row.trials_to_kill == 0 ? trials : std::min(row.trials_to_kill, trials);
    }
}

std::vector<std::string> cases_of(const std::vector<KillingCell>& cells, bool failed_only) {
    std::vector<std::string> cases;
    for (const KillingCell& cell : cells) {
        if ((!failed_only || cell.verdict == Verdict::fail) && (cases.empty() || cases.back() != cell.case_id)) {
            cases.push_back(cell.case_id);
        }
    }
    return cases;
}

/// The guarantees among the statements of sound cells, and what breaks each of them.
std::vector<GuaranteeRow> guarantees_of(const std::vector<Case>& cases, const std::vector<SoundCell>& sound,
                                        const std::vector<FaultRow>& faults) {
    std::vector<GuaranteeRow> rows;
    for (const SoundCell& each : sound) {
        const bool known = std::any_of(rows.begin(), rows.end(),
                                       [&](const GuaranteeRow& row) { return row.statement == each.cell.statement; });
        // What is promised of overlap alone can only be lost, not violated; an end that is promised can be missed.
        const bool promised = each.cell.strength == Strength::guarantee || each.cell.strength == Strength::equivalence;
        const bool can_fail =
            each.verdict == Verdict::pass || (each.verdict == Verdict::observed && each.cell.claim.ends);
        if (can_fail && promised && !known) {
            rows.push_back({each.cell.statement, {}});
        }
    }
    for (const FaultRow& fault : faults) {
        const std::vector<std::string> failed = fault.failed_by();
        for (const Case& listed : cases) {
            const auto row = std::find_if(rows.begin(), rows.end(),
                                          [&](const GuaranteeRow& each) { return each.statement == listed.statement; });
            const bool fails = std::find(failed.begin(), failed.end(), listed.id) != failed.end();
            if (row != rows.end() && fails && (row->broken_by.empty() || row->broken_by.back() != fault.info->name)) {
                row->broken_by.emplace_back(fault.info->name);
            }
        }
    }
    return rows;
}

} // namespace

std::vector<std::string> FaultRow::killed_by() const {
    return cases_of(cells, false);
}

std::vector<std::string> FaultRow::failed_by() const {
    return cases_of(cells, true);
}

bool FaultRow::is_killed_by_its_own() const {
    return std::any_of(cells.begin(), cells.end(), [](const KillingCell& cell) { return cell.is_own; });
}

std::size_t KillMatrix::not_equivalent() const {
    return static_cast<std::size_t>(std::count_if(
        faults.begin(), faults.end(), [](const FaultRow& row) { return row.info->equivalent_because.empty(); }));
}

std::size_t KillMatrix::killed() const {
    return static_cast<std::size_t>(std::count_if(faults.begin(), faults.end(), [](const FaultRow& row) {
        return row.info->equivalent_because.empty() && row.is_killed();
    }));
}

bool KillMatrix::holds() const {
    const bool all_broken = std::none_of(guarantees.begin(), guarantees.end(),
                                         [](const GuaranteeRow& row) { return row.broken_by.empty(); });
    return (all_broken || !every_fault) && std::all_of(faults.begin(), faults.end(), [](const FaultRow& row) {
               return row.is_killed() == row.info->equivalent_because.empty();
           });
}

bool is_kill(Verdict sound, Verdict faulty) {
    const bool had_evidence = sound == Verdict::pass || sound == Verdict::observed || sound == Verdict::recorded;
    switch (faulty) {
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::timeout:
    case Verdict::device_error:
        return sound != faulty;
    case Verdict::vacuous:
    case Verdict::not_observed:
        return had_evidence;
    default:
        return false;
    }
}

KillMatrix kill_matrix(const std::vector<Case>& cases, const KillOptions& options) {
    KillMatrix matrix;
    matrix.seed = options.seed;
    matrix.trials = trials_of_a_cell(true);
    MachineAnswers machine;
    options.progress("the sound machine");
    const std::vector<SoundCell> sound = run_sound(cases, options, machine);
    for (const SoundCell& each : sound) {
        if (is_kill(each.verdict, Verdict::vacuous)) {
            ++matrix.cells;
        } else {
            matrix.weak.push_back(each.cell);
        }
    }
    for (const FaultInfo& info : all_faults()) {
        const bool wanted = options.faults.empty() ||
                            std::find(options.faults.begin(), options.faults.end(), &info) != options.faults.end();
        if (wanted) {
            matrix.faults.push_back({&info, {}, 0});
        }
    }
    std::atomic<std::size_t> done = 0;
    for_each_in_parallel(matrix.faults, [&](FaultRow& row) {
        run_fault(cases, sound, options, machine, row);
        options.progress(std::to_string(++done) + " of " + std::to_string(matrix.faults.size()) + " faults");
    });
    matrix.every_fault = options.faults.empty() || options.faults.size() == all_faults().size();
    matrix.guarantees = guarantees_of(cases, sound, matrix.faults);
    std::set<std::string> used;
    for (const FaultRow& row : matrix.faults) {
        const std::vector<std::string> killers = row.killed_by();
        used.insert(killers.begin(), killers.end());
    }
    for (const Case& listed : cases) {
        if (!used.contains(listed.id)) {
            matrix.unused.push_back(listed.id);
        }
    }
    return matrix;
}

} // namespace pdlcts
