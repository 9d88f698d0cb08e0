// SPDX-License-Identifier: Apache-2.0
#include "harness/command/evidence.hpp"

#include "conformance/litmus/printer.hpp"
#include "harness/judge/judge.hpp"

#include <fmt/format.h>

namespace pdlcts {
namespace {

void add(Evidence& evidence, const Tally& program, const Tally* control, const RunTime& time, const ClaimText& claim) {
    evidence.executions += program.trials() + (control == nullptr ? 0 : control->trials());
    if (control != nullptr && !claim.never.empty()) {
        evidence.killed += count(*control, claim).armed_violations;
    }
    evidence.time.seconds += time.seconds;
    evidence.time.launch_seconds += time.launch_seconds;
}

/// The forms of this route that a device ran.
template <typename Use>
void for_each_form(std::span<const Cell> cells, Route route, Use use) {
    for (const Cell& cell : cells) {
        if (cell.form.route == route) {
            use(cell.form, cell.claim);
        }
        if (cell.other_form && cell.other_form->route == route) {
            use(*cell.other_form, cell.claim);
        }
    }
}

std::uint64_t rate(std::uint64_t count, double seconds) {
    return seconds > 0 ? static_cast<std::uint64_t>(static_cast<double>(count) / seconds) : 0;
}

std::string print(const Evidence& evidence, std::string_view route, std::string_view executions) {
    const auto [seconds, launch_seconds] = evidence.time;
    return fmt::format("{}: {} {} in {:.2f} s ({}/s, {}/s while they ran), {} killed controls ({}/s, {}/s)", route,
                       evidence.executions, executions, seconds, rate(evidence.executions, seconds),
                       rate(evidence.executions, launch_seconds), evidence.killed, rate(evidence.killed, seconds),
                       rate(evidence.killed, launch_seconds));
}

} // namespace

Evidence evidence_of_trials(std::span<const Cell> cells, Route route) {
    Evidence evidence;
    for_each_form(cells, route, [&](const Form& form, const ClaimText& claim) {
        if (form.time) {
            add(evidence, form.program.tally, form.control ? &form.control->tally : nullptr, *form.time, claim);
        }
    });
    return evidence;
}

Evidence evidence_of_instances(std::span<const Cell> cells, Route route) {
    Evidence evidence;
    for_each_form(cells, route, [&](const Form& form, const ClaimText& claim) {
        if (const std::optional<Instances>& instances = form.instances) {
            add(evidence, instances->program, instances->control ? &*instances->control : nullptr, instances->time,
                claim);
        }
    });
    return evidence;
}

std::vector<std::string> print_evidence(std::span<const Cell> cells) {
    std::vector<std::string> lines;
    for (const Route route : all_routes) {
        if (const Evidence trials = evidence_of_trials(cells, route); trials.executions > 0) {
            lines.push_back(print(trials, name(route), "trials"));
        }
        if (const Evidence instances = evidence_of_instances(cells, route); instances.executions > 0) {
            lines.push_back(print(instances, name(route), "instances"));
        }
    }
    return lines;
}

} // namespace pdlcts
