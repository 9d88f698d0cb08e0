// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/setup.hpp"

#include <array>

namespace pdlcts {
namespace {

struct NamedChoice {
    ImageChoice choice;
    std::string_view name;
};
constexpr std::array<NamedChoice, 4> choices{{{ImageChoice::automatic, "auto"},
                                              {ImageChoice::sass, "sass"},
                                              {ImageChoice::ptx, "ptx"},
                                              {ImageChoice::intrinsic, "intrinsic"}}};

} // namespace

std::optional<ImageChoice> image_choice(std::string_view name) {
    for (const NamedChoice& each : choices) {
        if (each.name == name) {
            return each.choice;
        }
    }
    return std::nullopt;
}

std::string_view name(ImageChoice choice) {
    return choices[static_cast<std::size_t>(choice)].name;
}

bool loses_device(Incident incident) {
    return incident == Incident::timeout || incident == Incident::crash || incident == Incident::device_error;
}

} // namespace pdlcts
