// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/host_actions.hpp"

#include <atomic>

namespace pdlcts {

HostAction action_of(const HostInstruction& instruction, const Layout& layout, std::uint32_t* host_record) {
    const auto word_of = [&](const Element& element) {
        return host_record + layout.location(element.location).word + element.position();
    };
    return std::visit(
        Overloaded{
            [&](const HostRead& read) {
                return HostAction{word_of(read.element), host_record + layout.result(read.result).first_word, 0, false};
            },
            [&](const HostWrite& write) {
                const bool raw = layout.encoding.is_raw(write.element.location, write.value);
                return HostAction{word_of(write.element), nullptr, static_cast<std::uint32_t>(write.value), !raw};
            }},
        instruction);
}

HostCall call_of(const HostFunction& function, const Layout& layout, std::uint32_t* host_record) {
    HostCall call{host_record, {}};
    for (const HostInstruction& instruction : function.instructions) {
        call.actions.push_back(action_of(instruction, layout, host_record));
    }
    return call;
}

void perform(const HostAction& action, std::uint32_t base) {
    const std::atomic_ref<std::uint32_t> word(*action.word);
    if (action.result != nullptr) {
        *action.result = word.load(std::memory_order_acquire);
    } else {
        word.store(action.value + (action.salted ? base : 0), std::memory_order_release);
    }
}

void perform_host_call(void* call) {
    const auto& function = *static_cast<const HostCall*>(call);
    for (const HostAction& action : function.actions) {
        perform(action, *function.record);
    }
}

} // namespace pdlcts
