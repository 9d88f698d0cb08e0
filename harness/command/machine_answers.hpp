// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/cells.hpp"

#include <future>
#include <map>
#include <mutex>
#include <vector>

namespace pdlcts {

/// What the abstract machine allows of programs on their plans: each is searched once. Routes of a case are often
/// alike. Several threads may ask. Programs have to outlive this, and stay where and what they are.
class MachineAnswers {
public:
    /// Begins to search on another thread, unless that was asked before, so that trials need not wait for it. It takes
    /// the processor from nobody, and such searches come one after the other.
    void ask(const Program& program, const Plan& plan) { static_cast<void>(answer_to(program, plan, When::meanwhile)); }

    /// The answer: waits for it, or searches here where nobody has asked.
    AllowedSet answer(const Program& program, const Plan& plan) { return answer_to(program, plan, When::here).get(); }

private:
    enum class When { meanwhile, here };
    struct Asked {
        Plan plan; ///< its route does not matter, and is always the same here
        std::shared_future<AllowedSet> answer;
    };
    std::shared_future<AllowedSet> answer_to(const Program& program, const Plan& plan, When when);

    std::mutex searching_;
    std::mutex mutex_; ///< of what is asked
    std::map<const Program*, std::vector<Asked>> asked_;
};

} // namespace pdlcts
