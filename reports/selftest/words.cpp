// SPDX-License-Identifier: Apache-2.0
#include "reports/selftest/words.hpp"

namespace pdlcts {

std::string_view name(Touches touches) {
    switch (touches) {
    case Touches::specification:
        return "specification";
    case Touches::memory_order:
        return "memory_order";
    case Touches::measurement:
        return "measurement";
    case Touches::patience:
        return "patience";
    }
    return "";
}

template <>
std::span<const Named<Fate>> spellings() {
    static constexpr Named<Fate> all[] = {{"noticed", Fate::noticed}, {"equivalent", Fate::equivalent},
                                          {"hidden", Fate::hidden},   {"survived", Fate::survived},
                                          {"not_run", Fate::not_run}, {"stopped", Fate::stopped}};
    return all;
}

template <>
std::span<const Named<Touches>> spellings() {
    static constexpr Named<Touches> all[] = {{"specification", Touches::specification},
                                             {"memory_order", Touches::memory_order},
                                             {"measurement", Touches::measurement},
                                             {"patience", Touches::patience}};
    return all;
}

std::vector<std::string> built_of(const std::optional<Observation>& control) {
    return control ? control->structure.built : std::vector<std::string>{};
}

} // namespace pdlcts
