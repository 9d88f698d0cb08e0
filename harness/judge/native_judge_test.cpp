// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/judge.hpp"
#include "harness/judge/native_cell.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

NativeCell cell_of(Strength strength, std::vector<Probe> probes) {
    NativeCell cell;
    cell.case_id = "graph-edge/to-port";
    cell.statement = "graph.edge.to-port-zero";
    cell.strength = strength;
    cell.digest = std::string(64, 'a');
    cell.probes = std::move(probes);
    return cell;
}

/// Refused with the documented code, without a trace, beside a legal call that is accepted.
NativeCell refused() {
    return cell_of(Strength::requirement,
                   {{ProbeKind::illegal, "adding to_port 1", {"cudaErrorInvalidValue"}, "cudaErrorInvalidValue"},
                    {ProbeKind::kept, "edges", {"0"}, "0"},
                    {ProbeKind::legal, "adding to_port 0", {"cudaSuccess"}, "cudaSuccess"}});
}

NativeCell answered(Strength strength) {
    return cell_of(strength, {{ProbeKind::holds, "query, annotated", {"cudaErrorLossyQuery"}, "cudaErrorLossyQuery"},
                              {ProbeKind::differs, "query, plain", {"cudaErrorLossyQuery"}, "cudaSuccess"}});
}

void check_verdict(const NativeCell& cell, Verdict verdict, const char* reason) {
    const Judgement judgement = judge(cell);
    CHECK(name(judgement.verdict) == name(verdict));
    CHECK(judgement.reason == reason);
}

} // namespace

TEST_CASE(
    "a requirement holds where the illegal call is refused, leaves nothing behind, and the legal one is accepted") {
    check_verdict(refused(), Verdict::pass, "");

    NativeCell cell = refused();
    cell.probes[0].found = "cudaErrorNotSupported";
    check_verdict(cell, Verdict::recorded,
                  "refused with a code that is not documented: adding to_port 1: expected cudaErrorInvalidValue, found "
                  "cudaErrorNotSupported");
    cell.probes[0].expected.clear();
    check_verdict(cell, Verdict::recorded, "adding to_port 1: cudaErrorNotSupported; no document names the code");
    cell = refused();
    cell.probes[1].found = "1";
    check_verdict(cell, Verdict::recorded, "refused, but not without a trace: edges: expected 0, found 1");
}

TEST_CASE("an illegal call that is accepted fails only where it breaks a guarantee") {
    NativeCell cell = refused();
    cell.probes[0].found = "cudaSuccess";
    check_verdict(cell, Verdict::recorded, "adding to_port 1 is accepted");
    cell.probes.push_back({ProbeKind::harm, "what the secondary reads", {"1"}, "1"});
    check_verdict(cell, Verdict::recorded, "adding to_port 1 is accepted, without harm");
    cell.probes.back().found = "0";
    check_verdict(
        cell, Verdict::fail,
        "adding to_port 1 was accepted, and a guarantee is broken: what the secondary reads: expected 1, found "
        "0");
    // A harm beside a refusal is none.
    cell.probes[0].found = "cudaErrorInvalidValue";
    check_verdict(cell, Verdict::pass, "");
}

TEST_CASE("a refusal says nothing where the legal call is refused as well, or was never made") {
    NativeCell cell = refused();
    cell.probes[2].found = "cudaErrorNotSupported";
    check_verdict(cell, Verdict::vacuous,
                  "the nearest legal call is refused as well, so that a refusal says nothing: adding to_port 0: "
                  "cudaErrorNotSupported");
    for (const std::size_t missing : {1u, 2u}) {
        cell = refused();
        cell.probes.erase(cell.probes.begin() + static_cast<std::ptrdiff_t>(missing));
        CHECK(judge(cell).verdict == Verdict::harness_error);
    }
}

