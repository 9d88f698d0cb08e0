// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

/// How `trigger` and `wait` are written: as PTX, which every compiler knows, or by the intrinsics that the documents
/// declare equal to it (trigger.ptx-equivalent, wait.ptx-equivalent), which a compiler knows with the toolkit's
/// headers.
namespace pdlcts {

enum class Spelling { ptx, intrinsics };

/// What the name of an image ends in, where its code was spelled with intrinsics.
inline constexpr std::string_view by_intrinsics = ", intrinsics";

/// `sass sm_90` is PTX's spelling, `sass sm_90, intrinsics` the other.
inline Spelling spelling_of(std::string_view image) {
    return image.ends_with(by_intrinsics) ? Spelling::intrinsics : Spelling::ptx;
}

} // namespace pdlcts
