// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/layout.hpp"

#include "harness/gpu/location_key.hpp"

#include <algorithm>
#include <stdexcept>

namespace pdlcts {
namespace {

std::size_t in_whole_lines(std::size_t words) {
    return (words + words_a_line - 1) / words_a_line * words_a_line;
}

/// The registers that an instruction writes, and the location that it reads them from.
std::vector<RegisterSlots> registers_of(const Grid& grid, const Agent& agent, const Instruction& instruction) {
    const std::size_t slots = std::size_t{agent.blocks.size()} * agent.threads.size();
    std::vector<RegisterSlots> registers;
    const auto add = [&](const std::string& name, const std::string& location) {
        registers.push_back({name, location, Memory::device, 0, slots, grid.name, agent.blocks, agent.threads});
    };
    std::visit(Overloaded{[&](const Load& load) {
                              for (const std::string& result : load.results) {
                                  add(result, location_key(grid, load.element.location));
                              }
                          },
                          [&](const Atomic& atomic) {
                              if (atomic.result) {
                                  add(*atomic.result, location_key(grid, atomic.element.location));
                              }
                          },
                          [&](const auto& each) {
                              if constexpr (requires { each.result; }) {
                                  if (each.result) {
                                      add(*each.result, "");
                                  }
                              }
                          }},
               instruction);
    return registers;
}

std::vector<RegisterSlots> registers_of(const Program& program) {
    std::vector<RegisterSlots> registers;
    const auto note_host = [&](const HostInstruction& instruction) {
        if (const auto* read = std::get_if<HostRead>(&instruction)) {
            registers.push_back({read->result, read->element.location, Memory::host, 0, 1, "", {}, {}});
        }
    };
    const auto note_grid = [&](const Grid& grid) {
        for (const Agent& agent : grid.agents) {
            for (const Instruction& instruction : agent.instructions) {
                for (RegisterSlots& result : registers_of(grid, agent, instruction)) {
                    registers.push_back(std::move(result));
                }
            }
        }
    };
    for (const HostOperation& operation : program.operations) {
        std::visit(Overloaded{note_grid,
                              [&](const HostFunction& function) {
                                  std::for_each(function.instructions.begin(), function.instructions.end(), note_host);
                              },
                              [&](const HostRead& read) { note_host(read); }, [](const auto&) {}},
                   operation);
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
    layout.timings = timings_of(program);
    layout.words = 1;
    for (Timing& timing : layout.timings) {
        timing.word = layout.words++;
        timing.latency_word = timing.kind == TimingKind::poll ? layout.words++ : 0;
    }
    layout.words = in_whole_lines(layout.words);
    for (const Memory memory : {Memory::device, Memory::host}) {
        std::size_t& words = memory == Memory::device ? layout.words : layout.host_words;
        for (const Location& location : memory == Memory::device ? program.memory : program.host_memory) {
            words = std::max(words, words_a_line);
            layout.locations.push_back({location.name, location.initial, location.width, memory, words});
            words += in_whole_lines((location.bytes() + sizeof(std::uint32_t) - 1) / sizeof(std::uint32_t));
        }
    }
    layout.registers = registers_of(program);
    std::size_t slots = 0;
    for (RegisterSlots& result : layout.registers) {
        slots += result.slots;
        if (slots > most_result_slots) {
            return Error{"the classes of the program write more than " + std::to_string(most_result_slots) +
                         " registers in one trial, of which " + result.name + " is the last straw; use fewer blocks"};
        }
        std::size_t& words = result.memory == Memory::device ? layout.words : layout.host_words;
        words = std::max(words, words_a_line);
        result.first_word = words;
        words += in_whole_lines(result.slots);
    }
    return layout;
}

} // namespace

const PlacedLocation& Layout::location(const std::string& name) const {
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
