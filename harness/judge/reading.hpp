// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/judge.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

/// The first step of judging: texts become conditions, outcomes and counts. No verdict is made here.
namespace pdlcts {

struct Conditions {
    /// `never` or `sometimes`; at most one is given.
    std::optional<Condition> violation;
    std::optional<Condition> armed;
    /// Where no `armed` is given. One that does not parse arms nothing.
    bool every_trial_armed = false;
    /// What is wrong with the claim's text; empty where nothing is.
    std::string problem;
};
Conditions read_conditions(const ClaimText& claim);

/// One program's observation, read against a claim.
struct ObservationReading {
    const Observation* observation = nullptr;
    const Tally* tally = nullptr; ///< the observation's own, or that of its instances
    Counts counts;
    std::vector<std::string> violating;   ///< outcomes that match `never` or `sometimes`
    std::vector<std::string> unexplained; ///< outcomes that the machine does not allow; empty where it is undecided
    std::string problem;                  ///< an outcome text, seen or allowed, that does not parse
};
ObservationReading read_observation(const Observation& observation, const Tally& tally, const Conditions& conditions);

/// What `count` (judge.hpp) says, of many tallies under one claim: texts that occur in several are read once. The
/// tallies have to outlive it.
class ClaimCounter {
public:
    /// Of a claim that outlives it, and is read when the first outcome is.
    explicit ClaimCounter(const ClaimText& claim) : claim_(claim) {}
    Counts count(const Tally& tally);

private:
    struct Match {
        bool armed = false;
        bool violates = false;
    };
    const ClaimText& claim_;
    std::optional<Conditions> conditions_;
    std::unordered_map<std::string_view, Match> known_;

    Match match(const std::string& outcome);
};

struct FormReading {
    Route route = Route::stream;
    bool one_gpu_as_two = false; ///< the first GPU stood in for the second
    ObservationReading program;
    std::optional<ObservationReading> control;
    std::optional<ObservationReading> instances;
    std::optional<ObservationReading> control_instances;
};
FormReading read_form(const Form& form, const Conditions& conditions);

} // namespace pdlcts
