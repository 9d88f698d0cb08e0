// SPDX-License-Identifier: Apache-2.0
#include "harness/command/trace_table.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// `secondary thread 0: ld.weak x -> seen (reads 0)`: three parts, of which the last two may be absent.
struct StepText {
    std::string who;
    std::string what;
    std::string effect;
};

StepText parts_of(const std::string& step) {
    StepText parts;
    const std::size_t colon = step.find(": ");
    if (colon == std::string::npos) {
        parts.who = step;
        return parts;
    }
    parts.who = step.substr(0, colon);
    parts.what = step.substr(colon + 2);
    const std::size_t effect = parts.what.rfind(" (");
    if (effect != std::string::npos && parts.what.ends_with(')')) {
        parts.effect = parts.what.substr(effect + 2, parts.what.size() - effect - 3);
        parts.what.resize(effect);
    }
    return parts;
}

std::string padded(std::string text, std::size_t width) {
    text.resize(std::max(text.size(), width), ' ');
    return text;
}

} // namespace

std::vector<std::string> trace_table(const Trace& trace, const std::vector<std::size_t>& marked) {
    std::vector<StepText> steps;
    std::size_t who = 0;
    std::size_t what = 0;
    for (const std::string& step : trace) {
        steps.push_back(parts_of(step));
        who = std::max(who, steps.back().what.empty() ? 0 : steps.back().who.size());
        what = std::max(what, steps.back().what.size());
    }
    const std::size_t digits = std::to_string(steps.size()).size();
    std::vector<std::string> lines;
    for (std::size_t index = 0; index < steps.size(); ++index) {
        const StepText& step = steps[index];
        const bool same = index > 0 && !step.what.empty() && steps[index - 1].who == step.who;
        const std::string number = std::to_string(index + 1);
        std::string line = std::string(digits - number.size(), ' ') + number + "  " +
                           padded(same ? "" : step.who, who) + "  " + padded(step.what, what) + "  " + step.effect;
        line.erase(line.find_last_not_of(' ') + 1);
        if (std::find(marked.begin(), marked.end(), index) != marked.end()) {
            line += "  <--";
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::optional<std::size_t> find_step(const Trace& trace, std::string_view node, std::string_view instruction) {
    for (std::size_t index = trace.size(); index-- > 0;) {
        const StepText step = parts_of(trace[index]);
        const bool by_node = step.who == node || step.who.starts_with(std::string(node) + " ");
        if (by_node && (step.what == instruction || (step.what.empty() && node == instruction))) {
            return index;
        }
    }
    return std::nullopt;
}

std::vector<std::string> wrap_words(std::string_view paragraph, std::size_t width) {
    std::vector<std::string> lines;
    std::string word;
    const auto end_word = [&] {
        if (word.empty()) {
            return;
        }
        if (lines.empty() || lines.back().size() + 1 + word.size() > width) {
            lines.push_back(word);
        } else {
            lines.back() += " " + word;
        }
        word.clear();
    };
    bool quoted = false;
    for (const char character : paragraph) {
        quoted = quoted != (character == '`');
        if (character == ' ' && !quoted) {
            end_word();
        } else {
            word += character;
        }
    }
    end_word();
    return lines;
}

std::string enumerate(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t index = 0; index < names.size(); ++index) {
        text += (index == 0 ? "" : index + 1 == names.size() ? " and " : ", ") + names[index];
    }
    return text;
}

} // namespace pdlcts
