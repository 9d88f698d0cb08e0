// SPDX-License-Identifier: Apache-2.0
#include "reports/results/names.hpp"

#include "conformance/litmus/printer.hpp"

#include <array>
#include <cstddef>
#include <utility>

namespace pdlcts {
namespace {

/// The enumerators of an enumeration from its first one, 0, to `last`, each with its name.
template <auto last>
std::span<const Named<decltype(last)>> up_to() {
    using Enum = decltype(last);
    static const auto table = []<std::size_t... index>(std::index_sequence<index...>) {
        return std::array{Named<Enum>{name(static_cast<Enum>(index)), static_cast<Enum>(index)}...};
    }
    (std::make_index_sequence<static_cast<std::size_t>(last) + 1>{});
    return table;
}

} // namespace

std::string_view name(MachineAnswer::Kind kind) {
    switch (kind) {
    case MachineAnswer::Kind::proved:
        return "proved";
    case MachineAnswer::Kind::refuted:
        return "refuted";
    case MachineAnswer::Kind::not_decided:
        return "not_decided";
    }
    return "";
}

template <>
std::span<const Named<Strength>> spellings() {
    return up_to<Strength::unspecified>();
}
template <>
std::span<const Named<Basis>> spellings() {
    return up_to<Basis::inferred>();
}
template <>
std::span<const Named<Route>> spellings() {
    return up_to<Route::driver>();
}
template <>
std::span<const Named<Incident>> spellings() {
    return up_to<Incident::not_supported>();
}
template <>
std::span<const Named<Verdict>> spellings() {
    return up_to<Verdict::missing>();
}
template <>
std::span<const Named<MachineAnswer::Kind>> spellings() {
    return up_to<MachineAnswer::Kind::not_decided>();
}
template <>
std::span<const Named<ProbeKind>> spellings() {
    return up_to<ProbeKind::noted>();
}
template <>
std::span<const Named<PictureMeasure>> spellings() {
    return up_to<PictureMeasure::duration>();
}

} // namespace pdlcts
