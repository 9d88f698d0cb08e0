// SPDX-License-Identifier: Apache-2.0
#include "harness/command/machine_answers.hpp"

#include "conformance/support/give_way.hpp"

#include <algorithm>

namespace pdlcts {

std::shared_future<AllowedSet> MachineAnswers::answer_to(const Program& program, const Plan& plan, When when) {
    // What the machine does follows from the nodes and their dependencies alone.
    Plan nodes = plan;
    nodes.route = Route::stream;
    nodes.undocumented.clear();
    const std::lock_guard lock(mutex_);
    std::vector<Asked>& of_program = asked_[&program];
    const auto known =
        std::find_if(of_program.begin(), of_program.end(), [&](const Asked& each) { return each.plan == nodes; });
    if (known != of_program.end()) {
        return known->answer;
    }
    std::shared_future<AllowedSet> answer;
    if (when == When::here) {
        answer = std::async(std::launch::deferred, [&program, nodes] { return allowed_set(program, nodes); }).share();
    } else {
        answer = std::async(std::launch::async, [this, &program, nodes] {
                     give_way();
                     const std::lock_guard one_at_a_time(searching_);
                     return allowed_set(program, nodes);
                 }).share();
    }
    of_program.push_back({std::move(nodes), answer});
    return answer;
}

} // namespace pdlcts
