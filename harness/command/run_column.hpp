// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/journal.hpp"
#include "harness/command/run_plan.hpp"
#include "harness/command/terminal.hpp"
#include "harness/supervisor/workplace.hpp"

#include <atomic>
#include <functional>
#include <mutex>
#include <shared_mutex>

/// One column of a run: all of its cells on one GPU.
namespace pdlcts {

/// What the columns of a run share, each on a thread of its own.
class RunControl {
public:
    explicit RunControl(bool json) : json_(json) {}

    /// Why the run is to end behind the cell that is running; empty where it is not.
    std::string why_stop() const;
    void stop(std::string why);

    /// A line of the run's output, or with --json of standard error.
    void say(const std::string& line);
    void show(const std::string& progress);

    /// Held while a cell runs that needs this GPU alone, or with `both` while one runs that takes a second one.
    class Turn {
    public:
        Turn(RunControl& control, bool both);

    private:
        std::shared_lock<std::shared_mutex> one_;
        std::unique_lock<std::shared_mutex> all_;
    };

private:
    bool json_;
    mutable std::mutex mutex_;
    std::string why_stop_;
    ProgressLine progress_;
    std::mutex turnstile_; ///< who waits for both GPUs is not passed by
    std::shared_mutex gpus_;
};

/// Where the column's results go, and what it goes on with.
struct ColumnFiles {
    std::string output; ///< empty: nowhere
    bool resume = false;
};

struct ColumnRun {
    std::optional<Results> results; ///< none where it did not even begin
    /// What kept it from being complete, each with its exit code; the first counts.
    std::vector<Refusal> problems;
    std::vector<std::string> notes; ///< for a person, behind the matrix
};

/// `first_line`: what is said when the environment is known.
ColumnRun run_column(Workplace& workplace, const RunPlan& plan, const RunOptions& options, std::uint64_t seed,
                     const ColumnFiles& files, RunControl& control,
                     const std::function<std::string(const Environment&)>& first_line);

} // namespace pdlcts
