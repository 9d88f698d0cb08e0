// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"
#include "conformance/litmus/instruction_reader.hpp"

#include <map>
#include <string>
#include <vector>

/// The registers of a program. Internal to conformance/litmus.
namespace pdlcts {

class Registers {
public:
    /// Each register is written by one instruction; `of_class`: of several threads.
    void write(const std::vector<ParsedResult>& results, std::size_t line, bool of_class);
    bool contains(const std::string& name) const { return written_.contains(name); }
    bool is_of_class(const std::string& name) const { return written_.at(name); }

private:
    std::map<std::string, bool> written_;
};

} // namespace pdlcts
