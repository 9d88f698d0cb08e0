// SPDX-License-Identifier: Apache-2.0
#include "harness/command/run_column.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/stopwatch.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/safe_file.hpp"
#include "harness/command/soak.hpp"
#include "harness/command/stop.hpp"
#include "harness/worker/incidents.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstring>

namespace pdlcts {
namespace {

/// Of all cells of a run. One cell takes some 13 ms, most of it to set up.
constexpr double most_picture_seconds = 1.5;
/// Trials of a round of a soak, in rounds of the cell's own: long enough that to begin one does not count.
constexpr std::uint64_t soak_round = 5;

/// The cells in the order in which their pictures are taken: one of every case before a second of any.
std::vector<std::size_t> picture_order(const RunPlan& plan) {
    std::vector<std::size_t> order = order_of(plan.cells.size(), RunOptions{}, 0);
    std::stable_partition(order.begin(), order.end(), [&](std::size_t cell) {
        return cell == 0 || plan.cells[cell].job.listed != plan.cells[cell - 1].job.listed;
    });
    return order;
}

std::string place_of(const Cell& cell) {
    return fmt::format("{} on {}", cell.case_id, name(cell.form.route));
}

class Column {
public:
    Column(Workplace& workplace, const RunPlan& plan, const RunOptions& options, std::uint64_t seed,
           const ColumnFiles& files, RunControl& control)
        : workplace_(workplace), plan_(plan), options_(options), seed_(seed), files_(files), control_(control),
          cells_(plan.cells.size()), native_(plan.native.size()), pictures_taken_(plan.cells.size()) {}

    ColumnRun run(const std::function<std::string(const Environment&)>& first_line) {
        auto opened = workplace_.open();
        if (const auto* none = std::get_if<NoWorkplace>(&opened)) {
            problem(none->problem ? exit_code(*none->problem) : ExitCode::device_lost,
                    "no usable GPU: " + none->message);
            return std::move(run_);
        }
        const Opened& workplace = std::get<Opened>(opened);
        begin(workplace);
        if (!run_.problems.empty()) {
            return std::move(run_);
        }
        control_.say(first_line(results_.environment));
        control_.say(
            fmt::format("Compiled in {:.2f} s before the first trial: {} unit(s) of code, {} of them from the cache.",
                        workplace.units.seconds, workplace.units.units, workplace.units.from_cache));
        const double opened_at = stopwatch_.seconds();
        run_cells();
        const double cells_at = stopwatch_.seconds();
        run_native();
        const double native_at = stopwatch_.seconds();
        soak();
        take_pictures();
        finish();
        const double seconds = run_.results->seconds;
        control_.say(
            fmt::format("Took {:.1f} s: {:.1f} s until the first trial, {:.1f} s for cells, {:.1f} s for native "
                        "checks, {:.1f} s for what comes behind them.",
                        seconds, opened_at, cells_at - opened_at, native_at - cells_at, seconds - native_at));
        return std::move(run_);
    }

private:
    Workplace& workplace_;
    const RunPlan& plan_;
    const RunOptions& options_;
    std::uint64_t seed_;
    const ColumnFiles& files_;
    RunControl& control_;
    ColumnRun run_;
    Results results_;
    std::vector<std::optional<Cell>> cells_;
    std::vector<std::optional<NativeCell>> native_;
    std::vector<bool> pictures_taken_;
    std::optional<Journal> journal_;
    bool journal_complained_ = false;
    bool lost_ = false;
    Stopwatch stopwatch_;

    void problem(ExitCode code, std::string message) { run_.problems.push_back({code, std::move(message)}); }

    // ---- the journal ---------------------------------------------------------------------------------------------

    std::string journal_name() const { return files_.output + ".partial"; }

    void begin(const Opened& workplace) {
        results_.suite = workplace.head.suite;
        results_.environment = workplace.head.environment;
        results_.every_case = plan_.every_case;
        results_.seed = seed_;
        results_.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
        if (!results_.environment.fault) {
            results_.compilation =
                Compilation{workplace.units.seconds, workplace.units.units, workplace.units.from_cache};
        }
        if (files_.output.empty() || !is_replaceable(files_.output)) {
            return;
        }
        const auto prints = fingerprint(options_, plan_, seed_);
        std::optional<JournalContents> left;
        if (files_.resume) {
            Result<JournalContents> read = read_journal(journal_name());
            if (!read) {
                problem(ExitCode::not_resumable, read.error().message);
                return;
            }
            left = *std::move(read);
            if (const auto all = differences(*left, prints, results_); !all.empty()) {
                problem(ExitCode::not_resumable,
                        fmt::format("{}: the run that wrote this is another one: {}; run without --resume",
                                    journal_name(), fmt::join(all, "; ")));
                return;
            }
            if (!take_over(*left)) {
                return;
            }
        }
        auto journal = left ? Journal::go_on(journal_name(), *left) : Journal::begin(journal_name(), prints, results_);
        if (!journal) {
            problem(ExitCode::unwritable_output, journal.error().message);
            return;
        }
        journal_.emplace(*std::move(journal));
    }

