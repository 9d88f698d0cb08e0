// SPDX-License-Identifier: Apache-2.0
#include "reports/results/results.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/sha256.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/names.hpp"

#include <nlohmann/json.hpp>

namespace pdlcts {
namespace {

using Json = nlohmann::ordered_json;

/// The digest is over the evidence alone: what is derived from it is another program's arithmetic.
enum class Fields { evidence, all };

Json to_json(const Structure& structure) {
    return {{"expected", structure.expected},
            {"built", structure.built},
            {"read_back", structure.read_back},
            {"undocumented", structure.undocumented}};
}

Json to_json(const Observation& observation, const ClaimText& claim, Fields fields) {
    Json json = Json::object();
    if (fields == Fields::all) {
        const Counts counts = count(observation, claim);
        json["trials"] = counts.trials;
        json["armed"] = counts.armed;
        json["violations"] = counts.violations;
        json["armed_violations"] = counts.armed_violations;
    }
    json["outcomes"] = Json::object();
    for (const auto& [outcome, times] : observation.tally.outcomes) {
        json["outcomes"].emplace(outcome, times);
    }
    json["unwritten"] = observation.tally.unwritten;
    json["allowed"] = observation.allowed;
    json["decided"] = observation.decided;
    json["structure"] = to_json(observation.structure);
    return json;
}

/// The keys of a form stand in the cell itself, or in its `other_form`.
void add_form(Json& json, const Form& form, const ClaimText& claim, Fields fields) {
    json.update(to_json(form.program, claim, fields));
    if (form.control) {
        json["control"] = to_json(*form.control, claim, fields);
    }
}

Json to_json(const Cell& cell, Fields fields) {
    Json json = {{"case", cell.case_id},      {"statement", cell.statement},    {"strength", name(cell.strength)},
                 {"basis", name(cell.basis)}, {"route", name(cell.form.route)}, {"image", cell.image},
                 {"digest", cell.digest}};
    if (fields == Fields::all) {
        const Judgement judgement = judge(cell);
        json["verdict"] = name(judgement.verdict);
        json["reason"] = judgement.reason;
        json["upper_bound"] = judgement.upper_bound;
    }
    add_form(json, cell.form, cell.claim, fields);
    if (cell.other_form) {
        json["other_form"]["route"] = name(cell.other_form->route);
        add_form(json["other_form"], *cell.other_form, cell.claim, fields);
    }
    json["claim"] = {{"never", cell.claim.never},
                     {"sometimes", cell.claim.sometimes},
                     {"ends", cell.claim.ends},
                     {"armed", cell.claim.armed}};
    json["thresholds"] = {{"control_violations", cell.thresholds.control_violations},
                          {"program_trials", cell.thresholds.program_trials},
                          {"quick", cell.thresholds.quick}};
    json["incident"] = name(cell.incident);
    json["incident_detail"] = cell.incident_detail;
    if (cell.machine) {
        json["machine"] = {
            {"answer", name(cell.machine->kind)}, {"reason", cell.machine->reason}, {"trace", cell.machine->trace}};
    }
    return json;
}

Json to_json(const Environment& environment) {
    Json variables = Json::object();
    for (const auto& [variable, value] : environment.variables) {
        variables.emplace(variable, value);
    }
    return {{"gpu", environment.gpu},
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
            {"variables", variables}};
}

Json to_json(const Results& results, Fields fields) {
    Json json = {{"schema", results.schema},
                 {"suite",
                  {{"version", results.suite.version},
                   {"git_hash", results.suite.git_hash},
                   {"dirty", results.suite.dirty},
                   {"cases_digest", results.suite.cases_digest}}},
                 {"environment", to_json(results.environment)},
                 {"seed", results.seed},
                 {"started", results.started},
                 {"seconds", results.seconds}};
    if (fields == Fields::all) {
        json["digest"] = sha256(to_json(results, Fields::evidence).dump());
    }
    json["cells"] = Json::array();
    for (const Cell& cell : results.cells) {
        json["cells"].push_back(to_json(cell, fields));
    }
    return json;
}

} // namespace

std::string write_json(const Results& results) {
    return to_json(clean(results), Fields::all).dump(1) + "\n";
}

} // namespace pdlcts
