// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/program.hpp"

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

/// What the lines `memory`, `host_memory`, `shared` and `mbarrier` declare, and the operands that refer to it. Internal
/// to conformance/litmus.
namespace pdlcts {

enum class Space { global, host, shared, mbarrier };

struct Declared {
    Space space = Space::global;
    Width width = Width::u32;
    bool array = false;
    unsigned elements = 1;
    unsigned bytes() const { return elements * bytes_of(width); }
};

/// The names that an instruction may use: those of the program, and those of the open grid.
class Declarations {
public:
    const Declared* find(std::string_view name) const;
    /// False where the name is taken.
    bool declare(const std::string& name, const Declared& declared);
    void open_grid() { of_grid_.clear(); }

private:
    using Table = std::map<std::string, Declared, std::less<>>;
    Table of_program_;
    Table of_grid_;
};

/// `x = 0, v[4] = {1, 2, 3, 4}, b[8]:u8 = 0`, up to the end of the line.
std::vector<Location> parse_locations(Cursor& cursor, Space space, Declarations& declarations);

/// `full = 1, empty = 2`, up to the end of the line.
std::vector<Mbarrier> parse_mbarriers(Cursor& cursor, Declarations& declarations);

/// Which names an operand may be, and how an error says so.
struct Wanted {
    bool (*accepts)(Space);
    std::string_view expected;
};
inline constexpr Wanted global_location = {[](Space space) { return space == Space::global; },
                                           "a location of the memory line"};
inline constexpr Wanted host_location = {[](Space space) { return space == Space::host; },
                                         "a location of the host_memory line"};
inline constexpr Wanted shared_location = {[](Space space) { return space == Space::shared; },
                                           "a location of a shared line of the grid"};
inline constexpr Wanted copied_location = {[](Space space) { return space == Space::global || space == Space::host; },
                                           "a location of the memory or host_memory line"};
inline constexpr Wanted any_location = {[](Space space) { return space != Space::mbarrier; },
                                        "a location of a memory, host_memory or shared line"};
inline constexpr Wanted mbarrier_of_grid = {[](Space space) { return space == Space::mbarrier; },
                                            "an mbarrier of the grid"};

struct ParsedElement {
    Element element;
    Declared declared;
};

/// `x`, `v[2]`: `lanes` elements from there on.
ParsedElement parse_element(Cursor& cursor, const Declarations& declarations, const Wanted& wanted, unsigned lanes = 1);

/// `@1`, where it follows: the rank of a block in the cluster. Shared memory and mbarriers take it.
void parse_rank(Cursor& cursor, const Grid& grid, ParsedElement& parsed);

struct ParsedWhole {
    std::string name;
    Declared declared;
};

/// A name that stands for all of its elements.
ParsedWhole parse_whole(Cursor& cursor, const Declarations& declarations, const Wanted& wanted);

} // namespace pdlcts
