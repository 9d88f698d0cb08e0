// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/results.hpp"

#include <span>
#include <string_view>

/// The words that stand for enumerations in a results file.
namespace pdlcts {

std::string_view name(MachineAnswer::Kind kind); ///< `proved`, `refuted`, `not_decided`

template <typename Enum>
struct Named {
    std::string_view name;
    Enum value;
};

/// Every enumerator in order, with its name.
template <typename Enum>
std::span<const Named<Enum>> spellings();

template <>
std::span<const Named<Strength>> spellings();
template <>
std::span<const Named<Basis>> spellings();
template <>
std::span<const Named<Route>> spellings();
template <>
std::span<const Named<Incident>> spellings();
template <>
std::span<const Named<Verdict>> spellings();
template <>
std::span<const Named<MachineAnswer::Kind>> spellings();
template <>
std::span<const Named<ProbeKind>> spellings();
template <>
std::span<const Named<PictureMeasure>> spellings();

} // namespace pdlcts