    /// What the run before has left. Nothing of it may be of another cell.
    bool take_over(const JournalContents& left) {
        const auto malformed = [&](std::string_view what) {
            problem(ExitCode::not_resumable, fmt::format("{}: {}; run without --resume", journal_name(), what));
            return false;
        };
        for (const auto& [number, cell] : left.cells) {
            if (number == 0 || number > cells_.size() || cell.case_id != plan_.cells[number - 1].cell.case_id ||
                cell.form.route != plan_.cells[number - 1].job.route) {
                return malformed("it holds a cell that is not of this run");
            }
            cells_[number - 1] = cell;
        }
        for (const auto& [number, cell] : left.native) {
            if (number == 0 || number > native_.size() || cell.case_id != plan_.native[number - 1].case_id) {
                return malformed("it holds a check that is not of this run");
            }
            native_[number - 1] = cell;
        }
        for (const auto& [number, cell] : left.pictures) {
            if (number == 0 || number > cells_.size() || !cells_[number - 1]) {
                return malformed("it holds pictures that are not of this run");
            }
            add_pictures(number - 1, cell);
        }
        results_.started = left.head.started;
        results_.compilation = left.head.compilation;
        control_.say(fmt::format("Resuming {}: {} of {} cells and {} of {} native checks are there.", journal_name(),
                                 left.cells.size(), cells_.size(), left.native.size(), native_.size()));
        if (!left.in_flight.empty()) {
            control_.say(fmt::format("In flight when that run ended, and run again: {}{}", left.in_flight,
                                     left.reproduce.empty() ? "" : " (" + left.reproduce + ")"));
        }
        return true;
    }

    void look_at_journal() {
        if (journal_ && !journal_->problem().empty() && !journal_complained_) {
            journal_complained_ = true;
            complain(journal_->problem() + "; the run goes on, and cannot be resumed");
        }
    }

    void announce(const std::string& what, const std::string& reproduce) {
        control_.show(what);
        if (journal_) {
            journal_->about(what, reproduce);
            look_at_journal();
        }
    }

    void keep(std::size_t index) {
        if (journal_) {
            journal_->cell(index + 1, *cells_[index]);
            look_at_journal();
        }
    }

    // ---- what runs -----------------------------------------------------------------------------------------------

    bool stopped() {
        if (const int signal = stop_signal(); signal != 0) {
            control_.stop(fmt::format("the run was interrupted ({})", strsignal(signal)));
        }
        return lost_ || !control_.why_stop().empty();
    }

    template <typename Done>
    bool done(const std::optional<Done>& what) {
        lost_ = lost_ || !what;
        return bool(what);
    }

    std::optional<Cell> once(const PlannedCell& planned, std::uint64_t round, std::uint64_t trials) {
        CellJob job = planned.job;
        job.round = round;
        job.trials = trials;
        announce(place_of(planned.cell), reproduce(options_, seed_, job, planned.cell));
        const RunControl::Turn turn(control_, planned.takes_second_gpu);
        return workplace_.cell(job, planned.cell);
    }

    void fail_fast(Verdict verdict, const std::string& place) {
        if (options_.fail_fast && is_negative(verdict)) {
            control_.stop(fmt::format("--fail-fast, after {}: {}", place, name(verdict)));
        }
    }

    void run_cells() {
        const std::vector<std::size_t> order = order_of(plan_.cells.size(), options_, seed_);
        for (std::size_t turn = 0; turn < order.size() && !stopped(); ++turn) {
            make_incidents(turn, order.size());
            const std::size_t index = order[turn];
            if (cells_[index] || stopped()) {
                continue;
            }
            const PlannedCell& planned = plan_.cells[index];
            std::optional<Cell> cell = once(planned, 0, planned.job.trials);
            if (!done(cell)) {
                break;
            }
            cell = tried_again(planned, *std::move(cell));
            cells_[index] = std::move(cell);
            note_interference(*cells_[index]);
            keep(index);
            fail_fast(judge(*cells_[index]).verdict, place_of(planned.cell));
        }
    }

