// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/outcome.hpp"

#include "conformance/litmus/cursor.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <utility>

namespace pdlcts {

namespace {

bool compare(const Comparison& comparison, Value value) {
    const bool same = value != other_value && value == comparison.value;
    return same == comparison.equal;
}

bool matches(const Comparison& comparison, const Outcome& outcome) {
    const auto found = outcome.find(comparison.result);
    if (found == outcome.end() || found->second.empty()) {
        return false;
    }
    const auto holds = [&](Value value) { return compare(comparison, value); };
    const std::set<Value>& values = found->second;
    return comparison.quantifier == Quantifier::all ? std::all_of(values.begin(), values.end(), holds)
                                                    : std::any_of(values.begin(), values.end(), holds);
}

Outcome parse_registers(Cursor& cursor) {
    Outcome outcome;
    do {
        const Cursor at = cursor;
        const std::string name = cursor.name("a register");
        cursor.expect("=", "missing value");
        const Value value = cursor.accept_word("other")
                                ? other_value
                                : static_cast<Value>(cursor.number("the value", 0, largest_value));
        if (!outcome[name].insert(value).second) {
            at.fail("a value is given twice", "each value of a register once");
        }
    } while (!cursor.at_end());
    return outcome;
}

/// A register and its value, as print writes them; they are in the order of the text.
using Printed = std::pair<std::string_view, Value>;

/// Takes the first off the text, if it is as print writes it.
std::optional<Printed> take_printed(std::string_view& text) {
    const auto name_end = std::find_if_not(text.begin(), text.end(), is_word_character);
    const std::string_view name(text.begin(), name_end);
    if (name.empty() || is_digit(name.front()) || is_keyword(name) || name_end == text.end() || *name_end != '=') {
        return std::nullopt;
    }
    text.remove_prefix(name.size() + 1);
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    if (word == "other") {
        return Printed(name, other_value);
    }
    Value value = 0;
    const char* const end = word.data() + word.size();
    const bool whole = !word.empty() && is_digit(word.front()) && (word.front() != '0' || word.size() == 1);
    if (!whole || std::from_chars(word.data(), end, value) != std::from_chars_result{end, {}} ||
        value > largest_value) {
        return std::nullopt;
    }
    return Printed(name, value);
}

} // namespace

std::string print(const Outcome& outcome) {
    std::string text;
    for (const auto& [name, values] : outcome) {
        for (const Value value : values) {
            text += (text.empty() ? "" : " ") + name + "=" + (value == other_value ? "other" : std::to_string(value));
        }
    }
    return text.empty() ? "-" : text;
}

Result<Outcome> parse_outcome(std::string_view text) {
    try {
        Cursor cursor(text, 1, 1);
        if (cursor.accept("-")) {
            cursor.expect_end("an outcome without registers");
            return Outcome{};
        }
        return parse_registers(cursor);
    } catch (const SyntaxFailure& failure) {
        return to_error(failure, "outcome");
    }
}

bool is_printed_outcome(std::string_view text) {
    if (text == "-") {
        return true;
    }
    std::optional<Printed> before;
    while (true) {
        const std::optional<Printed> next = take_printed(text);
        if (!next || (before && !(*before < *next))) {
            return false;
        }
        if (text.empty()) {
            return true;
        }
        text.remove_prefix(1); // the space
        before = next;
    }
}

bool matches(const Condition& condition, const Outcome& outcome) {
    const auto holds = [&](const Condition& operand) { return matches(operand, outcome); };
    switch (condition.kind) {
    case Condition::Kind::conjunction:
        return std::all_of(condition.operands.begin(), condition.operands.end(), holds);
    case Condition::Kind::disjunction:
        return std::any_of(condition.operands.begin(), condition.operands.end(), holds);
    case Condition::Kind::comparison:
        break;
    }
    return matches(condition.comparison, outcome);
}

} // namespace pdlcts
