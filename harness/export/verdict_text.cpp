// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "harness/export/claim_text.hpp"

namespace pdlcts {
namespace {

constexpr const char* verdict_support = R"(
struct Verdict {
    std::string name;
    std::string reason;
};

static std::string of_trials(unsigned long long count, unsigned long long trials) {
    return std::to_string(count) + " of " + std::to_string(trials) + " trials";
}
)";

constexpr const char* some_of = R"(
// The first of some outcomes.
static std::string some_of(const std::vector<std::string>& outcomes) {
    std::string words;
    for (size_t index = 0; index < outcomes.size() && index < 3; ++index) {
        words += (index == 0 ? "" : ", ") + outcomes[index];
    }
    return outcomes.size() > 3 ? words + ", ..." : words;
}

)";

/// KNOWN says of which sides it is known what is allowed.
constexpr const char* unexplained = R"(
static std::vector<std::string> unexplained(const Side& side) {
    std::vector<std::string> outcomes;
    for (const auto& entry : side.outcomes) {
        if (KNOWN && side.allowed.count(entry.first) == 0) outcomes.push_back(entry.first);
    }
    return outcomes;
}
)";

constexpr const char* violating = R"(

static std::string violating(const Side& side) {
    std::vector<std::string> outcomes;
    bool allowed = false;
    for (const auto& entry : side.outcomes) {
        if (side.matching_outcomes.count(entry.first) != 0) {
            outcomes.push_back(entry.first);
            allowed = allowed || (side.decided && side.allowed.count(entry.first) != 0);
        }
    }
    return of_trials(side.matching, side.trials) + " violate the claim: " + some_of(outcomes) +
           (allowed ? "; the abstract machine allows this, so the claim asks for more than the specification does" : "");
}
)";

constexpr const char* both_plans = R"(

static std::string joined(const std::vector<std::string>& lines) {
    std::string words;
    for (const std::string& line : lines) {
        words += (words.empty() ? "" : "; ") + line;
    }
    return words;
}

static std::string both_plans(const Side& side) {
    return "built [" + joined(side.edges) + "], documented [" + joined(side.expected) + "]";
}
)";

constexpr const char* with_reason = R"cpp(

static std::string in_words(const char* form, const Verdict& verdict) {
    return std::string(form) + ": " + verdict.name + (verdict.reason.empty() ? "" : " (" + verdict.reason + ")");
}
)cpp";

constexpr const char* judge_never = R"(
    // A PASS needs evidence: enough armed trials, and a control that shows what a violation would look like. With 21
    // violations of it, the chance of missing such a violation in an equal run is below 1e-9.
    const unsigned long long needed_trials = 1000;
)";

constexpr const char* judge_never_trials = R"(
    if (program.trials < needed_trials) {
        lacks.push_back("too few trials: " + std::to_string(program.trials) + ", " + std::to_string(needed_trials) +
                        " needed");
    } else if (program.armed < needed_trials) {
        lacks.push_back("not armed: " + of_trials(program.armed, program.trials) + " armed, " +
                        std::to_string(needed_trials) + " needed");
)";

constexpr const char* judge_never_control = R"(
    } else if (program.armed < control.armed) {
        // The program was armed less often than its control, so the control has to show more.
        needed_violations = static_cast<unsigned long long>(
            std::ceil(21.0 * static_cast<double>(control.armed) / static_cast<double>(program.armed)));
    }
    if (control.armed_matching < needed_violations) {
        if (control.armed == 0) {
            lacks.push_back("control not armed: " + of_trials(0, control.trials));
        } else if (control.armed_matching == 0) {
            lacks.push_back("control not violated: " + of_trials(0, control.trials));
        } else {
            lacks.push_back("control violated too rarely: " + of_trials(control.armed_matching, control.trials) +
                            " armed, " + std::to_string(needed_violations) + " needed");
        }
    }
)";

