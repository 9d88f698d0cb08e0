// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

/// What a fuzzer does with one text; for tests only.
namespace pdlcts {

struct FuzzedInput {
    bool accepted = false; ///< the text is a file of the language
    std::size_t plans = 0; ///< routes that could express its program or its control
    std::string complaint; ///< what is wrong with the parser, the printer or the lowering; empty if nothing is
    std::string canonical; ///< the text printed back, where it is a file
};

/// Parses the text, prints what it says, parses that again, and lowers program and control on every route.
FuzzedInput try_input(std::string_view text);

} // namespace pdlcts
