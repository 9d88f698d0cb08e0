// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/search.hpp"

#include "conformance/machine/spaces.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>

namespace pdlcts::machine {
namespace {

/// Where each state was met first.
struct Origin {
    std::uint32_t parent = 0;
    Step step;
};

/// The lines of steps, each printed once.
class Lines {
public:
    explicit Lines(const Code& code) : code_(code) {}

    std::uint32_t number_of(const Step& step) {
        const auto kind = static_cast<std::uint32_t>(step.kind);
        const std::uint32_t place = step.subject | std::uint32_t{step.role} << 16 | std::uint32_t{step.operation} << 24;
        const auto [number, is_new] = steps_.add({kind, place, step.value, step.threads});
        if (is_new) {
            lines_.push_back(print(code_, step));
        }
        return number;
    }

    std::vector<std::string> all() && { return std::move(lines_); }

private:
    const Code& code_;
    KeyTable<4> steps_;
    std::vector<std::string> lines_;
};

Steps steps_to(Lines& lines, const std::vector<Origin>& origins, std::uint32_t index) {
    std::size_t length = 0;
    for (std::uint32_t at = index; origins[at].step.kind != Step::Kind::none; at = origins[at].parent) {
        ++length;
    }
    Steps steps(length);
    for (; length > 0; index = origins[index].parent) {
        steps[--length] = lines.number_of(origins[index].step);
    }
    return steps;
}

/// Results in the order of their names, which is that of outcomes.
std::vector<int> order_of_names(const Code& code) {
    std::vector<int> by_name(code.results.size());
    std::iota(by_name.begin(), by_name.end(), 0);
    std::sort(by_name.begin(), by_name.end(), [&](int one, int other) {
        return code.results[static_cast<std::size_t>(one)] < code.results[static_cast<std::size_t>(other)];
    });
    std::vector<int> order(by_name.size());
    for (std::size_t place = 0; place < by_name.size(); ++place) {
        order[static_cast<std::size_t>(by_name[place])] = static_cast<int>(place);
    }
    return order;
}

/// The final states that were met first with their results.
class Ends {
public:
    explicit Ends(const Code& code) : code_(code), order_(order_of_names(code)) {}

    void add(const Results& results, std::uint32_t state) {
        Results by_name = results;
        for (auto& [result, value] : by_name) {
            result = order_[static_cast<std::size_t>(result)];
        }
        std::sort(by_name.begin(), by_name.end());
        ends_.emplace(std::move(by_name), std::pair(state, results));
    }

    std::map<Outcome, Steps> outcomes(Lines& lines, const std::vector<Origin>& origins) const {
        std::map<Outcome, Steps> outcomes;
        for (const auto& [by_name, end] : ends_) {
            Outcome outcome;
            for (const auto& [result, value] : end.second) {
                outcome[code_.results[static_cast<std::size_t>(result)]].insert(Value{value});
            }
            outcomes.emplace_hint(outcomes.end(), std::move(outcome), steps_to(lines, origins, end.first));
        }
        return outcomes;
    }

private:
    const Code& code_;
    std::vector<int> order_;
    std::map<Results, std::pair<std::uint32_t, Results>> ends_;
};

/// A breadth-first search, so that the way back from a state is a shortest execution. `Space` numbers states in the
/// order in which they are met, and starts with one.
template <typename Space>
Exploration search(const Code& code, Space& space, const Limits& limits) {
    Exploration exploration;
    std::vector<Origin> origins(1);
    Lines lines(code);
    Ends ends(code);
    std::optional<std::uint32_t> stuck;
    std::uint32_t index = 0;
    for (; index < space.size() && space.size() <= limits.states; ++index) {
        space.open(index);
        if (space.is_final()) {
            ends.add(space.results(), index);
            continue;
        }
        const bool moved = space.for_each_step([&](const Step& step, const StateTable::Added& to) {
            if (to.is_new) {
                origins.push_back({index, step});
            }
        });
        if (!moved && !stuck) {
            stuck = index;
        }
    }
    exploration.states = space.size();
    exploration.decided = index == space.size();
    if (!exploration.decided) {
        exploration.undecided_because = "more than " + std::to_string(limits.states) + " states";
    }
    exploration.outcomes = ends.outcomes(lines, origins);
    const Steps steps_to_stuck = stuck ? steps_to(lines, origins, *stuck) : Steps{};
    exploration.lines = std::move(lines).all();
    if (stuck) {
        exploration.stuck = exploration.trace(steps_to_stuck);
    }
    return exploration;
}

} // namespace

Exploration explore_wholes(const Code& code, const Limits& limits) {
    Wholes space(code);
    return search(code, space, limits);
}

Exploration explore_parts(const Code& code, const Limits& limits) {
    return explore_parts(code, limits, default_few_shared_parts);
}

Exploration explore_parts(const Code& code, const Limits& limits, std::size_t few_shared_parts) {
    Combinations space(code, few_shared_parts);
    return search(code, space, limits);
}

} // namespace pdlcts::machine
