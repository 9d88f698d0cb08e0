// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/concat.hpp"
#include "reports/results/json.hpp"
#include "reports/results/message.hpp"
#include "reports/results/names.hpp"

#include <algorithm>
#include <initializer_list>
#include <limits>
#include <map>
#include <vector>

/// Reading values of a results file, each with its bounds, for the files that read parts of it.
namespace pdlcts {

/// What a file is refused for. Thrown by Place, and caught by read_json.
struct MalformedResults {
    std::string message;
};

inline std::string found_instead(const Json& json) {
    if (const auto* text = json.as<std::string>()) {
        return in_quotes(*text);
    }
    if (json.as<Json::Object>() != nullptr) {
        return "an object";
    }
    return json.as<Json::List>() != nullptr ? "a list" : print(json, JsonLayout::compact);
}

/// A value in the file, and where it stands. A path is only put together for an error.
class Place {
public:
    Place(const Json& json, std::string_view file_name) : json_(json), file_name_(file_name) {}

    [[noreturn]] void refuse(std::string_view what) const {
        throw MalformedResults{concat(file_name_, ": ", parent_ == nullptr ? "/" : path(), ": ", what)};
    }
    [[noreturn]] void expect(std::string_view what) const {
        refuse(concat("expected ", what, ", found ", found_instead(json_)));
    }

    /// An object with all of `keys`, any of `optional`, and no other.
    void object(std::initializer_list<std::string_view> keys,
                std::initializer_list<std::string_view> optional = {}) const {
        for (const auto& [key, value] : object()) {
            if (std::find(keys.begin(), keys.end(), key) == keys.end() &&
                std::find(optional.begin(), optional.end(), key) == optional.end()) {
                refuse(concat("unknown key ", in_quotes(key)));
            }
        }
        for (const std::string_view key : keys) {
            (*this)[key];
        }
    }
    const Json::Object& object() const { return bounded<Json::Object>("an object", most_results_entries); }
    bool has(std::string_view key) const { return json_.find(key) != nullptr; }
    Place operator[](std::string_view key) const {
        const Json* value = json_.find(key);
        if (value == nullptr) {
            refuse(concat("the key ", in_quotes(key), " is missing"));
        }
        return Place(*value, *this, key, 0);
    }

    std::string text() const {
        const auto* text = json_.as<std::string>();
        if (text == nullptr) {
            expect("a string");
        }
        if (text->size() > largest_results_string) {
            refuse(concat("a string of ", text->size(), " bytes, at most ", largest_results_string));
        }
        return *text;
    }
    bool boolean() const {
        const auto* boolean = json_.as<bool>();
        if (boolean == nullptr) {
            expect("true or false");
        }
        return *boolean;
    }
    std::uint64_t whole(std::uint64_t largest) const {
        const auto* number = json_.as<std::uint64_t>();
        if (number == nullptr || *number > largest) {
            expect(concat("a whole number from 0 to ", largest));
        }
        return *number;
    }
    std::uint64_t count() const { return whole(largest_results_count); }
    /// From -largest to largest.
    std::int64_t whole_of_either_sign(std::int64_t largest) const {
        const auto* negative = json_.as<std::int64_t>();
        const auto* positive = json_.as<std::uint64_t>();
        const bool fits = negative != nullptr   ? *negative >= -largest
                          : positive != nullptr ? *positive <= static_cast<std::uint64_t>(largest)
                                                : false;
        if (!fits) {
            expect(concat("a whole number from ", -largest, " to ", largest));
        }
        return negative != nullptr ? *negative : static_cast<std::int64_t>(*positive);
    }
    int integer() const { return static_cast<int>(whole(std::numeric_limits<int>::max())); }
    double real(double largest, std::string_view what) const {
        const auto* whole = json_.as<std::uint64_t>();
        const auto* fraction = json_.as<double>();
        const double number = whole != nullptr ? static_cast<double>(*whole) : fraction != nullptr ? *fraction : -1;
        if (number < 0 || number > largest) {
            expect(what);
        }
        return number;
    }
    template <typename Enum>
    Enum one_of() const {
        const auto all = spellings<Enum>();
        const auto* text = json_.as<std::string>();
        const auto match = std::find_if(all.begin(), all.end(),
                                        [&](const auto& named) { return text != nullptr && named.name == *text; });
        if (match == all.end()) {
            std::string names;
            for (const auto& named : all) {
                names += (names.empty() ? "" : ", ") + std::string(named.name);
            }
            expect("one of " + names);
        }
        return match->value;
    }
    template <typename Read>
    auto list(std::size_t most, Read read) const {
        const auto& entries = bounded<Json::List>("a list", most);
        std::vector<decltype(read(*this))> values;
        values.reserve(entries.size());
        for (std::size_t i = 0; i < entries.size(); ++i) {
            values.push_back(read(Place(entries[i], *this, {}, i)));
        }
        return values;
    }
    std::vector<std::string> lines() const {
        return list(most_results_entries, [](const Place& place) { return place.text(); });
    }
    template <typename Read>
    auto dictionary(Read read) const {
        std::map<std::string, decltype(read(*this))> values;
        for (const auto& [key, value] : object()) {
            const Place place(value, *this, key, 0);
            if (key.size() > largest_results_string) {
                place.refuse(concat("a key of ", key.size(), " bytes, at most ", largest_results_string));
            }
            values.emplace(key, read(place));
        }
        return values;
    }

private:
    const Json& json_;
    const Place* parent_ = nullptr;
    std::string_view file_name_;
    std::string_view key_; ///< without text: an element of a list
    std::size_t index_ = 0;

    Place(const Json& json, const Place& parent, std::string_view key, std::size_t index)
        : json_(json), parent_(&parent), file_name_(parent.file_name_), key_(key), index_(index) {}

    template <typename Container>
    const Container& bounded(std::string_view what, std::size_t most) const {
        const auto* container = json_.as<Container>();
        if (container == nullptr) {
            expect(what);
        }
        if (container->size() > most) {
            refuse(concat(container->size(), " entries, at most ", most));
        }
        return *container;
    }
    std::string path() const {
        if (parent_ == nullptr) {
            return "";
        }
        return parent_->path() +
               (parent_->json_.as<Json::List>() != nullptr ? '/' + std::to_string(index_) : pointer_step(key_));
    }
};

} // namespace pdlcts
