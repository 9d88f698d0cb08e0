// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/registers.hpp"

namespace pdlcts {

void Registers::write(const std::vector<ParsedResult>& results, std::size_t line, bool of_class) {
    for (const ParsedResult& result : results) {
        if (!written_.emplace(result.name, of_class).second) {
            fail_at({line, result.column}, "two instructions write one register", "another name", quoted(result.name));
        }
    }
}

} // namespace pdlcts
