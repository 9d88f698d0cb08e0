// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/declarations.hpp"

#include <utility>

namespace pdlcts {

namespace {

constexpr unsigned most_arrivals = (1U << 20) - 1; ///< of an mbarrier's phase, by PTX

std::string declared_name(Cursor& cursor, std::string_view kind, const Declared& declared, Declarations& declarations) {
    const Cursor at = cursor;
    std::string name = cursor.name(kind);
    if (!declarations.declare(name, declared)) {
        at.fail("a location is declared twice", "another name");
    }
    return name;
}

/// `[4]:u16`, either or both, after a name.
void parse_shape(Cursor& cursor, Space space, Declared& declared) {
    if (cursor.accept("[")) {
        declared.array = true;
        declared.elements = static_cast<unsigned>(cursor.number("the number of elements", 1, most_elements));
        cursor.expect("]", "unclosed brackets");
    }
    if (space == Space::host && cursor.at(":")) {
        cursor.fail("host memory is made of words", "no width");
    }
    if (cursor.accept(":")) {
        declared.width = cursor.one_of(widths, "unknown width");
    }
}

std::vector<Value> parse_initial(Cursor& cursor, const Declared& declared) {
    const auto value = [&] {
        return static_cast<Value>(
            cursor.number("the initial value", 0, static_cast<std::uint64_t>(largest_value_of(declared.width))));
    };
    if (!declared.array || !cursor.accept("{")) {
        return std::vector<Value>(declared.elements, value());
    }
    std::vector<Value> values = {value()};
    while (values.size() < declared.elements) {
        cursor.expect(",", "fewer initial values than elements");
        values.push_back(value());
    }
    cursor.expect("}", "more initial values than elements");
    return values;
}

const Declared& look_up(const Cursor& at, std::string_view name, const Declarations& declarations,
                        const Wanted& wanted) {
    const Declared* declared = declarations.find(name);
    if (declared == nullptr) {
        at.fail("undeclared location", std::string(wanted.expected));
    }
    if (!wanted.accepts(declared->space)) {
        at.fail("this name stands for something else", std::string(wanted.expected));
    }
    return *declared;
}

std::string_view kind_of(const Wanted& wanted) {
    return wanted.accepts(Space::mbarrier) ? "an mbarrier" : "a location";
}

} // namespace

const Declared* Declarations::find(std::string_view name) const {
    for (const Table* table : {&of_grid_, &of_program_}) {
        if (const auto found = table->find(name); found != table->end()) {
            return &found->second;
        }
    }
    return nullptr;
}

bool Declarations::declare(const std::string& name, const Declared& declared) {
    if (find(name) != nullptr) {
        return false;
    }
    const bool of_grid = declared.space == Space::shared || declared.space == Space::mbarrier;
    return (of_grid ? of_grid_ : of_program_).emplace(name, declared).second;
}

std::vector<Location> parse_locations(Cursor& cursor, Space space, Declarations& declarations) {
    std::vector<Location> locations;
    do {
        const Cursor at = cursor;
        std::string name = cursor.name("a location");
        Declared declared{space, Width::u32, false, 1};
        parse_shape(cursor, space, declared);
        if (!declarations.declare(name, declared)) {
            at.fail("a location is declared twice", "another name");
        }
        cursor.expect("=", "missing initial value");
        locations.push_back({std::move(name), parse_initial(cursor, declared), declared.width, declared.array});
    } while (cursor.accept(","));
    cursor.expect_end("the declaration");
    return locations;
}

std::vector<Mbarrier> parse_mbarriers(Cursor& cursor, Declarations& declarations) {
    std::vector<Mbarrier> mbarriers;
    do {
        Mbarrier mbarrier;
        mbarrier.name = declared_name(cursor, "an mbarrier", {Space::mbarrier, Width::u32, false, 1}, declarations);
        cursor.expect("=", "missing number of arrivals");
        mbarrier.arrivals = static_cast<unsigned>(cursor.number("the number of arrivals", 1, most_arrivals));
        mbarriers.push_back(std::move(mbarrier));
    } while (cursor.accept(","));
    cursor.expect_end("the declaration");
    return mbarriers;
}

ParsedElement parse_element(Cursor& cursor, const Declarations& declarations, const Wanted& wanted, unsigned lanes) {
    const Cursor at = cursor;
    ParsedElement parsed;
    parsed.element.location = cursor.name(kind_of(wanted));
    parsed.declared = look_up(at, parsed.element.location, declarations, wanted);
    if (!parsed.declared.array) {
        if (cursor.at("[")) {
            cursor.fail("a scalar has no elements", "its name alone");
        }
        if (lanes > 1) {
            at.fail("a scalar has no lanes", "an array");
        }
        return parsed;
    }
    cursor.expect("[", "an array shows which of its elements");
    const Cursor at_index = cursor;
    const unsigned elements = parsed.declared.elements;
    parsed.element.index = static_cast<unsigned>(cursor.number("the index", 0, elements - 1));
    if (*parsed.element.index % lanes != 0) {
        at_index.fail("the lanes are not aligned", "a multiple of " + std::to_string(lanes));
    }
    if (*parsed.element.index + lanes > elements) {
        at_index.fail("the lanes reach beyond the array",
                      std::to_string(lanes) + " elements of " + std::to_string(elements));
    }
    cursor.expect("]", "unclosed brackets");
    return parsed;
}

void parse_rank(Cursor& cursor, const Grid& grid, ParsedElement& parsed) {
    if (!cursor.at("@")) {
        return;
    }
    if (parsed.declared.space != Space::shared && parsed.declared.space != Space::mbarrier) {
        cursor.fail("a rank in memory that all blocks share", "no rank");
    }
    if (grid.cluster == 1) {
        cursor.fail("a rank in a grid without clusters", "'cluster' among the grid's attributes");
    }
    cursor.accept("@");
    parsed.element.rank = static_cast<unsigned>(cursor.number("the rank", 0, grid.cluster - 1));
}

ParsedWhole parse_whole(Cursor& cursor, const Declarations& declarations, const Wanted& wanted) {
    const Cursor at = cursor;
    std::string name = cursor.name(kind_of(wanted));
    const Declared declared = look_up(at, name, declarations, wanted);
    if (cursor.at("[") || cursor.at("@")) {
        cursor.fail("an operand that stands for all of its elements", "its name alone");
    }
    return {std::move(name), declared};
}

} // namespace pdlcts
