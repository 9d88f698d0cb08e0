// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/waivers.hpp"

#include "conformance/litmus/words.hpp"
#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/message.hpp"
#include "reports/results/names.hpp"

#include <algorithm>

// As ledger.cpp has it: one program has one toml++.
#ifdef NDEBUG
#undef NDEBUG
#endif
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

namespace pdlcts {
namespace {

struct MalformedWaivers {
    std::string message;
};

/// One table of the file.
struct Entry {
    const toml::table& table;
    std::string_view file_name;

    [[noreturn]] void fail(const toml::node& node, const std::string& what) const {
        throw MalformedWaivers{
            concat(file_name, ":", node.source().begin.line, ":", node.source().begin.column, ": ", what)};
    }
    const toml::node& need(std::string_view key) const {
        const toml::node* const node = table.get(key);
        if (node == nullptr) {
            fail(table, concat("a waiver without `", key, "`"));
        }
        return *node;
    }
    std::string text(std::string_view key) const {
        const toml::node& node = need(key);
        if (!node.is_string()) {
            fail(node, concat("expected `", key, "`, a string"));
        }
        std::string text = node.value_or(std::string());
        if (text.empty()) {
            fail(node, concat("`", key, "` is empty"));
        }
        return text;
    }
    std::string pattern(std::string_view key) const {
        std::string pattern = text(key);
        if (pattern.size() > longest_waiver_pattern) {
            fail(need(key),
                 concat("`", key, "` has ", pattern.size(), " characters, at most ", longest_waiver_pattern));
        }
        return pattern;
    }
};

bool is_route(std::string_view word) {
    return word == "native" || std::any_of(std::begin(route_words), std::end(route_words),
                                           [=](const Spelling<Route>& each) { return each.word == word; });
}

std::vector<std::string> read_routes(const Entry& entry) {
    const toml::node& node = entry.need("routes");
    if (!node.is_array() || node.as_array()->empty()) {
        entry.fail(node, "expected `routes`, a list of at least one route");
    }
    std::vector<std::string> routes;
    for (const toml::node& each : *node.as_array()) {
        std::string route = each.value_or(std::string());
        if (!each.is_string() || !is_route(route)) {
            entry.fail(each, concat("unknown route ", in_quotes(route)));
        }
        if (std::find(routes.begin(), routes.end(), route) != routes.end()) {
            entry.fail(each, concat("the route ", in_quotes(route), " twice"));
        }
        routes.push_back(std::move(route));
    }
    return routes;
}

Verdict read_verdict(const Entry& entry) {
    const std::string text = entry.text("verdict");
    std::string waivable;
    for (const Named<Verdict>& each : spellings<Verdict>()) {
        if (!can_be_waived(each.value)) {
            continue;
        }
        if (each.name == text) {
            return each.value;
        }
        waivable += concat(waivable.empty() ? "" : ", ", each.name);
    }
    entry.fail(entry.need("verdict"), concat("expected one of ", waivable, ", found ", in_quotes(text)));
}

Date read_expiry(const Entry& entry) {
    const toml::node& node = entry.need("expires");
    if (!node.is_date()) {
        entry.fail(node, "expected `expires`, a date such as 2027-05-31 without quotes");
    }
    const toml::date date = node.value_or(toml::date{});
    const Date day(std::chrono::year(date.year), std::chrono::month(date.month), std::chrono::day(date.day));
    if (!day.ok()) {
        entry.fail(node, "`expires` is a day that no calendar has");
    }
    return day;
}

Waiver read_waiver(const toml::node& node, std::string_view file_name) {
    if (!node.is_table()) {
        throw MalformedWaivers{concat(file_name, ":", node.source().begin.line, ": expected tables [[waiver]]")};
    }
    const Entry entry{*node.as_table(), file_name};
    constexpr std::string_view keys[] = {"case",    "statement", "routes", "gpu",     "driver",
                                         "verdict", "reason",    "link",   "expires", "intermittent"};
    for (const auto& [key, value] : entry.table) {
        if (std::find(std::begin(keys), std::end(keys), key.str()) == std::end(keys)) {
            entry.fail(value, concat("unknown key ", in_quotes(key.str()), " in a waiver"));
        }
    }
    Waiver waiver;
    waiver.line = entry.table.source().begin.line;
    if (entry.table.contains("case") == entry.table.contains("statement")) {
        entry.fail(entry.table, "a waiver names its cells by `case` or by `statement`, one of the two");
    }
    (entry.table.contains("case") ? waiver.case_pattern : waiver.statement_pattern) =
        entry.pattern(entry.table.contains("case") ? "case" : "statement");
    if (entry.table.contains("routes")) {
        waiver.routes = read_routes(entry);
    }
    waiver.gpu = entry.pattern("gpu");
    waiver.driver = entry.pattern("driver");
    waiver.verdict = read_verdict(entry);
    waiver.reason = entry.text("reason");
    waiver.link = entry.text("link");
    waiver.expires = read_expiry(entry);
    if (const toml::node* const node_of_key = entry.table.get("intermittent")) {
        if (!node_of_key->is_boolean()) {
            entry.fail(*node_of_key, "expected `intermittent`, true or false");
        }
        waiver.intermittent = node_of_key->value_or(false);
    }
    return waiver;
}

/// Before TOML is read: toml++ 3.3 has undefined behaviour where other characters than ASCII stand outside strings,
/// and a key of thousands of parts becomes as many nested tables.
std::string refusal(std::string_view text, std::string_view file_name) {
    if (text.size() > largest_waiver_file) {
        return concat(file_name, ": ", text.size(), " bytes, at most ", largest_waiver_file);
    }
    std::size_t line = 1;
    std::size_t column = 1;
    for (const char c : text) {
        if (static_cast<unsigned char>(c) > 0x7f) {
            return concat(file_name, ":", line, ":", column, ": this is not ASCII");
        }
        if (column > longest_waiver_line) {
            return concat(file_name, ":", line, ": a line of more than ", longest_waiver_line, " characters");
        }
        line += c == '\n' ? 1 : 0;
        column = c == '\n' ? 1 : column + 1;
    }
    return "";
}

std::vector<Waiver> read_all(std::string_view text, std::string_view file_name) {
    toml::table parsed;
    try {
        parsed = toml::parse(text);
    } catch (const toml::parse_error& error) {
        throw MalformedWaivers{concat(file_name, ":", error.source().begin.line, ":", error.source().begin.column,
                                      ": this is not TOML: ", plain_text(error.description()))};
    }
    std::vector<Waiver> waivers;
    for (const auto& [key, value] : parsed) {
        if (key.str() != "waiver" || !value.is_array()) {
            throw MalformedWaivers{concat(file_name, ":", value.source().begin.line, ":", value.source().begin.column,
                                          ": expected tables [[waiver]], and nothing else, found ",
                                          in_quotes(key.str()))};
        }
        if (value.as_array()->size() > most_waivers) {
            throw MalformedWaivers{
                concat(file_name, ": ", value.as_array()->size(), " waivers, at most ", most_waivers)};
        }
        for (const toml::node& node : *value.as_array()) {
            waivers.push_back(read_waiver(node, file_name));
        }
    }
    return waivers;
}

} // namespace

std::optional<Date> read_date(std::string_view text) {
    int numbers[3] = {};
    std::size_t at = 0;
    for (int part = 0; part < 3; ++part) {
        for (int digits = part == 0 ? 4 : 2; digits > 0; --digits, ++at) {
            if (at >= text.size() || text[at] < '0' || text[at] > '9') {
                return std::nullopt;
            }
            numbers[part] = numbers[part] * 10 + (text[at] - '0');
        }
        if (part < 2 && (at >= text.size() || text[at++] != '-')) {
            return std::nullopt;
        }
    }
    const Date date(std::chrono::year(numbers[0]), std::chrono::month(static_cast<unsigned>(numbers[1])),
                    std::chrono::day(static_cast<unsigned>(numbers[2])));
    return at == text.size() && date.ok() ? std::optional(date) : std::nullopt;
}

std::string print(const Date& date) {
    const auto padded = [](unsigned number, std::size_t digits) {
        std::string text = std::to_string(number);
        return std::string(digits - std::min(digits, text.size()), '0') + text;
    };
    return concat(padded(static_cast<unsigned>(static_cast<int>(date.year())), 4), "-",
                  padded(static_cast<unsigned>(date.month()), 2), "-", padded(static_cast<unsigned>(date.day()), 2));
}

bool can_be_waived(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::harness_error:
    case Verdict::recorded:
    case Verdict::vacuous:
    case Verdict::not_observed:
    case Verdict::not_supported:
    case Verdict::missing:
        return true;
    case Verdict::refuted:
    case Verdict::pass:
    case Verdict::observed:
    case Verdict::proved:
    case Verdict::not_decided:
        return false;
    }
    return false;
}

Result<std::vector<Waiver>> read_waivers(std::string_view text, std::string_view file_name) {
    if (std::string refused = refusal(text, file_name); !refused.empty()) {
        return Error{std::move(refused)};
    }
    try {
        return read_all(text, file_name);
    } catch (const MalformedWaivers& malformed) {
        return Error{malformed.message};
    }
}

} // namespace pdlcts
