// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/cell.hpp"

namespace pdlcts {

std::uint64_t Tally::trials() const {
    std::uint64_t sum = unwritten;
    for (const auto& [outcome, count] : outcomes) {
        sum += count;
    }
    return sum;
}

std::string_view name(Incident incident) {
    switch (incident) {
    case Incident::none:
        return "none";
    case Incident::timeout:
        return "timeout";
    case Incident::crash:
        return "crash";
    case Incident::device_error:
        return "device_error";
    case Incident::harness_error:
        return "harness_error";
    case Incident::missing:
        return "missing";
    case Incident::not_supported:
        return "not_supported";
    }
    return "";
}

} // namespace pdlcts
