// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/outcome.hpp"
#include "harness/gpu/layout.hpp"

#include <cstdint>
#include <optional>
#include <span>

/// The words of one trial, on the host: what they are before it, and what they say after it.
namespace pdlcts {

/// Writes the record that a trial starts from. `record` has layout.words words.
void prepare(std::span<std::uint32_t> record, const Layout& layout, std::uint32_t base);

/// The outcome that a record holds after its trial; none when a result slot is still poisoned. The language has no
/// branches, so every thread that an agent names writes all its registers: a poisoned slot is the harness's fault.
std::optional<Outcome> outcome_of(std::span<const std::uint32_t> record, const Layout& layout, std::uint32_t base);

} // namespace pdlcts
