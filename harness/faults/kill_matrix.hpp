// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/faults/fault.hpp"
#include "harness/catalogue/catalogue.hpp"
#include "harness/judge/judge.hpp"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

/// Which faulty machines the suite notices, and by which cases.
namespace pdlcts {

/// A cell that has another verdict on a faulty machine than on the sound one.
struct KillingCell {
    std::string case_id;
    Route route = Route::stream;
    Verdict sound = Verdict::missing;
    Verdict verdict = Verdict::missing;
    std::string reason;
    bool is_own = false; ///< the case names the statement that the fault breaks
};

struct FaultRow {
    const FaultInfo* info = nullptr;
    std::vector<KillingCell> cells;
    /// Of the cell that needs the fewest: the trials of its program up to the first that violates, median over seeds.
    /// Where no cell fails, the trials of a whole run, which it takes to miss something. 0 where nothing kills it.
    std::uint64_t trials_to_kill = 0;

    std::vector<std::string> killed_by() const; ///< cases, each once, in the order of the list
    std::vector<std::string> failed_by() const; ///< those of them with a cell that FAILs
    bool is_killed() const { return !cells.empty(); }
    bool is_killed_by_its_own() const;
};

/// A guarantee that the machine models, and that can be broken otherwise than by losing overlap: a statement with a
/// case of its own that is PASS on the sound machine, or claims that it ends.
struct GuaranteeRow {
    std::string statement;
    std::vector<std::string> broken_by; ///< faults with which one of its own cases FAILs
};

struct KillMatrix {
    std::uint64_t seed = 0;
    std::uint64_t trials = 0;             ///< of each program, and as many of its control
    std::size_t cells = 0;                ///< that can be killed: PASS, OBSERVED or RECORDED on the sound machine
    std::vector<Cell> weak;               ///< cells that are VACUOUS or NOT OBSERVED already on the sound machine
    std::vector<FaultRow> faults;         ///< in the order of the list
    std::vector<std::string> unused;      ///< cases that kill no fault
    bool every_fault = false;             ///< no faults were selected
    std::vector<GuaranteeRow> guarantees; ///< of the statements that cases name first

    std::size_t killed() const;
    std::size_t not_equivalent() const;
    /// Whether every fault is killed that is not equivalent, and none that is; and where every fault was asked for,
    /// every guarantee is broken by one, which a case of its own shows by a FAIL.
    bool holds() const;
};

/// Whether a verdict on a faulty machine says that something is wrong, where the sound machine has another one.
bool is_kill(Verdict sound, Verdict faulty);

struct KillOptions {
    std::uint64_t seed = 1;
    std::vector<const FaultInfo*> faults; ///< empty means all
    std::function<void(const std::string&)> progress = [](const std::string&) {};
};

/// Runs every cell of the cases on the sound machine and on every faulty one, by the runner and the judge of a quick
/// run, on all cores.
KillMatrix kill_matrix(const std::vector<Case>& cases, const KillOptions& options);

} // namespace pdlcts
