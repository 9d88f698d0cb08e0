// SPDX-License-Identifier: Apache-2.0
#include "reports/selftest/selftest_report.hpp"

#include "conformance/support/sha256.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/json.hpp"
#include "reports/selftest/words.hpp"

namespace pdlcts {
namespace {

/// The digest is over the evidence alone.
enum class Fields { evidence, all };

using Object = Json::Object;

Json to_json(const SeenProgram& seen, const std::vector<std::string>& built_of_sound) {
    Object outcomes;
    for (const auto& [outcome, count] : seen.tally.outcomes) {
        outcomes.emplace_back(clean_text(outcome), count);
    }
    Object object = {
        {"outcomes", std::move(outcomes)}, {"unwritten", seen.tally.unwritten}, {"read_back", seen.read_back}};
    if (seen.built != built_of_sound) {
        std::vector<std::string> built;
        for (const std::string& line : seen.built) {
            built.push_back(clean_text(line));
        }
        object.emplace_back("built", built);
    }
    return object;
}

void add_form(Object& object, const SeenForm& seen, const Form& sound) {
    object.emplace_back("program", to_json(seen.program, sound.program.structure.built));
    if (seen.control) {
        object.emplace_back("control", to_json(*seen.control, built_of(sound.control)));
    }
}

Json to_json(const MutantRun& run, const std::vector<Cell>& sound, Fields fields) {
    Object object = {{"mutant", run.mutant}, {"cell", static_cast<std::uint64_t>(run.cell)}};
    if (fields == Fields::all) {
        const MutantJudgement judgement = judge_run(sound, run);
        object.emplace_back("fate", name(judgement.fate));
        object.emplace_back("verdict", name(judgement.verdict));
        object.emplace_back("reason", clean_text(judgement.reason));
    }
    if (!run.equivalent_because.empty()) {
        object.emplace_back("equivalent_because", clean_text(run.equivalent_because));
        return object;
    }
    const Cell& cell = sound.at(run.cell);
    add_form(object, run.seen.form, cell.form);
    if (run.seen.other_form && cell.other_form) {
        Object other;
        add_form(other, *run.seen.other_form, *cell.other_form);
        object.emplace_back("other_form", std::move(other));
    }
    if (run.seen.incident != Incident::none) {
        object.emplace_back("incident", name(run.seen.incident));
        object.emplace_back("incident_detail", clean_text(run.seen.incident_detail));
    }
    return object;
}

Json to_json(const std::string& mutant_name, Fields fields) {
    Object object = {{"name", mutant_name}};
    const Mutant* mutant = find_mutant(mutant_name);
    if (fields == Fields::all && mutant != nullptr) {
        object.emplace_back("breaks", mutant->breaks);
        object.emplace_back("touches", name(mutant->touches));
    }
    return object;
}

Json to_json(const SelfTestReport& report, Fields fields) {
    Object object = {{"selftest_schema", selftest_schema_version}};
    if (fields == Fields::all) {
        object.emplace_back("digest", sha256(print(to_json(report, Fields::evidence), JsonLayout::compact)));
    }
    Json::List mutants;
    for (const std::string& mutant : report.mutants) {
        mutants.push_back(to_json(mutant, fields));
    }
    object.emplace_back("mutants", std::move(mutants));
    Json sound = *parse_json(write_json(report.sound), "the sound cells");
    // A results file has a digest of its own, over its own evidence.
    object.emplace_back("sound", fields == Fields::all ? std::move(sound) : *sound.find("digest"));
    Json::List runs;
    for (const MutantRun& run : report.runs) {
        runs.push_back(to_json(run, report.sound.cells, fields));
    }
    object.emplace_back("runs", std::move(runs));
    return object;
}

} // namespace

std::string write_json(const SelfTestReport& report) {
    return print(to_json(report, Fields::all), JsonLayout::indented) + "\n";
}

} // namespace pdlcts
