// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/faults/fault_list.hpp"

#include <algorithm>
#include <vector>

namespace pdlcts {

std::span<const FaultInfo> all_faults() {
    static const std::vector<FaultInfo> all = [] {
        std::vector<FaultInfo> joined;
        for (const std::span<const FaultInfo> part : {wait_faults(), trigger_faults(), begin_faults(), plan_faults()}) {
            joined.insert(joined.end(), part.begin(), part.end());
        }
        return joined;
    }();
    return all;
}

const FaultInfo* find_fault(std::string_view name) {
    const std::span<const FaultInfo> all = all_faults();
    const auto found = std::find_if(all.begin(), all.end(), [&](const FaultInfo& info) { return info.name == name; });
    return found == all.end() ? nullptr : &*found;
}

} // namespace pdlcts
