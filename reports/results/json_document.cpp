// SPDX-License-Identifier: Apache-2.0
#include "reports/results/json_document.hpp"

#include "conformance/support/concat.hpp"
#include "reports/results/message.hpp"
#include "reports/results/results.hpp"
#include "reports/results/utf8.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace pdlcts {
namespace {

constexpr std::size_t deepest = 16;
constexpr std::size_t most_values = 8'000'000;

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// Bytes of a string that stand for themselves, one by one: neither its end, an escape, a control character, nor part
/// of a longer character.
constexpr auto plain_bytes = [] {
    std::array<bool, 256> plain{};
    for (std::size_t byte = 0x20; byte < 0x80; ++byte) {
        plain[byte] = byte != '"' && byte != '\\';
    }
    return plain;
}();

void append_utf8(std::string& out, unsigned code) {
    const auto put = [&](unsigned byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | code >> 6);
        put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

struct NotJson {
    std::string message;
};

} // namespace

const JsonNode* JsonNode::find(std::string_view key) const {
    if (kind_ != Kind::object) {
        return nullptr;
    }
    for (const JsonNode& entry : *this) {
        if (entry.key_ == key) {
            return &entry;
        }
    }
    return nullptr;
}

/// Descends into the text, at most as deep as is allowed.
class JsonReader {
public:
    JsonReader(std::string_view text, std::string_view file_name)
        : text_(text), file_name_(file_name), at_(text.data()), end_(text.data() + text.size()) {}

    JsonDocument read() && {
        document_.nodes_.reserve(std::min(text_.size() / 12, most_values) + 1);
        skip_space();
        read_value({});
        skip_space();
        if (at_ != end_) {
            not_json("the end of the text");
        }
        return std::move(document_);
    }

private:
    using Kind = JsonNode::Kind;

    std::string_view text_;
    std::string_view file_name_;
    const char* at_;
    const char* end_;
    JsonDocument document_;
    std::vector<std::size_t> open_; ///< the containers around the place that is read: their nodes
    std::vector<std::string_view> keys_;

    [[noreturn]] void not_json(std::string_view expected) const {
        const auto byte = static_cast<std::size_t>(at_ - text_.data());
        const std::string found =
            at_ == end_ ? "the end of the text"
                        : in_quotes(text_.substr(byte, std::max<std::size_t>(1, character_length(text_.substr(byte)))));
        throw NotJson{concat(file_name_, ":", line_and_column(text_, byte), ": not JSON: expected ", expected,
                             ", found ", found)};
    }
    /// The path of the value that is read, or of `key` in the innermost container.
    [[noreturn]] void refuse(std::string_view what) const {
        std::string path;
        for (std::size_t i = 0; i < open_.size(); ++i) {
            const JsonNode& container = document_.nodes_[open_[i]];
            if (container.kind_ == Kind::list) {
                path += concat("/", container.size_);
            } else if (i + 1 < open_.size()) {
                path += pointer_step(document_.nodes_[open_[i + 1]].key_);
            }
        }
        throw NotJson{concat(file_name_, ": ", path.empty() ? "/" : path, ": ", what)};
    }

    void skip_space() {
        while (at_ != end_ && (*at_ == ' ' || *at_ == '\n' || *at_ == '\r' || *at_ == '\t')) {
            ++at_;
        }
    }
    bool accept(char c) {
        if (at_ == end_ || *at_ != c) {
            return false;
        }
        ++at_;
        return true;
    }

