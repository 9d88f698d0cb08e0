// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/native_cells.hpp"

#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "conformance/support/sha256.hpp"

#include <algorithm>
#include <charconv>

namespace pdlcts {
namespace {

/// A hang is what a deadline is for; a check makes some calls and waits for small kernels.
constexpr std::chrono::milliseconds deadline{10'000};

/// The page and the questions: two cells with one digest have asked the same.
std::string digest_of_cell(const NativeCase& listed, std::span<const Probe> probes) {
    std::string text = listed.text;
    for (const Probe& probe : probes) {
        text += concat("\n", name(probe.kind), " ", probe.what);
    }
    return sha256(text);
}

/// `12.3` as cudaRuntimeGetVersion counts: 12030.
int toolkit_number(const std::string& version) {
    int major = 0;
    int minor = 0;
    const std::size_t dot = version.find('.');
    std::from_chars(version.data(), version.data() + std::min(dot, version.size()), major);
    if (dot != std::string::npos) {
        std::from_chars(version.data() + dot + 1, version.data() + version.size(), minor);
    }
    return major * 1000 + minor * 10;
}

std::string why_unsupported(const Statement& statement, const Environment& environment) {
    if (environment.compute_capability < statement.minimum_compute_capability) {
        return concat("the statement is about compute capability ", statement.minimum_compute_capability / 10, ".",
                      statement.minimum_compute_capability % 10, " and higher");
    }
    if (!statement.minimum_toolkit.empty() && environment.runtime_version < toolkit_number(statement.minimum_toolkit)) {
        return concat("the statement is about CUDA ", statement.minimum_toolkit, " and newer");
    }
    return "";
}

} // namespace

std::vector<NativeCase> select_native_cases(const std::vector<std::string>& patterns) {
    if (patterns.empty()) {
        return embedded_native_cases();
    }
    std::vector<NativeCase> selected;
    for (const NativeCase& listed : embedded_native_cases()) {
        if (std::any_of(patterns.begin(), patterns.end(),
                        [&](const std::string& pattern) { return is_selected(listed, pattern); })) {
            selected.push_back(listed);
        }
    }
    return selected;
}

NativeCell describe(const NativeCase& listed, const Ledger& ledger) {
    const Statement& statement = *find_statement(ledger, listed.statement);
    NativeCell cell;
    cell.case_id = listed.id;
    cell.statement = listed.statement;
    cell.strength = statement.strength;
    cell.basis = statement.basis;
    cell.digest = digest_of_cell(listed, {});
    return cell;
}

bool is_of_this_check(const NativeCell& cell, const NativeCase& listed) {
    return cell.digest == digest_of_cell(listed, cell.probes);
}

NativeCell probe(Gpu& gpu, const NativeCase& listed, const Ledger& ledger) {
    NativeCell cell = describe(listed, ledger);
    const NativeFunction function = find_native_check(listed.id);
    if (function == nullptr) {
        cell.incident = Incident::harness_error;
        cell.incident_detail = "this program holds no code for the check";
        return cell;
    }
    cell.incident_detail = why_unsupported(*find_statement(ledger, listed.statement), gpu.environment());
    if (!cell.incident_detail.empty()) {
        cell.incident = Incident::not_supported;
        return cell;
    }
    NativeRun run = gpu.probe(function, deadline);
    cell.probes = std::move(run.probes);
    cell.digest = digest_of_cell(listed, cell.probes);
    cell.incident = run.incident;
    cell.incident_detail = std::move(run.incident_detail);
    return cell;
}

std::vector<std::string> review_native(std::span<const NativeCell> cells, const Ledger& ledger, bool every_case) {
    std::vector<std::string> differences;
    for (const NativeCase& listed : embedded_native_cases()) {
        const auto cell =
            std::find_if(cells.begin(), cells.end(), [&](const NativeCell& each) { return each.case_id == listed.id; });
        if (cell == cells.end()) {
            if (every_case) {
                differences.push_back(listed.id + ": there is no cell, though the file says that every case was run");
            }
            continue;
        }
        if (cell->statement != describe(listed, ledger).statement) {
            differences.push_back(listed.id + ": the check is of another statement than the file says");
        }
        if (cell->digest != digest_of_cell(listed, cell->probes)) {
            differences.push_back(listed.id + ": the digest is not that of the check's page and its questions");
        }
    }
    return differences;
}

} // namespace pdlcts
