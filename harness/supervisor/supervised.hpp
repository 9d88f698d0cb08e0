// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/supervisor/child.hpp"
#include "harness/supervisor/workplace.hpp"

#include <functional>

/// The supervisor: it touches no device. Whatever a worker does, its supervisor goes on, and says of the cell at which
/// it happened what happened.
namespace pdlcts {

struct Supervision {
    std::string program = "/proc/self/exe"; ///< of a worker: this program, though its file be replaced meanwhile
    std::vector<std::string> arguments{"worker"};
    /// How long anything may take, instead of what each job is given. For tests.
    std::optional<std::chrono::milliseconds> patience;
    bool isolate = false; ///< a worker for each job
    /// A command line that runs this cell again.
    std::function<std::string(const CellJob&, const Cell&)> reproduce = {};
};

/// Workers that ended one after the other, each at its job, until a device counts as lost.
inline constexpr unsigned most_losses_in_a_row = 20;
/// Workers that are started in vain, one after the other.
inline constexpr unsigned most_vain_starts = 3;

/// The GPUs of this machine, and the worker that was asked: it can go on with one of them, so that to ask costs
/// nothing.
struct FoundGpus {
    std::variant<std::vector<int>, NoWorkplace> usable;
    std::optional<Child> worker;
};
FoundGpus find_gpus(const Supervision& supervision);

/// `first` is a worker that may go on, or none. It is to be used by one thread, and to be opened and destroyed there:
/// workers die with the thread that starts them.
std::unique_ptr<Workplace> work_supervised(Supervision supervision, RunSetup setup, std::vector<Case> cases, int device,
                                           const Suite& suite, std::optional<Child> first = std::nullopt);

} // namespace pdlcts
