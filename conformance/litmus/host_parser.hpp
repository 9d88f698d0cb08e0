// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/declarations.hpp"
#include "conformance/litmus/program.hpp"
#include "conformance/litmus/registers.hpp"
#include "conformance/litmus/streams.hpp"

#include <set>
#include <string>
#include <string_view>

/// The operations of the host that launch nothing. Internal to conformance/litmus.
namespace pdlcts {

/// What the lines of a program refer to, as far as they have been read.
struct Definitions {
    Declarations declarations;
    Streams streams;
    std::set<std::string> events; ///< recorded so far
    std::set<std::string> grids;
    std::set<std::string> host_functions;
    Registers registers;
};

/// Whether a word opens such an operation.
bool opens_host_operation(std::string_view word);

/// Reads the whole line: `record e on s`.
HostOperation parse_host_operation(Cursor& cursor, Definitions& definitions);

/// `read h -> seen` or `write h, 1`: the whole line.
HostInstruction parse_host_instruction(Cursor& cursor, Definitions& definitions);

} // namespace pdlcts
