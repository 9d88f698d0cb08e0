// SPDX-License-Identifier: Apache-2.0
// The programs that the device tests run claim what the specification says: a failure there is the GPU's, or the
// harness's.
#include "harness/gpu/constructs.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/machine/check.hpp"
#include "conformance/plan/routes.hpp"

#include <doctest/doctest.h>
#include <set>

using namespace pdlcts;

TEST_CASE("what the programs of the device tests claim follows from the specification, on every route") {
    for (const Construct& construct : constructs()) {
        CAPTURE(construct.name);
        const auto litmus = parse_litmus(construct.text, construct.name);
        REQUIRE_MESSAGE(litmus, litmus.error().message);
        for (const Route route : default_routes(*litmus)) {
            CAPTURE(std::string(name(route)));
            const Check checked = check(*litmus, route);
            CHECK_MESSAGE(checked.answer == Answer::proved, checked.reason);
        }
    }
}

TEST_CASE("every kind of instruction and operation is in a program of the device tests") {
    std::set<std::size_t> instructions;
    std::set<std::size_t> operations;
    for (const Construct& construct : constructs()) {
        const auto litmus = parse_litmus(construct.text, construct.name);
        REQUIRE_MESSAGE(litmus, litmus.error().message);
        for (const HostOperation& operation : litmus->program.operations) {
            operations.insert(operation.index());
            const auto* grid = std::get_if<Grid>(&operation);
            for (std::size_t agent = 0; grid != nullptr && agent < grid->agents.size(); ++agent) {
                for (const Instruction& instruction : grid->agents[agent].instructions) {
                    instructions.insert(instruction.index());
                }
            }
        }
    }
    for (std::size_t kind = 0; kind < std::variant_size_v<Instruction>; ++kind) {
        CHECK_MESSAGE(instructions.contains(kind), "the instruction with index " << kind);
    }
    for (std::size_t kind = 0; kind < std::variant_size_v<HostOperation>; ++kind) {
        CHECK_MESSAGE(operations.contains(kind), "the operation with index " << kind);
    }
}