constexpr const char* judge_never_end = R"(
    if (!lacks.empty()) {
        std::string reason;
        for (const std::string& lack : lacks) {
            reason += (reason.empty() ? "" : "; ") + lack;
        }
        return {"VACUOUS", reason};
    }
)";

constexpr const char* judge_sometimes = R"(
    // That the effect was seen shows its cause only where the control, without that cause, never shows it.
    const std::string seen_in_program = of_trials(program.matching, program.trials);
    const std::string seen_in_control = of_trials(control.matching, control.trials);
    if (program.matching == 0) return {"NOT OBSERVED", seen_in_program};
    if (control.matching > 0) {
        return {"NOT OBSERVED", seen_in_program + ", but the control shows it too (" + seen_in_control +
                                    "), so it has another cause"};
    }
    // Were program and control alike, 21 occurrences in runs equally long would leave the control a chance below 1e-9 to
    // show none.
    unsigned long long needed = 21;
    if (control.armed > 0 && control.armed < program.armed) {
        needed = static_cast<unsigned long long>(
            std::ceil(21.0 * static_cast<double>(program.armed) / static_cast<double>(control.armed)));
    }
    if (program.armed_matching < needed) {
        return {"NOT OBSERVED", "too rarely: " + of_trials(program.armed_matching, program.trials) + " armed, " +
                                    std::to_string(needed) + " needed before the control's silence shows a cause"};
    }
    return {"OBSERVED", seen_in_program + ", " + seen_in_control + " of the control"};
)";

constexpr const char* judge_equivalence = R"cpp(
    // An equivalence: both forms were built with the documented edges, the control with others, and both forms, judged
    // alone, come to the same.
    if (captured_program.edges == captured_control.edges) {
        return {"VACUOUS", "the driver built the same plan for the control, which must differ"};
    }
    const Verdict captured = judge_form(captured_program, captured_control);
    const Verdict edges = judge_form(edges_program, edges_control);
    if (captured.name != edges.name || (captured.name != "PASS" && captured.name != "OBSERVED")) {
        return {"VACUOUS", in_words("captured", captured) + "; " + in_words("edges", edges)};
    }
    if (captured_program.edges != edges_program.edges) {
        return {"VACUOUS", "the two forms were not built with the same dependencies"};
    }
    return {"PASS", "captured and edges are both " + captured.name};
)cpp";

/// Writes judge_form and judge.
struct VerdictWriter {
    CppText& out;
    const Reproduced& reproduced;
    const Claim& claim;
    const bool graph;
    const bool judged;

    bool has_control() const { return reproduced.forms.front().control.has_value(); }

    /// A violation is one, armed or not, and nothing that else was seen excuses it.
    void fail(const std::string& side, Route route) {
        const bool documented = reproduced.forms.front().program.plan.undocumented.empty();
        if (!claim.never || !judged || !documented) {
            return;
        }
        const std::string as_documented = graph ? concat(" && ", side, ".edges == ", side, ".expected") : "";
        out.line(1, concat("if (", side, ".matching > 0", as_documented, ") {"));
        const std::string form = reproduced.two_forms() ? concat("\"", name(route), ": \" + ") : "";
        out.line(2, concat("return {\"FAIL\", ", form, "violating(", side, ")};"));
        out.line(1, "}");
    }

    void form() {
        const std::string parameters =
            has_control() ? "const Side& program, const Side& control" : "const Side& program";
        out.blank();
        out.line(0, "// What the claim says of the trials of a program and its control that ran as they should.");
        out.line(0, concat("static Verdict judge_form(", parameters, ") {"));
        if (graph) {
            other_plan("program", Role::program, "RECORDED");
            if (has_control()) {
                other_plan("control", Role::control, "RECORDED");
            }
        }
        if (claim.never) {
            never();
        } else if (claim.sometimes && has_control()) {
            out.block(judge_sometimes);
        } else if (claim.sometimes) {
            out.line(1,
                     "return {\"RECORDED\", of_trials(program.matching, program.trials) + \"; no control, so no cause "
                     "is shown\"};");
        } else {
            out.line(1, has_control() ? "(void)program;\n    (void)control;" : "(void)program;");
            out.line(
                1, "return {\"VACUOUS\", \"no deadline was missed, but no control can hang, so nothing shows that one "
                   "would be\"};");
        }
        out.line(0, "}");
    }

