// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/recompile.hpp"

#include "harness/gpu/nvrtc.hpp"

#include <charconv>
#include <optional>

namespace pdlcts {
namespace {

/// The target whose image_name this is.
std::optional<Target> target_of(const std::string& image) {
    Target target;
    target.spelling = spelling_of(image);
    const std::size_t size = image.size() - (target.spelling == Spelling::intrinsics ? by_intrinsics.size() : 0);
    const std::size_t digits = image.find_last_not_of("0123456789", size - 1) + 1;
    target.is_sass = image.starts_with("sass");
    const char* const end = image.data() + size;
    const auto [read, error] = std::from_chars(image.data() + digits, end, target.architecture);
    return error == std::errc() && read == end && image_name(target) == image ? std::optional(target) : std::nullopt;
}

} // namespace

Result<std::vector<char>> compile_for_image(const std::string& source, const std::string& image) {
    const std::optional<Target> target = target_of(image);
    if (!target) {
        return Error{"`" + image + "` is no image that this version can make"};
    }
    const Result<Nvrtc> nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        return nvrtc.error();
    }
    return unit_compiler(*nvrtc, *target).compile(source);
}

} // namespace pdlcts
