// SPDX-License-Identifier: Apache-2.0
#include "reports/results/json.hpp"

#include "reports/results/json_document.hpp"
#include "reports/results/json_sink.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace pdlcts {
namespace {

constexpr auto is_escaped = [] {
    std::array<bool, 256> escaped{};
    for (std::size_t byte = 0; byte < 0x20; ++byte) {
        escaped[byte] = true;
    }
    for (const unsigned char byte : {'"', '\\', '\x7f'}) {
        escaped[byte] = true;
    }
    return escaped;
}();

void print_escaped(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
        out += '\\';
        out += c;
    } else if (c == '\n') {
        out += "\\n";
    } else {
        out += "\\u00";
        out += digits[byte >> 4];
        out += digits[byte & 0xf];
    }
}

void print_string(std::string& out, std::string_view text) {
    out += '"';
    std::size_t printed = 0;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (is_escaped[static_cast<unsigned char>(text[at])]) {
            out += text.substr(printed, at - printed);
            print_escaped(out, text[at]);
            printed = at + 1;
        }
    }
    out += text.substr(printed);
    out += '"';
}

template <typename Number>
void print_number(std::string& out, Number number) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    out.append(buffer.data(), end);
}

} // namespace

// ---- the printer --------------------------------------------------------------------------------------------------

bool JsonPrinter::breaks_lines() const {
    return layout_ == JsonLayout::indented || (layout_ == JsonLayout::a_line_each_cell && depth_ <= 2);
}

void JsonPrinter::new_line(std::size_t indentation) {
    if (breaks_lines()) {
        out_ += '\n';
        out_.append(indentation, ' ');
    }
}

/// Before an entry of a container.
void JsonPrinter::separate() {
    if (behind_key_) {
        behind_key_ = false;
        return;
    }
    if (depth_ > 0) {
        out_ += first_ ? "" : ",";
        new_line(depth_);
    }
    first_ = false;
}

void JsonPrinter::open(char bracket) {
    separate();
    out_ += bracket;
    ++depth_;
    first_ = true;
}

void JsonPrinter::close(char bracket) {
    if (!first_) {
        new_line(depth_ - 1);
    }
    --depth_;
    first_ = false;
    out_ += bracket;
}

void JsonPrinter::key(std::string_view key) {
    separate();
    print_string(out_, key);
    out_ += breaks_lines() ? ": " : ":";
    behind_key_ = true;
}

void JsonPrinter::null() {
    separate();
    out_ += "null";
}

void JsonPrinter::boolean(bool value) {
    separate();
    out_ += value ? "true" : "false";
}

void JsonPrinter::whole(std::uint64_t value) {
    separate();
    print_number(out_, value);
}

void JsonPrinter::negative(std::int64_t value) {
    separate();
    print_number(out_, value);
}

void JsonPrinter::fraction(double value) {
    separate();
    print_number(out_, value);
}

void JsonPrinter::text(std::string_view value) {
    separate();
    print_string(out_, value);
}

// ---- values -------------------------------------------------------------------------------------------------------

Json::Json(int number) {
    if (number < 0) {
        value = std::int64_t{number};
    } else {
        value = static_cast<std::uint64_t>(number);
    }
}

Json::Json(const std::vector<std::string>& lines) : value(List(lines.begin(), lines.end())) {}

const Json* Json::find(std::string_view key) const {
    const auto* object = as<Object>();
    if (object == nullptr) {
        return nullptr;
    }
    const auto at = std::find_if(object->begin(), object->end(), [&](const auto& entry) { return entry.first == key; });
    return at == object->end() ? nullptr : &at->second;
}

Json to_json(const JsonNode& node) {
    Json json;
    switch (node.kind()) {
    case JsonNode::Kind::null:
        break;
    case JsonNode::Kind::boolean:
        json.value = node.boolean();
        break;
    case JsonNode::Kind::whole:
        json.value = node.whole();
        break;
    case JsonNode::Kind::negative:
        json.value = node.negative();
        break;
    case JsonNode::Kind::fraction:
        json.value = node.fraction();
        break;
    case JsonNode::Kind::text:
        json.value = std::string(node.text());
        break;
    case JsonNode::Kind::list: {
        Json::List list;
        list.reserve(node.size());
        for (const JsonNode& entry : node) {
            list.push_back(to_json(entry));
        }
        json.value = std::move(list);
        break;
    }
    case JsonNode::Kind::object: {
        Json::Object object;
        object.reserve(node.size());
        for (const JsonNode& entry : node) {
            object.emplace_back(entry.key(), to_json(entry));
        }
        json.value = std::move(object);
        break;
    }
    }
    return json;
}

Result<Json> parse_json(std::string_view text, std::string_view file_name) {
    const Result<JsonDocument> document = parse_document(text, file_name);
    if (!document) {
        return document.error();
    }
    return to_json(document->root());
}

void put(JsonSink& out, const Json& json) {
    std::visit(Overloaded{[&](std::nullptr_t) { out.null(); },
                          [&](const Json::List& list) {
                              out.begin_list();
                              for (const Json& entry : list) {
                                  put(out, entry);
                              }
                              out.end_list();
                          },
                          [&](const Json::Object& object) {
                              out.begin_object();
                              for (const auto& [key, value] : object) {
                                  out.key(key);
                                  put(out, value);
                              }
                              out.end_object();
                          },
                          [&](const auto& value) { put(out, value); }},
               json.value);
}

std::string print(const Json& json, JsonLayout layout) {
    JsonPrinter printer(layout);
    put(printer, json);
    return std::move(printer).take();
}

} // namespace pdlcts
