// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/machine.hpp"

#include <span>

namespace pdlcts {

enum class Answer { proved, refuted, not_decided, not_expressible };

/// What the machine says of one case on one route.
struct Check {
    Route route = Route::stream;
    Answer answer = Answer::not_decided;
    /// Why, in a sentence.
    std::string reason;
    /// The execution that refutes the claim, or the one in which the control shows what the claim forbids.
    Trace trace;
    /// The outcome of the program that `never` rules out, where such a one refutes the claim.
    std::optional<Outcome> counterexample;
    /// What to do about an answer that is not PROVED, and what there is instead, a sentence each.
    std::vector<std::string> advice;
    /// Present when the route can express the program (the control): the sets that a device is held to.
    std::optional<Plan> program_plan;
    std::optional<Plan> control_plan;
    Exploration program;
    Exploration control;
};

/// Proves a claim and refutes its control on one route:
/// `never C`: no outcome of the program matches C, and one of the control does.
/// `sometimes C`: an outcome of the program matches C, and none of the control does.
/// `ends`: neither program nor control can get stuck.
/// `armed C`: some outcome of the program, and of the control, matches C.
Check check(const Litmus& litmus, Route route, const Limits& limits = {});

/// The same on several routes, in their order. Routes that make the same of program and control are explored once.
std::vector<Check> check_routes(const Litmus& litmus, std::span<const Route> routes, const Limits& limits = {});
/// On every route that a run of the file takes.
std::vector<Check> check_routes(const Litmus& litmus, const Limits& limits = {});

/// Whether two routes make the same of program and control, so that there is the same to say of both.
bool same_plans(const Check& one, const Check& other);

/// `PROVED`, `REFUTED`, `NOT DECIDED`, `NOT EXPRESSIBLE`.
std::string_view name(Answer answer);

} // namespace pdlcts
