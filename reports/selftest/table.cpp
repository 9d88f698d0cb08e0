// SPDX-License-Identifier: Apache-2.0
#include "reports/selftest/table.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"

#include <algorithm>
#include <map>

namespace pdlcts {
namespace {

/// What a case shows of its routes: the first of these that occurs.
constexpr char from_least_on[] = {'S', '!', '?', '~', '=', 'N', 'V', 'H', 'U', 'F'};

std::size_t rank(char letter) {
    return static_cast<std::size_t>(std::find(std::begin(from_least_on), std::end(from_least_on), letter) -
                                    std::begin(from_least_on));
}

std::string where_of(const Environment& environment) {
    std::string where = plain_text(environment.gpu);
    if (!environment.driver_version.empty()) {
        where += ", driver " + plain_text(environment.driver_version);
    }
    if (environment.runtime_version > 0) {
        where += concat(", CUDA ", environment.runtime_version / 1000, ".", environment.runtime_version % 1000 / 10);
    }
    return where;
}

std::string place_of(const Cell& cell) {
    return plain_text(cell.case_id) + " on " + std::string(name(cell.form.route));
}

std::string with_reason(Verdict verdict, const std::string& reason) {
    return std::string(name(verdict)) + (reason.empty() ? "" : ", " + plain_text(reason, 300));
}

std::string sentence(const SelfTestReport& report) {
    const SelfTestTotals all = totals(report);
    std::string noticed;
    for (const auto& [verdict, count] : all.verdicts) {
        noticed += concat(noticed.empty() ? " (" : ", ", count, " ", name(verdict));
    }
    noticed += noticed.empty() ? "" : ")";
    return concat(report.runs.size(), " mutants in the place of ", all.sound_cells,
                  " sound cells: ", all.of(Fate::noticed), " noticed", noticed, ", ", all.of(Fate::equivalent),
                  " equivalent, ", all.of(Fate::hidden), " hidden by this GPU, ", all.of(Fate::survived), " survived, ",
                  all.of(Fate::not_run), " could not be run, ", all.of(Fate::stopped), " stopped.");
}

} // namespace

FateLetter fate_letter(Fate fate, Verdict verdict) {
    switch (fate) {
    case Fate::survived:
        return {'S', "survived: the verdict is as good as the sound program's"};
    case Fate::stopped:
        return {'!', "the run was stopped, so that nothing is known"};
    case Fate::not_run:
        return {'?', "could not be run here"};
    case Fate::hidden:
        return {'~', "hidden: this GPU keeps an order that the specification no longer promises"};
    case Fate::equivalent:
        return {'=', "equivalent: by the specification the claim cannot tell it from the sound program"};
    case Fate::noticed:
        break;
    }
    switch (verdict) {
    case Verdict::fail:
        return {'F', "noticed: FAIL"};
    case Verdict::unexplained:
        return {'U', "noticed: UNEXPLAINED"};
    case Verdict::harness_error:
        return {'H', "noticed: HARNESS ERROR"};
    case Verdict::not_observed:
        return {'N', "noticed: NOT OBSERVED, where the sound program was OBSERVED"};
    default:
        return {'V', "noticed: VACUOUS"};
    }
}

SelfTestTable build_table(const SelfTestReport& report) {
    SelfTestTable table;
    table.where = where_of(report.sound.environment);
    table.totals = sentence(report);
    std::map<std::string, std::size_t> columns;
    for (const std::string& mutant : report.mutants) {
        columns.emplace(mutant, table.mutants.size());
        table.mutants.push_back(find_mutant(mutant));
    }
    std::map<std::string, std::size_t> rows;
    for (const Cell& cell : report.sound.cells) {
        if (const Judgement judgement = judge(cell); !can_be_mutated(judgement.verdict)) {
            table.not_mutated.push_back(place_of(cell) + ": " + with_reason(judgement.verdict, judgement.reason));
        } else if (rows.emplace(cell.case_id, table.rows.size()).second) {
            table.rows.push_back({plain_text(cell.case_id), std::vector<char>(table.mutants.size(), does_not_apply)});
        }
    }
    std::map<std::size_t, FateLetter> letters; // by rank
    for (const MutantRun& run : report.runs) {
        const Cell& cell = report.sound.cells.at(run.cell);
        const MutantJudgement judgement = judge_run(report.sound.cells, run);
        const FateLetter fate = fate_letter(judgement.fate, judgement.verdict);
        letters.emplace(rank(fate.letter), fate);
        char& shown = table.rows.at(rows.at(cell.case_id)).letters.at(columns.at(run.mutant));
        if (shown == does_not_apply || rank(fate.letter) < rank(shown)) {
            shown = fate.letter;
        }
        const std::string line =
            run.mutant + " in " + place_of(cell) + ": " + with_reason(judgement.verdict, judgement.reason);
        switch (judgement.fate) {
        case Fate::survived:
            table.survivors.push_back(line);
            break;
        case Fate::hidden:
            table.hidden.push_back(line);
            break;
        case Fate::not_run:
            table.not_run.push_back(line);
            break;
        case Fate::stopped:
            table.stopped.push_back(line);
            break;
        case Fate::noticed:
        case Fate::equivalent:
            break;
        }
    }
    for (auto letter = letters.rbegin(); letter != letters.rend(); ++letter) {
        table.letters.push_back(letter->second);
    }
    return table;
}

} // namespace pdlcts
