// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

/// Plans that grow: the same shape with more threads, blocks or grids.
namespace pdlcts::spin {

struct Member {
    std::string name; ///< `store buffering, 4 blocks`
    std::string text; ///< a litmus file
};

std::vector<Member> families();

} // namespace pdlcts::spin