    void read_value(std::string_view key) {
        if (document_.nodes_.size() == most_values) {
            refuse(concat("more than ", most_values, " values"));
        }
        const std::size_t index = document_.nodes_.size();
        document_.nodes_.emplace_back();
        document_.nodes_[index].key_ = key;
        switch (at_ == end_ ? '\0' : *at_) {
        case '{':
            read_object(index);
            break;
        case '[':
            read_list(index);
            break;
        case '"': {
            const std::string_view text = read_string();
            document_.nodes_[index].kind_ = Kind::text;
            document_.nodes_[index].value_.text = text.data();
            document_.nodes_[index].size_ = static_cast<std::uint32_t>(text.size());
            break;
        }
        case 't':
            read_word("true", index, Kind::boolean, true);
            break;
        case 'f':
            read_word("false", index, Kind::boolean, false);
            break;
        case 'n':
            read_word("null", index, Kind::null, false);
            break;
        default:
            read_number(document_.nodes_[index]);
        }
        document_.nodes_[index].length_ = static_cast<std::uint32_t>(document_.nodes_.size() - index);
    }
    void open(std::size_t index, Kind kind) {
        document_.nodes_[index].kind_ = kind;
        if (open_.size() == deepest) {
            refuse(concat("nested too deeply, at most ", deepest, " levels"));
        }
        open_.push_back(index);
        ++at_;
        skip_space();
    }
    void read_list(std::size_t index) {
        open(index, Kind::list);
        if (!accept(']')) {
            do {
                skip_space();
                read_value({});
                ++document_.nodes_[index].size_;
                skip_space();
            } while (accept(','));
            if (!accept(']')) {
                not_json("',' or ']'");
            }
        }
        open_.pop_back();
    }
    void read_object(std::size_t index) {
        open(index, Kind::object);
        if (!accept('}')) {
            do {
                skip_space();
                if (at_ == end_ || *at_ != '"') {
                    not_json("a key in quotes");
                }
                const std::string_view key = read_string();
                skip_space();
                if (!accept(':')) {
                    not_json("':'");
                }
                skip_space();
                read_value(key);
                ++document_.nodes_[index].size_;
                skip_space();
            } while (accept(','));
            if (!accept('}')) {
                not_json("',' or '}'");
            }
        }
        document_.nodes_[index].length_ = static_cast<std::uint32_t>(document_.nodes_.size() - index);
        refuse_twins(document_.nodes_[index]);
        open_.pop_back();
    }
    void refuse_twins(const JsonNode& object) {
        const JsonNode* twin = nullptr;
        constexpr std::size_t few = 12;
        if (object.size_ <= few) {
            for (auto one = object.begin(); one != object.end() && twin == nullptr; ++one) {
                for (auto other = std::next(one); other != object.end(); ++other) {
                    twin = one->key_ == other->key_ ? &*other : twin;
                }
            }
        } else {
            keys_.clear();
            for (const JsonNode& entry : object) {
                keys_.push_back(entry.key_);
            }
            // By length first: most keys then differ without a look at their bytes.
            std::sort(keys_.begin(), keys_.end(), [](std::string_view one, std::string_view other) {
                return one.size() != other.size() ? one.size() < other.size() : one < other;
            });
            const auto same = std::adjacent_find(keys_.begin(), keys_.end());
            twin = same == keys_.end() ? nullptr : object.find(*same);
        }
        if (twin != nullptr) {
            // The entry is named as if it were a container that is read.
            open_.push_back(static_cast<std::size_t>(twin - document_.nodes_.data()));
            document_.nodes_[open_.back()].kind_ = Kind::null;
            refuse("the key stands twice");
        }
    }

    void read_word(std::string_view word, std::size_t index, Kind kind, bool value) {
        for (const char c : word) {
            if (!accept(c)) {
                not_json(concat("'", word, "'"));
            }
        }
        document_.nodes_[index].kind_ = kind;
        document_.nodes_[index].value_.boolean = value;
    }

