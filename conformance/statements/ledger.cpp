// SPDX-License-Identifier: Apache-2.0
#include "conformance/statements/ledger.hpp"

#include <fmt/format.h>

// toml++ 3.3 asserts, or with NDEBUG assumes, that a key follows `[`, and then goes on to report that none does. Only
// without the assertion is that report reached.
#ifdef NDEBUG
#undef NDEBUG
#endif
#define TOML_ASSERT(expression) static_cast<void>(0)
#include <toml++/toml.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <utility>

namespace pdlcts {
namespace {

template <typename Value>
struct Named {
    std::string_view name;
    Value value;
};

constexpr std::array strengths = {
    Named<Strength>{"guarantee", Strength::guarantee},     Named<Strength>{"permission", Strength::permission},
    Named<Strength>{"requirement", Strength::requirement}, Named<Strength>{"equivalence", Strength::equivalence},
    Named<Strength>{"definition", Strength::definition},   Named<Strength>{"unspecified", Strength::unspecified},
};

constexpr std::array bases = {
    Named<Basis>{"read", Basis::read},
    Named<Basis>{"derived", Basis::derived},
    Named<Basis>{"inferred", Basis::inferred},
};

template <typename Value, std::size_t N>
std::optional<Value> value_of(const std::array<Named<Value>, N>& names, std::string_view name) {
    const auto found = std::ranges::find(names, name, &Named<Value>::name);
    return found == names.end() ? std::nullopt : std::optional(found->value);
}

template <typename Value, std::size_t N>
std::string_view name_of(const std::array<Named<Value>, N>& names, Value value) {
    return std::ranges::find(names, value, &Named<Value>::value)->name;
}

template <typename Value, std::size_t N>
std::string list_of(const std::array<Named<Value>, N>& names) {
    std::string list;
    for (std::size_t i = 0; i < N; ++i) {
        list += fmt::format("{}{}", i == 0 ? "" : i + 1 == N ? " or " : ", ", names[i].name);
    }
    return list;
}

/// The first mistake ends the reading: thrown anywhere below, caught in read_ledger.
struct Mistake {
    Error error;
};

struct Reader {
    Ledger ledger;
    /// Where a key, a section or a statement was first defined, `file:line`.
    std::map<std::string, std::string, std::less<>> document_places;
    std::map<std::string, std::string, std::less<>> section_places;
    std::map<std::string, std::string, std::less<>> statement_places;
    /// Checked at the end, since the table of documents may stand in a later file.
    struct Citation {
        std::string document;
        std::string file;
        toml::source_position position;
    };
    std::vector<Citation> citations;
};

[[noreturn]] void fail(const std::string& file, toml::source_position position, const std::string& what) {
    throw Mistake{{fmt::format("{}:{}:{}: {}", file, position.line, position.column, what)}};
}

std::string kind_of(const toml::node& node) {
    switch (node.type()) {
    case toml::node_type::table:
        return "a table";
    case toml::node_type::array:
        return "an array";
    case toml::node_type::string:
        return "a string";
    case toml::node_type::integer:
        return "an integer";
    case toml::node_type::floating_point:
        return "a number without quotes";
    case toml::node_type::boolean:
        return "a boolean";
    case toml::node_type::none:
        return "nothing";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time:
        break;
    }
    return "a date or time";
}

/// Line breaks and indentation of the file are not part of a sentence.
std::string folded(std::string_view text) {
    std::string result;
    for (const char c : text) {
        const bool space = c == ' ' || c == '\n' || c == '\r' || c == '\t';
        if (!space) {
            result += c;
        } else if (!result.empty() && result.back() != ' ') {
            result += ' ';
        }
    }
    if (!result.empty() && result.back() == ' ') {
        result.pop_back();
    }
    return result;
}

/// One table of a file. Errors about the table as a whole point at its first line.
struct Table {
    const std::string& file;
    const toml::table& toml;
    std::string what; ///< `statement`, for messages

    toml::source_position position() const { return toml.source().begin; }

    void allow_only(std::initializer_list<std::string_view> keys) const {
        for (const auto& [key, value] : toml) {
            if (std::ranges::find(keys, key.str()) != keys.end()) {
                continue;
            }
            std::string allowed;
            for (const std::string_view name : keys) {
                allowed += fmt::format("{}{}", allowed.empty() ? "" : ", ", name);
            }
            fail(file, key.source().begin,
                 fmt::format("unknown key in a {}; expected one of {}, found {}", what, allowed, key.str()));
        }
    }

    const toml::node& node(std::string_view key, std::string_view expected) const {
        if (const toml::node* found = toml.get(key)) {
            return *found;
        }
        fail(file, position(),
             fmt::format("missing key in a {}; expected {} = {}, found no such key", what, key, expected));
    }

    std::string string(std::string_view key, std::string_view expected) const {
        const toml::node& found = node(key, expected);
        if (!found.is_string()) {
            fail(file, found.source().begin,
                 fmt::format("{} is not a string; expected {}, found {}", key, expected, kind_of(found)));
        }
        std::string text = folded(found.as_string()->get());
        if (text.empty()) {
            fail(file, found.source().begin, fmt::format("{} is empty; expected {}, found nothing", key, expected));
        }
        return text;
    }

