// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <cstdint>
#include <deque>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

/// Reading JSON quickly: a thousand results files are a gigabyte. A document is one list of values in the order of the
/// text; strings are views of the text, and are copied only where they hold escapes.
namespace pdlcts {

/// A value of a JsonDocument. Valid as long as the document and its text.
class JsonNode {
public:
    enum class Kind : std::uint8_t { null, boolean, whole, negative, fraction, text, list, object };

    Kind kind() const { return kind_; }
    bool is(Kind kind) const { return kind_ == kind; }
    /// Each of these is of the kind that it is named after.
    bool boolean() const { return value_.boolean; }
    std::uint64_t whole() const { return value_.whole; }
    std::int64_t negative() const { return value_.negative; } ///< any number written with a minus and no fraction
    double fraction() const { return value_.fraction; }
    std::string_view text() const { return {value_.text, size_}; }
    /// Of a list or an object; 0 of anything else.
    std::size_t size() const { return is(Kind::list) || is(Kind::object) ? size_ : 0; }
    /// The key of an object's entry; empty in a list.
    std::string_view key() const { return key_; }

    class Iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = JsonNode;
        using difference_type = std::ptrdiff_t;
        using pointer = const JsonNode*;
        using reference = const JsonNode&;
        Iterator() = default;
        explicit Iterator(const JsonNode* node) : node_(node) {}
        reference operator*() const { return *node_; }
        pointer operator->() const { return node_; }
        Iterator& operator++() {
            node_ += node_->length_;
            return *this;
        }
        Iterator operator++(int) {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        bool operator==(const Iterator&) const = default;

    private:
        const JsonNode* node_ = nullptr;
    };
    /// The entries of a list or an object.
    Iterator begin() const { return Iterator(this + 1); }
    Iterator end() const { return Iterator(this + length_); }

    /// The value of a key; null where this is no object, or has no such key.
    const JsonNode* find(std::string_view key) const;

private:
    friend class JsonReader;

    union Value {
        std::uint64_t whole;
        std::int64_t negative;
        double fraction;
        bool boolean;
        const char* text;
    };
    std::string_view key_;
    Value value_ = {0};
    std::uint32_t size_ = 0;
    std::uint32_t length_ = 1; ///< values in this one, with itself
    Kind kind_ = Kind::null;
};

class JsonDocument {
public:
    const JsonNode& root() const { return nodes_.front(); }

private:
    friend class JsonReader;
    std::vector<JsonNode> nodes_;
    std::deque<std::string> unescaped_;
};

/// Besides what is not JSON (RFC 8259) at all this refuses, while it reads, a text that is too large, nests deeply, or
/// holds masses of values, and a key that stands twice in one object, as two readers would then see two files. Numbers
/// are whole where they are written so and fit 64 bits, else fractions; one that is no finite number is refused.
Result<JsonDocument> parse_document(std::string_view text, std::string_view file_name);

} // namespace pdlcts
