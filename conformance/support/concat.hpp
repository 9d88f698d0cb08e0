// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>

namespace pdlcts {

/// `concat("3", " of ", 2000)`: strings and whole numbers, one after the other. For messages; it compiles in no time
/// where a formatting library takes seconds a file.
template <typename... Parts>
std::string concat(const Parts&... parts) {
    std::string text;
    const auto append = [&text](const auto& part) {
        using Part = std::remove_cvref_t<decltype(part)>;
        static_assert(!std::same_as<Part, bool>, "say what the truth value means");
        if constexpr (std::same_as<Part, char>) {
            text += part;
        } else if constexpr (std::integral<Part>) {
            text += std::to_string(part);
        } else {
            text += std::string_view(part);
        }
    };
    (append(parts), ...);
    return text;
}

} // namespace pdlcts
