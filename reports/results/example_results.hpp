// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/example_cells.hpp"
#include "reports/results/results.hpp"

/// Results for tests, of this and of other folders.
namespace pdlcts::examples {

inline Environment h200() {
    Environment environment;
    environment.gpu = "NVIDIA H200";
    environment.gpu_uuid_hash = "0123456789abcdef";
    environment.compute_capability = 90;
    environment.multiprocessors = 132;
    environment.driver_version = "580.159.04";
    environment.driver_api_version = 13000;
    environment.runtime_version = 13000;
    environment.nvrtc_version = "13.0";
    environment.mig_mode = "off";
    environment.mps = "off";
    environment.ecc = "on";
    environment.compute_mode = "default";
    environment.sm_clock_mhz = 1980;
    environment.memory_clock_mhz = 3201;
    environment.operating_system = "Debian GNU/Linux 12 (bookworm)";
    environment.kernel = "6.1.0";
    environment.variables = {{"CUDA_MODULE_LOADING", "EAGER"}};
    return environment;
}

inline Environment abstract_machine() {
    Environment environment;
    environment.gpu = "abstract machine";
    environment.operating_system = "Debian GNU/Linux 12 (bookworm)";
    return environment;
}

inline Results results_of(Environment environment, std::vector<Cell> cells) {
    Results results;
    results.suite = {.version = "0.1.0",
                     .git_hash = "0123456789abcdef0123456789abcdef01234567",
                     .dirty = false,
                     .cases_digest = std::string(64, 'c')};
    results.environment = std::move(environment);
    results.every_case = true;
    results.seed = 7;
    results.started = "2026-11-30T12:00:00Z";
    results.seconds = 12.5;
    results.cells = std::move(cells);
    return results;
}

inline Cell named(Cell cell, const char* case_id, const char* statement) {
    cell.case_id = case_id;
    cell.statement = statement;
    return cell;
}

/// A native check that earns a PASS.
inline NativeCell native_cell() {
    NativeCell cell;
    cell.case_id = "graph-query/get-edges-lossy";
    cell.statement = "graph-query.lossy";
    cell.digest = std::string(64, 'b');
    cell.probes = {{ProbeKind::holds, "edges, one annotated", {"cudaErrorLossyQuery"}, "cudaErrorLossyQuery"},
                   {ProbeKind::differs, "edges, none annotated", {"cudaErrorLossyQuery"}, "cudaSuccess"}};
    return cell;
}

/// One cell of every kind: PASS, OBSERVED, PASS of an equivalence, NOT SUPPORTED, PROVED, PASS of a native check.
inline Results one_of_each() {
    Cell never = named(never_cell(), "visibility.after-wait/post-trigger", "visibility.after-wait");
    never.form.instances = Instances{.launches = 4,
                                     .blocks = 256,
                                     .program = {.outcomes = {{"overlapped=1 seen=1", 1024}}},
                                     .control = Tally{.outcomes = {{"overlapped=1 seen=0", 1024}}},
                                     .time = {.seconds = 0.1, .launch_seconds = 0.05}};
    Cell equivalence = equivalence_cell();
    equivalence.form = varied(equivalence.form);
    equivalence.other_form = varied(*equivalence.other_form);
    Cell not_supported = named(never_cell(), "toolchain.guard/old-target", "toolchain.guard");
    not_supported.form.program = {};
    not_supported.form.control.reset();
    not_supported.incident = Incident::not_supported;
    not_supported.incident_detail = "needs compute capability 10.0";
    Cell proved = named(machine_cell(MachineAnswer::Kind::proved, "12 outcomes"), "wait.no-prerequisite/returns",
                        "wait.no-prerequisite");
    proved.machine->trace = {"secondary block 0 thread 0: wait", "secondary block 0 thread 0: exit"};
    Results results = results_of(
        h200(), {never, named(sometimes_cell(), "trigger.allows-overlap/hand-shake", "trigger.allows-overlap"),
                 named(equivalence, "graph-capture.pss-edge/plain", "graph-capture.pss-edge"), not_supported, proved});
    results.compilation = Compilation{0.25, 3, 2};
    results.native = {native_cell()};
    return results;
}

/// The ledger of one_of_each.
inline Ledger small_ledger() {
    const auto statement = [](const char* id, Strength strength) {
        Statement result;
        result.id = id;
        result.text = "...";
        result.strength = strength;
        return result;
    };
    Ledger ledger;
    ledger.sections = {{"trigger", "Trigger", {statement("trigger.allows-overlap", Strength::permission)}},
                       {"wait", "Wait", {statement("wait.no-prerequisite", Strength::guarantee)}},
                       {"visibility", "Visibility", {statement("visibility.after-wait", Strength::guarantee)}},
                       {"graph-capture", "Capture", {statement("graph-capture.pss-edge", Strength::equivalence)}},
                       {"graph-query", "Queries", {statement("graph-query.lossy", Strength::guarantee)}},
                       {"toolchain", "Compiler and toolkit", {statement("toolchain.guard", Strength::guarantee)}}};
    return ledger;
}

} // namespace pdlcts::examples
