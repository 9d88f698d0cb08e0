// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/declarations.hpp"
#include "conformance/litmus/program.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What the parsers of instructions share. Internal to conformance/litmus.
namespace pdlcts {

/// A register that an instruction writes, and the column where it says so.
struct ParsedResult {
    std::string name;
    std::size_t column = 0;
};

/// One instruction under the parser's eye, of an agent of a grid; its mnemonic's first word has been read.
struct InstructionReader {
    Cursor& cursor;
    const Declarations& declarations;
    const Grid& grid;
    const Agent& agent;
    std::vector<ParsedResult> results = {};

    ParsedElement element(unsigned lanes = 1) { return parse_element(cursor, declarations, any_location, lanes); }

    Value value(Width width) {
        return static_cast<Value>(cursor.number("the value", 0, static_cast<std::uint64_t>(largest_value_of(width))));
    }

    std::string register_name() {
        results.push_back({{}, cursor.column()});
        return results.back().name = cursor.name("a register");
    }

    std::string result() {
        cursor.expect("->", "missing result");
        return register_name();
    }

    /// `-> r within 50us`, the result if there is one.
    std::uint64_t bound(std::optional<std::string>& bounded) {
        if (cursor.at("->")) {
            bounded = result();
        }
        if (!cursor.accept_word("within")) {
            cursor.fail("a poll needs its bound", bounded ? "'within'" : "'->' or 'within'");
        }
        return cursor.duration("the bound");
    }

    void end_of_mnemonic(std::string_view instruction) const {
        if (cursor.at_qualifier()) {
            cursor.fail("a qualifier that " + std::string(instruction) + " does not take", "a blank and the operands");
        }
    }
};

} // namespace pdlcts
