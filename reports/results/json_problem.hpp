// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pdlcts {

/// Why a text is not accepted as JSON; empty where it is. Besides what is not JSON at all: a text that is too large,
/// nests deeply, or holds masses of values, and a key that stands twice in one object, as two readers would then see
/// two files. Nothing is built from the text meanwhile.
std::string json_problem(std::string_view text, std::string_view file_name);

} // namespace pdlcts
