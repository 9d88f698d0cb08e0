// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/selftest/fate.hpp"
#include "reports/results/names.hpp"

/// The words that stand for enumerations in a file of the self-test.
namespace pdlcts {

std::string_view name(Touches touches); ///< `specification`, `memory_order`, `measurement`

template <>
std::span<const Named<Fate>> spellings();
template <>
std::span<const Named<Touches>> spellings();

/// The dependencies that a control was built with; none where there is no control.
std::vector<std::string> built_of(const std::optional<Observation>& control);

} // namespace pdlcts
