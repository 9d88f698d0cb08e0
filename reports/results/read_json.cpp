// SPDX-License-Identifier: Apache-2.0
#include "reports/results/read_json.hpp"

#include "conformance/support/concat.hpp"
#include "reports/results/picture_json.hpp"
#include "reports/results/place.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace pdlcts {
namespace {

Structure read_structure(const Place& place) {
    place.object({"expected", "built", "read_back", "undocumented"});
    return {.expected = place["expected"].lines(),
            .built = place["built"].lines(),
            .read_back = place["read_back"].boolean(),
            .undocumented = place["undocumented"].lines()};
}

Tally read_tally_keys(const Place& place, const char* counted) {
    for (const char* derived : {counted, "armed", "violations", "armed_violations"}) {
        // A sum of counts may be larger than each of them.
        place[derived].whole(std::numeric_limits<std::uint64_t>::max());
    }
    Tally tally;
    tally.outcomes = place["outcomes"].dictionary([](const Place& count) { return count.count(); });
    tally.unwritten = place["unwritten"].count();
    return tally;
}

Tally read_varied(const Place& place) {
    place.object({"trials", "armed", "violations", "armed_violations", "outcomes", "unwritten"});
    return read_tally_keys(place, "trials");
}

/// The keys of an observation among others; those of a form have been checked.
Observation read_observation_keys(const Place& place) {
    Observation observation;
    observation.tally = read_tally_keys(place, "trials");
    observation.allowed = place["allowed"].lines();
    observation.decided = place["decided"].boolean();
    observation.structure = read_structure(place["structure"]);
    if (place.has("variations")) {
        observation.variations = place["variations"].dictionary(read_varied);
    }
    return observation;
}

Observation read_control(const Place& place) {
    place.object({"trials", "armed", "violations", "armed_violations", "outcomes", "unwritten", "allowed", "decided",
                  "structure"},
                 {"variations"});
    return read_observation_keys(place);
}

RunTime read_run_time(const Place& place) {
    place.object({"seconds", "launch_seconds"});
    const auto seconds = [&](const char* key) {
        return place[key].real(std::numeric_limits<double>::max(), "a number from 0");
    };
    return {.seconds = seconds("seconds"), .launch_seconds = seconds("launch_seconds")};
}

Instances read_instances(const Place& place) {
    place.object(
        {"launches", "blocks", "instances", "armed", "violations", "armed_violations", "outcomes", "unwritten", "time"},
        {"control"});
    Instances instances;
    instances.launches = place["launches"].count();
    instances.blocks = static_cast<unsigned>(place["blocks"].whole(most_results_blocks));
    instances.program = read_tally_keys(place, "instances");
    if (place.has("control")) {
        const Place control = place["control"];
        control.object({"instances", "armed", "violations", "armed_violations", "outcomes", "unwritten"});
        instances.control = read_tally_keys(control, "instances");
    }
    instances.time = read_run_time(place["time"]);
    return instances;
}

PollLatencies read_latencies(const Place& place) {
    place.object({"trials", "satisfied", "median_ns", "high_ns"});
    return {.trials = place["trials"].count(),
            .satisfied = place["satisfied"].count(),
            .median_ns = place["median_ns"].count(),
            .high_ns = place["high_ns"].count()};
}

PollWindow read_window(const Place& place) {
    place.object({"poll", "ceiling_ns", "window_ns"}, {"program", "control"});
    PollWindow window;
    window.poll = place["poll"].text();
    window.ceiling_ns = place["ceiling_ns"].count();
    window.window_ns = place["window_ns"].count();
    if (place.has("program")) {
        window.program = read_latencies(place["program"]);
    }
    if (place.has("control")) {
        window.control = read_latencies(place["control"]);
    }
    return window;
}

Form read_form_keys(const Place& place) {
    Form form;
    form.route = place["route"].one_of<Route>();
    form.program = read_observation_keys(place);
    if (place.has("control")) {
        form.control = read_control(place["control"]);
    }
    if (place.has("branches")) {
        form.branches = static_cast<unsigned>(place["branches"].whole(most_results_branches));
    }
    if (place.has("time")) {
        form.time = read_run_time(place["time"]);
    }
    if (place.has("instances")) {
        form.instances = read_instances(place["instances"]);
    }
    if (place.has("second_gpu")) {
        const Place second = place["second_gpu"];
        second.object({"name", "stood_in_for"});
        form.second_gpu = SecondGpu{.name = second["name"].text(), .stood_in_for = second["stood_in_for"].boolean()};
    }
    if (place.has("windows")) {
        form.windows = place["windows"].list(most_results_entries, read_window);
    }
    return form;
}

Form read_other_form(const Place& place) {
    place.object({"route", "trials", "armed", "violations", "armed_violations", "outcomes", "unwritten", "allowed",
                  "decided", "structure"},
                 {"control", "variations", "branches", "time", "instances", "windows", "second_gpu"});
    return read_form_keys(place);
}

ClaimText read_claim(const Place& place) {
    place.object({"never", "sometimes", "ends", "armed"});
    return {.never = place["never"].text(),
            .sometimes = place["sometimes"].text(),
            .ends = place["ends"].boolean(),
            .armed = place["armed"].text()};
}

Thresholds read_thresholds(const Place& place) {
    place.object({"control_violations", "program_trials", "quick"});
    return {.control_violations = place["control_violations"].count(),
            .program_trials = place["program_trials"].count(),
            .quick = place["quick"].boolean()};
}

MachineAnswer read_machine(const Place& place) {
    place.object({"answer", "reason", "trace"});
    return {.kind = place["answer"].one_of<MachineAnswer::Kind>(),
            .reason = place["reason"].text(),
            .trace = place["trace"].lines()};
}

Cell read_cell(const Place& place) {
    place.object({"case",     "statement",      "strength",    "basis",   "route",     "image",      "digest",
                  "verdict",  "reason",         "upper_bound", "trials",  "armed",     "violations", "armed_violations",
                  "outcomes", "unwritten",      "allowed",     "decided", "structure", "claim",      "thresholds",
                  "incident", "incident_detail"},
                 {"control", "variations", "branches", "time", "instances", "windows", "second_gpu", "other_form",
                  "machine", "picture", "latency", "rounds", "tries", "interference"});
    place["verdict"].one_of<Verdict>();
    place["reason"].text();
    place["upper_bound"].real(1, "a number from 0 to 1");

    Cell cell;
    cell.case_id = place["case"].text();
    cell.statement = place["statement"].text();
    cell.strength = place["strength"].one_of<Strength>();
    cell.basis = place["basis"].one_of<Basis>();
    cell.image = place["image"].text();
    cell.digest = place["digest"].text();
    cell.claim = read_claim(place["claim"]);
    cell.thresholds = read_thresholds(place["thresholds"]);
    cell.form = read_form_keys(place);
    if (place.has("other_form")) {
        cell.other_form = read_other_form(place["other_form"]);
    }
    cell.incident = place["incident"].one_of<Incident>();
    cell.incident_detail = place["incident_detail"].text();
    if (place.has("machine")) {
        cell.machine = read_machine(place["machine"]);
    }
    if (place.has("rounds")) {
        cell.rounds = place["rounds"].count();
    }
    if (place.has("tries")) {
        cell.tries = place["tries"].list(most_tries, read_cell);
    }
    if (place.has("interference")) {
        cell.interference = place["interference"].text();
    }
    if (place.has("picture")) {
        cell.pictures = read_pictures(place["picture"]);
    }
    if (place.has("latency")) {
        cell.latency = read_latency(place["latency"]);
    }
    return cell;
}

Probe read_probe(const Place& place) {
    place.object({"kind", "what", "expected", "found"});
    return {.kind = place["kind"].one_of<ProbeKind>(),
            .what = place["what"].text(),
            .expected = place["expected"].lines(),
            .found = place["found"].text()};
}

NativeCell read_native_cell(const Place& place) {
    place.object({"case", "statement", "strength", "basis", "digest", "verdict", "reason", "probes", "incident",
                  "incident_detail"});
    place["verdict"].one_of<Verdict>();
    place["reason"].text();
    return {.case_id = place["case"].text(),
            .statement = place["statement"].text(),
            .strength = place["strength"].one_of<Strength>(),
            .basis = place["basis"].one_of<Basis>(),
            .digest = place["digest"].text(),
            .probes = place["probes"].list(most_results_entries, read_probe),
            .incident = place["incident"].one_of<Incident>(),
            .incident_detail = place["incident_detail"].text()};
}

GpuState read_gpu_state(const Place& place) {
    place.object(
        {"other_processes", "utilisation_percent", "ecc_errors", "ecc_errors_at_end", "throttled", "throttled_at_end"});
    return {.other_processes = place["other_processes"].count(),
            .utilisation_percent = place["utilisation_percent"].whole(100),
            .ecc_errors = place["ecc_errors"].count(),
            .ecc_errors_at_end = place["ecc_errors_at_end"].count(),
            .throttled = place["throttled"].lines(),
            .throttled_at_end = place["throttled_at_end"].lines()};
}

Environment read_environment(const Place& place) {
    place.object({"gpu", "gpu_uuid_hash", "compute_capability", "multiprocessors", "driver_version",
                  "driver_api_version", "runtime_version", "nvrtc_version", "mig_mode", "mps", "ecc", "compute_mode",
                  "sm_clock_mhz", "memory_clock_mhz", "operating_system", "kernel", "variables"},
                 {"fault", "gpu_state", "tools"});
    Environment environment;
    environment.gpu = place["gpu"].text();
    environment.gpu_uuid_hash = place["gpu_uuid_hash"].text();
    environment.compute_capability = place["compute_capability"].integer();
    environment.multiprocessors = place["multiprocessors"].integer();
    environment.driver_version = place["driver_version"].text();
    environment.driver_api_version = place["driver_api_version"].integer();
    environment.runtime_version = place["runtime_version"].integer();
    environment.nvrtc_version = place["nvrtc_version"].text();
    environment.mig_mode = place["mig_mode"].text();
    environment.mps = place["mps"].text();
    environment.ecc = place["ecc"].text();
    environment.compute_mode = place["compute_mode"].text();
    environment.sm_clock_mhz = place["sm_clock_mhz"].integer();
    environment.memory_clock_mhz = place["memory_clock_mhz"].integer();
    environment.operating_system = place["operating_system"].text();
    environment.kernel = place["kernel"].text();
    if (place.has("fault")) {
        environment.fault = place["fault"].text();
    }
    if (place.has("gpu_state")) {
        environment.gpu_state = read_gpu_state(place["gpu_state"]);
    }
    if (place.has("tools")) {
        environment.tools = place["tools"].lines();
    }
    environment.variables = place["variables"].dictionary([](const Place& value) { return value.text(); });
    return environment;
}

/// `2026-11-30T12:00:00Z`, or nothing.
std::string read_time(const Place& place) {
    std::string text = place.text();
    constexpr std::string_view shape = "dddd-dd-ddTdd:dd:ddZ";
    const auto fits = [](char c, char wanted) { return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted; };
    if (!text.empty() && !std::equal(text.begin(), text.end(), shape.begin(), shape.end(), fits)) {
        place.expect("a time such as 2026-11-30T12:00:00Z, or an empty string");
    }
    return text;
}

Compilation read_compilation(const Place& place) {
    place.object({"seconds", "units", "units_from_cache"});
    Compilation compilation;
    compilation.seconds = place["seconds"].real(std::numeric_limits<double>::max(), "a number from 0");
    compilation.units = place["units"].count();
    compilation.units_from_cache = place["units_from_cache"].whole(compilation.units);
    return compilation;
}

Results read_results(const Place& place) {
    place.object();
    // Before anything else: another schema may have other keys.
    const Place schema = place["schema"];
    if (schema.integer() != results_schema_version) {
        schema.refuse(concat("schema ", schema.integer(), ", this program reads schema ", results_schema_version,
                             "; read the file with the version of the suite that wrote it"));
    }
    place.object({"schema", "suite", "environment", "every_case", "seed", "started", "seconds", "digest", "cells"},
                 {"compilation", "native"});
    const Place suite = place["suite"];
    suite.object({"version", "git_hash", "dirty", "cases_digest"});
    place["digest"].text();

    Results results;
    results.suite = {.version = suite["version"].text(),
                     .git_hash = suite["git_hash"].text(),
                     .dirty = suite["dirty"].boolean(),
                     .cases_digest = suite["cases_digest"].text()};
    results.environment = read_environment(place["environment"]);
    results.every_case = place["every_case"].boolean();
    results.seed = place["seed"].whole(std::numeric_limits<std::uint64_t>::max());
    results.started = read_time(place["started"]);
    results.seconds = place["seconds"].real(std::numeric_limits<double>::max(), "a number from 0");
    if (place.has("compilation")) {
        results.compilation = read_compilation(place["compilation"]);
    }
    results.cells = place["cells"].list(most_results_cells, read_cell);
    if (place.has("native")) {
        results.native = place["native"].list(most_results_cells, read_native_cell);
    }
    return results;
}

template <typename Read>
auto read_with(Read read, const JsonDocument& document, std::string_view file_name)
    -> Result<decltype(read(std::declval<const Place&>()))> {
    try {
        return read(Place(document.root(), file_name));
    } catch (const MalformedResults& refusal) {
        return Error{refusal.message};
    }
}

template <typename Read>
auto read_with(Read read, std::string_view text, std::string_view file_name)
    -> Result<decltype(read(std::declval<const Place&>()))> {
    const Result<JsonDocument> document = parse_document(text, file_name);
    if (!document) {
        return document.error();
    }
    return read_with(read, *document, file_name);
}

} // namespace

Result<Results> read_document(const JsonDocument& document, std::string_view file_name) {
    return read_with(read_results, document, file_name);
}

Result<Results> read_json(std::string_view text, std::string_view file_name) {
    return read_with(read_results, text, file_name);
}

Result<Cell> read_cell_json(std::string_view text, std::string_view file_name) {
    return read_with(read_cell, text, file_name);
}

Result<NativeCell> read_native_cell_json(std::string_view text, std::string_view file_name) {
    return read_with(read_native_cell, text, file_name);
}

} // namespace pdlcts
