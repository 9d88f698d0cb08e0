// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/selftest.hpp"

#include "harness/judge/example_cells.hpp"
#include "harness/selftest/machine_gpu.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>

using namespace pdlcts;

namespace {

std::vector<Case> cases_named(const std::vector<std::string>& ids) {
    std::vector<Case> found;
    for (const Case& listed : embedded_cases()) {
        if (std::find(ids.begin(), ids.end(), listed.id) != ids.end()) {
            found.push_back(listed);
        }
    }
    REQUIRE(found.size() == ids.size());
    return found;
}

SelfTestOptions on_machine(std::vector<Route> routes) {
    SelfTestOptions options;
    options.measurement = false;
    options.routes = std::move(routes);
    return options;
}

/// `F` for noticed by FAIL, and so on; by mutant.
std::map<std::string, std::string> fates(const SelfTest& tested, std::size_t cell) {
    std::map<std::string, std::string> fates;
    for (const MutantRun& run : tested.runs) {
        if (run.cell == cell) {
            const MutantJudgement judgement = judge_run(tested.sound, run);
            fates[run.mutant] = judgement.fate == Fate::noticed ? std::string(name(judgement.verdict))
                                                                : std::string(name(judgement.fate));
        }
    }
    return fates;
}

/// Runs the sound program whatever it is given: an emitter and a launcher without the defects.
class Deaf : public MachineGpu {
public:
    RouteRun run(const Litmus&, const CompiledCase&, Route route, const TrialOptions& options) override {
        return MachineGpu::run(sound_, *compile({&sound_}).front(), route, options);
    }
    explicit Deaf(Litmus sound) : sound_(std::move(sound)) {}

private:
    Litmus sound_;
};

SeenMutant seen_as(const Cell& cell) {
    const auto see = [](const Form& form) {
        const auto program = [](const Observation& observation) {
            return SeenProgram{observation.tally, observation.structure.built, observation.structure.read_back};
        };
        SeenForm seen{program(form.program), std::nullopt};
        if (form.control) {
            seen.control = program(*form.control);
        }
        return seen;
    };
    SeenMutant seen{see(cell.form), std::nullopt, Incident::none, ""};
    if (cell.other_form) {
        seen.other_form = see(*cell.other_form);
    }
    return seen;
}

MutantJudgement judged(const Cell& sound, const SeenMutant& seen, const char* mutant = "drop-wait") {
    return judge_mutant(sound, seen, *find_mutant(mutant));
}

} // namespace

TEST_CASE("what became of a mutant") {
    const Cell pass = examples::never_cell();
    REQUIRE(judge(pass).verdict == Verdict::pass);
    const SeenMutant same = seen_as(pass);
    CHECK(judged(pass, same).fate == Fate::survived);
    CHECK(judged(pass, same, "drop-fence").fate == Fate::hidden);

    // Without patience a `never` claim's trials have to lack their arming; what `sometimes` was seen was seen.
    CHECK(judged(pass, same, "impatient").fate == Fate::survived);
    const Cell observed = examples::sometimes_cell();
    CHECK(judged(observed, seen_as(observed), "impatient").fate == Fate::equivalent);
    CHECK(judged(observed, seen_as(observed)).fate == Fate::survived);

    SeenMutant violating = same;
    violating.form.program.tally.outcomes["overlapped=0 seen=0"] = 1;
    CHECK(judged(pass, violating).fate == Fate::noticed);
    CHECK(judged(pass, violating).verdict == Verdict::fail);
    CHECK(judged(pass, violating, "drop-fence").fate == Fate::noticed);

    SeenMutant tame = same;
    tame.form.control->tally = same.form.program.tally;
    CHECK(judged(pass, tame).verdict == Verdict::vacuous);
    CHECK(judged(pass, tame).fate == Fate::noticed);

    SeenMutant unwritten = same;
    unwritten.form.program.tally.unwritten = 1;
    CHECK(judged(pass, unwritten).fate == Fate::noticed);

    SeenMutant late = same;
    late.incident = Incident::timeout;
    CHECK(judged(pass, late).fate == Fate::stopped);
    late.incident = Incident::harness_error;
    CHECK(judged(pass, late).fate == Fate::noticed);
    CHECK(judged(pass, {}).fate == Fate::stopped); // no trial at all is MISSING

    REQUIRE(judge(observed).verdict == Verdict::observed);
    SeenMutant gone = seen_as(observed);
    CHECK(judged(observed, gone).fate == Fate::survived);
    gone.form.program.tally.outcomes = {{"seen=0", 2000}};
    CHECK(judged(observed, gone).fate == Fate::noticed);
    CHECK(judged(observed, gone).verdict == Verdict::not_observed);
}

