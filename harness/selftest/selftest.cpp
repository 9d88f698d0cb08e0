// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/selftest.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/parallel.hpp"
#include "harness/command/cells.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/selftest/equivalence.hpp"

#include <algorithm>
#include <map>
#include <stdexcept>

namespace pdlcts {
namespace {

bool loses_device(Incident incident) {
    return incident == Incident::timeout || incident == Incident::crash || incident == Incident::device_error;
}

/// A mutant of a case, for all cells of the case.
struct Candidate {
    const Mutant* mutant = nullptr;
    MutatedCase mutated;
    std::optional<Result<CompiledCase>> compiled; ///< once a cell needs it
};

/// What is to be done, or found to be equivalent, in one cell.
struct Job {
    std::size_t cell = 0;
    Candidate* candidate = nullptr;
    std::string equivalent_because;
};

/// The sound cells with the case that each is of.
struct SoundCell {
    const Case* listed = nullptr;
    std::size_t case_index = 0;
};

class SelfTester {
public:
    SelfTester(Gpu& gpu, const std::vector<Case>& cases, const SelfTestOptions& options)
        : gpu_(gpu), cases_(cases), options_(options) {}

    SelfTest run() {
        run_sound();
        if (!result_.device_lost) {
            find_jobs();
            find_equivalents();
            compile_mutants();
            run_mutants();
        }
        return std::move(result_);
    }

private:
    bool wants(const Mutant& mutant) const {
        return (options_.measurement || machine_knows(mutant.touches)) &&
               (options_.mutants.empty() ||
                std::find(options_.mutants.begin(), options_.mutants.end(), &mutant) != options_.mutants.end());
    }

    RouteRun launch(const Litmus& litmus, const CompiledCase& compiled, Route route, TrialDefect defect) {
        TrialOptions trials;
        trials.trials = options_.trials;
        // No two runs share their salts.
        trials.seed = options_.seed + 0x9e3779b97f4a7c15ULL * ++launches_;
        trials.deadline = std::max(trials.deadline, least_deadline(litmus));
        trials.defect = defect;
        return gpu_.run(litmus, compiled, route, trials);
    }

    void run_sound() {
        std::vector<const Litmus*> programs;
        for (const Case& listed : cases_) {
            programs.push_back(&listed.litmus);
        }
        options_.progress("compiling " + std::to_string(programs.size()) + " cases");
        compiled_ = gpu_.compile(programs);
        for (std::size_t index = 0; index < cases_.size() && !result_.device_lost; ++index) {
            for (const Route route : wanted_routes(cases_[index], options_.routes, embedded_ledger())) {
                if (!result_.device_lost) {
                    run_sound(index, route);
                }
            }
        }
    }

    void run_sound(std::size_t index, Route route) {
        const Case& listed = cases_[index];
        Result<Cell> prepared = prepare_cell(listed, route, options_.thresholds, embedded_ledger());
        if (!prepared) {
            return; // the route cannot express the case
        }
        Cell& cell = result_.sound.emplace_back(*std::move(prepared));
        places_.push_back({&listed, index});
        if (!compiled_[index]) {
            cell.incident = Incident::harness_error;
            cell.incident_detail = compiled_[index].error().message;
            return;
        }
        options_.progress(listed.id + " on " + std::string(name(route)));
        RouteRun first = launch(listed.litmus, *compiled_[index], route, TrialDefect::none);
        std::optional<RouteRun> second;
        if (const auto other = other_route(listed, embedded_ledger()); other && !loses_device(first.incident)) {
            second = launch(listed.litmus, *compiled_[index], *other, TrialDefect::none);
        }
        record_run(cell, listed, *compiled_[index], std::move(first), std::move(second));
        result_.device_lost = loses_device(cell.incident);
    }

    void find_jobs() {
        for (std::size_t cell = 0; cell < result_.sound.size(); ++cell) {
            if (!can_be_mutated(judge(result_.sound[cell]).verdict)) {
                continue;
            }
            for (Candidate& candidate : candidates_of(places_[cell])) {
                const bool occurs = occurs_on(*candidate.mutant, result_.sound[cell].form.route);
                if (occurs) {
                    jobs_.push_back({cell, &candidate, {}});
                }
            }
        }
    }

    std::vector<Candidate>& candidates_of(const SoundCell& place) {
        const auto [known, fresh] = candidates_.try_emplace(place.case_index);
        if (fresh) {
            for (const Mutant& mutant : all_mutants()) {
                std::optional<MutatedCase> mutated =
                    wants(mutant) ? mutate(place.listed->litmus, mutant) : std::nullopt;
                if (mutated) {
                    known->second.push_back({&mutant, *std::move(mutated), std::nullopt});
                }
            }
        }
        return known->second;
    }

