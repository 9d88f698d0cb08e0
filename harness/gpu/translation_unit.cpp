// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/translation_unit.hpp"

#include "conformance/support/concat.hpp"

namespace pdlcts {

std::string kernel_prefix(std::size_t place, std::size_t parts) {
    return parts == 1 ? "" : concat("case_", place, "_");
}

std::string join(std::span<const UnitPart> parts) {
    if (parts.size() == 1) {
        return parts.front().source;
    }
    std::string text;
    for (std::size_t place = 0; place < parts.size(); ++place) {
        const UnitPart& part = parts[place];
        const std::string prefix = kernel_prefix(place, parts.size());
        for (const std::string& kernel : part.kernels) {
            text += concat("#define ", kernel, " ", prefix, kernel, "\n");
        }
        text += concat("namespace case_", place, " {\n#line 1 \"case_", place, ".cu\"\n", part.source, "\n}\n");
        for (const std::string& kernel : part.kernels) {
            text += concat("#undef ", kernel, "\n");
        }
    }
    return text;
}

std::vector<UnitRange> cut_into_units(std::size_t cases) {
    const std::size_t units = (cases + most_parts_a_unit - 1) / most_parts_a_unit;
    std::vector<UnitRange> ranges;
    std::size_t first = 0;
    for (std::size_t unit = 0; unit < units; ++unit) {
        const std::size_t count = (cases - first) / (units - unit);
        ranges.push_back({first, count});
        first += count;
    }
    return ranges;
}

} // namespace pdlcts
