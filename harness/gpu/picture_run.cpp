// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/picture_run.hpp"

#include "conformance/litmus/outcome.hpp"
#include "conformance/plan/lower.hpp"
#include "harness/gpu/batches.hpp"
#include "harness/gpu/picture.hpp"
#include "harness/gpu/trials.hpp"

#include <chrono>
#include <utility>

namespace pdlcts {
namespace {

/// Enough for the quantiles of 5 and 95 percent to be the fifth value from either end.
constexpr std::uint64_t stamped_trials = 100;
/// Of one cell: whoever waits for verdicts does not wait for pictures. The first batch of stamps is read in any case...
constexpr std::chrono::milliseconds longest_picture_run{25};
/// ...unless the trials before it have taken so long.
constexpr std::chrono::milliseconds longest_warm_up{1000};

/// Reads the stamps of every batch but the first, which loads what loads lazily.
class StampReader {
public:
    StampReader(const Program& program, const Layout& layout) : program_(program), layout_(layout) {}

    bool operator()(const std::vector<PreparedRecords>& batch) {
        if (!std::exchange(warm_, true)) {
            return elapsed() < longest_warm_up;
        }
        for (const PreparedRecords& each : batch) {
            const auto outcome = outcome_of(each.records, layout_, each.base);
            auto stamps = read_stamps(each.records.device, layout_);
            if (!outcome || !stamps) {
                continue;
            }
            const bool armed = !program_.claim.armed || matches(*program_.claim.armed, *outcome);
            trials.push_back({print(*outcome), armed, *std::move(stamps)});
        }
        return elapsed() < longest_picture_run;
    }

    std::vector<StampedTrial> trials;

private:
    std::chrono::nanoseconds elapsed() const { return std::chrono::steady_clock::now() - start_; }

    const Program& program_;
    const Layout& layout_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
    bool warm_ = false;
};

} // namespace

PictureRun take_pictures(const Litmus& litmus, const CompiledCase& stamped, KernelLibraries& libraries, Route route,
                         const TrialOptions& options, bool& usable) {
    PictureRun result;
    const Litmus part = stamped_part(litmus);
    const auto layout = lay_out_stamped(part);
    if (!layout) {
        result.pictures.note = layout.error().message;
        return result;
    }
    TrialOptions without_variation = options;
    without_variation.trials = warm_up_trials + stamped_trials;
    without_variation.calibration = false;
    without_variation.jitter = false;
    without_variation.branches = 1;
    without_variation.instances = 0;
    without_variation.defect = TrialDefect::none;
    StampReader reader(part.program, layout->program);
    const RouteRun run =
        run_stamped_trials(part, stamped, libraries, route, without_variation, usable, std::ref(reader));
    result.incident = run.incident;
    if (run.incident != Incident::none) {
        result.pictures.note = std::string("the stamped trials ended early: ") + run.incident_detail;
        return result;
    }
    const Result<Plan> plan = run.program_built ? Result<Plan>(*run.program_built) : lower(part.program, route);
    if (reader.trials.empty()) {
        result.pictures.note = "no stamped trial was complete, or each takes too long";
        return result;
    }
    CellPictures pictures = pictures_of(part.program, *plan, layout->program.stamps, reader.trials);
    result.pictures = std::move(pictures.pictures);
    result.latency = std::move(pictures.latency);
    return result;
}

} // namespace pdlcts