    /// What was VACUOUS is tried again, and what was seen before is kept.
    Cell tried_again(const PlannedCell& planned, Cell cell) {
        const unsigned retries = std::min<unsigned>(options_.retries, most_tries);
        for (unsigned retry = 1; retry <= retries && judge(cell).verdict == Verdict::vacuous && !stopped(); ++retry) {
            std::optional<Cell> again = once(planned, retry, planned.job.trials);
            if (!again) {
                lost_ = true;
                return cell;
            }
            again->tries = std::move(cell.tries);
            cell.tries.clear();
            again->tries.push_back(std::move(cell));
            cell = *std::move(again);
        }
        return cell;
    }

    void note_interference(Cell& cell) {
        cell.interference = interference_of(results_.environment);
        for (Cell& tried : cell.tries) {
            tried.interference = cell.interference;
        }
    }

    void run_native() {
        for (std::size_t index = 0; index < plan_.checks.size() && !stopped(); ++index) {
            if (native_[index]) {
                continue;
            }
            announce(fmt::format("{}/{} native checks: {}", index + 1, plan_.checks.size(), plan_.checks[index].id),
                     fmt::format("pdlcts run --on gpu --case {}", plan_.checks[index].id));
            const RunControl::Turn turn(control_, false);
            auto cell = workplace_.native(plan_.checks[index], plan_.native[index]);
            if (!done(cell)) {
                break;
            }
            native_[index] = std::move(cell);
            if (journal_) {
                journal_->native(index + 1, *native_[index]);
            }
            fail_fast(judge(*native_[index]).verdict, plan_.checks[index].id);
        }
    }

    void soak() {
        if (options_.soak_seconds <= 0 || lost_) {
            return;
        }
        std::vector<std::uint64_t> rounds(cells_.size(), most_tries);
        std::vector<Cell> cells;
        for (std::size_t index = 0; index < cells_.size(); ++index) {
            if (!cells_[index]) {
                return;
            }
            cells.push_back(*cells_[index]);
            rounds[index] += cells.back().rounds.value_or(1);
        }
        std::size_t run = 0;
        while (stopwatch_.seconds() < options_.soak_seconds && !stopped()) {
            const auto index = weakest(cells);
            if (!index) {
                run_.notes.push_back("Every cell has as many trials as a soak gives any; it ended early.");
                break;
            }
            const PlannedCell& planned = plan_.cells[*index];
            const auto round = once(planned, rounds[*index]++, soak_round * planned.job.trials);
            if (!done(round)) {
                break;
            }
            ++run;
            add_round(cells[*index], *round);
            cells_[*index] = cells[*index];
            keep(*index);
            fail_fast(judge(cells[*index]).verdict, place_of(planned.cell));
        }
        run_.notes.push_back(
            fmt::format("Soak: {} rounds of {} times a cell's trials, each for the cell whose evidence "
                        "was weakest.",
                        run, soak_round));
    }

    void add_pictures(std::size_t index, const Cell& taken) {
        cells_[index]->pictures = taken.pictures;
        cells_[index]->latency = taken.latency;
        pictures_taken_[index] = true;
    }

    /// After everything else: what goes wrong here takes no verdict along.
    void take_pictures() {
        if (!wants_pictures(options_) || options_.isolate) {
            return;
        }
        // From behind the first, which may have to wait for the compiler.
        std::optional<Stopwatch> stopwatch;
        for (const std::size_t index : picture_order(plan_)) {
            if (!cells_[index] || cells_[index]->incident != Incident::none || pictures_taken_[index] || stopped()) {
                continue;
            }
            const PlannedCell& planned = plan_.cells[index];
            Cell taken;
            if (stopwatch && stopwatch->seconds() > most_picture_seconds) {
                taken.pictures.emplace().note =
                    fmt::format("the pictures of other cells took {} s, and no run takes longer; select fewer",
                                most_picture_seconds);
                add_pictures(index, taken);
                continue;
            }
            announce("pictures: " + place_of(planned.cell), "");
            const RunControl::Turn turn(control_, planned.takes_second_gpu);
            const auto pictures = workplace_.pictures(planned.job, planned.cell);
            if (!pictures) {
                break; // every cell has its verdict
            }
            if (!stopwatch) {
                stopwatch.emplace();
            }
            if (loses_device(pictures->incident)) {
                complain(fmt::format("{}: {}", place_of(planned.cell),
                                     pictures->pictures ? pictures->pictures->note : "its pictures lost the device"));
            }
            add_pictures(index, *pictures);
            if (journal_) {
                journal_->pictures(index + 1, *pictures);
            }
        }
    }

