// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/kernel_libraries.hpp"

namespace pdlcts {

const KernelLibrary& KernelLibraries::of(const std::shared_ptr<const CompiledUnit>& unit) {
    std::erase_if(loaded_, [](const auto& each) { return each.first.use_count() == 1; });
    auto& library = loaded_[unit];
    if (library == nullptr) {
        library = std::make_unique<KernelLibrary>(unit->code);
    }
    return *library;
}

void KernelLibraries::abandon() {
    for (auto& [unit, library] : loaded_) {
        static_cast<void>(library.release());
    }
    loaded_.clear();
}

} // namespace pdlcts
