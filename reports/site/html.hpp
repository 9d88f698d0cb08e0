// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/address.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// HTML that nothing but this program's own source can put markup into. Results files come from strangers, so what may
/// be appended to a page is told apart by its type: markup is a literal of the source, and everything else is escaped.
namespace pdlcts::site {

/// Markup: a string literal of this program, and nothing that is made at run time.
class Markup {
public:
    template <std::size_t Size>
    consteval Markup(const char (&literal)[Size]) : text_(literal, Size - 1) {}
    std::string_view text() const { return text_; }

private:
    std::string_view text_;
};

/// One line of text of anybody: made plain (reports/matrix/plain_text.hpp), cut, and escaped.
struct Text {
    std::string_view text;
    std::size_t longest = 1000; ///< characters
};
inline Text text(std::string_view text, std::size_t longest = 1000) {
    return {text, longest};
}

/// Text that keeps its line breaks and indentation, for `pre`: escaped, without other control characters.
struct Verbatim {
    std::string_view text;
};
inline Verbatim verbatim(std::string_view text) {
    return {text};
}

/// Text that was made of plain characters already, each of which it may hold in a page: letters, digits and none of
/// `<`, `>`, `&`. Anything else is left out.
struct PlainData {
    std::string_view text;
};
inline PlainData plain_data(std::string_view text) {
    return {text};
}

/// The address of another page, relative to the page that is written.
struct Link {
    const Address& address;
};
inline Link to(const Address& address) {
    return {address};
}

/// A number with its thousands apart: `12 345`, with a narrow space that does not break.
struct Grouped {
    std::uint64_t number = 0;
};

/// A number and what it counts: `1 trial`, `2 000 trials`.
struct Counted {
    std::uint64_t number = 0;
    Markup one;
    Markup many;
};
inline Counted counted(std::uint64_t number, Markup one, Markup many) {
    return {number, one, many};
}

class Html {
public:
    /// Of a page: links are relative to where it stands.
    explicit Html(const Address& page);
    /// Of a part of a page; it holds no links.
    Html() = default;

    Html& operator<<(Markup markup) {
        html_ += markup.text();
        return *this;
    }
    Html& operator<<(const Text& text);
    Html& operator<<(const Verbatim& text);
    Html& operator<<(const PlainData& data);
    Html& operator<<(const Link& link);
    Html& operator<<(Grouped number);
    Html& operator<<(const Counted& counted);
    Html& operator<<(std::uint64_t number);
    Html& operator<<(std::int64_t number);
    Html& operator<<(int number) { return *this << static_cast<std::int64_t>(number); }
    Html& operator<<(unsigned number) { return *this << static_cast<std::uint64_t>(number); }
    /// A part that was written on its own.
    Html& operator<<(const Html& part);

    std::size_t size() const { return html_.size(); }
    std::string take() && { return std::move(html_); }
    const std::string& html() const { return html_; }

private:
    std::string html_;
    std::string root_; ///< from the page to the folder of the site: `../`
};

/// A share of trials: `0.15 %`, `< 0.01 %`; of nothing: empty.
std::string percent(double share);

/// A rate that a bound rules out: `1.5e-3`.
std::string rate(double bound);

} // namespace pdlcts::site
