// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/machine.hpp"

#include "conformance/machine/pack.hpp"
#include "conformance/machine/state_table.hpp"
#include "conformance/machine/step.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

using namespace machine;

/// Every state that was met, in the order of a breadth-first search, so that the way back from a state is a shortest
/// execution.
struct Search {
    StateTable states;
    struct Origin {
        std::uint32_t parent = 0;
        Step step;
    };
    std::vector<Origin> origins;
    std::string packed;

    void meet(const State& state, std::uint32_t parent, const Step& step) {
        pack(state, packed);
        if (states.add(packed)) {
            origins.push_back({parent, step});
        }
    }
};

Trace trace_to(const Code& code, const Search& search, std::uint32_t index) {
    Trace trace;
    while (search.origins[index].step.kind != Step::Kind::none) {
        trace.push_back(print(code, search.origins[index].step));
        index = search.origins[index].parent;
    }
    std::reverse(trace.begin(), trace.end());
    return trace;
}

Outcome outcome_of(const Code& code, const State& state) {
    Outcome outcome;
    for (const auto& [result, value] : state.results) {
        outcome[code.results[static_cast<std::size_t>(result)]].insert(Value{value});
    }
    return outcome;
}

} // namespace

Exploration explore(const Program& program, const Plan& plan, const Limits& limits) {
    Exploration exploration;
    const Result<Code> code = compile(program, plan);
    if (!code) {
        exploration.undecided_because = code.error().message;
        return exploration;
    }
    Search search;
    State first = initial_state(*code);
    normalise(*code, first);
    search.meet(first, 0, Step{});
    for (std::uint32_t index = 0; index < search.states.size(); ++index) {
        if (search.states.size() > limits.states) {
            exploration.undecided_because = "more than " + std::to_string(limits.states) + " states";
            exploration.states = search.states.size();
            return exploration;
        }
        const State state = unpack(search.states[index]);
        if (is_final(*code, state)) {
            Outcome outcome = outcome_of(*code, state);
            if (!exploration.outcomes.contains(outcome)) {
                exploration.outcomes.emplace(std::move(outcome), trace_to(*code, search, index));
            }
            continue;
        }
        const bool moved =
            for_each_step(*code, state, [&](State&& next, const Step& step) { search.meet(next, index, step); });
        if (!moved && !exploration.stuck) {
            exploration.stuck = trace_to(*code, search, index);
        }
    }
    exploration.states = search.states.size();
    exploration.decided = true;
    return exploration;
}

} // namespace pdlcts
