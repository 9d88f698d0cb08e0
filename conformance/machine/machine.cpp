// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/machine.hpp"

#include "conformance/machine/parts.hpp"
#include "conformance/machine/search.hpp"

namespace pdlcts {

Trace Exploration::trace(const Steps& steps) const {
    Trace trace;
    for (const std::uint32_t step : steps) {
        trace.push_back(lines[step]);
    }
    return trace;
}

Exploration explore(const Program& program, const Plan& plan, const Limits& limits, Fault fault) {
    const Result<machine::Code> code = machine::compile(program, plan, fault);
    if (!code) {
        Exploration exploration;
        exploration.undecided_because = code.error().message;
        return exploration;
    }
    return machine::has_parts(*code) ? machine::explore_parts(*code, limits) : machine::explore_wholes(*code, limits);
}

} // namespace pdlcts
