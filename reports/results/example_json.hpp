// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/results/example_results.hpp"
#include "reports/results/json.hpp"

#include <algorithm>

/// Results as JSON values that a test can spoil.
namespace pdlcts::examples {

inline Json sound() {
    return *parse_json(write_json(one_of_each()), "sound.json");
}

inline std::string text_of(const Json& json) {
    return print(json, JsonLayout::compact);
}

/// The value at a JSON pointer; keys of objects are made where they are missing.
inline Json& at(Json& json, std::string_view pointer) {
    Json* place = &json;
    while (!pointer.empty()) {
        pointer.remove_prefix(1);
        std::string step(pointer.substr(0, pointer.find('/')));
        pointer.remove_prefix(step.size());
        for (std::size_t tilde = 0; (tilde = step.find('~', tilde)) != std::string::npos; ++tilde) {
            step.replace(tilde, 2, step[tilde + 1] == '1' ? "/" : "~");
        }
        if (auto* list = place->as<Json::List>()) {
            const std::size_t index = std::stoul(step);
            list->resize(std::max(list->size(), index + 1));
            place = &(*list)[index];
        } else {
            auto& object = *place->as<Json::Object>();
            auto entry =
                std::find_if(object.begin(), object.end(), [&](const auto& each) { return each.first == step; });
            place = entry != object.end() ? &entry->second : &object.emplace_back(step, Json()).second;
        }
    }
    return *place;
}

inline void erase(Json& json, std::string_view pointer, std::string_view key) {
    std::erase_if(*at(json, pointer).as<Json::Object>(), [&](const auto& entry) { return entry.first == key; });
}

} // namespace pdlcts::examples
