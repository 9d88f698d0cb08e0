// SPDX-License-Identifier: Apache-2.0
#include "reports/results/json.hpp"

#include "reports/results/message.hpp"
#include "reports/results/results.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace pdlcts {
namespace {

using Parser = nlohmann::json;

constexpr std::size_t deepest = 16;
constexpr std::size_t most_values = 8'000'000;

/// Hears the parser's events, builds the value, and stops at the first problem.
class Builder final : public nlohmann::json_sax<Parser> {
public:
    Builder(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

    Result<Json> result() && {
        return problem_.empty() ? Result<Json>(std::move(root_)) : Result<Json>(Error{problem_});
    }

    bool null() override { return add(Json()); }
    bool boolean(bool value) override { return add(value); }
    bool number_integer(number_integer_t value) override {
        Json number;
        number.value = static_cast<std::int64_t>(value);
        return add(std::move(number));
    }
    bool number_unsigned(number_unsigned_t value) override { return add(static_cast<std::uint64_t>(value)); }
    bool number_float(number_float_t value, const string_t& /*text*/) override { return add(value); }
    bool string(string_t& value) override { return add(std::move(value)); }
    bool binary(binary_t& /*value*/) override { return false; } // does not occur in text
    bool start_object(std::size_t /*size*/) override { return open(Json::Object{}); }
    bool start_array(std::size_t /*size*/) override { return open(Json::List{}); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& key) override {
        open_.back().key = key;
        return open_.back().keys.insert(key).second || refuse("the key stands twice");
    }

    bool parse_error(std::size_t position, const std::string& /*token*/, const Parser::exception& error) override {
        // The library's text: "[json.exception...] parse error at line 1, column 2: what". Only the end is of use.
        std::string what = error.what();
        if (const std::size_t at = what.find(": "); at != std::string::npos) {
            what.erase(0, at + 2);
        }
        problem_ = std::string(file_name_) + ":" + line_and_column(text_, position > 0 ? position - 1 : 0) +
                   ": not JSON: " + what;
        return false;
    }

private:
    struct Container {
        Json value;
        std::set<std::string> keys;
        std::string key;
    };

    std::string_view text_;
    std::string_view file_name_;
    std::vector<Container> open_;
    Json root_;
    std::size_t values_ = 0;
    std::string problem_;

    bool add(Json value) {
        if (++values_ > most_values) {
            return refuse("more than " + std::to_string(most_values) + " values");
        }
        place(std::move(value));
        return true;
    }
    void place(Json value) {
        if (open_.empty()) {
            root_ = std::move(value);
        } else if (auto* list = open_.back().value.as<Json::List>()) {
            list->push_back(std::move(value));
        } else if (auto* object = open_.back().value.as<Json::Object>()) {
            object->emplace_back(open_.back().key, std::move(value));
        }
    }
    bool open(Json container) {
        if (++values_ > most_values) {
            return refuse("more than " + std::to_string(most_values) + " values");
        }
        if (open_.size() == deepest) {
            return refuse("nested too deeply, at most " + std::to_string(deepest) + " levels");
        }
        open_.push_back({std::move(container), {}, {}});
        return true;
    }
    bool close() {
        Json value = std::move(open_.back().value);
        open_.pop_back();
        place(std::move(value));
        return true;
    }
    bool refuse(const std::string& what) {
        std::string path;
        for (const Container& container : open_) {
            const auto* list = container.value.as<Json::List>();
            path += list != nullptr ? '/' + std::to_string(list->size()) : pointer_step(container.key);
        }
        problem_ = std::string(file_name_) + ": " + (path.empty() ? "/" : path) + ": " + what;
        return false;
    }
};

// ---- printing ----------------------------------------------------------------------------------------------------

void print_string(std::string& out, std::string_view text) {
    constexpr std::string_view digits = "0123456789abcdef";
    out += '"';
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\') {
            out += '\\';
            out += c;
        } else if (c == '\n') {
            out += "\\n";
        } else if (byte < 0x20 || byte == 0x7f) {
            out += "\\u00";
            out += digits[byte >> 4];
            out += digits[byte & 0xf];
        } else {
            out += c;
        }
    }
    out += '"';
}

template <typename Number>
void print_number(std::string& out, Number number) {
    std::array<char, 32> buffer{};
    const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
    out.append(buffer.data(), end);
}

class Printer {
public:
    explicit Printer(JsonLayout layout) : layout_(layout) {}
    std::string text() && { return std::move(out_); }

    void print(const Json& json) {
        std::visit(Overloaded{[&](std::nullptr_t) { out_ += "null"; },
                              [&](bool value) { out_ += value ? "true" : "false"; },
                              [&](const std::string& text) { print_string(out_, text); },
                              [&](const Json::List& list) {
                                  print_entries('[', ']', list, [&](const Json& entry) { print(entry); });
                              },
                              [&](const Json::Object& object) {
                                  print_entries('{', '}', object, [&](const auto& entry) {
                                      print_string(out_, entry.first);
                                      out_ += breaks_lines() ? ": " : ":";
                                      print(entry.second);
                                  });
                              },
                              [&](auto number) { print_number(out_, number); }},
                   json.value);
    }

private:
    JsonLayout layout_;
    std::string out_;
    std::size_t depth_ = 0;

    /// Whether each entry of a container in which the printer is stands on a line of its own.
    bool breaks_lines() const {
        return layout_ == JsonLayout::indented || (layout_ == JsonLayout::a_line_each_cell && depth_ <= 2);
    }
    template <typename Entries, typename Print>
    void print_entries(char open, char close, const Entries& entries, Print print_entry) {
        out_ += open;
        ++depth_;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            out_ += i == 0 ? "" : ",";
            new_line(depth_);
            print_entry(entries[i]);
        }
        if (!entries.empty()) {
            new_line(depth_ - 1);
        }
        --depth_;
        out_ += close;
    }
    void new_line(std::size_t indentation) {
        if (breaks_lines()) {
            out_ += '\n';
            out_.append(indentation, ' ');
        }
    }
};

} // namespace

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

Result<Json> parse_json(std::string_view text, std::string_view file_name) {
    if (text.size() > largest_results_file) {
        return Error{std::string(file_name) + ": " + std::to_string(text.size()) +
                     " bytes, a results file has at most " + std::to_string(largest_results_file)};
    }
    Builder builder(text, file_name);
    Parser::sax_parse(text, &builder);
    return std::move(builder).result();
}

std::string print(const Json& json, JsonLayout layout) {
    Printer printer(layout);
    printer.print(json);
    return std::move(printer).text();
}

} // namespace pdlcts