    void read_digits() {
        if (at_ == end_ || !is_digit(*at_)) {
            not_json("a digit");
        }
        while (at_ != end_ && is_digit(*at_)) {
            ++at_;
        }
    }
    void read_number(JsonNode& node) {
        const char* const begin = at_;
        const bool negative = accept('-');
        if (at_ == end_ || !is_digit(*at_)) {
            not_json(negative ? "a digit" : "a value");
        }
        if (!accept('0')) {
            read_digits();
        }
        bool whole = true;
        if (accept('.')) {
            whole = false;
            read_digits();
        }
        if (at_ != end_ && (*at_ == 'e' || *at_ == 'E')) {
            whole = false;
            ++at_;
            if (!accept('+')) {
                static_cast<void>(accept('-'));
            }
            read_digits();
        }
        if (whole && !negative && std::from_chars(begin, at_, node.value_.whole).ec == std::errc()) {
            node.kind_ = Kind::whole;
        } else if (whole && negative && std::from_chars(begin, at_, node.value_.negative).ec == std::errc()) {
            node.kind_ = Kind::negative;
        } else {
            node.kind_ = Kind::fraction;
            if (std::from_chars(begin, at_, node.value_.fraction).ec != std::errc()) {
                // Too large, or so small that it is rounded.
                node.value_.fraction = std::strtod(std::string(begin, at_).c_str(), nullptr);
            }
            if (!std::isfinite(node.value_.fraction)) {
                at_ = begin;
                not_json("a number of at most 1.7e308");
            }
        }
    }

    /// From its opening to behind its closing quotation mark.
    std::string_view read_string() {
        ++at_;
        const char* begin = at_;
        std::string* copy = nullptr;
        while (true) {
            while (at_ != end_ && plain_bytes[static_cast<unsigned char>(*at_)]) {
                ++at_;
            }
            if (at_ == end_) {
                not_json("the end of a string");
            }
            if (*at_ == '"') {
                break;
            }
            if (*at_ == '\\') {
                copy = copy != nullptr ? copy : &document_.unescaped_.emplace_back();
                copy->append(begin, at_);
                ++at_;
                read_escape(*copy);
                begin = at_;
            } else {
                const std::size_t length =
                    static_cast<unsigned char>(*at_) < 0x20
                        ? 0
                        : character_length({at_, std::min<std::size_t>(4, static_cast<std::size_t>(end_ - at_))});
                if (length == 0) {
                    not_json("a character of UTF-8, control characters escaped");
                }
                at_ += length;
            }
        }
        const char* const last = at_++;
        if (copy == nullptr) {
            return {begin, static_cast<std::size_t>(last - begin)};
        }
        copy->append(begin, last);
        return *copy;
    }
    void read_escape(std::string& out) {
        constexpr std::string_view letters = "\"\\/bfnrt";
        constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
        if (at_ != end_ && letters.find(*at_) != std::string_view::npos) {
            out += meant[letters.find(*at_++)];
            return;
        }
        if (!accept('u')) {
            not_json("an escape");
        }
        unsigned code = read_hexadecimal();
        if (code >= 0xd800 && code < 0xdc00) {
            const bool paired = accept('\\') && accept('u');
            const unsigned low = paired ? read_hexadecimal() : 0;
            if (low < 0xdc00 || low > 0xdfff) {
                not_json("the second half of a surrogate pair");
            }
            code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
        } else if (code >= 0xdc00 && code < 0xe000) {
            not_json("the first half of a surrogate pair before its second");
        }
        append_utf8(out, code);
    }
    unsigned read_hexadecimal() {
        unsigned code = 0;
        if (end_ - at_ < 4 || std::from_chars(at_, at_ + 4, code, 16).ptr != at_ + 4) {
            not_json("four hexadecimal digits");
        }
        at_ += 4;
        return code;
    }
};

Result<JsonDocument> parse_document(std::string_view text, std::string_view file_name) {
    if (text.size() > largest_results_file) {
        return Error{concat(file_name, ": ", text.size(), " bytes, a results file has at most ", largest_results_file)};
    }
    try {
        return JsonReader(text, file_name).read();
    } catch (const NotJson& problem) {
        return Error{problem.message};
    }
}

} // namespace pdlcts
