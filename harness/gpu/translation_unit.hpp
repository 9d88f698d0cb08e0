// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

/// Several cases in one translation unit: what NVRTC does once a unit takes as long as one or two kernels.
namespace pdlcts {

/// What a case contributes: a source that stands by itself, and the names of its kernels in it.
struct UnitPart {
    std::string source;
    std::vector<std::string> kernels;
};

/// What stands before the names of a part's kernels in the unit; nothing where the part has the unit to itself.
std::string kernel_prefix(std::size_t place, std::size_t parts);

/// The text of the unit. Each part's source stands in it as it is, in one piece, in a namespace of its own; the
/// kernels, which namespaces do not tell apart (they are extern "C"), are renamed around it. Messages of the compiler
/// name the part and its own line: `case_3.cu(12)`. One part alone is its source.
std::string join(std::span<const UnitPart> parts);

/// A range of cases that go into one unit.
struct UnitRange {
    std::size_t first = 0;
    std::size_t count = 0;
    bool operator==(const UnitRange&) const = default;
};

/// More would save little, and leave cores idle.
inline constexpr std::size_t most_parts_a_unit = 8;

/// Units of equal size, as far as it goes, of at most `most_parts_a_unit` cases each. The machine has no say: the same
/// cases give the same units, and so the same code, everywhere.
std::vector<UnitRange> cut_into_units(std::size_t cases);

} // namespace pdlcts