    /// At a third of the way, and at two thirds.
    void make_incidents(std::size_t turn, std::size_t turns) {
        for (std::size_t which = 0; which < options_.incidents.size(); ++which) {
            if (turn != (which + 1) * turns / (options_.incidents.size() + 1)) {
                continue;
            }
            const auto made = workplace_.incident(options_.incidents[which]);
            if (!done(made)) {
                return;
            }
            run_.notes.push_back(fmt::format("Incident {}, before {}: {}: {}", options_.incidents[which],
                                             place_of(plan_.cells[turn].cell), name(judge(*made).verdict),
                                             made->incident_detail));
        }
    }

    // ---- the end -------------------------------------------------------------------------------------------------

    void finish() {
        static_cast<void>(stopped()); // a signal behind the last cell counts too
        const std::string why = lost_ ? "the GPU was lost: " + workplace_.why_lost() : control_.why_stop();
        std::size_t missing = 0;
        for (std::size_t index = 0; index < cells_.size(); ++index) {
            missing += cells_[index] ? 0 : 1;
            Cell& cell =
                results_.cells.emplace_back(cells_[index] ? *std::move(cells_[index]) : plan_.cells[index].cell);
            if (cell.incident == Incident::none && cell.image.empty() && cell.form.program.tally.trials() == 0) {
                cell.incident = Incident::missing;
                cell.incident_detail = "not run: " + why;
            }
        }
        for (std::size_t index = 0; index < native_.size(); ++index) {
            NativeCell& cell =
                results_.native.emplace_back(native_[index] ? *std::move(native_[index]) : plan_.native[index]);
            if (!native_[index]) {
                ++missing;
                cell.incident = Incident::missing;
                cell.incident_detail = "not run: " + why;
            }
        }
        if (lost_) {
            problem(ExitCode::device_lost, fmt::format("{}; {} cells behind it are MISSING", why, missing));
        } else if (stop_signal() != 0) {
            problem(ExitCode::interrupted, fmt::format("{}; {} cells are MISSING", why, missing));
        } else if (!why.empty()) {
            run_.notes.push_back(fmt::format("Ended by {}; {} cells are MISSING.", why, missing));
        }
        // Of the worker that is there now, which may have begun in the middle.
        const auto environment = workplace_.look();
        if (auto& state = results_.environment.gpu_state; state && environment && environment->gpu_state) {
            state->ecc_errors_at_end = environment->gpu_state->ecc_errors_at_end;
            state->throttled_at_end = environment->gpu_state->throttled_at_end;
        }
        results_.seconds = stopwatch_.seconds();
        write(missing);
        run_.results = std::move(results_);
    }

    void write(std::size_t missing) {
        if (files_.output.empty()) {
            return;
        }
        const auto written = replace_file(files_.output, as_named(files_.output, write_json(results_)));
        if (!written) {
            problem(ExitCode::unwritable_output,
                    written.error().message +
                        (journal_ && journal_->problem().empty()
                             ? "; what was run is in " + journal_name() + ": make room, and run the same with --resume"
                             : ""));
        } else if (journal_ && missing == 0) {
            journal_->remove();
        } else if (journal_ && journal_->problem().empty()) {
            run_.notes.push_back(
                fmt::format("The same command with --resume runs what is missing ({}).", journal_name()));
        }
    }
};

} // namespace

std::string RunControl::why_stop() const {
    const std::lock_guard lock(mutex_);
    return why_stop_;
}

void RunControl::stop(std::string why) {
    const std::lock_guard lock(mutex_);
    if (why_stop_.empty()) {
        why_stop_ = std::move(why);
    }
}

void RunControl::say(const std::string& line) {
    const std::lock_guard lock(mutex_);
    progress_.clear();
    fmt::print(json_ ? stderr : stdout, "{}\n", line);
    static_cast<void>(std::fflush(stdout));
}

void RunControl::show(const std::string& progress) {
    const std::lock_guard lock(mutex_);
    progress_.show(progress);
}

RunControl::Turn::Turn(RunControl& control, bool both) {
    const std::lock_guard turnstile(control.turnstile_);
    if (both) {
        all_ = std::unique_lock(control.gpus_);
    } else {
        one_ = std::shared_lock(control.gpus_);
    }
}

ColumnRun run_column(Workplace& workplace, const RunPlan& plan, const RunOptions& options, std::uint64_t seed,
                     const ColumnFiles& files, RunControl& control,
                     const std::function<std::string(const Environment&)>& first_line) {
    return Column(workplace, plan, options, seed, files, control).run(first_line);
}

} // namespace pdlcts
