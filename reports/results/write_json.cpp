// SPDX-License-Identifier: Apache-2.0
#include "reports/results/results.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/sha256.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/json.hpp"
#include "reports/results/names.hpp"
#include "reports/results/picture_json.hpp"

namespace pdlcts {
namespace {

/// The digest is over the evidence alone: what is derived from it is another program's arithmetic.
enum class Fields { evidence, all };

using Object = Json::Object;

template <typename Value>
Json dictionary(const std::map<std::string, Value>& entries) {
    Object object;
    for (const auto& [key, value] : entries) {
        object.emplace_back(key, Json(value));
    }
    return object;
}

Json to_json(const Structure& structure) {
    return Object{{"expected", structure.expected},
                  {"built", structure.built},
                  {"read_back", structure.read_back},
                  {"undocumented", structure.undocumented}};
}

/// `counted`: what the tally is of, trials or instances.
void add_tally(Object& object, const Tally& tally, const char* counted, const ClaimText& claim, Fields fields) {
    if (fields == Fields::all) {
        const Counts counts = count(tally, claim);
        object.emplace_back(counted, counts.trials);
        object.emplace_back("armed", counts.armed);
        object.emplace_back("violations", counts.violations);
        object.emplace_back("armed_violations", counts.armed_violations);
    }
    object.emplace_back("outcomes", dictionary(tally.outcomes));
    object.emplace_back("unwritten", tally.unwritten);
}

Json to_json(const RunTime& time) {
    return Object{{"seconds", time.seconds}, {"launch_seconds", time.launch_seconds}};
}

Json to_json(const Instances& instances, const ClaimText& claim, Fields fields) {
    Object object = {{"launches", instances.launches}, {"blocks", std::uint64_t{instances.blocks}}};
    add_tally(object, instances.program, "instances", claim, fields);
    if (instances.control) {
        Object control;
        add_tally(control, *instances.control, "instances", claim, fields);
        object.emplace_back("control", std::move(control));
    }
    object.emplace_back("time", to_json(instances.time));
    return object;
}

void add_observation(Object& object, const Observation& observation, const ClaimText& claim, Fields fields) {
    add_tally(object, observation.tally, "trials", claim, fields);
    object.emplace_back("allowed", observation.allowed);
    object.emplace_back("decided", observation.decided);
    object.emplace_back("structure", to_json(observation.structure));
    if (!observation.variations.empty()) {
        Object variations;
        for (const auto& [variation, tally] : observation.variations) {
            Object counts;
            add_tally(counts, tally, "trials", claim, fields);
            variations.emplace_back(variation, std::move(counts));
        }
        object.emplace_back("variations", std::move(variations));
    }
}

Json to_json(const PollLatencies& latencies) {
    return Object{{"trials", latencies.trials},
                  {"satisfied", latencies.satisfied},
                  {"median_ns", latencies.median_ns},
                  {"high_ns", latencies.high_ns}};
}

Json to_json(const PollWindow& window) {
    Object object = {{"poll", window.poll}, {"ceiling_ns", window.ceiling_ns}, {"window_ns", window.window_ns}};
    if (window.program) {
        object.emplace_back("program", to_json(*window.program));
    }
    if (window.control) {
        object.emplace_back("control", to_json(*window.control));
    }
    return object;
}

/// The keys of a form stand in the cell itself, or in its `other_form`.
void add_form(Object& object, const Form& form, const ClaimText& claim, Fields fields) {
    add_observation(object, form.program, claim, fields);
    if (form.control) {
        Object control;
        add_observation(control, *form.control, claim, fields);
        object.emplace_back("control", std::move(control));
    }
    if (form.branches) {
        object.emplace_back("branches", std::uint64_t{*form.branches});
    }
    if (form.time) {
        object.emplace_back("time", to_json(*form.time));
    }
    if (form.instances) {
        object.emplace_back("instances", to_json(*form.instances, claim, fields));
    }
    if (form.second_gpu) {
        object.emplace_back("second_gpu",
                            Object{{"name", form.second_gpu->name}, {"stood_in_for", form.second_gpu->stood_in_for}});
    }
    if (!form.windows.empty()) {
        Json::List windows;
        for (const PollWindow& window : form.windows) {
            windows.push_back(to_json(window));
        }
        object.emplace_back("windows", std::move(windows));
    }
}

Json to_json(const Cell& cell, Fields fields) {
    Object object = {{"case", cell.case_id},      {"statement", cell.statement},    {"strength", name(cell.strength)},
                     {"basis", name(cell.basis)}, {"route", name(cell.form.route)}, {"image", cell.image},
                     {"digest", cell.digest}};
    if (fields == Fields::all) {
        const Judgement judgement = judge(cell);
        object.emplace_back("verdict", name(judgement.verdict));
        object.emplace_back("reason", judgement.reason);
        object.emplace_back("upper_bound", judgement.upper_bound);
    }
    add_form(object, cell.form, cell.claim, fields);
    if (cell.other_form) {
        Object other = {{"route", name(cell.other_form->route)}};
        add_form(other, *cell.other_form, cell.claim, fields);
        object.emplace_back("other_form", std::move(other));
    }
    object.emplace_back("claim", Object{{"never", cell.claim.never},
                                        {"sometimes", cell.claim.sometimes},
                                        {"ends", cell.claim.ends},
                                        {"armed", cell.claim.armed}});
    object.emplace_back("thresholds", Object{{"control_violations", cell.thresholds.control_violations},
                                             {"program_trials", cell.thresholds.program_trials},
                                             {"quick", cell.thresholds.quick}});
    object.emplace_back("incident", name(cell.incident));
    object.emplace_back("incident_detail", cell.incident_detail);
    if (cell.machine) {
        object.emplace_back("machine", Object{{"answer", name(cell.machine->kind)},
                                              {"reason", cell.machine->reason},
                                              {"trace", cell.machine->trace}});
    }
    if (cell.pictures) {
        object.emplace_back("picture", to_json(*cell.pictures));
    }
    if (!cell.latency.empty()) {
        object.emplace_back("latency", to_json(cell.latency));
    }
    return object;
}

Json to_json(const NativeCell& cell, Fields fields) {
    Object object = {{"case", cell.case_id},
                     {"statement", cell.statement},
                     {"strength", name(cell.strength)},
                     {"basis", name(cell.basis)},
                     {"digest", cell.digest}};
    if (fields == Fields::all) {
        const Judgement judgement = judge(cell);
        object.emplace_back("verdict", name(judgement.verdict));
        object.emplace_back("reason", judgement.reason);
    }
    Json::List probes;
    for (const Probe& probe : cell.probes) {
        probes.push_back(Object{
            {"kind", name(probe.kind)}, {"what", probe.what}, {"expected", probe.expected}, {"found", probe.found}});
    }
    object.emplace_back("probes", std::move(probes));
    object.emplace_back("incident", name(cell.incident));
    object.emplace_back("incident_detail", cell.incident_detail);
    return object;
}

Json to_json(const Environment& environment) {
    Object object{{"gpu", environment.gpu},
                  {"gpu_uuid_hash", environment.gpu_uuid_hash},
                  {"compute_capability", environment.compute_capability},
                  {"multiprocessors", environment.multiprocessors},
                  {"driver_version", environment.driver_version},
                  {"driver_api_version", environment.driver_api_version},
                  {"runtime_version", environment.runtime_version},
                  {"nvrtc_version", environment.nvrtc_version},
                  {"mig_mode", environment.mig_mode},
                  {"mps", environment.mps},
                  {"ecc", environment.ecc},
                  {"compute_mode", environment.compute_mode},
                  {"sm_clock_mhz", environment.sm_clock_mhz},
                  {"memory_clock_mhz", environment.memory_clock_mhz},
                  {"operating_system", environment.operating_system},
                  {"kernel", environment.kernel},
                  {"variables", dictionary(environment.variables)}};
    if (environment.fault) {
        object.emplace_back("fault", *environment.fault);
    }
    return object;
}

Json to_json(const Results& results, Fields fields) {
    Object object = {{"schema", results.schema},
                     {"suite", Object{{"version", results.suite.version},
                                      {"git_hash", results.suite.git_hash},
                                      {"dirty", results.suite.dirty},
                                      {"cases_digest", results.suite.cases_digest}}},
                     {"environment", to_json(results.environment)},
                     {"every_case", results.every_case},
                     {"seed", results.seed},
                     {"started", results.started},
                     {"seconds", results.seconds}};
    if (results.compilation) {
        object.emplace_back("compilation", Object{{"seconds", results.compilation->seconds},
                                                  {"units", results.compilation->units},
                                                  {"units_from_cache", results.compilation->units_from_cache}});
    }
    if (fields == Fields::all) {
        object.emplace_back("digest", sha256(print(to_json(results, Fields::evidence), JsonLayout::compact)));
    }
    Json::List cells;
    for (const Cell& cell : results.cells) {
        cells.push_back(to_json(cell, fields));
    }
    object.emplace_back("cells", std::move(cells));
    if (!results.native.empty()) {
        Json::List native;
        for (const NativeCell& cell : results.native) {
            native.push_back(to_json(cell, fields));
        }
        object.emplace_back("native", std::move(native));
    }
    return object;
}

} // namespace

std::string write_json(const Results& results) {
    return print(to_json(clean(results), Fields::all), JsonLayout::a_line_each_cell) + "\n";
}

std::string write_json(const Cell& cell) {
    return print(to_json(clean(cell), Fields::all), JsonLayout::compact);
}

std::string write_json(const NativeCell& cell) {
    return print(to_json(clean(cell), Fields::all), JsonLayout::compact);
}

} // namespace pdlcts