    std::vector<Table> tables(std::string_view key, std::string_view element) const {
        const toml::node& found = node(key, fmt::format("an array of {}s", element));
        const toml::array* array = found.as_array();
        if (!array) {
            fail(file, found.source().begin,
                 fmt::format("{} is not an array; expected an array of {}s, found {}", key, element, kind_of(found)));
        }
        if (array->empty()) {
            fail(file, found.source().begin,
                 fmt::format("{} is empty; expected at least one {}, found none", key, element));
        }
        std::vector<Table> result;
        for (const toml::node& entry : *array) {
            if (!entry.is_table()) {
                fail(file, entry.source().begin,
                     fmt::format("{} holds something else; expected a table, found {}", key, kind_of(entry)));
            }
            result.push_back({file, *entry.as_table(), std::string(element)});
        }
        return result;
    }

    [[noreturn]] void fail_at(std::string_view key, const std::string& message) const {
        fail(file, node(key, "").source().begin, message);
    }
};

/// Notes that something is defined here, once in all files.
void define(std::map<std::string, std::string, std::less<>>& places, const Table& table, std::string_view key,
            const std::string& id) {
    const auto [place, is_new] = places.emplace(id, fmt::format("{}:{}", table.file, table.position().line));
    if (!is_new) {
        table.fail_at(key, fmt::format("duplicate {} of a {}; expected one that is defined once, found {}, which is "
                                       "already defined at {}",
                                       key, table.what, id, place->second));
    }
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

/// A number without leading zeros, of at most two digits.
bool is_number(std::string_view text) {
    return (text.size() == 1 || (text.size() == 2 && text[0] != '0')) && std::ranges::all_of(text, is_digit);
}

/// `12.3`, the form of toolkit versions and of compute capabilities.
bool is_version(std::string_view text) {
    const std::size_t dot = text.find('.');
    return dot != text.npos && is_number(text.substr(0, dot)) && is_number(text.substr(dot + 1));
}

/// Names of lower-case letters and digits, joined by `-` within a part; parts are joined by `.`.
bool is_id(std::string_view text, std::size_t minimum_parts) {
    std::size_t parts = 1;
    bool inside = false;
    for (const char c : text) {
        const bool joint = c == '.' || c == '-';
        if ((joint && !inside) || (!joint && !is_digit(c) && !(c >= 'a' && c <= 'z'))) {
            return false;
        }
        inside = !joint;
        parts += c == '.';
    }
    return inside && parts >= minimum_parts;
}

int compute_capability(const Table& table, std::string_view key) {
    const std::string text = table.string(key, "a compute capability such as \"9.0\"");
    const std::size_t dot = text.find('.');
    if (!is_version(text) || text.size() - dot != 2 || text[0] == '0') {
        table.fail_at(
            key, fmt::format("malformed {}; expected a compute capability such as \"9.0\", found \"{}\"", key, text));
    }
    int major = 0;
    for (const char c : std::string_view(text).substr(0, dot)) {
        major = major * 10 + (c - '0');
    }
    return major * 10 + (text[dot + 1] - '0');
}

std::string toolkit(const Table& table, std::string_view key) {
    std::string text = table.string(key, "a toolkit version such as \"12.3\"");
    if (!is_version(text) || text[0] == '0') {
        table.fail_at(
            key, fmt::format("malformed {}; expected a toolkit version such as \"12.3\", found \"{}\"", key, text));
    }
    return text;
}

Statement read_statement(Reader& reader, const Table& table) {
    table.allow_only({"id", "strength", "basis", "minimum_compute_capability", "minimum_toolkit", "sources", "text",
                      "reading", "reason"});
    Statement statement;
    statement.file = table.file;
    statement.line = static_cast<int>(table.position().line);

    statement.id = table.string("id", "an id such as \"trigger.implicit-on-exit\"");
    if (!is_id(statement.id, 2)) {
        table.fail_at("id", fmt::format("malformed id; expected lower-case words such as "
                                        "\"trigger.implicit-on-exit\", found \"{}\"",
                                        statement.id));
    }
    define(reader.statement_places, table, "id", statement.id);

    const std::string strength = table.string("strength", list_of(strengths));
    const std::optional<Strength> strength_value = value_of(strengths, strength);
    if (!strength_value) {
        table.fail_at("strength", fmt::format("unknown strength; expected {}, found {}", list_of(strengths), strength));
    }
    statement.strength = *strength_value;

    const std::string basis = table.string("basis", list_of(bases));
    const std::optional<Basis> basis_value = value_of(bases, basis);
    if (!basis_value) {
        table.fail_at("basis", fmt::format("unknown basis; expected {}, found {}", list_of(bases), basis));
    }
    statement.basis = *basis_value;

    statement.text = table.string("text", "a sentence");
    for (const Table& source : table.tables("sources", "source")) {
        source.allow_only({"document", "section"});
        statement.sources.push_back(
            {source.string("document", "the key of a document"), source.string("section", "a place in the document")});
        reader.citations.push_back(
            {statement.sources.back().document, table.file, source.node("document", "").source().begin});
    }
    if (table.toml.contains("minimum_compute_capability")) {
        statement.minimum_compute_capability = compute_capability(table, "minimum_compute_capability");
    }
    if (table.toml.contains("minimum_toolkit")) {
        statement.minimum_toolkit = toolkit(table, "minimum_toolkit");
    }

    if (table.toml.contains("reason")) {
        statement.reason = table.string("reason", "why no case can test the statement");
    }

    // An open question without a reading would leave the abstract machine undefined; a reading of anything else would
    // be a second text that nobody judges.
    const bool ambiguous = statement.strength == Strength::unspecified;
    if (ambiguous) {
        statement.reading = table.string("reading", "how the abstract machine reads an unspecified statement");
    } else if (table.toml.contains("reading")) {
        table.fail_at("reading", fmt::format("reading of a {}; expected a reading of an unspecified statement only, "
                                             "found one in {}",
                                             strength, statement.id));
    }
    return statement;
}

/// The files are in English, and toml++ 3.3 has undefined behaviour where other characters stand outside strings.
void require_ascii(const EmbeddedFile& file) {
    toml::source_position position{1, 1};
    for (const char c : file.text) {
        if (static_cast<unsigned char>(c) > 0x7f) {
            fail(file.name, position,
                 fmt::format("this is not ASCII; expected English text, found the byte {:#04x}",
                             static_cast<unsigned char>(c)));
        }
        position.column = c == '\n' ? 1 : position.column + 1;
        position.line += c == '\n';
    }
}

/// toml++ quotes what it found, whatever that does to a terminal.
std::string printable(std::string_view text) {
    std::string result(text);
    std::ranges::replace_if(
        result, [](char c) { return c < ' ' || c == 0x7f; }, '?');
    return result;
}

toml::table parsed(const EmbeddedFile& file) {
    require_ascii(file);
    try {
        return toml::parse(std::string_view(file.text));
    } catch (const toml::parse_error& error) {
        fail(file.name, error.source().begin,
             fmt::format("this is not TOML; expected the ledger's format, found: {}", printable(error.description())));
    }
}

void read_file(Reader& reader, const EmbeddedFile& file) {
    const toml::table root = parsed(file);
    const Table table{file.name, root, "file"};
    table.allow_only({"document", "section", "title", "statement"});

    if (root.contains("document")) {
        for (const Table& entry : table.tables("document", "document")) {
            entry.allow_only({"key", "title"});
            Document document{entry.string("key", "a short name such as \"PG-4.5\""),
                              entry.string("title", "the full title of the document")};
            define(reader.document_places, entry, "key", document.key);
            reader.ledger.documents.push_back(std::move(document));
        }
    } else if (!root.contains("section") && !root.contains("statement")) {
        fail(file.name, {1, 1}, "this file says nothing; expected documents or a section, found neither");
    }

    if (root.contains("section")) {
        Section section{table.string("section", "an id such as \"trigger\""),
                        table.string("title", "the title of the section"),
                        {}};
        if (!is_id(section.id, 1)) {
            table.fail_at("section", fmt::format("malformed id of a section; expected lower-case words such as "
                                                 "\"graph-edge\", found \"{}\"",
                                                 section.id));
        }
        define(reader.section_places, table, "section", section.id);
        for (const Table& entry : table.tables("statement", "statement")) {
            section.statements.push_back(read_statement(reader, entry));
        }
        reader.ledger.sections.push_back(std::move(section));
    } else {
        for (const std::string_view key : {"statement", "title"}) {
            if (root.contains(key)) {
                table.fail_at(key,
                              fmt::format("missing key in a file; expected section beside {}, found no such key", key));
            }
        }
    }
}

void check_citations(const Reader& reader) {
    for (const Reader::Citation& citation : reader.citations) {
        if (!reader.document_places.contains(citation.document)) {
            fail(citation.file, citation.position,
                 fmt::format("unknown document; expected the key of a [[document]], found {}", citation.document));
        }
    }
}

} // namespace

Result<Ledger> read_ledger(std::span<const EmbeddedFile> files) {
    try {
        Reader reader;
        for (const EmbeddedFile& file : files) {
            read_file(reader, file);
        }
        check_citations(reader);
        return std::move(reader.ledger);
    } catch (const Mistake& mistake) {
        return mistake.error;
    }
}

const Section* section_of(const Ledger& ledger, std::string_view id) {
    for (const Section& section : ledger.sections) {
        if (std::ranges::find(section.statements, id, &Statement::id) != section.statements.end()) {
            return &section;
        }
    }
    return nullptr;
}

const Statement* find_statement(const Ledger& ledger, std::string_view id) {
    const Section* section = section_of(ledger, id);
    return section ? &*std::ranges::find(section->statements, id, &Statement::id) : nullptr;
}

std::string_view name(Strength strength) {
    return name_of(strengths, strength);
}

std::string_view name(Basis basis) {
    return name_of(bases, basis);
}

} // namespace pdlcts
