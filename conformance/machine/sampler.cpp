// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/sampler.hpp"

#include "conformance/machine/gates.hpp"
#include "conformance/machine/spaces.hpp"

#include <map>
#include <stdexcept>
#include <variant>

namespace pdlcts {

using namespace machine;

namespace {

/// Beyond that the states of a program are forgotten and met anew.
constexpr std::uint32_t most_states = 1U << 20;

/// In a patient trial: a step, and giving up a poll.
constexpr std::uint32_t weight_of_step = 1U << 12;
constexpr std::uint32_t weight_of_giving_up = 1;

constexpr unsigned most_contradictions = 1U << 16;

struct Way {
    std::uint32_t to = 0;
    bool gives_up = false;
};

/// What is known of a state: where one can go from it, or what it has ended in.
struct Visited {
    enum class Kind : std::uint8_t { not_yet, inner, final, stuck, contradiction } kind = Kind::not_yet;
    std::uint32_t first = 0; ///< of its ways; of a final state: its outcome
    std::uint32_t ways = 0;
    std::uint32_t giving_up = 0; ///< of these: they stand last
};

bool gives_up(const Code& code, const Step& step) {
    if (step.kind != Step::Kind::perform || step.value != 0) {
        return false;
    }
    const Kind kind = code.classes[step.subject].roles[step.role].operations[step.operation].kind;
    return kind == Kind::await || kind == Kind::mbarrier_wait;
}

} // namespace

struct Sampler::Walks {
    explicit Walks(Code&& compiled) : code(std::move(compiled)) { start(); }

    void start() {
        visited.clear();
        ways.clear();
        if (has_parts(code)) {
            space = std::make_unique<Combinations>(code);
        } else {
            space = std::make_unique<Wholes>(code);
        }
    }

    std::uint32_t outcome_of(const Results& results) {
        const auto [known, is_new] = numbers.try_emplace(results, static_cast<std::uint32_t>(outcomes.size()));
        if (is_new) {
            Outcome& outcome = *outcomes.emplace_back(std::make_unique<Outcome>());
            for (const auto& [result, value] : results) {
                outcome[code.results[static_cast<std::size_t>(result)]].insert(Value{value});
            }
        }
        return known->second;
    }

    template <typename Space>
    void look(Space& in, std::uint32_t state) {
        in.open(state);
        Visited& here = visited[state];
        if (in.is_final()) {
            here.kind = Visited::Kind::final;
            here.first = outcome_of(in.results());
            return;
        }
        found.clear();
        const bool moved = in.for_each_step([&](const Step& step, const StateTable::Added& to) {
            found.push_back({to.number, gives_up(code, step)});
        });
        std::stable_partition(found.begin(), found.end(), [](const Way& way) { return !way.gives_up; });
        here.kind = !found.empty() ? Visited::Kind::inner : moved ? Visited::Kind::contradiction : Visited::Kind::stuck;
        here.first = static_cast<std::uint32_t>(ways.size());
        here.ways = static_cast<std::uint32_t>(found.size());
        here.giving_up = static_cast<std::uint32_t>(
            std::count_if(found.begin(), found.end(), [](const Way& way) { return way.gives_up; }));
        for (const Way& way : found) {
            ways.push_back(way.to);
        }
    }

    const Visited& at(std::uint32_t state) {
        if (state >= visited.size()) {
            visited.resize(std::max<std::size_t>(state + std::size_t{1}, visited.size() * 2));
        }
        if (visited[state].kind == Visited::Kind::not_yet) {
            std::visit([&](auto& in) { look(*in, state); }, space);
        }
        return visited[state];
    }

    std::uint32_t step(Visited from, SampleRandom& random, bool patient) {
        if (from.ways == 1) {
            // A state that leads to one other only is left out the next time.
            const Visited next = at(ways[from.first]);
            if (next.kind == Visited::Kind::inner && next.ways == 1) {
                ways[from.first] = ways[next.first];
            }
            return ways[from.first];
        }
        if (!patient) {
            return ways[from.first + random.below(from.ways)];
        }
        const std::uint32_t others = from.ways - from.giving_up;
        const std::uint32_t drawn = random.below(others * weight_of_step + from.giving_up * weight_of_giving_up);
        return ways[from.first + (drawn < others * weight_of_step ? drawn / weight_of_step
                                                                  : others + drawn - others * weight_of_step)];
    }

    /// Where an execution has ended.
    const Visited& walk(SampleRandom& random) {
        const bool patient = random.below(4) != 0;
        for (std::uint32_t state = 0;;) {
            const Visited& here = at(state);
            if (here.kind != Visited::Kind::inner) {
                return here;
            }
            state = step(here, random, patient);
        }
    }

    const Outcome* sample(SampleRandom& random) {
        if (visited.size() > most_states) {
            start();
        }
        // Writes that ran ahead may turn out to contradict what is learned later: that was no execution.
        for (unsigned given_up = 0; given_up < most_contradictions; ++given_up) {
            const Visited& end = walk(random);
            if (end.kind == Visited::Kind::final) {
                return outcomes[end.first].get();
            }
            if (end.kind == Visited::Kind::stuck) {
                return nullptr;
            }
        }
        throw std::runtime_error("no execution of a program came to an end without a contradiction");
    }

    Code code;
    std::variant<std::unique_ptr<Combinations>, std::unique_ptr<Wholes>> space;
    std::vector<Visited> visited;
    std::vector<std::uint32_t> ways;
    std::map<Results, std::uint32_t> numbers;
    std::vector<std::unique_ptr<Outcome>> outcomes;
    std::vector<Way> found; ///< for `look` alone
};

Result<Sampler> Sampler::make(const Program& program, const Plan& plan, Fault fault) {
    Result<Code> code = compile(program, plan, fault);
    if (!code) {
        return code.error();
    }
    if (!has_rule_to_break(*code)) {
        code->fault = Fault::none;
    }
    return Sampler(std::make_unique<Walks>(*std::move(code)));
}

Sampler::Sampler(std::unique_ptr<Walks> walks) : walks_(std::move(walks)) {}
Sampler::Sampler(Sampler&&) noexcept = default;
Sampler& Sampler::operator=(Sampler&&) noexcept = default;
Sampler::~Sampler() = default;

bool Sampler::has_fault() const {
    return walks_->code.fault != Fault::none;
}

const Outcome* Sampler::sample(SampleRandom& random) {
    return walks_->sample(random);
}

} // namespace pdlcts
