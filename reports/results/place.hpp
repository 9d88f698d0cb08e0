// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/concat.hpp"
#include "reports/results/json_document.hpp"
#include "reports/results/json_sink.hpp"
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

inline std::string found_instead(const JsonNode& node) {
    switch (node.kind()) {
    case JsonNode::Kind::text:
        return in_quotes(node.text());
    case JsonNode::Kind::list:
        return "a list";
    case JsonNode::Kind::object:
        return "an object";
    default:
        return print(to_json(node), JsonLayout::compact);
    }
}

/// A value in the file, and where it stands. A path is only put together for an error.
class Place {
public:
    Place(const JsonNode& node, std::string_view file_name) : node_(node), file_name_(file_name) {}

    const JsonNode& node() const { return node_; }

    [[noreturn]] void refuse(std::string_view what) const {
        throw MalformedResults{concat(file_name_, ": ", parent_ == nullptr ? "/" : path(), ": ", what)};
    }
    [[noreturn]] void expect(std::string_view what) const {
        refuse(concat("expected ", what, ", found ", found_instead(node_)));
    }

    /// An object with all of `keys`, any of `optional`, and no other.
    void object(std::initializer_list<std::string_view> keys,
                std::initializer_list<std::string_view> optional = {}) const {
        // Files mostly have the keys in this order, so each is looked for behind the one before.
        auto expected = keys.begin();
        std::size_t found = 0;
        for (const JsonNode& entry : object()) {
            if (expected == keys.end() || *expected != entry.key()) {
                const auto known = std::find(keys.begin(), keys.end(), entry.key());
                if (known == keys.end()) {
                    if (std::find(optional.begin(), optional.end(), entry.key()) == optional.end()) {
                        refuse(concat("unknown key ", in_quotes(entry.key())));
                    }
                    continue;
                }
                expected = known;
            }
            ++expected;
            ++found;
        }
        if (found != keys.size()) {
            for (const std::string_view key : keys) {
                (*this)[key];
            }
        }
    }
    const JsonNode& object() const { return bounded(JsonNode::Kind::object, "an object", most_results_entries); }
    bool has(std::string_view key) const { return find(key) != nullptr; }
    Place operator[](std::string_view key) const {
        const JsonNode* value = find(key);
        if (value == nullptr) {
            refuse(concat("the key ", in_quotes(key), " is missing"));
        }
        return Place(*value, *this, key, 0);
    }

    std::string text() const {
        if (!node_.is(JsonNode::Kind::text)) {
            expect("a string");
        }
        if (node_.text().size() > largest_results_string) {
            refuse(concat("a string of ", node_.text().size(), " bytes, at most ", largest_results_string));
        }
        return std::string(node_.text());
    }
    bool boolean() const {
        if (!node_.is(JsonNode::Kind::boolean)) {
            expect("true or false");
        }
        return node_.boolean();
    }
    std::uint64_t whole(std::uint64_t largest) const {
        if (!node_.is(JsonNode::Kind::whole) || node_.whole() > largest) {
            expect(concat("a whole number from 0 to ", largest));
        }
        return node_.whole();
    }
    std::uint64_t count() const { return whole(largest_results_count); }
    /// From -largest to largest.
    std::int64_t whole_of_either_sign(std::int64_t largest) const {
        const bool negative = node_.is(JsonNode::Kind::negative);
        const bool fits = negative
                              ? node_.negative() >= -largest
                              : node_.is(JsonNode::Kind::whole) && node_.whole() <= static_cast<std::uint64_t>(largest);
        if (!fits) {
            expect(concat("a whole number from ", -largest, " to ", largest));
        }
        return negative ? node_.negative() : static_cast<std::int64_t>(node_.whole());
    }
    int integer() const { return static_cast<int>(whole(std::numeric_limits<int>::max())); }
    double real(double largest, std::string_view what) const {
        const double number = node_.is(JsonNode::Kind::whole)      ? static_cast<double>(node_.whole())
                              : node_.is(JsonNode::Kind::fraction) ? node_.fraction()
                                                                   : -1;
        if (number < 0 || number > largest) {
            expect(what);
        }
        return number;
    }
    template <typename Enum>
    Enum one_of() const {
        const auto all = spellings<Enum>();
        const auto match = std::find_if(all.begin(), all.end(), [&](const auto& named) {
            return node_.is(JsonNode::Kind::text) && named.name == node_.text();
        });
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
        const JsonNode& entries = bounded(JsonNode::Kind::list, "a list", most);
        std::vector<decltype(read(*this))> values;
        values.reserve(entries.size());
        for (const JsonNode& entry : entries) {
            values.push_back(read(Place(entry, *this, {}, values.size())));
        }
        return values;
    }
    std::vector<std::string> lines() const {
        return list(most_results_entries, [](const Place& place) { return place.text(); });
    }
    template <typename Read>
    auto dictionary(Read read) const {
        std::map<std::string, decltype(read(*this))> values;
        for (const JsonNode& entry : object()) {
            const Place place(entry, *this, entry.key(), 0);
            if (entry.key().size() > largest_results_string) {
                place.refuse(concat("a key of ", entry.key().size(), " bytes, at most ", largest_results_string));
            }
            values.emplace_hint(values.end(), entry.key(), read(place));
        }
        return values;
    }

private:
    const JsonNode& node_;
    const Place* parent_ = nullptr;
    std::string_view file_name_;
    std::string_view key_; ///< without text: an element of a list
    std::size_t index_ = 0;
    /// The entry that was looked for last: keys mostly stand in the order in which they are read.
    mutable JsonNode::Iterator next_ = node_.begin();

    Place(const JsonNode& node, const Place& parent, std::string_view key, std::size_t index)
        : node_(node), parent_(&parent), file_name_(parent.file_name_), key_(key), index_(index) {}

    const JsonNode* find(std::string_view key) const {
        if (!node_.is(JsonNode::Kind::object)) {
            return nullptr;
        }
        for (JsonNode::Iterator entry = next_; entry != node_.end(); ++entry) {
            if (entry->key() == key) {
                next_ = entry;
                return &*entry;
            }
        }
        const JsonNode* const found = node_.find(key);
        if (found != nullptr) {
            next_ = JsonNode::Iterator(found);
        }
        return found;
    }
    const JsonNode& bounded(JsonNode::Kind kind, std::string_view what, std::size_t most) const {
        if (!node_.is(kind)) {
            expect(what);
        }
        if (node_.size() > most) {
            refuse(concat(node_.size(), " entries, at most ", most));
        }
        return node_;
    }
    std::string path() const {
        if (parent_ == nullptr) {
            return "";
        }
        return parent_->path() +
               (parent_->node_.is(JsonNode::Kind::list) ? '/' + std::to_string(index_) : pointer_step(key_));
    }
};

} // namespace pdlcts
