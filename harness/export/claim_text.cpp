// SPDX-License-Identifier: Apache-2.0
#include "harness/export/claim_text.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "harness/export/words.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

/// `any_equals`: whether some thread, or all of them, read this value or another one.
std::string function_of(const Comparison& comparison) {
    const bool all = comparison.quantifier == Quantifier::all;
    return comparison.equal ? (all ? "all_equal" : "any_equals") : (all ? "all_differ" : "any_differs");
}

/// `any_equals(outcome, "seen", 0)`
std::string comparison_text(const Comparison& comparison) {
    return concat(function_of(comparison), "(outcome, ", string_literal(comparison.result), ", ", comparison.value,
                  ")");
}

std::string condition_text(const Condition& condition) {
    if (condition.kind == Condition::Kind::comparison) {
        return comparison_text(condition.comparison);
    }
    std::string text;
    for (const Condition& operand : condition.operands) {
        const bool junction = operand.kind != Condition::Kind::comparison;
        text += text.empty()                                     ? ""
                : condition.kind == Condition::Kind::conjunction ? " &&\n           "
                                                                 : " ||\n           ";
        text += junction ? "(" + condition_text(operand) + ")" : condition_text(operand);
    }
    return text;
}

void note_functions(const Condition& condition, std::set<std::string>& functions) {
    if (condition.kind == Condition::Kind::comparison) {
        functions.insert(function_of(condition.comparison));
    }
    for (const Condition& operand : condition.operands) {
        note_functions(operand, functions);
    }
}

void write_condition(CppText& out, const char* function, const char* keyword, const std::optional<Condition>& condition,
                     const char* otherwise) {
    out.line(0, condition ? comment_line(concat(keyword, " ", print(*condition))) : std::string("// ") + keyword);
    if (!condition) {
        out.line(0, concat("static bool ", function, "(const Outcome&) { return ", otherwise, "; }"));
        out.blank();
        return;
    }
    out.line(0, concat("static bool ", function, "(const Outcome& outcome) {"));
    out.line(1, concat("return ", condition_text(*condition), ";"));
    out.line(0, "}");
    out.blank();
}

void write_list(CppText& out, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) {
        out.line(2, string_literal(line) + ",");
    }
}

/// The definition of a function of those.
void write_function(CppText& out, const std::string& function) {
    const bool all = function.starts_with("all");
    const bool equal = function.ends_with("equal") || function.ends_with("equals");
    const char* found = all ? "false" : "true";
    out.line(0, concat("static bool ", function, "(const Outcome& outcome, const char* name, Value value) {"));
    out.line(1, "const auto read = outcome.registers.find(name);");
    out.line(1, "if (read == outcome.registers.end()) return false;");
    out.line(1, "for (const Value each : read->second) {");
    out.line(2, concat("if (each ", equal != all ? "==" : "!=", " value) return ", found, ";"));
    out.line(1, "}");
    out.line(1, concat("return ", all ? "!read->second.empty()" : "false", ";"));
    out.line(0, "}");
    out.blank();
}

} // namespace

bool is_judged(const Reproduced& reproduced) {
    return reproduced.statement.strength != Strength::unspecified && reproduced.statement.basis != Basis::inferred;
}

bool is_undocumented(const Reproduced& reproduced) {
    const std::vector<const Side*> sides = reproduced.sides();
    return std::any_of(sides.begin(), sides.end(), [](const Side* side) { return !side->plan.undocumented.empty(); });
}

void write_claim(CppText& out, const Reproduced& reproduced) {
    const Claim& claim = reproduced.litmus.program.claim;
    std::set<std::string> functions;
    for (const std::optional<Condition>& condition : {claim.never, claim.sometimes, claim.armed}) {
        if (condition) {
            note_functions(*condition, functions);
        }
    }
    if (!functions.empty()) {
        out.line(0, "// Whether a thread, or every thread, that writes a register read this value, or another one.");
    }
    for (const std::string& function : functions) {
        write_function(out, function);
    }
    if (claim.sometimes) {
        write_condition(out, "matches", "sometimes", claim.sometimes, "false");
    } else {
        write_condition(out, "matches", claim.never ? "never" : "the claim is that every trial ends", claim.never,
                        "false");
    }
    write_condition(out, "is_armed", claim.armed ? "armed" : "every trial is armed", claim.armed, "true");
}

void write_sides(CppText& out, const Reproduced& reproduced) {
    const bool graph = !reproduced.on_streams();
    out.line(0, "// A program: how it is run, what is allowed of it, and what its trials have shown.");
    out.line(0, "struct Side {");
    out.line(1, "std::string name;");
    out.line(1, "size_t words;      // of a record in device memory");
    out.line(1, "size_t host_words; // of a record in host memory");
    out.line(1, "void (*prepare)(Trial&);");
    out.line(1, graph ? "TrialGraph (*make_graph)(Trial&);" : "void (*issue)(Trial&);");
    out.line(1, "Outcome (*outcome)(const Trial&);");
    if (graph) {
        out.line(1, "std::vector<std::string> expected; // edges");
    }
    out.line(1, "bool decided; // whether the abstract machine could compute what is allowed");
    out.line(1, "std::set<std::string> allowed;");
    out.blank();
    if (graph) {
        out.line(1, "std::vector<std::string> edges = {}; // as the driver has them, in every trial");
        out.line(1, "bool edges_known = false;");
    }
    out.line(1, "std::map<std::string, unsigned long long> outcomes = {};");
    out.line(1, "std::set<std::string> armed_outcomes = {};");
    out.line(1, "std::set<std::string> matching_outcomes = {};");
    out.line(1, "unsigned long long trials = 0;");
    out.line(1, "unsigned long long armed = 0;");
    out.line(1, "unsigned long long matching = 0; // the claim's condition");
    out.line(1, "unsigned long long armed_matching = 0;");
    out.line(1, "unsigned long long unwritten = 0;");
    out.line(0, "};");
    std::string all;
    for (const Side* side : reproduced.sides()) {
        all += (all.empty() ? "&" : ", &") + side_name(reproduced, *side);
        const std::string role = role_name(*side);
        const char* how = side->route == Route::stream     ? "issue_"
                          : side->route == Route::captured ? "capture_"
                                                           : "build_";
        out.blank();
        out.line(0, concat("static Side ", side_name(reproduced, *side), " = {"));
        out.line(1, concat(string_literal(reproduced.two_forms() ? concat(role, ", ", name(side->route)) : role), ", ",
                           side->layout->words, ", ", side->layout->host_words, ", prepare_",
                           words_name(reproduced, *side), ", ", how, role, ", outcome_of_",
                           words_name(reproduced, *side), ","));
        if (graph) {
            out.line(1, "{");
            write_list(out, print_dependencies(*side->program, side->plan));
            out.line(1, "},");
        }
        out.line(1, side->decided ? "true," : "false,");
        out.line(1, "{");
        write_list(out, side->allowed);
        out.line(1, "},");
        out.line(0, "};");
    }
    out.blank();
    out.line(0, concat("static const Side* const all_sides[] = {", all, "};"));
}

} // namespace pdlcts
