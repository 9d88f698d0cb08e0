// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/condition_parser.hpp"

#include "conformance/litmus/parser.hpp"

#include <iterator>
#include <utility>

namespace pdlcts {

namespace {

Condition parse_disjunction(Cursor& cursor, std::vector<RegisterUse>& uses, std::size_t depth);

Condition parse_comparison(Cursor& cursor, std::vector<RegisterUse>& uses) {
    RegisterUse use;
    use.column = cursor.column();
    if (cursor.accept_word("any")) {
        use.comparison.quantifier = Quantifier::any;
    } else if (cursor.accept_word("all")) {
        use.comparison.quantifier = Quantifier::all;
    }
    use.name_column = cursor.column();
    use.comparison.result = cursor.name("a register");
    if (cursor.accept("!=")) {
        use.comparison.equal = false;
    } else if (!cursor.accept("==")) {
        cursor.fail("incomplete comparison", "'==' or '!='");
    }
    use.comparison.value = static_cast<Value>(cursor.number("the value", 0, largest_value));
    uses.push_back(use);
    return Condition{Condition::Kind::comparison, use.comparison, {}};
}

Condition parse_operand(Cursor& cursor, std::vector<RegisterUse>& uses, std::size_t depth) {
    if (depth == deepest_condition) {
        cursor.fail("parentheses are nested too deeply",
                    "at most " + std::to_string(deepest_condition - 1) + " inside each other");
    }
    if (!cursor.accept("(")) {
        return parse_comparison(cursor, uses);
    }
    Condition condition = parse_disjunction(cursor, uses, depth + 1);
    cursor.expect(")", "unclosed parenthesis");
    return condition;
}

using Parse = Condition (*)(Cursor&, std::vector<RegisterUse>&, std::size_t);

/// Operands that are junctions of the same kind dissolve in it, so that equal conditions are equal values.
Condition parse_junction(Cursor& cursor, std::vector<RegisterUse>& uses, std::size_t depth, Condition::Kind kind,
                         std::string_view sign, Parse parse) {
    Condition first = parse(cursor, uses, depth);
    if (!cursor.accept(sign)) {
        return first;
    }
    Condition junction{kind, {}, {}};
    const auto append = [&](Condition operand) {
        if (operand.kind == kind) {
            std::move(operand.operands.begin(), operand.operands.end(), std::back_inserter(junction.operands));
        } else {
            junction.operands.push_back(std::move(operand));
        }
    };
    append(std::move(first));
    do {
        append(parse(cursor, uses, depth));
    } while (cursor.accept(sign));
    return junction;
}

Condition parse_conjunction(Cursor& cursor, std::vector<RegisterUse>& uses, std::size_t depth) {
    return parse_junction(cursor, uses, depth, Condition::Kind::conjunction, "&&", parse_operand);
}

Condition parse_disjunction(Cursor& cursor, std::vector<RegisterUse>& uses, std::size_t depth) {
    return parse_junction(cursor, uses, depth, Condition::Kind::disjunction, "||", parse_conjunction);
}

} // namespace

Condition parse_condition(Cursor& cursor, std::vector<RegisterUse>& uses) {
    Condition condition = parse_disjunction(cursor, uses, 0);
    if (!cursor.at_end()) {
        cursor.fail("more than a condition", "'&&', '||' or the end of the line");
    }
    return condition;
}

Result<Condition> parse_condition(std::string_view text) {
    try {
        Cursor cursor(text, 1, 1);
        std::vector<RegisterUse> uses;
        return parse_condition(cursor, uses);
    } catch (const SyntaxFailure& failure) {
        return to_error(failure, "condition");
    }
}

} // namespace pdlcts
