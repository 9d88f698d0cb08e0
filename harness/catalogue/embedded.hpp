// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "conformance/support/embed.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace pdlcts {

/// What files that were built into this program hold, in the order of the ledger's sections. `read` is the reader with
/// which the build has read the same files: where it fails now, the program was put together wrongly.
template <typename Listed>
std::vector<Listed> read_embedded(const std::vector<EmbeddedFile>& files,
                                  Result<Listed> (*read)(const EmbeddedFile&, const Ledger&)) {
    const Ledger& ledger = embedded_ledger();
    std::vector<Listed> all;
    for (const EmbeddedFile& file : files) {
        Result<Listed> each = read(file, ledger);
        if (!each) {
            throw std::logic_error("a file that was built into this program is broken: " + each.error().message);
        }
        all.push_back(std::move(*each));
    }
    const auto section = [&](const Listed& listed) { return section_of(ledger, listed.statement); };
    std::stable_sort(all.begin(), all.end(), [&](const Listed& left, const Listed& right) {
        return section(left) < section(right); // both point into one vector
    });
    return all;
}

} // namespace pdlcts
