// SPDX-License-Identifier: Apache-2.0
#include "reports/site/html.hpp"

#include "reports/matrix/plain_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <iterator>

namespace pdlcts::site {
namespace {

std::string_view entity(char character) {
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#39;";
    default:
        return {};
    }
}

constexpr auto has_entity = [] {
    std::array<bool, 256> has{};
    for (const unsigned char character : {'&', '<', '>', '"', '\''}) {
        has[character] = true;
    }
    return has;
}();

/// By runs of characters that stand for themselves, as nearly all do.
void append_escaped(std::string& html, std::string_view text) {
    std::size_t appended = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (has_entity[static_cast<unsigned char>(text[i])]) {
            html += text.substr(appended, i - appended);
            html += entity(text[i]);
            appended = i + 1;
        }
    }
    html += text.substr(appended);
}

/// Most text is plain already: then it need not be looked at character by character.
bool is_plain(std::string_view text, std::size_t longest) {
    if (text.size() > longest || text.starts_with(' ') || text.ends_with(' ')) {
        return false;
    }
    char before = 'x';
    for (const char character : text) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte < 0x20 || byte > 0x7e || (character == ' ' && before == ' ')) {
            return false;
        }
        before = character;
    }
    return true;
}

template <typename Number>
void append_number(std::string& html, Number number) {
    std::array<char, 24> digits{};
    const auto [end, error] = std::to_chars(digits.data(), digits.data() + digits.size(), number);
    html.append(digits.data(), end);
}

} // namespace

Html::Html(const Address& page) : root_(root_from(page)) {}

Html& Html::operator<<(const Text& text) {
    if (is_plain(text.text, text.longest)) {
        append_escaped(html_, text.text);
    } else {
        append_escaped(html_, plain_text(text.text, text.longest));
    }
    return *this;
}

Html& Html::operator<<(const Verbatim& text) {
    std::string_view rest = text.text;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        std::string_view line = rest.substr(0, end);
        const std::size_t indentation = std::min(line.find_first_not_of(' '), line.size());
        html_.append(indentation, ' ');
        line.remove_prefix(indentation);
        if (std::all_of(line.begin(), line.end(), [](char each) { return each >= 0x20 && each < 0x7f; })) {
            append_escaped(html_, line);
        } else {
            append_escaped(html_, plain_text(line, 4000));
        }
        if (end == rest.size()) {
            break;
        }
        html_ += '\n';
        rest.remove_prefix(end + 1);
    }
    return *this;
}

Html& Html::operator<<(const PlainData& data) {
    std::copy_if(data.text.begin(), data.text.end(), std::back_inserter(html_), [](char character) {
        return character >= 0x20 && character < 0x7f && character != '<' && character != '>' && character != '&';
    });
    return *this;
}

Html& Html::operator<<(const Link& link) {
    html_ += root_;
    append_escaped(html_, link.address.path());
    if (!link.address.anchor().empty()) {
        html_ += '#';
        append_escaped(html_, link.address.anchor());
    }
    return *this;
}

Html& Html::operator<<(Grouped number) {
    const std::string digits = std::to_string(number.number);
    for (std::size_t i = 0; i < digits.size(); ++i) {
        if (i != 0 && (digits.size() - i) % 3 == 0) {
            html_ += "\u202f";
        }
        html_ += digits[i];
    }
    return *this;
}

Html& Html::operator<<(const Counted& counted) {
    return *this << Grouped{counted.number} << " " << (counted.number == 1 ? counted.one : counted.many);
}

Html& Html::operator<<(std::uint64_t number) {
    append_number(html_, number);
    return *this;
}

Html& Html::operator<<(std::int64_t number) {
    append_number(html_, number);
    return *this;
}

Html& Html::operator<<(const Html& part) {
    html_ += part.html_;
    return *this;
}

std::string percent(double share) {
    std::array<char, 32> shown{};
    if (share > 0 && share < 0.0001) {
        return "< 0.01 %";
    }
    if (share < 1 && share > 0.9999) {
        return "> 99.99 %";
    }
    const int length =
        std::snprintf(shown.data(), shown.size(), share == 0 || share == 1 ? "%.0f %%" : "%.2f %%", share * 100);
    return {shown.data(), static_cast<std::size_t>(length)};
}

std::string rate(double bound) {
    std::array<char, 32> shown{};
    const int length = std::snprintf(shown.data(), shown.size(), "%.1e", bound);
    return {shown.data(), static_cast<std::size_t>(length)};
}

} // namespace pdlcts::site
