// SPDX-License-Identifier: Apache-2.0
#include "conformance/statements/ledger.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

using namespace pdlcts;

namespace {

const EmbeddedFile documents = {"documents.toml", R"([[document]]
key = "PTX"
title = "PTX ISA"
)"};

/// Line 5 is the first line of the statement; what a test gives stands on line 11 and after.
std::string section_with(const std::string& rest) {
    return R"(# comment
section = "trigger"
title = "Trigger"

[[statement]]
id = "trigger.kickoff"
strength = "guarantee"
basis = "read"
sources = [{ document = "PTX", section = "griddepcontrol" }]
text = "Something holds."
)" + rest;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != text.npos);
    return text.replace(at, from.size(), to);
}

std::string error_of(const std::string& text) {
    const Result<Ledger> ledger = read_ledger(std::vector<EmbeddedFile>{documents, {"trigger.toml", text}});
    return ledger ? "no error" : ledger.error().message;
}

} // namespace

TEST_CASE("a ledger is read with every field") {
    const Result<Ledger> ledger = read_ledger(std::vector<EmbeddedFile>{documents, {"trigger.toml", section_with(R"(
[[statement]]
id = "ambiguity.a01-who"
strength = "unspecified"
basis = "inferred"
minimum_compute_capability = "12.1"
minimum_toolkit = "12.3"
sources = [
    { document = "PTX", section = "one" },
    { document = "PTX", section = "two" },
]
text = """
Nobody says
    who."""
reading = "Anyone."
)")}});
    REQUIRE(ledger);
    REQUIRE(ledger->documents.size() == 1);
    CHECK(ledger->documents[0].key == "PTX");
    CHECK(ledger->documents[0].title == "PTX ISA");
    REQUIRE(ledger->sections.size() == 1);
    CHECK(ledger->sections[0].id == "trigger");
    CHECK(ledger->sections[0].title == "Trigger");
    REQUIRE(ledger->sections[0].statements.size() == 2);

    const Statement& first = ledger->sections[0].statements[0];
    CHECK(first.id == "trigger.kickoff");
    CHECK(first.text == "Something holds.");
    CHECK(first.strength == Strength::guarantee);
    CHECK(first.basis == Basis::read);
    CHECK(first.minimum_compute_capability == 0);
    CHECK(first.minimum_toolkit.empty());
    CHECK(first.reading.empty());
    CHECK(first.file == "trigger.toml");
    CHECK(first.line == 5);

    const Statement& second = ledger->sections[0].statements[1];
    CHECK(second.text == "Nobody says who.");
    CHECK(second.strength == Strength::unspecified);
    CHECK(second.basis == Basis::inferred);
    CHECK(second.minimum_compute_capability == 121);
    CHECK(second.minimum_toolkit == "12.3");
    CHECK(second.reading == "Anyone.");
    CHECK(first.reason.empty());
    REQUIRE(second.sources.size() == 2);
    CHECK(second.sources[1].document == "PTX");
    CHECK(second.sources[1].section == "two");
    CHECK(second.line == 12);

    CHECK(find_statement(*ledger, "ambiguity.a01-who") == &second);
    CHECK(section_of(*ledger, "ambiguity.a01-who") == &ledger->sections[0]);
    CHECK(find_statement(*ledger, "trigger") == nullptr);
    CHECK(section_of(*ledger, "trigger.kick") == nullptr);
}

TEST_CASE("documents may stand in a later file than their citations") {
    CHECK(read_ledger(std::vector<EmbeddedFile>{{"trigger.toml", section_with("")}, documents}));
}

TEST_CASE("no files make an empty ledger") {
    const Result<Ledger> ledger = read_ledger({});
    REQUIRE(ledger);
    CHECK(ledger->sections.empty());
}

TEST_CASE("every mistake is reported with its file, its line and what was expected") {
    struct Bad {
        std::string text;
        std::string error;
    };
    const std::string good = section_with("");
    REQUIRE(error_of(good) == "no error");
    const std::string id = "id = \"trigger.kickoff\"\n";
    const std::string sources = "sources = [{ document = \"PTX\", section = \"griddepcontrol\" }]\n";
    const Bad rows[] = {
        {"section = \"trigger\"\ntitle = =\n",
         "trigger.toml:2:9: this is not TOML; expected the ledger's format, found:"},
        {section_with("text = \"Twice.\"\n"), "trigger.toml:11:"},
        {"[!]\n", "trigger.toml:1:2: this is not TOML"}, // trips an assertion of toml++ 3.3
        {replaced(good, "holds", "\xff"),
         "trigger.toml:10:19: this is not ASCII; expected English text, found the byte 0xff"},
        {"", "trigger.toml:1:1: this file says nothing; expected documents or a section"},
        {section_with("minimum_toolkits = \"12.3\"\n"),
         "trigger.toml:11:1: unknown key in a statement; expected one of id, strength, basis, "
         "minimum_compute_capability, minimum_toolkit, sources, text, reading, reason, found minimum_toolkits"},
        {"colour = 1\n" + good, "trigger.toml:1:1: unknown key in a file; expected one of document, section, title, "
                                "statement, found colour"},
        {replaced(good, "section = \"griddepcontrol\"", "page = 1"),
         "trigger.toml:9:32: unknown key in a source; expected one of document, section, found page"},
        {"[[document]]\nkey = \"RT\"\ntitle = \"T\"\nurl = \"u\"\n",
         "trigger.toml:4:1: unknown key in a document; expected one of key, title, found url"},
        {replaced(good, id, ""), "trigger.toml:5:1: missing key in a statement; expected id = "},
        {replaced(good, "strength = \"guarantee\"\n", ""),
         "trigger.toml:5:1: missing key in a statement; expected strength = guarantee, permission, requirement, "
         "equivalence, definition or unspecified, found no such key"},
        {replaced(good, "basis = \"read\"\n", ""),
         "trigger.toml:5:1: missing key in a statement; expected basis = read, derived or inferred, found no such key"},
        {replaced(good, "text = \"Something holds.\"\n", ""),
         "trigger.toml:5:1: missing key in a statement; expected text = a sentence, found no such key"},
        {replaced(good, sources, ""),
         "trigger.toml:5:1: missing key in a statement; expected sources = an array of sources, found no such key"},
        {replaced(good, sources, "sources = []\n"),
         "trigger.toml:9:11: sources is empty; expected at least one source, found none"},
        {replaced(good, sources, "sources = \"PTX\"\n"),
         "trigger.toml:9:11: sources is not an array; expected an array of sources, found a string"},
        {replaced(good, sources, "sources = [\"PTX\"]\n"),
         "trigger.toml:9:12: sources holds something else; expected a table, found a string"},
        {replaced(good, ", section = \"griddepcontrol\"", ""),
         "trigger.toml:9:12: missing key in a source; expected section = a place in the document"},
        {replaced(good, "document = \"PTX\", ", ""),
         "trigger.toml:9:12: missing key in a source; expected document = the key of a document"},
        {replaced(good, "\"PTX\"", "\"PTZ\""),
         "trigger.toml:9:25: unknown document; expected the key of a [[document]], found PTZ"},
        {replaced(good, "title = \"Trigger\"\n", ""), "trigger.toml:1:1: missing key in a file; expected title = "},
        {replaced(good, "section = \"trigger\"\n", ""),
         "trigger.toml:4:1: missing key in a file; expected section beside statement, found no such key"},
        {"section = \"trigger\"\ntitle = \"T\"\n", "missing key in a file; expected statement = "},
        {"[[document]]\ntitle = \"T\"\n", "trigger.toml:1:1: missing key in a document; expected key = "},
        {"[[document]]\nkey = \"RT\"\n", "trigger.toml:1:1: missing key in a document; expected title = "},
        {"document = []\n", "trigger.toml:1:12: document is empty; expected at least one document"},
        {"title = \"T\"\n[[document]]\nkey = \"RT\"\ntitle = \"T\"\n",
         "trigger.toml:1:9: missing key in a file; expected section beside title, found no such key"},
        {replaced(good, "\"guarantee\"", "\"promise\""),
         "trigger.toml:7:12: unknown strength; expected guarantee, permission, requirement, equivalence, definition or "
         "unspecified, found promise"},
        {replaced(good, "\"read\"", "\"heard\""),
         "trigger.toml:8:9: unknown basis; expected read, derived or inferred, found heard"},
        {replaced(good, "\"read\"", "7"),
         "trigger.toml:8:9: basis is not a string; expected read, derived or inferred, "
         "found an integer"},
        {replaced(good, "\"Something holds.\"", "\" \""), "trigger.toml:10:8: text is empty; expected a sentence"},
        {replaced(good, "trigger.kickoff", "Trigger.kickoff"), "trigger.toml:6:6: malformed id; expected lower-case"},
        {replaced(good, "trigger.kickoff", "trigger"), "trigger.toml:6:6: malformed id"},
        {replaced(good, "trigger.kickoff", "trigger..kickoff"), "trigger.toml:6:6: malformed id"},
        {replaced(good, "trigger.kickoff", "trigger.kickoff-"), "trigger.toml:6:6: malformed id"},
        {replaced(good, "trigger.kickoff", ".kickoff"), "trigger.toml:6:6: malformed id"},
        {replaced(good, "section = \"trigger\"", "section = \"a section\""),
         "trigger.toml:2:11: malformed id of a section"},
        {section_with("\n[[statement]]\n" + id),
         "trigger.toml:13:6: duplicate id of a statement; expected one that is defined once, found trigger.kickoff, "
         "which is already defined at trigger.toml:5"},
        {"[[document]]\nkey = \"PTX\"\ntitle = \"Again\"\n", "trigger.toml:2:7: duplicate key of a document; expected "
                                                             "one that is defined once, found PTX, which is already "
                                                             "defined at documents.toml:1"},
        {section_with("reading = \"So.\"\n"),
         "trigger.toml:11:11: reading of a guarantee; expected a reading of an unspecified statement only"},
        {replaced(good, "\"guarantee\"", "\"unspecified\""),
         "trigger.toml:5:1: missing key in a statement; expected reading = "},
        {section_with("minimum_toolkit = 12.3\n"),
         "trigger.toml:11:19: minimum_toolkit is not a string; expected a toolkit version such as \"12.3\", found a "
         "number without quotes"},
    };
    for (const Bad& row : rows) {
        CAPTURE(row.text);
        const std::string error = error_of(row.text);
        CHECK_MESSAGE(error.find(row.error) != error.npos, "expected ", row.error, "\nfound ", error);
        CHECK(error.starts_with("trigger.toml:"));
    }
}

TEST_CASE("an id is unique over all files, and a section stands in one file") {
    const EmbeddedFile one = {"one.toml", section_with("")};
    const EmbeddedFile other_section = {"two.toml",
                                        replaced(section_with(""), "section = \"trigger\"", "section = \"wait\"")};
    const Result<Ledger> same_id = read_ledger(std::vector<EmbeddedFile>{documents, one, other_section});
    REQUIRE_FALSE(same_id);
    CHECK(same_id.error().message.starts_with("two.toml:6:6: duplicate id of a statement"));
    CHECK(same_id.error().message.ends_with("already defined at one.toml:5"));

    const EmbeddedFile other_id = {"two.toml", replaced(section_with(""), "trigger.kickoff", "trigger.other")};
    const Result<Ledger> same_section = read_ledger(std::vector<EmbeddedFile>{documents, one, other_id});
    REQUIRE_FALSE(same_section);
    CHECK(same_section.error().message.starts_with("two.toml:2:11: duplicate section"));
}

TEST_CASE("versions have one form") {
    const auto with = [](const std::string& key, const std::string& value) {
        return error_of(section_with(key + " = \"" + value + "\"\n"));
    };
    for (const char* good : {"12.3", "13.0", "11.8", "9.2", "12.10"})
        CHECK(with("minimum_toolkit", good) == "no error");
    for (const char* bad :
         {"12", "12.", ".3", "12.3.1", "v12.3", "12,3", "012.3", "0.1", "12.03", "12.3 beta", "123.0"}) {
        CHECK_MESSAGE(
            with("minimum_toolkit", bad).starts_with("trigger.toml:11:19: malformed minimum_toolkit; expected"), bad);
    }
    for (const char* good : {"9.0", "7.0", "12.1"})
        CHECK(with("minimum_compute_capability", good) == "no error");
    for (const char* bad : {"90", "9", "9.", "sm_90", "9.10", "0.9", "9.0a", "-9.0", "100.0"}) {
        CHECK_MESSAGE(with("minimum_compute_capability", bad)
                          .starts_with("trigger.toml:11:30: malformed minimum_compute_capability; expected"),
                      bad);
    }
}

TEST_CASE("names of strengths and bases are those of the files") {
    CHECK(name(Strength::guarantee) == "guarantee");
    CHECK(name(Strength::permission) == "permission");
    CHECK(name(Strength::requirement) == "requirement");
    CHECK(name(Strength::equivalence) == "equivalence");
    CHECK(name(Strength::definition) == "definition");
    CHECK(name(Strength::unspecified) == "unspecified");
    CHECK(name(Basis::read) == "read");
    CHECK(name(Basis::derived) == "derived");
    CHECK(name(Basis::inferred) == "inferred");
}

TEST_CASE("no bytes make the reader crash: it answers with a ledger or with an error that names a file and a line") {
    std::mt19937 random(20261129);
    const auto below = [&](std::size_t bound) {
        return std::uniform_int_distribution<std::size_t>(0, bound - 1)(random);
    };
    const std::string_view tokens[] = {"[",   "]",           "{",    "}",          "\"", "\"\"\"",  "'",
                                       "=",   ".",           ",",    "\n",         "\r", "#",       "\\",
                                       "\\u", "\\UFFFFFFFF", "inf",  "1979-05-27", "[[", "true",    "0x",
                                       "1e9", " ",           "\xff", "text",       "id", "reading", "sources"};
    const std::vector<EmbeddedFile> files = embedded_ledger_files();
    const EmbeddedFile& known_documents = files.front();
    std::vector<std::string> seeds = {section_with(""), "[[document]]\nkey = \"A\"\ntitle = \"B\"\n"};
    for (const EmbeddedFile& file : std::span(files).subspan(1)) {
        seeds.push_back(file.text.substr(0, file.text.rfind("\n[[statement]]", 2000)));
    }
    std::size_t accepted = 0;
    std::size_t refused = 0;
    for (int trial = 0; trial < 6000; ++trial) {
        std::string text = seeds[below(seeds.size())];
        for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
            const std::size_t at = below(text.size() + 1);
            switch (below(5)) {
            case 0:
                text.insert(at, tokens[below(std::size(tokens))]);
                break;
            case 1:
                text.erase(at, below(20));
                break;
            case 2:
                text.insert(at, 1, static_cast<char>(below(128)));
                break;
            case 3:
                text.insert(at, text.substr(below(text.size() + 1), below(80)));
                break;
            default:
                text.resize(at);
                break;
            }
        }
        const Result<Ledger> ledger = read_ledger(std::vector<EmbeddedFile>{known_documents, {"fuzz.toml", text}});
        if (ledger) {
            ++accepted;
            continue;
        }
        ++refused;
        const std::string& message = ledger.error().message;
        CAPTURE(text);
        REQUIRE(message.starts_with("fuzz.toml:"));
        REQUIRE(message.find_first_not_of("0123456789", 10) > 10);
    }
    // Both paths were really taken: a loop of nothing but early refusals would test little.
    CHECK(accepted > 100);
    CHECK(refused > 1000);
}
