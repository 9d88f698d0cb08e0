// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace pdlcts {

/// A JSON value that can be made and changed. Objects keep their keys in the order of the file. Large files are read as
/// a JsonDocument (json_document.hpp) and written to a JsonSink (json_sink.hpp).
struct Json {
    using List = std::vector<Json>;
    using Object = std::vector<std::pair<std::string, Json>>;
    /// A number is an unsigned one where it can be, else a negative one, else a fraction.
    std::variant<std::nullptr_t, bool, std::uint64_t, std::int64_t, double, std::string, List, Object> value;

    Json() = default;
    Json(bool boolean) : value(boolean) {}
    Json(std::uint64_t number) : value(number) {}
    Json(int number);
    Json(double number) : value(number) {}
    Json(const char* text) : value(std::string(text)) {}
    Json(std::string_view text) : value(std::string(text)) {}
    Json(std::string text) : value(std::move(text)) {}
    Json(const std::vector<std::string>& lines);
    Json(List list) : value(std::move(list)) {}
    Json(Object object) : value(std::move(object)) {}

    bool operator==(const Json&) const = default;

    template <typename T>
    const T* as() const {
        return std::get_if<T>(&value);
    }
    template <typename T>
    T* as() {
        return std::get_if<T>(&value);
    }
    /// The value of a key; null where this is no object, or has no such key.
    const Json* find(std::string_view key) const;
};

class JsonNode;
Json to_json(const JsonNode& node);

/// Refuses what parse_document (json_document.hpp) does.
Result<Json> parse_json(std::string_view text, std::string_view file_name);

enum class JsonLayout {
    compact, ///< one line
    indented,
    /// Of a results file: each entry of the file, and of what is in it, on a line of its own, and no line breaks
    /// further in. Two runs can be compared line by line, and a cell found and read with tools for lines.
    a_line_each_cell,
};
/// Strings have to be UTF-8 and numbers finite: clean.hpp sees to both.
std::string print(const Json& json, JsonLayout layout);

} // namespace pdlcts
