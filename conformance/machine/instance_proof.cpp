// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/instance_proof.hpp"

#include "conformance/plan/instances.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr unsigned instances = 2;

/// The outcome of one instance, under the names of the program.
Outcome outcome_of(const Outcome& widened, const Outcome& names, unsigned instance) {
    Outcome outcome;
    for (const auto& [name, values] : names) {
        if (const auto found = widened.find(name_in_instance(name, instance)); found != widened.end()) {
            outcome.emplace(name, found->second);
        }
    }
    return outcome;
}

} // namespace

bool proves_instances(const Program& program, const Plan& plan, const Exploration& allowed, const Limits& limits) {
    if (!allowed.decided || allowed.outcomes.empty() || why_no_instances(program)) {
        return false;
    }
    Outcome names;
    for (const auto& [outcome, trace] : allowed.outcomes) {
        names.insert(outcome.begin(), outcome.end());
    }
    const Exploration widened = explore(widen(program, instances), plan, limits);
    return widened.decided && widened.stuck.has_value() == allowed.stuck.has_value() &&
           std::all_of(widened.outcomes.begin(), widened.outcomes.end(), [&](const auto& each) {
               for (unsigned instance = 0; instance < instances; ++instance) {
                   if (!allowed.outcomes.contains(outcome_of(each.first, names, instance))) {
                       return false;
                   }
               }
               return true;
           });
}

} // namespace pdlcts
