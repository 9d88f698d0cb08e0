// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <cstddef>
#include <string>
#include <string_view>

/// Results files compressed with gzip (RFC 1952): a twentieth of their size, and every tool reads them.
namespace pdlcts {

/// Whether a file begins as gzip files do.
bool is_gzip(std::string_view bytes);

/// What was compressed, at most `largest` bytes of it: a small file can stand for a huge one, so it is not unpacked
/// further. Files of several members are one text. The check sums are checked.
Result<std::string> gunzip(std::string_view bytes, std::string_view file_name, std::size_t largest);

/// The same bytes for the same text: neither a name nor a time is stored.
std::string gzip(std::string_view text);

} // namespace pdlcts