    void other_plan(const std::string& side, Role role, const char* verdict) {
        const char* whose = role == Role::program ? "" : " of the control";
        out.line(1, concat("if (", side, ".edges != ", side, ".expected) {"));
        out.line(2, concat("return {\"", verdict, "\", \"the driver built another plan", whose,
                           " than documented: \" + both_plans(", side, ")};"));
        out.line(1, "}");
    }

    void never() {
        out.block(judge_never);
        if (has_control()) {
            out.line(1, "unsigned long long needed_violations = 21;");
        }
        out.line(1, "std::vector<std::string> lacks;");
        out.line(1, concat("if (!program.decided", has_control() ? " || !control.decided" : "", ") {"));
        out.line(2, "lacks.push_back(\"the abstract machine could not decide what is allowed\");");
        out.line(1, "}");
        out.block(judge_never_trials);
        if (has_control()) {
            out.block(judge_never_control);
        } else {
            out.line(1, "}");
            out.line(1, "lacks.push_back(\"no control, so nothing shows that a violation would be seen\");");
        }
        out.block(judge_never_end);
        const std::string derived = reproduced.statement.basis == Basis::derived ? "derived" : "";
        out.line(1, concat("return {\"PASS\", ", string_literal(derived), "};"));
    }

    void whole() {
        out.blank();
        out.line(0, "// The verdict; `missed` says which deadline was missed, if one was.");
        out.line(0, "static Verdict judge(const std::string& missed) {");
        if (claim.never && judged) {
            out.line(1, "// A violation is a violation, armed or not: nothing else that was seen excuses it.");
        }
        for (const SideForm& form : reproduced.forms) {
            fail(side_name(reproduced, form.program), form.program.route);
        }
        const bool must_end = claim.ends && judged && !is_undocumented(reproduced);
        out.line(1, "if (!missed.empty()) {");
        out.line(2, must_end ? "return {\"FAIL\", \"a deadline was missed: \" + missed};"
                             : "return {\"TIMEOUT\", missed};");
        out.line(1, "}");
        if (reproduced.two_forms() && judged) {
            other_plan("captured_program", Role::program, "FAIL");
            other_plan("captured_control", Role::control, "FAIL");
        }
        for (const Side* side : reproduced.sides()) {
            const std::string variable = side_name(reproduced, *side);
            out.line(1, concat("if (", variable, ".unwritten > 0) {"));
            out.line(2, concat("return {\"HARNESS ERROR\", \"a register was never written in \" + of_trials(", variable,
                               ".unwritten, ", variable, ".trials)};"));
            out.line(1, "}");
        }
        for (const Side* side : reproduced.sides()) {
            const std::string variable = side_name(reproduced, *side);
            const std::string whose = concat(side->role == Role::program ? "" : " of the control",
                                             reproduced.two_forms() ? concat(" (", name(side->route), ")") : "");
            out.line(1, concat("if (!unexplained(", variable, ").empty()) {"));
            out.line(2,
                     concat("return {\"UNEXPLAINED\", \"the abstract machine does not allow \" + some_of(unexplained(",
                            variable, "))", whose.empty() ? "" : concat(" + ", string_literal(whose)), "};"));
            out.line(1, "}");
        }
        if (!judged || is_undocumented(reproduced)) {
            recorded();
        } else if (reproduced.two_forms()) {
            out.block(judge_equivalence);
        } else {
            out.line(1, has_control() ? "return judge_form(program, control);" : "return judge_form(program);");
        }
        out.line(0, "}");
    }

