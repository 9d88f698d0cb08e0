// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/machine.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>

namespace pdlcts {

/// What the abstract machine allows of a program on a plan.
struct AllowedOutcomes {
    bool decided = false;
    std::set<Outcome> outcomes;
    bool can_hang = false;
    bool operator==(const AllowedOutcomes&) const = default;
};

/// The machine's answers, each searched for once: mutants of a case, and its routes, are often alike. Several threads
/// may ask at a time.
class Explorations {
public:
    /// The reference holds as long as this does.
    const AllowedOutcomes& of(const Program& program, const Plan& plan);

private:
    std::mutex mutex_;
    std::map<std::string, std::unique_ptr<AllowedOutcomes>> known_;
};

} // namespace pdlcts
