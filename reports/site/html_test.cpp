// SPDX-License-Identifier: Apache-2.0
#include "reports/site/column.hpp"
#include "reports/site/highlight.hpp"
#include "reports/site/html.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <type_traits>

using namespace pdlcts::site;

namespace {

template <typename Part>
std::string html_of(const Part& part) {
    Html html;
    html << part;
    return html.html();
}

} // namespace

TEST_CASE("only literals are markup, and text of others is escaped") {
    static_assert(!std::is_constructible_v<Markup, std::string>);
    static_assert(!std::is_constructible_v<Markup, std::string_view>);
    static_assert(!std::is_convertible_v<const char*, Markup>);
    CHECK(html_of(Markup("<b>")) == "<b>");
    CHECK(html_of(text("<script>alert('x')</script>&\"")) ==
          "&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;&amp;&quot;");
    CHECK(html_of(text("a\nb\t c\x1b[31m")) == "a b c [31m");
    CHECK(html_of(text("abcdef", 3)) == "abc...");
    // What turns text around vanishes: U+202E.
    CHECK(html_of(text("user\u202Etxt")) == "usertxt");
    CHECK(html_of(verbatim("  a < b\n\n    c")) == "  a &lt; b\n\n    c");
    CHECK(html_of(verbatim("a\x01z\n")) == "a z\n");
    CHECK(html_of(plain_data("{\"a\":\"</script>\"}")) == "{\"a\":\"/script\"}");
}

TEST_CASE("numbers and shares") {
    CHECK(html_of(Grouped{0}) == "0");
    CHECK(html_of(Grouped{999}) == "999");
    CHECK(html_of(Grouped{1234567}) == "1\u202f234\u202f567");
    CHECK(html_of(counted(0, "trial", "trials")) == "0 trials");
    CHECK(html_of(counted(1, "trial", "trials")) == "1 trial");
    CHECK(html_of(counted(2000, "trial", "trials")) == "2\u202f000 trials");
    CHECK(html_of(std::int64_t{-7}) == "-7");
    CHECK(percent(0) == "0 %");
    CHECK(percent(1) == "100 %");
    CHECK(percent(0.00001) == "< 0.01 %");
    CHECK(percent(0.99999) == "> 99.99 %");
}

TEST_CASE("names of files hold a whitelist of characters, whatever they are made of") {
    CHECK(slug("NVIDIA H200") == "nvidia-h200");
    CHECK(slug("../../etc/passwd") == "etc-passwd");
    CHECK(slug("") == "x");
    CHECK(slug("...") == "x");
    CHECK(slug("a..b") == "a.b");
    CHECK(slug("-rf") == "rf");
    CHECK(slug(std::string("a\0b", 3)) == "a-b");
    CHECK(slug("\xff\xfe\u202e") == "x");
    CHECK(slug(std::string(500, 'a')).size() == 60);
    for (const char* hostile : {"..", "/", "//x", "a/../../b", "a\\..\\b", "C:\\x", "%2e%2e%2f", "a\nb", "con.",
                                ".hidden", "x/./y", "<script>", "\"><img src=x>"}) {
        for (const Address& address : {statement_page(hostile), case_page(hostile), column_page(hostile),
                                       changes_page(hostile), evidence_page(hostile, hostile), timeline_file(hostile),
                                       asset(hostile), reproducer_file(hostile, pdlcts::Route::stream)}) {
            const std::string& path = address.path();
            CAPTURE(path);
            CHECK(path.find("..") == std::string::npos);
            CHECK(path.front() != '/');
            CHECK(path.find("/.") == std::string::npos);
            CHECK(path.find("//") == std::string::npos);
            CHECK(path.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789.-/") == std::string::npos);
            CHECK(std::count(path.begin(), path.end(), '/') <= 2);
        }
    }
}

TEST_CASE("links lead from where a page stands") {
    Html html(evidence_page("c", "trigger"));
    html << to(statement_page("trigger.x").at("A/B"));
    CHECK(html.html() == "../../statements/trigger.x.html#a.b");
    Html front(front_page());
    front << to(guide_page());
    CHECK(front.html() == "guide.html");
}

TEST_CASE("versions are compared number by number") {
    CHECK(compare_versions("580.9", "580.10") < 0);
    CHECK(compare_versions("580.159.04", "580.159.4") == 0);
    CHECK(compare_versions("", "1") < 0);
    CHECK(compare_versions("13.0, PTX", "13.0") > 0);
    CHECK(compare_versions("x", "x") == 0);
    // What strangers call a version is in an order too.
    const std::vector<std::string_view> ordered{"", "9", "10", "10.1", "10.a", "10.b", "1a", "b"};
    for (std::size_t one = 0; one < ordered.size(); ++one) {
        for (std::size_t other = one + 1; other < ordered.size(); ++other) {
            CAPTURE(ordered[one]);
            CAPTURE(ordered[other]);
            CHECK(compare_versions(ordered[one], ordered[other]) < 0);
            CHECK(compare_versions(ordered[other], ordered[one]) > 0);
        }
    }
}

TEST_CASE("source is coloured and escaped, and nothing of it is lost") {
    Html html;
    highlight(html, "if (a < 1) { s = \"</b>\"; } // <i>\nint x;", Language::cuda);
    std::string words = html.html();
    for (const char* tag :
         {"<span class=\"k\">", "<span class=\"c\">", "<span class=\"s\">", "<span class=\"n\">", "</span>"}) {
        for (std::size_t at = words.find(tag); at != std::string::npos; at = words.find(tag)) {
            words.erase(at, std::string_view(tag).size());
        }
    }
    CHECK(words == "if (a &lt; 1) { s = &quot;&lt;/b&gt;&quot;; } // &lt;i&gt;\nint x;");
    CHECK(html.html().find("<span class=\"k\">if</span>") != std::string::npos);
}

TEST_CASE("a line of one side stands on that side alone") {
    Html html;
    side_by_side(html, "grid p\n-   wait\n+   trigger\n");
    const std::string& page = html.html();
    CHECK(page.find("<tr><td class=\"minus\">") != std::string::npos);
    CHECK(page.find("<tr><td class=\"absent\"></td><td class=\"plus\">") != std::string::npos);
    CHECK(page.find("aria-label=\"in the program alone\"") != std::string::npos);
}
