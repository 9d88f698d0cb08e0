// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/explorations.hpp"

#include "conformance/litmus/printer.hpp"

namespace pdlcts {
namespace {

std::string key_of(const Program& program, const Plan& plan) {
    // The claim does not change what is allowed.
    Program unclaimed = program;
    unclaimed.claim = {};
    std::string key = print(unclaimed);
    for (const std::string& dependency : print_dependencies(program, plan)) {
        key += dependency + '\n';
    }
    return key;
}

/// A mutant may have far more executions than a case is allowed to: then it counts as one that is not equivalent.
constexpr Limits limits{20'000};

AllowedOutcomes explored(const Program& program, const Plan& plan) {
    const Exploration exploration = explore(program, plan, limits);
    AllowedOutcomes allowed{exploration.decided, {}, exploration.stuck.has_value()};
    for (const auto& [outcome, trace] : exploration.outcomes) {
        allowed.outcomes.insert(outcome);
    }
    return allowed;
}

} // namespace

const AllowedOutcomes& Explorations::of(const Program& program, const Plan& plan) {
    const std::string key = key_of(program, plan);
    {
        const std::lock_guard lock(mutex_);
        if (const auto found = known_.find(key); found != known_.end()) {
            return *found->second;
        }
    }
    auto allowed = std::make_unique<AllowedOutcomes>(explored(program, plan));
    const std::lock_guard lock(mutex_);
    // Where another thread has had the same question meanwhile, it has the same answer.
    return *known_.try_emplace(key, std::move(allowed)).first->second;
}

} // namespace pdlcts
