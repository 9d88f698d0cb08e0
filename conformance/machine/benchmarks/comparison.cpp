// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/benchmarks/comparison.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/machine/benchmarks/exactness.hpp"
#include "conformance/machine/machine.hpp"
#include "conformance/plan/lower.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <ctime>
#include <fstream>
#include <stdexcept>
#include <utility>

namespace pdlcts::spin {
namespace {

constexpr const char* route_names[] = {"stream", "captured", "edges"};

struct Ready {
    Program program;
    Plan plan;
};

Result<Ready> parse_and_lower(const Subject& subject) {
    const Result<Litmus> litmus = parse_litmus(subject.text, subject.file);
    if (!litmus) {
        return litmus.error();
    }
    Ready ready{subject.control ? litmus->control.value_or(litmus->program) : litmus->program, {}};
    Result<Plan> plan = lower(ready.program, subject.route);
    if (!plan) {
        return plan.error();
    }
    ready.plan = std::move(*plan);
    return ready;
}

/// Of this process since it began to run its program: what wait4 tells counts the parent's pages too.
double largest_resident_megabytes() {
    std::ifstream status("/proc/self/status");
    std::string word;
    while (status >> word) {
        if (word == "VmHWM:") {
            double kilobytes = 0;
            status >> kilobytes;
            return kilobytes / 1024;
        }
    }
    return 0;
}

std::string missing(const std::set<Outcome>& from, const std::set<Outcome>& in) {
    std::string text;
    for (const Outcome& outcome : from) {
        if (!in.contains(outcome)) {
            text += concat(text.empty() ? "" : "; ", pdlcts::print(outcome));
        }
    }
    return text;
}

} // namespace

std::vector<Subject> subjects_of(const std::string& file, const std::string& text) {
    std::vector<Subject> subjects;
    const Result<Litmus> litmus = parse_litmus(text, file);
    if (!litmus) {
        return subjects;
    }
    for (const Route route : basic_routes) {
        if (lower(litmus->program, route)) {
            subjects.push_back({file, text, route, false});
        }
        if (litmus->control && lower(*litmus->control, route)) {
            subjects.push_back({file, text, route, true});
        }
    }
    return subjects;
}

std::string print(const Subject& subject) {
    return concat(subject.file, subject.control ? " (control)" : "", " on ",
                  route_names[static_cast<std::size_t>(subject.route)]);
}

Result<SpelledOut> prepare(const Subject& subject) {
    const Result<Ready> ready = parse_and_lower(subject);
    if (!ready) {
        return ready.error();
    }
    Result<SpelledOut> plan = spell_out(ready->program, ready->plan);
    if (plan) {
        if (auto error = inexact(*plan)) {
            return *error;
        }
    }
    return plan;
}

Result<Exploring> explore(const Subject& subject, unsigned repetitions) {
    const Result<Ready> ready = parse_and_lower(subject);
    if (!ready) {
        return ready.error();
    }
    Exploring made;
    double spent = 0;
    for (unsigned repetition = 0; repetition < std::max(repetitions, 1U); ++repetition) {
        const std::clock_t begin = std::clock();
        const Exploration exploration = pdlcts::explore(ready->program, ready->plan);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        if (!exploration.decided) {
            return Error{exploration.undecided_because};
        }
        if (repetition == 0) {
            for (const auto& [outcome, trace] : exploration.outcomes) {
                made.outcomes.insert(outcome);
            }
            made.stuck = exploration.stuck.has_value();
            made.states = exploration.states;
        }
        made.seconds = repetition == 0 ? seconds : std::min(made.seconds, seconds);
        spent += seconds;
        if (spent > 0.5) {
            break;
        }
    }
    made.megabytes = largest_resident_megabytes();
    return made;
}

std::optional<std::string> disagreement(const Exploring& machine, const Verification& spin) {
    const std::string only_machine = missing(machine.outcomes, spin.outcomes);
    const std::string only_spin = missing(spin.outcomes, machine.outcomes);
    if (!only_machine.empty() || !only_spin.empty()) {
        return concat("only the machine: ", only_machine.empty() ? "none" : only_machine,
                      "; only SPIN: ", only_spin.empty() ? "none" : only_spin);
    }
    if (machine.stuck != spin.stuck) {
        return machine.stuck ? "only the machine finds an execution that stops"
                             : "only SPIN finds an execution that stops";
    }
    return std::nullopt;
}

TemporaryFolder::TemporaryFolder() : path_(folder_.path) {
    if (path_.empty()) {
        throw std::runtime_error("cannot create a folder for SPIN among the temporary ones");
    }
}

} // namespace pdlcts::spin