    void recorded() {
        std::string why = "inferred, no document states it";
        if (reproduced.statement.strength == Strength::unspecified) {
            why = "unspecified";
        } else if (is_undocumented(reproduced)) {
            for (const Side* side : reproduced.sides()) {
                if (!side->plan.undocumented.empty()) {
                    why = "undocumented: " + side->plan.undocumented.front();
                    break;
                }
            }
        }
        out.line(1, "// No document settles this, so no verdict is drawn from what was seen.");
        const std::string program = side_name(reproduced, reproduced.forms.front().program);
        const std::string what = claim.sometimes ? "occurrences" : "violations";
        std::string seen = concat("std::to_string(", program, ".matching) + \" ", what, " in \" + std::to_string(",
                                  program, ".trials) + \" trials");
        if (has_control()) {
            const std::string control = side_name(reproduced, *reproduced.forms.front().control);
            seen += concat(", \" + std::to_string(", control, ".matching) + \" in \" + std::to_string(", control,
                           ".trials) + \" of the control");
        }
        if (!claim.never && !claim.sometimes) {
            seen = "std::string(\"no deadline was missed";
        }
        const std::string end = !claim.never && !claim.sometimes ? "; \")" : "; \"";
        out.line(1, concat("return {\"RECORDED\", ", seen, end, " + ", string_literal(why), "};"));
    }

    /// A control that is run alone has to show what it is there for.
    void control_alone() {
        out.blank();
        out.line(0, "// The control is there to show what the program must not: that is asked of it here.");
        out.line(0, "static Verdict judge(const std::string& missed) {");
        out.line(1, "if (!missed.empty()) return {\"TIMEOUT\", missed};");
        out.line(1, "if (program.unwritten > 0) {");
        out.line(2, "return {\"HARNESS ERROR\", \"a register was never written in \" + "
                    "of_trials(program.unwritten, program.trials)};");
        out.line(1, "}");
        out.line(1, "if (!unexplained(program).empty()) {");
        out.line(2,
                 "return {\"UNEXPLAINED\", \"the abstract machine does not allow \" + some_of(unexplained(program))};");
        out.line(1, "}");
        if (claim.sometimes) {
            out.line(1, "const std::string seen = of_trials(program.matching, program.trials);");
            out.line(1,
                     "return {program.matching > 0 ? \"CONTROL SHOWS IT TOO\" : \"CONTROL DOES NOT SHOW IT\", seen};");
        } else {
            out.line(
                1,
                "const std::string seen = of_trials(program.armed_matching, program.trials) + \" armed and violated, "
                "21 needed\";");
            out.line(1,
                     "return {program.armed_matching >= 21 ? \"CONTROL VIOLATED\" : \"CONTROL NOT VIOLATED\", seen};");
        }
        out.line(0, "}");
    }
};

} // namespace

void write_verdict(CppText& out, const Reproduced& reproduced) {
    const bool graph = !reproduced.on_streams();
    const bool judged = is_judged(reproduced) && !reproduced.control_alone;
    const bool by_claim = judged && !is_undocumented(reproduced);
    const Claim& claim = reproduced.litmus.program.claim;
    out.block(verdict_support);
    out.blank();
    out.block(some_of);
    out.line(0, "// The outcomes that the specification, as the abstract machine reads it, does not allow.");
    if (graph) {
        out.line(0, "// Of other edges than expected it may allow other outcomes, which are not in this file.");
    }
    std::string text = unexplained;
    const std::string known = "KNOWN";
    text.replace(text.find(known), known.size(),
                 graph ? "side.decided && side.edges == side.expected" : "side.decided");
    out.block(text);
    if (judged && claim.never && reproduced.forms.front().program.plan.undocumented.empty()) {
        out.block(violating);
    }
    if (by_claim && graph) {
        out.block(both_plans);
    }
    if (by_claim && reproduced.two_forms()) {
        out.block(with_reason);
    }
    VerdictWriter writer{out, reproduced, claim, graph, is_judged(reproduced)};
    if (reproduced.control_alone) {
        writer.control_alone();
        return;
    }
    if (by_claim) {
        writer.form();
    }
    writer.whole();
}

} // namespace pdlcts
