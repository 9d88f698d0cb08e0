// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "harness/judge/cell.hpp"

#include <string>
#include <string_view>
#include <vector>

/// What a results file holds of one native check: a case that no litmus program can express, because it is about calls
/// that are refused, about what a query answers, or about what a compiler makes of code.
namespace pdlcts {

struct Judgement;

/// What a probe's answer means. A check that asks only what it hopes for proves nothing, so the judge wants the other
/// side too: the nearest legal call beside an illegal one, a form that has to differ beside one that holds.
enum class ProbeKind {
    illegal, ///< A call that the statement forbids. `expected`: the error codes that its documentation lists.
    kept,    ///< What an illegal call must leave as it was. `expected`: how it was before.
    legal,   ///< The nearest legal call. `expected`: `cudaSuccess`.
    harm,    ///< A guarantee, after an illegal call was accepted. `expected`: what is no harm.
    holds,   ///< What the statement says. `expected`: what it allows.
    differs, ///< The same question of a form that the statement says something else of. `expected`: what `holds`
             ///< allows.
    noted,   ///< Written down, judged by nobody.
};

/// One question to the driver, the compiler or the device, and its answer.
struct Probe {
    ProbeKind kind = ProbeKind::noted;
    std::string what;                  ///< the call or the query, for a person: `cudaGraphAddDependencies, to_port 1`
    std::vector<std::string> expected; ///< any of these; empty where no document says
    std::string found;                 ///< an error's name, or the value that was read
    bool operator==(const Probe&) const = default;
};

/// Whether the answer is one of those that `expected` lists.
bool matches(const Probe& probe);

struct NativeCell {
    std::string case_id;   ///< `graph-query/get-edges-lossy`
    std::string statement; ///< statement id
    Strength strength = Strength::guarantee;
    Basis basis = Basis::read;
    std::string digest; ///< SHA-256 of the check's text and of the questions that it asked
    std::vector<Probe> probes;
    Incident incident = Incident::none;
    std::string incident_detail;
    bool operator==(const NativeCell&) const = default;
};

/// From a native check's evidence to its verdict. Pure. What was violated before an incident - a timeout, an error of
/// the device, something not supported - is a FAIL all the same; with an incident, or without probes, there is no other
/// verdict than that.
///
/// - inferred or unspecified: RECORDED.
/// - only `noted`: RECORDED. Such a check is about what the documents leave open beside a statement.
/// - anything with illegal calls. PASS: all refused with a documented code, all that is to be kept was, the legal call
///   accepted. FAIL: accepted, and a guarantee broken. RECORDED: accepted without harm, refused with a code that no
///   document lists, or something left behind. VACUOUS: the legal call was refused as well.
/// - guarantee, equivalence, definition. PASS: everything holds, and what must differ does. FAIL: something does not
///   hold. VACUOUS: what must differ does not.
/// - permission, requirement. OBSERVED: it holds, and does not where it must differ. NOT OBSERVED: it does not hold.
///   VACUOUS: it holds where it must not as well.
Judgement judge(const NativeCell& cell);

std::string_view name(ProbeKind kind); ///< `illegal`, `kept`, ...

} // namespace pdlcts
