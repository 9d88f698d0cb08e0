// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace pdlcts {

/// The SHA-256 (FIPS 180-4) of some bytes, as 64 lower-case hexadecimal digits.
std::string sha256(std::string_view bytes);

/// The same, without the instructions that some processors have for it: for tests.
std::string sha256_on_any_processor(std::string_view bytes);

} // namespace pdlcts
