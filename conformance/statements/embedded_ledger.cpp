// SPDX-License-Identifier: Apache-2.0
#include "conformance/statements/ledger.hpp"

#include <stdexcept>

namespace pdlcts {

const Ledger& embedded_ledger() {
    static const Ledger ledger = [] {
        Result<Ledger> read = read_ledger(embedded_ledger_files());
        // The build has read the same files with the same reader, so this program was put together wrongly.
        if (!read) {
            throw std::logic_error("the ledger that was built into this program is broken: " + read.error().message);
        }
        return *std::move(read);
    }();
    return ledger;
}

} // namespace pdlcts
