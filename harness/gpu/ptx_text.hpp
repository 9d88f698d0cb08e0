// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <string>
#include <string_view>

/// The words of PTX, and device functions around single instructions of it.
namespace pdlcts {

std::string_view ptx(Ordering ordering);
std::string_view ptx(Scope scope);
/// `.u8`
std::string_view ptx_type(Width width);

/// `ld.acquire.gpu`, `st.weak`: a weak instruction has no scope.
std::string qualified(std::string_view instruction, Ordering ordering, Scope scope);

/// A PTX mnemonic as a function's name: `fence_acq_rel_gpu`.
std::string function_name(std::string_view mnemonic);

std::string define(const std::string& result, const std::string& signature, const std::string& body);

/// One statement of a body: PTX that reads and writes memory, with its operands.
std::string statement(const std::string& instruction, const std::string& operands);

/// A function without arguments around an instruction without operands.
std::string define_plain(const std::string& function, const std::string& instruction);

/// The body of a poll with the arguments `at`, what `look` takes between, `within` and `elapsed`: until `look` holds,
/// bounded by time, and by polls should the timer stand still. `elapsed` becomes the time at the last look that failed:
/// a reading behind the look that held would delay what follows.
std::string poll_body(const std::string& look, const std::string& timer);

} // namespace pdlcts
