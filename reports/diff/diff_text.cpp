// SPDX-License-Identifier: Apache-2.0
#include "reports/diff/diff.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/json.hpp"

#include <array>
#include <functional>

namespace pdlcts {
namespace {

/// One kind of difference, under its own heading. A cell is in the first group that takes it.
struct Group {
    const char* title;
    bool (*takes)(const CellDifference&);
};
constexpr std::array groups = {
    Group{"Not comparable: the case, or what was compiled of it, is another one",
          [](const CellDifference& cell) { return cell.stale(); }},
    Group{"Verdict worse",
          [](const CellDifference& cell) { return cell.verdict_changed() && cell.direction == Direction::worse; }},
    Group{"Gone", [](const CellDifference& cell) { return cell.gone(); }},
    Group{"Verdict other",
          [](const CellDifference& cell) { return cell.verdict_changed() && cell.direction == Direction::neither; }},
    Group{"Verdict better",
          [](const CellDifference& cell) { return cell.verdict_changed() && cell.direction == Direction::better; }},
    Group{"Appeared", [](const CellDifference& cell) { return cell.appeared(); }},
    Group{"Same verdict, other evidence",
          [](const CellDifference& cell) { return !cell.verdict_changed() && cell.evidence_changed(); }},
};

std::size_t group_of(const CellDifference& cell) {
    std::size_t group = 0;
    while (group + 1 < groups.size() && !groups[group].takes(cell)) {
        ++group;
    }
    return group;
}

std::string quoted(const std::string& value) {
    return value.empty() ? "nothing" : plain_text(value, 200);
}

/// What is to be said of a cell, a line each, without its name.
std::vector<std::string> lines_of(const CellDifference& cell) {
    std::vector<std::string> lines;
    if (!cell.before || !cell.after) {
        lines.push_back(print_evidence(cell.before ? *cell.before : *cell.after));
        return lines;
    }
    if (cell.verdict_changed()) {
        lines.push_back("before: " + print_evidence(*cell.before));
        lines.push_back("after:  " + print_evidence(*cell.after));
    } else {
        lines.push_back(concat(name(cell.after->judgement.verdict), " in both"));
    }
    if (cell.comparability == Comparability::same_case) {
        lines.emplace_back("the same case, compiled to other code");
    }
    for (const RateChange& rate : cell.rates) {
        lines.push_back(concat(rate.what, ": ", print(rate.before), ", now ", print(rate.after)));
    }
    constexpr std::size_t most_answers = 8;
    for (std::size_t i = 0; i < cell.answers.size() && i < most_answers; ++i) {
        const AnswerChange& answer = cell.answers[i];
        lines.push_back(
            concat(plain_text(answer.what, 200), ": ", quoted(answer.before), ", now ", quoted(answer.after)));
    }
    if (cell.answers.size() > most_answers) {
        lines.push_back(concat(cell.answers.size() - most_answers, " more answers"));
    }
    return lines;
}

std::string summary_line(const ResultsDifference& difference) {
    std::array<std::size_t, groups.size()> counts{};
    for (const CellDifference& cell : difference.cells) {
        ++counts[group_of(cell)];
    }
    std::string text = concat(difference.compared, difference.compared == 1 ? " cell" : " cells", " in both files");
    constexpr std::array words = {"not comparable",   "worse", "gone", "of another verdict", "better", "appeared",
                                  "of other evidence"};
    static_assert(words.size() == groups.size());
    for (std::size_t i = 0; i < groups.size(); ++i) {
        text += counts[i] == 0 ? "" : concat(", ", counts[i], " ", words[i]);
    }
    return text + (difference.cells.empty() ? ": no cell differs" : "");
}

std::string code_remark(const ResultsDifference& difference) {
    return difference.other_code == 0
               ? ""
               : concat(difference.other_code,
                        " cells are the same case compiled to other code, as for another GPU, toolkit or image.");
}

Json to_json(const Rate& rate) {
    return Json::Object{{"count", rate.count}, {"of", rate.of}};
}

Json to_json(const CellSummary& cell) {
    const auto text = [](const std::string& value) { return clean_text(value); };
    return Json::Object{{"verdict", name(cell.judgement.verdict)},
                        {"reason", text(cell.judgement.reason)},
                        {"digest", text(cell.digest)},
                        {"image", text(cell.image)},
                        {"quick", cell.quick},
                        {"armed", to_json(cell.rates.armed)},
                        {"violations", to_json(cell.rates.violations)},
                        {"control_armed", to_json(cell.rates.control_armed)},
                        {"control_violations", to_json(cell.rates.control_violations)}};
}

Json to_json(const std::vector<FactDifference>& facts) {
    Json::List list;
    for (const FactDifference& fact : facts) {
        list.push_back(Json::Object{
            {"name", clean_text(fact.name)}, {"before", clean_text(fact.before)}, {"after", clean_text(fact.after)}});
    }
    return list;
}

Json to_json(const CellDifference& cell) {
    Json::Object object = {{"case", clean_text(cell.key.case_id)},
                           {"route", clean_text(cell.key.route)},
                           {"statement", clean_text(cell.statement)}};
    if (cell.before && cell.after) {
        object.emplace_back("comparability", name(cell.comparability));
        object.emplace_back("direction", name(cell.direction));
    }
    if (cell.before) {
        object.emplace_back("before", to_json(*cell.before));
    }
    if (cell.after) {
        object.emplace_back("after", to_json(*cell.after));
    }
    Json::List rates;
    for (const RateChange& rate : cell.rates) {
        rates.push_back(
            Json::Object{{"what", rate.what}, {"before", to_json(rate.before)}, {"after", to_json(rate.after)}});
    }
    object.emplace_back("rates", std::move(rates));
    Json::List answers;
    for (const AnswerChange& answer : cell.answers) {
        answers.push_back(Json::Object{{"what", clean_text(answer.what)},
                                       {"before", clean_text(answer.before)},
                                       {"after", clean_text(answer.after)}});
    }
    object.emplace_back("answers", std::move(answers));
    return object;
}

} // namespace

std::string_view name(Comparability comparability) {
    switch (comparability) {
    case Comparability::same_code:
        return "same code";
    case Comparability::same_case:
        return "same case";
    case Comparability::stale:
        return "stale";
    }
    return "";
}

std::string_view name(Direction direction) {
    switch (direction) {
    case Direction::better:
        return "better";
    case Direction::worse:
        return "worse";
    case Direction::neither:
        return "neither";
    }
    return "";
}

std::string difference_text(const ResultsDifference& difference) {
    std::string text = concat("old: ", difference.old_name, "\nnew: ", difference.new_name, "\n");
    for (const auto& [title, facts] :
         {std::pair{"suite", &difference.suite}, std::pair{"environment", &difference.environment}}) {
        for (const FactDifference& fact : *facts) {
            text += concat(title, " ", plain_text(fact.name, 80), ": ", quoted(fact.before), ", now ",
                           quoted(fact.after), "\n");
        }
    }
    text += summary_line(difference) + "\n";
    if (const std::string remark = code_remark(difference); !remark.empty()) {
        text += remark + "\n";
    }
    for (std::size_t group = 0; group < groups.size(); ++group) {
        bool titled = false;
        for (const CellDifference& cell : difference.cells) {
            if (group_of(cell) != group) {
                continue;
            }
            text += titled ? "" : concat("\n", groups[group].title, "\n");
            titled = true;
            text += concat("  ", plain_text(print(cell.key)), "\n");
            for (const std::string& line : lines_of(cell)) {
                text += concat("      ", line, "\n");
            }
        }
    }
    return text;
}

std::string difference_markdown(const ResultsDifference& difference) {
    const auto escaped = [](const std::string& value) { return escape_markdown(value); };
    std::string text = concat("| | |\n|---|---|\n| old | ", escaped(difference.old_name), " |\n| new | ",
                              escaped(difference.new_name), " |\n\n");
    text += summary_line(difference) + ".";
    const std::string remark = code_remark(difference);
    text += (remark.empty() ? "" : " " + remark) + "\n";
    if (!difference.suite.empty() || !difference.environment.empty()) {
        text += "\n| of the run | old | new |\n|---|---|---|\n";
        for (const auto* facts : {&difference.suite, &difference.environment}) {
            for (const FactDifference& fact : *facts) {
                text += concat("| ", escaped(plain_text(fact.name, 80)), " | ", escaped(plain_text(fact.before, 200)),
                               " | ", escaped(plain_text(fact.after, 200)), " |\n");
            }
        }
    }
    for (std::size_t group = 0; group < groups.size(); ++group) {
        bool titled = false;
        for (const CellDifference& cell : difference.cells) {
            if (group_of(cell) != group) {
                continue;
            }
            text +=
                titled ? "" : concat("\n### ", groups[group].title, "\n\n| cell | statement | what |\n|---|---|---|\n");
            titled = true;
            std::string what;
            for (const std::string& line : lines_of(cell)) {
                what += (what.empty() ? "" : "<br>") + escaped(line);
            }
            text += concat("| ", escaped(plain_text(print(cell.key))), " | ", escaped(plain_text(cell.statement)),
                           " | ", what, " |\n");
        }
    }
    return text;
}

std::string difference_json(const ResultsDifference& difference) {
    Json::List cells;
    for (const CellDifference& cell : difference.cells) {
        cells.push_back(to_json(cell));
    }
    const Json json = Json::Object{{"schema", 1},
                                   {"old", difference.old_name},
                                   {"new", difference.new_name},
                                   {"suite", to_json(difference.suite)},
                                   {"environment", to_json(difference.environment)},
                                   {"compared", std::uint64_t{difference.compared}},
                                   {"stale", std::uint64_t{difference.stale}},
                                   {"other_code", std::uint64_t{difference.other_code}},
                                   {"cells", std::move(cells)}};
    return print(json, JsonLayout::indented) + "\n";
}

} // namespace pdlcts
