// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/cells.hpp"

#include <future>
#include <map>
#include <mutex>
#include <vector>

namespace pdlcts {

/// What the abstract machine allows of programs on their plans: each is searched once, on a thread of its own, so that
/// trials need not wait for it. Routes of a case are often alike. Several threads may ask.
class MachineAnswers {
public:
    /// Begins to search, unless that was asked before. The program has to outlive this, and stay where and what it is.
    void ask(const Program& program, const Plan& plan) { static_cast<void>(answer_to(program, plan)); }

    /// Waits for the answer; asks where nobody has asked.
    AllowedSet answer(const Program& program, const Plan& plan) { return answer_to(program, plan).get(); }

private:
    struct Asked {
        Plan plan; ///< its route does not matter, and is always the same here
        std::shared_future<AllowedSet> answer;
    };
    std::shared_future<AllowedSet> answer_to(const Program& program, const Plan& plan);

    std::mutex mutex_;
    std::map<const Program*, std::vector<Asked>> asked_;
};

} // namespace pdlcts
