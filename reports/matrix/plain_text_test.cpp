// SPDX-License-Identifier: Apache-2.0
#include "reports/matrix/plain_text.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("nothing in a text steers the terminal") {
    CHECK(plain_text("a\x1b[31mb") == "a [31mb");
    CHECK(plain_text("one\r\n\ttwo\x07") == "one two");
    CHECK(plain_text("a\xc2\x9b"
                     "31mb") == "a 31mb"); // U+009B, the control sequence introducer in one character
    CHECK(plain_text(std::string_view("a\x7f\x00z", 4)) == "a z");
    CHECK(plain_text("abc\xe2\x80\xae"
                     "def") == "abcdef"); // U+202E turns the text around
    CHECK(plain_text("a\xe2\x80\x8b"
                     "b") == "ab");                 // U+200B, zero width
    CHECK(plain_text("a\xff\xe2\x82z") == "a???z"); // three bytes that are no character
    CHECK(plain_text("  caf\xc3\xa9  \xe2\x82\xac ") == "caf\xc3\xa9 \xe2\x82\xac");
    CHECK(plain_text("") == "");
}

TEST_CASE("long texts are cut between characters") {
    CHECK(plain_text("abcdef", 6) == "abcdef");
    CHECK(plain_text("abcdefg", 6) == "abcdef...");
    CHECK(plain_text("\xc3\xa9\xc3\xa9\xc3\xa9", 2) == "\xc3\xa9\xc3\xa9...");
    CHECK(width("caf\xc3\xa9") == 4);
}

TEST_CASE("nothing in a text is Markdown or HTML") {
    CHECK(escape_markdown("<script>&") == "&lt;script&gt;&amp;");
    CHECK(escape_markdown("a|b`c*d_e![f](g)#h~i\\j") == "a\\|b\\`c\\*d\\_e!\\[f\\](g)\\#h\\~i\\\\j");
    CHECK(escape_markdown("https://x www.x @y $z$ a: b") == "https\\://x www\\.x &#64;y \\$z\\$ a: b");
    CHECK(escape_markdown("trigger.implicit-on-exit 580.159.04") == "trigger.implicit-on-exit 580.159.04");
}

TEST_CASE("wrapping") {
    using Lines = std::vector<std::string>;
    CHECK(wrap("", 5) == Lines{""});
    CHECK(wrap("one two three", 7) == Lines{"one two", "three"});
    CHECK(wrap("one two three", 100) == Lines{"one two three"});
    CHECK(wrap("abcdefgh", 3) == Lines{"abc", "def", "gh"});
    CHECK(wrap("a bcdefgh", 3) == Lines{"a", "bcd", "efg", "h"});
    CHECK(wrap("\xc3\xa9\xc3\xa9 \xc3\xa9", 2) == Lines{"\xc3\xa9\xc3\xa9", "\xc3\xa9"});
}
