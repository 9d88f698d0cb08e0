// SPDX-License-Identifier: Apache-2.0
#include "reports/diff/diff.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/json.hpp"

#include <algorithm>
#include <cmath>

namespace pdlcts {
namespace {

constexpr double least_difference = 0.2;
constexpr double nearly = 0.2;
constexpr double deviations = 5;

int standing(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::refuted:
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::harness_error:
        return 0;
    case Verdict::vacuous:
    case Verdict::not_decided:
    case Verdict::not_supported:
    case Verdict::missing:
        return 1;
    case Verdict::recorded:
    case Verdict::not_observed:
        return 2;
    case Verdict::pass:
    case Verdict::observed:
    case Verdict::proved:
        return 3;
    }
    return 0;
}

std::vector<RateChange> compare(const CellRates& before, const CellRates& after) {
    std::vector<RateChange> changes;
    const auto add = [&](const char* what, const Rate& old_rate, const Rate& new_rate) {
        if (beyond_noise(old_rate, new_rate)) {
            changes.push_back({what, old_rate, new_rate});
        }
    };
    add("violations", before.violations, after.violations);
    add("armed", before.armed, after.armed);
    add("control armed", before.control_armed, after.control_armed);
    add("control violations", before.control_violations, after.control_violations);
    return changes;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// The number at the start of a text, which is taken off it. Digits of more than any count or time are cut.
double take_number(std::string_view& text) {
    double number = 0;
    while (!text.empty() && is_digit(text.front())) {
        number = number < 1e15 ? number * 10 + (text.front() - '0') : number;
        text.remove_prefix(1);
    }
    return number;
}

bool differ_in_little_but_numbers(std::string_view left, std::string_view right) {
    while (!left.empty() && !right.empty()) {
        if (is_digit(left.front()) && is_digit(right.front())) {
            const double first = take_number(left);
            const double second = take_number(right);
            if (std::abs(first - second) > nearly * std::max(first, second)) {
                return false;
            }
        } else if (left.front() != right.front()) {
            return false;
        } else {
            left.remove_prefix(1);
            right.remove_prefix(1);
        }
    }
    return left.empty() && right.empty();
}

bool is_other_answer(const AnswerChange& change) {
    return change.before != change.after &&
           !(change.what.starts_with("noted: ") && differ_in_little_but_numbers(change.before, change.after));
}

/// By the question; of one question asked several times by the order.
std::vector<AnswerChange> compare(const CellSummary& before, const CellSummary& after) {
    std::map<std::pair<std::string, std::size_t>, AnswerChange> asked;
    const auto take = [&](const CellSummary& cell, std::string AnswerChange::*side) {
        std::map<std::string, std::size_t> times;
        for (const auto& [what, found] : cell.answers) {
            AnswerChange& change = asked[{what, times[what]++}];
            change.what = what;
            change.*side = found;
        }
    };
    take(before, &AnswerChange::before);
    take(after, &AnswerChange::after);
    std::vector<AnswerChange> changes;
    for (auto& [question, change] : asked) {
        if (is_other_answer(change)) {
            changes.push_back(std::move(change));
        }
    }
    return changes;
}

/// The facts of a part of a results file under the names that they have there.
std::map<std::string, std::string> facts(const Json* object, const std::string& prefix = "") {
    std::map<std::string, std::string> all;
    if (object == nullptr || object->as<Json::Object>() == nullptr) {
        return all;
    }
    for (const auto& [key, value] : *object->as<Json::Object>()) {
        if (value.as<Json::Object>() != nullptr) {
            all.merge(facts(&value, concat(prefix, key, ".")));
        } else if (const auto* text = value.as<std::string>()) {
            all[prefix + key] = *text;
        } else {
            all[prefix + key] = print(value, JsonLayout::compact);
        }
    }
    return all;
}

std::vector<FactDifference> compare(const std::map<std::string, std::string>& before,
                                    const std::map<std::string, std::string>& after) {
    std::map<std::string, FactDifference> all;
    for (const auto& [key, value] : before) {
        all[key].before = value;
    }
    for (const auto& [key, value] : after) {
        all[key].after = value;
    }
    std::vector<FactDifference> differences;
    for (auto& [key, fact] : all) {
        if (fact.before != fact.after) {
            differences.push_back({key, std::move(fact.before), std::move(fact.after)});
        }
    }
    return differences;
}

/// A results file without its cells, as JSON: what write_json knows of a run, a report need not list again.
Json head_of(const Results& results) {
    Results head;
    head.suite = results.suite;
    head.environment = results.environment;
    return *parse_json(write_json(head), "results");
}

} // namespace

Direction direction(Verdict before, Verdict after) {
    const int change = standing(after) - standing(before);
    if (standing(before) == 0 && standing(after) == 1) {
        return Direction::neither;
    }
    return change > 0 ? Direction::better : change < 0 ? Direction::worse : Direction::neither;
}

bool beyond_noise(const Rate& before, const Rate& after) {
    if (before.of == 0 || after.of == 0) {
        return false;
    }
    const auto share = [](const Rate& rate) { return static_cast<double>(rate.count) / static_cast<double>(rate.of); };
    const double both = static_cast<double>(before.count + after.count) / static_cast<double>(before.of + after.of);
    const double deviation =
        std::sqrt(both * (1 - both) * (1 / static_cast<double>(before.of) + 1 / static_cast<double>(after.of)));
    const double change = std::abs(share(before) - share(after));
    return change > least_difference && change > deviations * deviation;
}

std::string environment_name(const Environment& environment) {
    constexpr std::size_t longest = 60;
    std::string text = plain_text(environment.gpu, longest);
    if (environment.fault) {
        text += ", sampled executions, fault " + plain_text(*environment.fault, longest);
    }
    if (!environment.driver_version.empty()) {
        text += ", driver " + plain_text(environment.driver_version, longest);
    }
    if (environment.runtime_version != 0) {
        text += concat(", toolkit ", environment.runtime_version / 1000, ".", environment.runtime_version % 1000 / 10);
    }
    return text;
}

ResultsDifference difference(const Results& before, const Results& after) {
    ResultsDifference result;
    result.old_name = environment_name(before.environment);
    result.new_name = environment_name(after.environment);
    const Json old_head = head_of(before);
    const Json new_head = head_of(after);
    result.suite = compare(facts(old_head.find("suite")), facts(new_head.find("suite")));
    result.environment = compare(facts(old_head.find("environment")), facts(new_head.find("environment")));

    std::map<CellKey, CellDifference> cells;
    for (auto& [key, cell] : summarise(before)) {
        cells[key].before = std::move(cell);
    }
    for (auto& [key, cell] : summarise(after)) {
        cells[key].after = std::move(cell);
    }
    for (auto& [key, cell] : cells) {
        cell.key = key;
        cell.statement = cell.after ? cell.after->statement : cell.before->statement;
        if (cell.before && cell.after) {
            ++result.compared;
            if (cell.before->digest != cell.after->digest) {
                cell.comparability = before.suite.cases_digest == after.suite.cases_digest ? Comparability::same_case
                                                                                           : Comparability::stale;
            }
            result.other_code += cell.comparability == Comparability::same_case ? 1 : 0;
            result.stale += cell.comparability == Comparability::stale ? 1 : 0;
            cell.direction = direction(cell.before->judgement.verdict, cell.after->judgement.verdict);
            cell.rates = compare(cell.before->rates, cell.after->rates);
            cell.answers = compare(*cell.before, *cell.after);
        }
        if (cell.appeared() || cell.gone() || cell.verdict_changed() || cell.evidence_changed() || cell.stale()) {
            result.cells.push_back(std::move(cell));
        }
    }
    return result;
}

} // namespace pdlcts
