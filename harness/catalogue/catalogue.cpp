// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/catalogue.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/plan/routes.hpp"
#include "conformance/support/sha256.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

namespace pdlcts {
namespace {

/// Registers that more than one thread writes.
std::set<std::string> class_registers(const Program& program) {
    std::set<std::string> registers;
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        for (std::size_t index = 0; grid != nullptr && index < grid->agents.size(); ++index) {
            if (!grid->agents[index].is_class()) {
                continue;
            }
            for (const Instruction& instruction : grid->agents[index].instructions) {
                std::visit(
                    [&](const auto& each) {
                        if constexpr (requires { each.results; }) {
                            registers.insert(each.results.begin(), each.results.end());
                        } else if constexpr (requires { each.result; }) {
                            if (each.result) {
                                registers.insert(*each.result);
                            }
                        }
                    },
                    instruction);
            }
        }
    }
    return registers;
}

/// The first register of a class that a condition compares without `any` or `all`.
std::string unquantified(const Condition& condition, const std::set<std::string>& registers) {
    if (condition.kind == Condition::Kind::comparison) {
        const Comparison& comparison = condition.comparison;
        const bool missing = comparison.quantifier == Quantifier::single && registers.contains(comparison.result);
        return missing ? comparison.result : "";
    }
    for (const Condition& operand : condition.operands) {
        if (std::string found = unquantified(operand, registers); !found.empty()) {
            return found;
        }
    }
    return "";
}

std::optional<Error> check_claims(const Case& read) {
    const std::set<std::string> registers = class_registers(read.litmus.program);
    const Claim& claim = read.litmus.program.claim;
    for (const std::optional<Condition>& condition : {claim.never, claim.sometimes, claim.armed}) {
        const std::string found = condition ? unquantified(*condition, registers) : "";
        if (!found.empty()) {
            return Error{read.file + ": several threads write " + found + "; expected `any " + found + "` or `all " +
                         found + "` in the claim"};
        }
    }
    if (!claim.never && !claim.sometimes) {
        return Error{read.file + ": a case needs `never` or `sometimes`, so that its control can be killed"};
    }
    return std::nullopt;
}

std::optional<Error> check_statement(const Case& read, const Ledger& ledger) {
    const std::string folder = std::filesystem::path(read.file).parent_path().filename().string();
    const Section* section = section_of(ledger, read.statement);
    if (section->id != folder) {
        return Error{read.file + ": " + read.statement + " belongs to section " + section->id +
                     "; expected the file in the folder of that name, found it in " + folder};
    }
    const bool is_equivalence = find_statement(ledger, read.statement)->strength == Strength::equivalence;
    const std::vector<Route>& routes = read.litmus.routes;
    if (is_equivalence && (routes.size() != 2 || launches_graph(routes[0]) != launches_graph(routes[1]))) {
        return Error{read.file + ": an equivalence compares two forms; expected two routes, both of graphs or both of "
                                 "streams: `routes captured, edges`"};
    }
    return std::nullopt;
}

} // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
    // Where a character does not fit, the last star takes one more. No earlier star has to be tried again: what stands
    // between it and the last one already fits as far to the left as it can. So this takes a product of the lengths.
    std::size_t at = 0;
    std::size_t in_pattern = 0;
    std::size_t star = std::string_view::npos;
    std::size_t taken = 0; // by the last star, up to here
    while (at < text.size()) {
        if (in_pattern < pattern.size() && pattern[in_pattern] == '*') {
            star = in_pattern++;
            taken = at;
        } else if (in_pattern < pattern.size() && (pattern[in_pattern] == '?' || pattern[in_pattern] == text[at])) {
            ++in_pattern;
            ++at;
        } else if (star != std::string_view::npos) {
            in_pattern = star + 1;
            at = ++taken;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', in_pattern) == std::string_view::npos;
}

Result<Case> read_user_case(const EmbeddedFile& file, const Ledger& ledger) {
    Result<Litmus> litmus = parse_litmus(file.text, file.name);
    if (!litmus) {
        return litmus.error();
    }
    for (const std::string& id : litmus->checks) {
        if (find_statement(ledger, id) == nullptr) {
            return Error{file.name + ": unknown statement " + id + "; `pdlcts list --statements` shows them all"};
        }
    }
    Case read;
    read.id = std::filesystem::path(file.name).stem().string();
    read.file = file.name;
    read.litmus = std::move(*litmus);
    return read;
}

Result<Case> read_case(const EmbeddedFile& file, const Ledger& ledger) {
    Result<Case> read = read_user_case(file, ledger);
    if (!read) {
        return read;
    }
    read->statement = read->litmus.checks.empty() ? "" : read->litmus.checks.front();
    const auto lines = static_cast<std::size_t>(std::count(file.text.begin(), file.text.end(), '\n'));
    if (lines > longest_case_lines) {
        return Error{file.name + ": the case has " + std::to_string(lines) + " lines; expected " +
                     std::to_string(longest_case_lines) + " at most"};
    }
    if (read->litmus.description.empty()) {
        return Error{file.name + ":1: a case begins with comment lines that say what is claimed and why a pass means "
                                 "something"};
    }
    if (read->statement.empty()) {
        return Error{file.name + ": a case names the statement that it tests; expected a line `checks STATEMENT`"};
    }
    if (!read->litmus.control) {
        return Error{file.name + ": a case without a control proves nothing; expected lines that start with - or +"};
    }
    if (auto error = check_statement(*read, ledger)) {
        return *error;
    }
    if (auto error = check_claims(*read)) {
        return *error;
    }
    const std::filesystem::path path(file.name);
    read->id = path.parent_path().filename().string() + "/" + path.stem().string();
    return read;
}

bool is_selected(const Case& selected, std::string_view pattern) {
    if (matches_glob(pattern, selected.id) || matches_glob(pattern, selected.statement)) {
        return true;
    }
    const std::size_t slash = selected.id.find('/');
    return pattern.find('/') == std::string_view::npos && slash != std::string::npos &&
           matches_glob(pattern, std::string_view(selected.id).substr(slash + 1));
}

Statement statement_of(const Case& listed, const Ledger& ledger) {
    if (const Statement* statement = find_statement(ledger, listed.statement)) {
        return *statement;
    }
    Statement statement;
    statement.text = "a pattern of the user's own";
    return statement;
}

bool is_equivalence(const Case& listed, const Ledger& ledger) {
    return statement_of(listed, ledger).strength == Strength::equivalence;
}

std::vector<Route> cell_routes(const Case& listed, const Ledger& ledger) {
    if (is_equivalence(listed, ledger)) {
        return {listed.litmus.routes[0]};
    }
    return default_routes(listed.litmus);
}

bool has_cell_on(const Case& listed, Route route, const Ledger& ledger) {
    if (is_equivalence(listed, ledger)) {
        const std::vector<Route>& routes = listed.litmus.routes;
        return route == routes[0] || (lowered_as(route) == routes[0] && route != routes[1]);
    }
    return claims_on(listed.litmus, route);
}

std::optional<Route> other_route(const Case& listed, const Ledger& ledger) {
    return is_equivalence(listed, ledger) ? std::optional(listed.litmus.routes[1]) : std::nullopt;
}

std::string_view kind_of(const Case& listed, const Ledger& ledger) {
    return is_equivalence(listed, ledger) ? "equivalence" : "litmus";
}

std::string digest_of(std::span<const Case> cases) {
    std::string text;
    for (const Case& listed : cases) {
        text += listed.id + "\n" + print(listed.litmus) + "\n";
    }
    return sha256(text);
}

} // namespace pdlcts
