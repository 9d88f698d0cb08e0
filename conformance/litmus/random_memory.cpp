// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/random_grid.hpp"

#include <utility>

namespace pdlcts {

std::string random_register(RandomNames& names, bool of_class) {
    names.registers.push_back({std::string("r").append(std::to_string(names.registers.size())), of_class});
    return names.registers.back().name;
}

Value random_value(Chooser& choose, Width width) {
    return choose.pick<Value>({0, 1, 2, 7, 255, largest_value_of(width) - 1, largest_value_of(width)});
}

Location random_location(Chooser& choose, std::string name, bool words_only) {
    Location location;
    location.name = std::move(name);
    location.width = words_only ? Width::u32 : choose.pick({Width::u32, Width::u32, Width::u16, Width::u8});
    location.array = choose.chance(50);
    const unsigned elements = location.array ? choose.pick({1U, 2U, 4U, 4U, 8U, 16U, 64U}) : 1;
    location.initial.assign(elements, random_value(choose, location.width));
    if (choose.chance(50)) {
        for (Value& value : location.initial) {
            value = random_value(choose, location.width);
        }
    }
    return location;
}

Element random_element(Chooser& choose, const Location& location) {
    Element element{location.name, {}, {}};
    if (location.array) {
        element.index = choose.below(location.elements());
    }
    return element;
}

} // namespace pdlcts
