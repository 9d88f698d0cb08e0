// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/benchmarks/promela_views.hpp"

namespace pdlcts::spin {

/// The process of one thread.
Result<std::string> promela_thread(const SpelledOut& plan, const Views& views, std::size_t thread);

} // namespace pdlcts::spin