TEST_CASE("what a statement says is asked beside what has to differ") {
    for (const Strength strength : {Strength::guarantee, Strength::equivalence, Strength::definition}) {
        check_verdict(answered(strength), Verdict::pass, "");

        NativeCell cell = answered(strength);
        cell.probes[0].found = "cudaSuccess";
        check_verdict(cell, Verdict::fail, "query, annotated: expected cudaErrorLossyQuery, found cudaSuccess");
        cell = answered(strength);
        cell.probes[1].found = "cudaErrorLossyQuery";
        check_verdict(cell, Verdict::vacuous, "what has to differ does not: query, plain: cudaErrorLossyQuery");
        cell.probes.pop_back();
        check_verdict(cell, Verdict::vacuous, "nothing was asked that has to have another answer");
        cell.probes[0].kind = ProbeKind::noted;
        check_verdict(cell, Verdict::recorded,
                      "query, annotated: cudaErrorLossyQuery; the documents promise nothing of it");
        cell.probes.push_back({ProbeKind::differs, "query, plain", {"cudaErrorLossyQuery"}, "cudaSuccess"});
        CHECK(judge(cell).verdict == Verdict::harness_error);
    }
    NativeCell derived = answered(Strength::guarantee);
    derived.basis = Basis::derived;
    check_verdict(derived, Verdict::pass, "derived");
}

TEST_CASE("an effect is observed or not, and proves nothing where its control shows it") {
    for (const Strength strength : {Strength::permission, Strength::requirement}) {
        check_verdict(answered(strength), Verdict::observed, "query, annotated: cudaErrorLossyQuery");
        NativeCell cell = answered(strength);
        cell.probes[0].found = "cudaSuccess";
        CHECK(judge(cell).verdict == Verdict::not_observed);
        cell = answered(strength);
        cell.probes[1].found = "cudaErrorLossyQuery";
        check_verdict(cell, Verdict::vacuous, "the control shows it as well: query, plain: cudaErrorLossyQuery");
    }
}

TEST_CASE("what no document settles is recorded, whatever it is") {
    NativeCell cell = refused();
    cell.basis = Basis::inferred;
    CHECK(judge(cell).verdict == Verdict::recorded);
    cell = answered(Strength::unspecified);
    cell.probes[0].found = "cudaSuccess";
    check_verdict(cell, Verdict::recorded, "query, annotated: cudaSuccess; query, plain: cudaSuccess; unspecified");
}

TEST_CASE("without probes nothing holds") {
    check_verdict(cell_of(Strength::guarantee, {}), Verdict::missing, "nothing was probed");
    NativeCell cell = answered(Strength::guarantee);
    cell.incident = Incident::not_supported;
    cell.incident_detail = "the driver does not take this PTX";
    check_verdict(cell, Verdict::not_supported, "the driver does not take this PTX");
    cell.probes.clear();
    cell.incident_detail = "no second GPU";
    check_verdict(cell, Verdict::not_supported, "no second GPU");
    cell = answered(Strength::guarantee);
    cell.incident = Incident::device_error;
    CHECK(judge(cell).verdict == Verdict::device_error);
}

TEST_CASE("an incident takes back no violation that was seen before it, and makes none") {
    for (const Incident incident :
         {Incident::timeout, Incident::crash, Incident::device_error, Incident::harness_error, Incident::missing}) {
        NativeCell cell = answered(Strength::guarantee);
        cell.incident = incident;
        cell.incident_detail = "the next call did not return";
        CHECK(judge(cell).verdict != Verdict::fail);
        CHECK(judge(cell).verdict != Verdict::pass);
        cell.probes[0].found = "cudaSuccess";
        check_verdict(cell, Verdict::fail,
                      "query, annotated: expected cudaErrorLossyQuery, found cudaSuccess; then: the next call did not "
                      "return");
        // What nobody promises is no violation, and an inferred statement is not judged.
        cell.strength = Strength::permission;
        CHECK(judge(cell).verdict != Verdict::fail);
        cell.strength = Strength::guarantee;
        cell.basis = Basis::inferred;
        CHECK(judge(cell).verdict != Verdict::fail);

        NativeCell harmed = refused();
        harmed.probes[0].found = "cudaSuccess";
        harmed.probes.push_back({ProbeKind::harm, "what the secondary reads", {"1"}, "0"});
        harmed.incident = incident;
        harmed.incident_detail = "the next call did not return";
        CHECK(judge(harmed).verdict == Verdict::fail);
    }
}
