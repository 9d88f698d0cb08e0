// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/worker/protocol.hpp"

#include <memory>
#include <optional>
#include <string>
#include <variant>

/// Where the jobs of a run are done: in a worker of the supervisor's, or in the process itself.
namespace pdlcts {

/// What a workplace is, once it is open.
struct Opened {
    Results head; ///< suite and environment
    CompiledUnits units;
};

/// Why none can be had: no GPU, or nobody who could say so.
struct NoWorkplace {
    std::optional<GpuProblem> problem; ///< none: the worker that was asked died, or did not answer
    std::string message;
};

class Workplace {
public:
    virtual ~Workplace() = default;

    virtual std::variant<Opened, NoWorkplace> open() = 0;

    /// Each gives `expected` back with its evidence, or with what came in between. Nothing: the device is lost for
    /// good, and why_lost says why.
    virtual std::optional<Cell> cell(const CellJob& job, const Cell& expected) = 0;
    virtual std::optional<NativeCell> native(const NativeCase& listed, const NativeCell& expected) = 0;
    /// Pictures and latencies, in a cell that holds nothing else.
    virtual std::optional<Cell> pictures(const CellJob& job, const Cell& expected) = 0;
    virtual std::optional<NativeCell> incident(std::string_view name) = 0;

    /// The environment as it is now; nothing where nobody can say.
    virtual std::optional<Environment> look() = 0;

    virtual const std::string& why_lost() const = 0;
};

/// Does everything here: what loses the device ends the run, and what loses the process ends everything. For
/// comparison, and for debuggers.
std::unique_ptr<Workplace> work_here(RunSetup setup, std::vector<Case> cases, int device, const Suite& suite);

} // namespace pdlcts