TEST_CASE("another plan notices nothing for the trials") {
    Cell pass = examples::never_cell();
    pass.form = examples::never_form(Route::captured);
    SeenMutant seen = seen_as(pass);
    seen.form.program.built = {"primary -> secondary: type full, port full"};
    REQUIRE(judge(with_seen(pass, seen)).verdict != Verdict::pass);
    CHECK(judged(pass, seen).fate == Fate::survived);
    // What is not read back at all is not made up.
    seen.form.program.read_back = false;
    CHECK(judged(pass, seen).fate == Fate::noticed);
}

TEST_CASE("on the machine every effect shows") {
    MachineGpu machine;
    const std::vector<Case> cases = cases_named(
        {"trigger/kickoff-requires-all-blocks", "visibility/post-trigger-writes", "graph-capture/pss-port"});
    SelfTestOptions options = on_machine({Route::captured});
    for (const Mutant& mutant : all_mutants()) {
        if (mutant.name != "narrow-scope") { // seven blocks that need not see each other: too many executions here
            options.mutants.push_back(&mutant);
        }
    }
    const SelfTest tested = self_test(machine, cases, options);
    REQUIRE(tested.sound.size() == 3);
    const auto cell = [&](std::string_view id) {
        const auto found = std::find_if(tested.sound.begin(), tested.sound.end(),
                                        [&](const Cell& sound) { return sound.case_id == id; });
        return static_cast<std::size_t>(found - tested.sound.begin());
    };
    // By hand, from the cases' texts.
    CHECK(fates(tested, cell("visibility/post-trigger-writes")) ==
          std::map<std::string, std::string>{{"drop-wait", "FAIL"},
                                             {"drop-trigger", "VACUOUS"},
                                             {"trigger-at-end", "VACUOUS"},
                                             {"drop-pss", "VACUOUS"},
                                             {"serialise", "VACUOUS"},
                                             {"program-is-control", "FAIL"},
                                             {"control-is-program", "VACUOUS"},
                                             {"hoist-loads", "FAIL"},
                                             {"hoist-stores", "equivalent"},
                                             {"drop-flag", "VACUOUS"},
                                             {"drop-payload", "FAIL"}});
    CHECK(fates(tested, cell("trigger/kickoff-requires-all-blocks")) ==
          std::map<std::string, std::string>{{"drop-trigger", "VACUOUS"},
                                             {"trigger-at-start", "equivalent"},
                                             {"trigger-at-end", "VACUOUS"},
                                             {"drop-pss", "VACUOUS"},
                                             {"serialise", "VACUOUS"},
                                             {"program-is-control", "FAIL"},
                                             {"control-is-program", "VACUOUS"},
                                             {"hoist-stores", "equivalent"},
                                             {"drop-flag", "VACUOUS"}});
    CHECK(fates(tested, cell("graph-capture/pss-port")) ==
          std::map<std::string, std::string>{{"drop-trigger", "VACUOUS"},
                                             {"trigger-at-end", "VACUOUS"},
                                             {"drop-pss", "VACUOUS"},
                                             {"serialise", "VACUOUS"},
                                             {"program-is-control", "VACUOUS"},
                                             {"control-is-program", "UNEXPLAINED"},
                                             {"drop-flag", "VACUOUS"}});
}

TEST_CASE("a mutant that changes nothing survives") {
    const std::vector<Case> cases = cases_named({"visibility/post-trigger-writes"});
    Deaf deaf(cases.front().litmus);
    const SelfTest tested = self_test(deaf, cases, on_machine({Route::stream}));
    const std::map<std::string, std::string> all = fates(tested, 0);
    CHECK(all.at("drop-wait") == "survived");
    CHECK(all.at("drop-flag") == "survived");
    CHECK(all.at("narrow-scope") == "equivalent");
    CHECK(all.at("hoist-stores") == "equivalent");
}
