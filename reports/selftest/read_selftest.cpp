// SPDX-License-Identifier: Apache-2.0
#include "reports/selftest/selftest_report.hpp"

#include "conformance/litmus/printer.hpp"
#include "reports/results/place.hpp"
#include "reports/selftest/words.hpp"

#include <set>

namespace pdlcts {
namespace {

SeenProgram read_seen(const Place& place, const std::vector<std::string>& built_of_sound) {
    place.object({"outcomes", "unwritten", "read_back"}, {"built"});
    SeenProgram seen;
    seen.tally.outcomes = place["outcomes"].dictionary([](const Place& count) { return count.count(); });
    seen.tally.unwritten = place["unwritten"].count();
    seen.read_back = place["read_back"].boolean();
    seen.built = place.has("built") ? place["built"].lines() : built_of_sound;
    return seen;
}

SeenForm read_form(const Place& place, const Form& sound) {
    SeenForm seen{read_seen(place["program"], sound.program.structure.built), std::nullopt};
    if (place.has("control")) {
        seen.control = read_seen(place["control"], built_of(sound.control));
    }
    return seen;
}

std::string read_mutant_name(const Place& place) {
    std::string name = place.text();
    if (find_mutant(name) == nullptr) {
        place.refuse(concat("this program has no mutant ", in_quotes(name),
                            "; read the file with the version of the suite that wrote it"));
    }
    return name;
}

std::string read_mutant(const Place& place) {
    place.object({"name", "breaks", "touches"});
    place["breaks"].text();
    place["touches"].one_of<Touches>();
    return read_mutant_name(place["name"]);
}

MutantRun read_run(const Place& place, const std::vector<Cell>& sound) {
    place.object({"mutant", "cell", "fate", "verdict", "reason"},
                 {"equivalent_because", "program", "control", "other_form", "incident", "incident_detail"});
    place["fate"].one_of<Fate>();
    place["verdict"].one_of<Verdict>();
    place["reason"].text();
    MutantRun run;
    run.mutant = read_mutant_name(place["mutant"]);
    if (sound.empty()) {
        place["cell"].refuse("there is no sound cell");
    }
    run.cell = place["cell"].whole(sound.size() - 1);
    if (place.has("equivalent_because")) {
        place.object({"mutant", "cell", "fate", "verdict", "reason", "equivalent_because"});
        run.equivalent_because = place["equivalent_because"].text();
        if (run.equivalent_because.empty()) {
            place["equivalent_because"].expect("a reason");
        }
        return run;
    }
    const Cell& cell = sound[run.cell];
    run.seen.form = read_form(place, cell.form);
    if (place.has("other_form")) {
        const Place other = place["other_form"];
        other.object({"program"}, {"control"});
        if (!cell.other_form) {
            other.refuse("the sound cell has no other form");
        }
        run.seen.other_form = read_form(other, *cell.other_form);
    }
    if (place.has("incident")) {
        run.seen.incident = place["incident"].one_of<Incident>();
        run.seen.incident_detail = place["incident_detail"].text();
    }
    return run;
}

SelfTestReport read_report(const JsonNode& json, std::string_view file_name) {
    const Place place(json, file_name);
    place.object();
    const Place schema = place["selftest_schema"];
    if (schema.integer() != selftest_schema_version) {
        schema.refuse(concat("schema ", schema.integer(), ", this program reads schema ", selftest_schema_version,
                             "; read the file with the version of the suite that wrote it"));
    }
    place.object({"selftest_schema", "digest", "mutants", "sound", "runs"});
    place["digest"].text();
    SelfTestReport report;
    report.mutants = place["mutants"].list(most_results_entries, read_mutant);
    Result<Results> sound =
        read_json(print(to_json(*json.find("sound")), JsonLayout::compact), concat(file_name, ": /sound"));
    if (!sound) {
        throw MalformedResults{sound.error().message};
    }
    report.sound = *std::move(sound);
    report.runs = place["runs"].list(most_results_cells * 100,
                                     [&](const Place& run) { return read_run(run, report.sound.cells); });
    return report;
}

} // namespace

bool is_selftest_file(std::string_view text) {
    constexpr std::string_view key = "selftest_schema";
    if (text.find(key) == std::string_view::npos) {
        return false;
    }
    const Result<JsonDocument> json = parse_document(text, "");
    return json && json->root().find(key) != nullptr;
}

Result<SelfTestReport> read_selftest_json(std::string_view text, std::string_view file_name) {
    const Result<JsonDocument> json = parse_document(text, file_name);
    if (!json) {
        return json.error();
    }
    try {
        return read_report(json->root(), file_name);
    } catch (const MalformedResults& refused) {
        return Error{refused.message};
    }
}

std::vector<std::string> verify_selftest(std::string_view text, std::string_view file_name) {
    const Result<SelfTestReport> report = read_selftest_json(text, file_name);
    if (!report) {
        return {report.error().message};
    }
    const std::string sound_name = concat(file_name, ": /sound");
    const Json json = *parse_json(text, file_name);
    std::vector<std::string> differences = verify(print(*json.find("sound"), JsonLayout::compact), sound_name);
    const Json derived = *parse_json(write_json(*report), file_name);
    for (const char* key : {"mutants", "runs", "digest"}) {
        if (*derived.find(key) != *json.find(key)) {
            differences.push_back(concat(file_name, ": /", key,
                                         " is not what its evidence says; the file was changed "
                                         "after the run"));
        }
    }
    std::set<std::pair<std::string, std::size_t>> seen;
    for (const MutantRun& run : report->runs) {
        const Cell& cell = report->sound.cells[run.cell];
        const std::string where =
            concat(file_name, ": ", run.mutant, " in ", cell.case_id, " on ", name(cell.form.route));
        if (!seen.emplace(run.mutant, run.cell).second) {
            differences.push_back(where + ": there are two runs of it");
        }
        if (!can_be_mutated(judge(cell).verdict)) {
            differences.push_back(where + ": the sound program is neither PASS nor OBSERVED");
        }
        if (std::find(report->mutants.begin(), report->mutants.end(), run.mutant) == report->mutants.end()) {
            differences.push_back(where + ": it is not among the mutants that the file names");
        }
    }
    return differences;
}

} // namespace pdlcts
