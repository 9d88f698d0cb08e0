// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_code.hpp"

#include "conformance/support/parallel.hpp"

namespace pdlcts {

Result<std::vector<char>> NativeCode::compile(const Nvrtc& nvrtc, const std::string& source, const Target& target,
                                              std::span<const std::string> more_options) {
    std::vector<std::string> key{image_name(target), source};
    key.insert(key.end(), more_options.begin(), more_options.end());
    {
        const std::lock_guard lock(mutex_);
        if (const auto known = compiled_.find(key); known != compiled_.end()) {
            return known->second;
        }
    }
    Result<std::vector<char>> code = compile_source(nvrtc, source, target, more_options);
    if (code) {
        const std::lock_guard lock(mutex_);
        compiled_.emplace(std::move(key), *code);
    }
    return code;
}

void NativeCode::compile_ahead(const Nvrtc& nvrtc, std::vector<std::string> sources, const Target& target,
                               std::span<const std::string> more_options) {
    for_each_in_parallel(
        sources, [&](const std::string& source) { static_cast<void>(compile(nvrtc, source, target, more_options)); });
}

} // namespace pdlcts
