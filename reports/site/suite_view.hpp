// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/statements/ledger.hpp"
#include "reports/results/results.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// What the suite that writes the site knows by itself, and no results file has to be believed for: its cases, what the
/// abstract machine allows of them, their source, and the faulty machines. Plain values: the program fills them in
/// (harness/command/site_suite.hpp), so that nothing here knows CUDA.
namespace pdlcts::site {

/// A case on a route on which a run has a cell of it.
struct SuiteRoute {
    Route route = Route::stream;
    std::string answer; ///< of the machine: `PROVED`
    std::string reason;
    bool decided = false;
    std::vector<std::string> allowed; ///< outcomes of the program
    std::vector<std::string> control_allowed;
    std::vector<std::string> plan; ///< the program's dependencies, a line each
    std::vector<std::string> control_plan;
    std::vector<std::string> undocumented;
    std::string trace_heading;
    std::vector<std::string> trace;
    std::string reproducer;    ///< the CUDA file; empty where there is none
    std::string no_reproducer; ///< why
};

/// A public report behind a case.
struct SuiteReport {
    std::string name;    ///< `NVIDIA/cccl issue 9134`
    std::string address; ///< where it can be read
};

/// What was collected of such reports, and in which cases it ended (cases/field-reports.toml).
struct FieldReport {
    std::string about;
    std::string beyond;
    std::vector<std::string> cases;
};

struct SuiteCase {
    std::string id;
    std::string statement;
    std::vector<std::string> checks;
    bool native = false;
    bool equivalence = false;
    std::vector<std::string> description;
    std::string text;   ///< as the file says it, marks and all; of a native check its page
    std::string source; ///< CUDA, as it is given to NVRTC
    ClaimText claim;
    std::vector<SuiteReport> reports;
    std::vector<std::pair<std::string, std::string>> notes; ///< routes, or empty for all, and the note
    std::vector<SuiteRoute> routes;
};

struct SuiteFault {
    std::string name;
    std::string statement;
    std::string change;
    std::string cause;
    std::string reports;
    std::string equivalent_because;
    std::vector<std::string> killed_by; ///< cases
    std::vector<std::string> failed_by;
};

/// A rule of the machine and the statements that it implements.
struct SuiteRule {
    std::string rule;
    std::vector<std::string> statements;
};

/// What becomes of a cell's digest when it is made again here.
enum class Currency {
    current, ///< the same case, route, image and source
    stale,   ///< the case or its source is another now
    unknown, ///< no case of this suite, or an image that this suite does not make
};

struct SuiteView {
    Suite suite;
    const Ledger* ledger = nullptr;
    std::vector<SuiteCase> cases; ///< in the order of the ledger's sections
    std::vector<SuiteFault> faults;
    std::size_t killed_faults = 0;
    std::size_t faults_that_count = 0; ///< less those that nobody could notice
    std::vector<SuiteRule> rules;
    std::vector<std::string> memory_rules;
    std::vector<FieldReport> field_reports;
    /// Safe to call from several threads.
    std::function<Currency(const Cell&)> currency;
    std::function<Currency(const NativeCell&)> native_currency;
};

} // namespace pdlcts::site
