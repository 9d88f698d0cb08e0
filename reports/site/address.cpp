// SPDX-License-Identifier: Apache-2.0
#include "reports/site/address.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts::site {
namespace {

/// `trigger/implicit-on-exit` is one name, not a folder and a name.
std::string case_slug(std::string_view id) {
    std::string dotted(id);
    std::replace(dotted.begin(), dotted.end(), '/', '.');
    return slug(dotted, 120);
}

} // namespace

std::string slug(std::string_view text, std::size_t longest) {
    std::string result;
    for (const char character : text) {
        if (result.size() >= longest) {
            break;
        }
        char allowed = '-';
        if ((character >= 'a' && character <= 'z') || (character >= '0' && character <= '9') || character == '.') {
            allowed = character;
        } else if (character >= 'A' && character <= 'Z') {
            allowed = static_cast<char>(character - 'A' + 'a');
        }
        const bool separates = allowed == '-' || allowed == '.';
        if (separates && (result.empty() || result.back() == '-' || result.back() == '.')) {
            continue;
        }
        result += allowed;
    }
    while (!result.empty() && (result.back() == '-' || result.back() == '.')) {
        result.pop_back();
    }
    return result.empty() ? "x" : result;
}

Address Address::at(std::string_view anchor) const {
    Address place = *this;
    place.anchor_ = case_slug(anchor);
    return place;
}

Address front_page() {
    return Address("index.html");
}
Address matrix_page(std::size_t part) {
    return part == 0 ? front_page() : Address(concat("matrix-", part + 1, ".html"));
}
Address statements_page() {
    return Address("statements/index.html");
}
Address statement_page(std::string_view id) {
    return Address(concat("statements/", slug(id, 120), ".html"));
}
Address cases_page() {
    return Address("cases/index.html");
}
Address case_page(std::string_view id) {
    return Address(concat("cases/", case_slug(id), ".html"));
}
Address timeline_file(std::string_view case_id) {
    return Address(concat("cases/", case_slug(case_id), ".svg"));
}
Address reproducer_file(std::string_view case_id, Route route) {
    return Address(concat("reproducers/", case_slug(case_id), ".", name(route), ".cu"));
}
Address columns_page() {
    return Address("columns/index.html");
}
Address column_page(std::string_view column) {
    return Address(concat("columns/", slug(column, 160), "/index.html"));
}
Address changes_page(std::string_view column) {
    return Address(concat("columns/", slug(column, 160), "/changes.html"));
}
Address evidence_page(std::string_view column, std::string_view section) {
    return Address(concat("columns/", slug(column, 160), "/evidence-", slug(section), ".html"));
}
Address differences_page() {
    return Address("differences.html");
}
Address machine_page() {
    return Address("machine.html");
}
Address guide_page() {
    return Address("guide.html");
}
Address asset(std::string_view name) {
    return Address(slug(name));
}
Address picture_file() {
    return Address("matrix.svg");
}

std::string root_from(const Address& page) {
    std::string root;
    for (const char character : page.path()) {
        root += character == '/' ? "../" : "";
    }
    return root;
}

} // namespace pdlcts::site
