// SPDX-License-Identifier: Apache-2.0
#include "reports/results/write_json.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/sha256.hpp"
#include "harness/judge/reading.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/names.hpp"
#include "reports/results/picture_json.hpp"

namespace pdlcts {
namespace {

void write(JsonSink& out, const Structure& structure) {
    out.begin_object();
    put(out, "expected", structure.expected);
    put(out, "built", structure.built);
    put(out, "read_back", structure.read_back);
    put(out, "undocumented", structure.undocumented);
    out.end_object();
}

/// `counted`: what the tally is of, trials or instances.
void write_tally(JsonSink& out, const Tally& tally, const char* counted, ClaimCounter& claim, Fields fields) {
    if (fields == Fields::all) {
        const Counts counts = claim.count(tally);
        put(out, counted, counts.trials);
        put(out, "armed", counts.armed);
        put(out, "violations", counts.violations);
        put(out, "armed_violations", counts.armed_violations);
    }
    put(out, "outcomes", tally.outcomes);
    put(out, "unwritten", tally.unwritten);
}

void write(JsonSink& out, const RunTime& time) {
    out.begin_object();
    put(out, "seconds", time.seconds);
    put(out, "launch_seconds", time.launch_seconds);
    out.end_object();
}

void write(JsonSink& out, const Instances& instances, ClaimCounter& claim, Fields fields) {
    out.begin_object();
    put(out, "launches", instances.launches);
    put(out, "blocks", instances.blocks);
    write_tally(out, instances.program, "instances", claim, fields);
    if (instances.control) {
        out.key("control");
        out.begin_object();
        write_tally(out, *instances.control, "instances", claim, fields);
        out.end_object();
    }
    out.key("time");
    write(out, instances.time);
    out.end_object();
}

void write_observation(JsonSink& out, const Observation& observation, ClaimCounter& claim, Fields fields) {
    write_tally(out, observation.tally, "trials", claim, fields);
    put(out, "allowed", observation.allowed);
    put(out, "decided", observation.decided);
    out.key("structure");
    write(out, observation.structure);
    if (!observation.variations.empty()) {
        out.key("variations");
        out.begin_object();
        for (const auto& [variation, tally] : observation.variations) {
            out.key(variation);
            out.begin_object();
            write_tally(out, tally, "trials", claim, fields);
            out.end_object();
        }
        out.end_object();
    }
}

void write(JsonSink& out, const char* key, const std::optional<PollLatencies>& latencies) {
    if (latencies) {
        out.key(key);
        out.begin_object();
        put(out, "trials", latencies->trials);
        put(out, "satisfied", latencies->satisfied);
        put(out, "median_ns", latencies->median_ns);
        put(out, "high_ns", latencies->high_ns);
        out.end_object();
    }
}

void write(JsonSink& out, const PollWindow& window) {
    out.begin_object();
    put(out, "poll", window.poll);
    put(out, "ceiling_ns", window.ceiling_ns);
    put(out, "window_ns", window.window_ns);
    write(out, "program", window.program);
    write(out, "control", window.control);
    out.end_object();
}

/// The keys of a form stand in the cell itself, or in its `other_form`.
void write_form(JsonSink& out, const Form& form, ClaimCounter& claim, Fields fields) {
    write_observation(out, form.program, claim, fields);
    if (form.control) {
        out.key("control");
        out.begin_object();
        write_observation(out, *form.control, claim, fields);
        out.end_object();
    }
    if (form.branches) {
        put(out, "branches", *form.branches);
    }
    if (form.time) {
        out.key("time");
        write(out, *form.time);
    }
    if (form.instances) {
        out.key("instances");
        write(out, *form.instances, claim, fields);
    }
    if (form.second_gpu) {
        out.key("second_gpu");
        out.begin_object();
        put(out, "name", form.second_gpu->name);
        put(out, "stood_in_for", form.second_gpu->stood_in_for);
        out.end_object();
    }
    if (!form.windows.empty()) {
        out.key("windows");
        put_each(out, form.windows, [&](const PollWindow& window) { write(out, window); });
    }
}

void write(JsonSink& out, const Environment& environment) {
    out.begin_object();
    put(out, "gpu", environment.gpu);
    put(out, "gpu_uuid_hash", environment.gpu_uuid_hash);
    put(out, "compute_capability", environment.compute_capability);
    put(out, "multiprocessors", environment.multiprocessors);
    put(out, "driver_version", environment.driver_version);
    put(out, "driver_api_version", environment.driver_api_version);
    put(out, "runtime_version", environment.runtime_version);
    put(out, "nvrtc_version", environment.nvrtc_version);
    put(out, "mig_mode", environment.mig_mode);
    put(out, "mps", environment.mps);
    put(out, "ecc", environment.ecc);
    put(out, "compute_mode", environment.compute_mode);
    put(out, "sm_clock_mhz", environment.sm_clock_mhz);
    put(out, "memory_clock_mhz", environment.memory_clock_mhz);
    put(out, "operating_system", environment.operating_system);
    put(out, "kernel", environment.kernel);
    put(out, "variables", environment.variables);
    if (environment.fault) {
        put(out, "fault", *environment.fault);
    }
    if (const auto& state = environment.gpu_state) {
        out.key("gpu_state");
        out.begin_object();
        put(out, "other_processes", state->other_processes);
        put(out, "utilisation_percent", state->utilisation_percent);
        put(out, "ecc_errors", state->ecc_errors);
        put(out, "ecc_errors_at_end", state->ecc_errors_at_end);
        put(out, "throttled", state->throttled);
        put(out, "throttled_at_end", state->throttled_at_end);
        out.end_object();
    }
    if (!environment.tools.empty()) {
        put(out, "tools", environment.tools);
    }
    out.end_object();
}

} // namespace

void write(JsonSink& out, const Cell& cell, Fields fields, const Judgement* known) {
    ClaimCounter claim(cell.claim);
    out.begin_object();
    put(out, "case", cell.case_id);
    put(out, "statement", cell.statement);
    put(out, "strength", name(cell.strength));
    put(out, "basis", name(cell.basis));
    put(out, "route", name(cell.form.route));
    put(out, "image", cell.image);
    put(out, "digest", cell.digest);
    if (fields == Fields::all) {
        const Judgement judgement = known != nullptr ? *known : judge(cell);
        put(out, "verdict", name(judgement.verdict));
        put(out, "reason", judgement.reason);
        put(out, "upper_bound", judgement.upper_bound);
    }
    write_form(out, cell.form, claim, fields);
    if (cell.other_form) {
        out.key("other_form");
        out.begin_object();
        put(out, "route", name(cell.other_form->route));
        write_form(out, *cell.other_form, claim, fields);
        out.end_object();
    }
    out.key("claim");
    out.begin_object();
    put(out, "never", cell.claim.never);
    put(out, "sometimes", cell.claim.sometimes);
    put(out, "ends", cell.claim.ends);
    put(out, "armed", cell.claim.armed);
    out.end_object();
    out.key("thresholds");
    out.begin_object();
    put(out, "control_violations", cell.thresholds.control_violations);
    put(out, "program_trials", cell.thresholds.program_trials);
    put(out, "quick", cell.thresholds.quick);
    out.end_object();
    put(out, "incident", name(cell.incident));
    put(out, "incident_detail", cell.incident_detail);
    if (cell.machine) {
        out.key("machine");
        out.begin_object();
        put(out, "answer", name(cell.machine->kind));
        put(out, "reason", cell.machine->reason);
        put(out, "trace", cell.machine->trace);
        out.end_object();
    }
    if (cell.rounds) {
        put(out, "rounds", *cell.rounds);
    }
    if (!cell.tries.empty()) {
        out.key("tries");
        put_each(out, cell.tries, [&](const Cell& earlier) { write(out, earlier, fields); });
    }
    if (!cell.interference.empty()) {
        put(out, "interference", cell.interference);
    }
    if (cell.pictures) {
        out.key("picture");
        write(out, *cell.pictures);
    }
    if (!cell.latency.empty()) {
        out.key("latency");
        write(out, cell.latency);
    }
    out.end_object();
}

void write(JsonSink& out, const NativeCell& cell, Fields fields, const Judgement* known) {
    out.begin_object();
    put(out, "case", cell.case_id);
    put(out, "statement", cell.statement);
    put(out, "strength", name(cell.strength));
    put(out, "basis", name(cell.basis));
    put(out, "digest", cell.digest);
    if (fields == Fields::all) {
        const Judgement judgement = known != nullptr ? *known : judge(cell);
        put(out, "verdict", name(judgement.verdict));
        put(out, "reason", judgement.reason);
    }
    out.key("probes");
    put_each(out, cell.probes, [&](const Probe& probe) {
        out.begin_object();
        put(out, "kind", name(probe.kind));
        put(out, "what", probe.what);
        put(out, "expected", probe.expected);
        put(out, "found", probe.found);
        out.end_object();
    });
    put(out, "incident", name(cell.incident));
    put(out, "incident_detail", cell.incident_detail);
    out.end_object();
}

void write(JsonSink& out, const Results& results, Fields fields, const JudgedResults* known) {
    out.begin_object();
    put(out, "schema", results.schema);
    out.key("suite");
    out.begin_object();
    put(out, "version", results.suite.version);
    put(out, "git_hash", results.suite.git_hash);
    put(out, "dirty", results.suite.dirty);
    put(out, "cases_digest", results.suite.cases_digest);
    out.end_object();
    out.key("environment");
    write(out, results.environment);
    put(out, "every_case", results.every_case);
    put(out, "seed", results.seed);
    put(out, "started", results.started);
    put(out, "seconds", results.seconds);
    if (results.compilation) {
        out.key("compilation");
        out.begin_object();
        put(out, "seconds", results.compilation->seconds);
        put(out, "units", results.compilation->units);
        put(out, "units_from_cache", results.compilation->units_from_cache);
        out.end_object();
    }
    if (fields == Fields::all) {
        JsonPrinter evidence(JsonLayout::compact);
        write(evidence, results, Fields::evidence);
        put(out, "digest", sha256(std::move(evidence).take()));
    }
    out.key("cells");
    out.begin_list();
    const auto judgement_of = [&](std::size_t index) {
        return known != nullptr ? &known->cells[index].judgement : nullptr;
    };
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        write(out, results.cells[i], fields, judgement_of(i));
    }
    out.end_list();
    if (!results.native.empty()) {
        out.key("native");
        out.begin_list();
        for (std::size_t i = 0; i < results.native.size(); ++i) {
            write(out, results.native[i], fields, judgement_of(results.cells.size() + i));
        }
        out.end_list();
    }
    out.end_object();
}

std::string write_json(const Results& results) {
    JsonPrinter printer(JsonLayout::a_line_each_cell);
    write(printer, clean(results), Fields::all);
    return std::move(printer).take() + "\n";
}

std::string write_json(const Cell& cell) {
    JsonPrinter printer(JsonLayout::compact);
    write(printer, clean(cell), Fields::all);
    return std::move(printer).take();
}

std::string write_json(const NativeCell& cell) {
    JsonPrinter printer(JsonLayout::compact);
    write(printer, clean(cell), Fields::all);
    return std::move(printer).take();
}

} // namespace pdlcts