    void find_equivalents() {
        options_.progress("asking the abstract machine which mutants are equivalent");
        for_each_in_parallel(jobs_, [this](Job& job) {
            job.equivalent_because = why_equivalent(places_[job.cell].listed->litmus, job.candidate->mutated,
                                                    *job.candidate->mutant, result_.sound[job.cell], explorations_);
        });
    }

    void compile_mutants() {
        std::vector<Candidate*> to_compile;
        std::vector<const Litmus*> programs;
        for (const Job& job : jobs_) {
            Candidate& candidate = *job.candidate;
            if (!job.equivalent_because.empty() || candidate.compiled) {
                continue;
            }
            if (candidate.mutant->change == nullptr) {
                candidate.compiled = compiled_[places_[job.cell].case_index];
            } else {
                candidate.compiled.emplace(Error{"was not compiled"});
                to_compile.push_back(&candidate);
                programs.push_back(&candidate.mutated.emitted);
            }
        }
        options_.progress("compiling " + std::to_string(programs.size()) + " mutants");
        std::vector<Result<CompiledCase>> compiled = gpu_.compile(programs);
        for (std::size_t index = 0; index < to_compile.size(); ++index) {
            to_compile[index]->compiled = std::move(compiled[index]);
        }
    }

    void run_mutants() {
        for (std::size_t index = 0; index < jobs_.size() && !result_.device_lost; ++index) {
            const Job& job = jobs_[index];
            const Cell& sound = result_.sound[job.cell];
            MutantRun run{std::string(job.candidate->mutant->name), job.cell, job.equivalent_because, {}};
            if (run.equivalent_because.empty()) {
                options_.progress(std::to_string(index + 1) + "/" + std::to_string(jobs_.size()) + " " + run.mutant +
                                  " in " + sound.case_id + " on " + std::string(name(sound.form.route)));
                run.seen = see(sound, *job.candidate);
                result_.device_lost = loses_device(run.seen.incident);
            }
            result_.runs.push_back(std::move(run));
        }
    }

    SeenMutant see(const Cell& sound, const Candidate& candidate) {
        SeenMutant seen;
        if (!*candidate.compiled) {
            seen.incident = Incident::harness_error;
            seen.incident_detail = candidate.compiled->error().message;
            return seen;
        }
        const auto run_on = [&](Route route) {
            RouteRun run = launch(candidate.mutated.launched, **candidate.compiled, route, candidate.mutated.defect);
            if (seen.incident == Incident::none) {
                seen.incident = run.incident;
                seen.incident_detail = std::move(run.incident_detail);
            }
            return see(std::move(run.form));
        };
        seen.form = run_on(sound.form.route);
        if (sound.other_form && !loses_device(seen.incident)) {
            seen.other_form = run_on(sound.other_form->route);
        }
        return seen;
    }

    static SeenProgram see(Observation observation) {
        return {std::move(observation.tally), std::move(observation.structure.built), observation.structure.read_back};
    }

    static SeenForm see(Form form) {
        SeenForm seen{see(std::move(form.program)), std::nullopt};
        if (form.control) {
            seen.control = see(*std::move(form.control));
        }
        return seen;
    }

    Gpu& gpu_;
    const std::vector<Case>& cases_;
    const SelfTestOptions& options_;
    std::vector<Result<CompiledCase>> compiled_;
    std::vector<SoundCell> places_;
    std::map<std::size_t, std::vector<Candidate>> candidates_; ///< by case
    std::vector<Job> jobs_;
    Explorations explorations_;
    std::uint64_t launches_ = 0;
    SelfTest result_;
};

} // namespace

MutantJudgement judge_run(const std::vector<Cell>& sound, const MutantRun& run) {
    const Mutant* mutant = find_mutant(run.mutant);
    if (mutant == nullptr || run.cell >= sound.size()) {
        throw std::out_of_range("there is no mutant " + run.mutant + ", or it has no cell");
    }
    if (!run.equivalent_because.empty()) {
        return {Fate::equivalent, judge(sound[run.cell]).verdict, run.equivalent_because};
    }
    return judge_mutant(sound[run.cell], run.seen, *mutant);
}

SelfTest self_test(Gpu& gpu, const std::vector<Case>& cases, const SelfTestOptions& options) {
    return SelfTester(gpu, cases, options).run();
}

} // namespace pdlcts
