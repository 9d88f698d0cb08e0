// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/layout.hpp"

#include <algorithm>
#include <stdexcept>

namespace pdlcts {
namespace {

std::size_t in_whole_lines(std::size_t words) {
    return (words + words_a_line - 1) / words_a_line * words_a_line;
}

/// The register that an instruction writes, if it writes one, and the location that it reads it from.
std::optional<RegisterSlots> register_of(const Instruction& instruction) {
    return std::visit(Overloaded{[](const Load& load) -> std::optional<RegisterSlots> {
                                     return RegisterSlots{load.result, load.location, 0, 1};
                                 },
                                 [](const Atomic& atomic) -> std::optional<RegisterSlots> {
                                     if (!atomic.result) {
                                         return std::nullopt;
                                     }
                                     return RegisterSlots{*atomic.result, atomic.location, 0, 1};
                                 },
                                 [](const Await& await) -> std::optional<RegisterSlots> {
                                     if (!await.result) {
                                         return std::nullopt;
                                     }
                                     return RegisterSlots{*await.result, "", 0, 1};
                                 },
                                 [](const auto&) -> std::optional<RegisterSlots> { return std::nullopt; }},
                      instruction);
}

std::vector<RegisterSlots> registers_of(const Program& program) {
    std::vector<RegisterSlots> registers;
    for (const HostOperation& operation : program.operations) {
        const auto* grid = std::get_if<Grid>(&operation);
        if (grid == nullptr) {
            continue;
        }
        for (const Agent& agent : grid->agents) {
            for (const Instruction& instruction : agent.instructions) {
                if (auto written = register_of(instruction)) {
                    written->slots = std::size_t{agent.blocks.size()} * agent.threads.size();
                    registers.push_back(*std::move(written));
                }
            }
        }
    }
    return registers;
}

template <typename Named>
const Named& named(const std::vector<Named>& all, const std::string& name) {
    const auto found = std::find_if(all.begin(), all.end(), [&](const Named& each) { return each.name == name; });
    if (found == all.end()) {
        throw std::out_of_range("the layout of the program has no " + name);
    }
    return *found;
}

Result<Layout> lay_out_program(const Program& program) {
    auto encoding = encoding_of(program);
    if (!encoding) {
        return encoding.error();
    }
    Layout layout;
    layout.encoding = *std::move(encoding);
    layout.words = words_a_line;
    for (const Location& location : program.memory) {
        layout.locations.push_back({location.name, location.initial, layout.words});
        layout.words += words_a_line;
    }
    layout.registers = registers_of(program);
    std::size_t slots = 0;
    for (RegisterSlots& result : layout.registers) {
        slots += result.slots;
        if (slots > most_result_slots) {
            return Error{"the classes of the program write more than " + std::to_string(most_result_slots) +
                         " registers in one trial, of which " + result.name + " is the last straw; use fewer blocks"};
        }
        result.first_word = layout.words;
        layout.words += in_whole_lines(result.slots);
    }
    return layout;
}

} // namespace

const LocationWord& Layout::location(const std::string& name) const {
    return named(locations, name);
}

const RegisterSlots& Layout::result(const std::string& name) const {
    return named(registers, name);
}

Result<CaseLayout> lay_out(const Litmus& litmus) {
    auto program = lay_out_program(litmus.program);
    if (!program) {
        return program.error();
    }
    CaseLayout layout{*std::move(program), std::nullopt};
    if (litmus.control) {
        auto control = lay_out_program(*litmus.control);
        if (!control) {
            return Error{"in the control: " + control.error().message};
        }
        layout.control = *std::move(control);
        const unsigned value_bits = std::max(layout.program.encoding.value_bits, layout.control->encoding.value_bits);
        layout.program.encoding.value_bits = value_bits;
        layout.control->encoding.value_bits = value_bits;
    }
    return layout;
}

} // namespace pdlcts
