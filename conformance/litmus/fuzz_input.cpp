// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/fuzz_input.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/plan/lower.hpp"

#include <algorithm>
#include <optional>

namespace pdlcts {

namespace {

/// `file:line:column: what; expected X, found Y`, the form that every tool of the project relies on.
bool is_well_formed(std::string_view message) {
    const auto skip_number = [&] {
        const std::size_t digits = std::min(message.find_first_not_of("0123456789"), message.size());
        const bool there = digits > 0 && message.front() != '0';
        message.remove_prefix(digits);
        return there;
    };
    const auto skip = [&](std::string_view text) {
        const bool there = message.starts_with(text);
        message.remove_prefix(there ? text.size() : 0);
        return there;
    };
    return skip("f:") && skip_number() && skip(":") && skip_number() && skip(": ") &&
           message.find("; expected ") < message.rfind(", found ");
}

bool is_sound(const Plan& plan, const Program& program) {
    const auto follows = [](const auto& earlier, const auto& later, auto key) { return key(earlier) < key(later); };
    for (std::size_t index = 0; index < plan.nodes.size(); ++index) {
        const Node& node = plan.nodes[index];
        const auto upstream = [](const Dependency& each) { return each.upstream; };
        const auto unordered = std::adjacent_find(
            node.dependencies.begin(), node.dependencies.end(),
            [&](const Dependency& left, const Dependency& right) { return !follows(left, right, upstream); });
        const bool in_order = index == 0 || plan.nodes[index - 1].operation < node.operation;
        if (node.operation >= program.operations.size() || !in_order || unordered != node.dependencies.end() ||
            (!node.dependencies.empty() && node.dependencies.back().upstream >= index)) {
            return false;
        }
    }
    return true;
}

void lower_everywhere(const Program& program, FuzzedInput& input) {
    for (const Route route : all_routes) {
        const auto plan = lower(program, route);
        if (!plan && plan.error().message.empty()) {
            input.complaint = "a program is refused without a reason";
        } else if (plan && !is_sound(*plan, program)) {
            input.complaint = "a plan's nodes or dependencies are out of order";
        }
        input.plans += plan ? 1 : 0;
    }
}

} // namespace

FuzzedInput try_input(std::string_view text) {
    FuzzedInput input;
    const auto litmus = parse_litmus(text, "f");
    if (!litmus) {
        if (!is_well_formed(litmus.error().message)) {
            input.complaint = "ill-formed error: " + litmus.error().message;
        }
        return input;
    }
    input.accepted = true;
    input.canonical = print(*litmus);
    const auto again = parse_litmus(input.canonical, "again");
    if (!again) {
        input.complaint = "what was printed is refused: " + again.error().message;
    } else if (!(*again == *litmus)) {
        input.complaint = "what was printed reads back as another value";
    } else {
        lower_everywhere(litmus->program, input);
        if (litmus->control) {
            lower_everywhere(*litmus->control, input);
        }
    }
    return input;
}

} // namespace pdlcts
