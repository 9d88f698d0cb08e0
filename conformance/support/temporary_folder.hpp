// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/scratch_folder.hpp"

#include <doctest/doctest.h>

namespace pdlcts {

/// For a test, which fails where there is none.
struct TemporaryFolder : ScratchFolder {
    TemporaryFolder() { REQUIRE_FALSE(path.empty()); }
};

} // namespace pdlcts
