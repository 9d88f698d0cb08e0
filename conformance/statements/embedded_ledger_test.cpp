// SPDX-License-Identifier: Apache-2.0
#include "conformance/statements/ledger.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>

using namespace pdlcts;

namespace {

std::vector<const Statement*> all_statements() {
    std::vector<const Statement*> statements;
    for (const Section& section : embedded_ledger().sections) {
        for (const Statement& statement : section.statements) {
            statements.push_back(&statement);
        }
    }
    return statements;
}

std::size_t words(std::string_view text) {
    return 1 + static_cast<std::size_t>(std::ranges::count(text, ' '));
}

} // namespace

TEST_CASE("the embedded files are those of the repository, byte for byte") {
    for (const EmbeddedFile& file : embedded_ledger_files()) {
        CAPTURE(file.name);
        CHECK(file.name.starts_with("conformance/statements/"));
        std::ifstream stream(std::string(PDLCTS_SOURCE_DIR "/") + file.name, std::ios::binary);
        REQUIRE(stream);
        CHECK(std::string(std::istreambuf_iterator<char>(stream), {}) == file.text);
    }
}

// The numbers are those of the inventory of the specification, plus ambiguities A1..A25.
TEST_CASE("the ledger holds every statement of the inventory") {
    std::map<Strength, int> strengths;
    std::map<Basis, int> bases;
    for (const Statement* statement : all_statements()) {
        ++strengths[statement->strength];
        if (statement->strength != Strength::unspecified) {
            ++bases[statement->basis];
        }
    }
    CHECK(all_statements().size() == 189 + 25);
    CHECK(strengths[Strength::guarantee] == 63);
    CHECK(strengths[Strength::requirement] == 46);
    CHECK(strengths[Strength::definition] == 40);
    CHECK(strengths[Strength::permission] == 27);
    CHECK(strengths[Strength::equivalence] == 13);
    CHECK(strengths[Strength::unspecified] == 25);
    // Three statements that are partly read and partly derived count as derived.
    CHECK(bases[Basis::read] == 153);
    CHECK(bases[Basis::derived] == 29);
    CHECK(bases[Basis::inferred] == 7);
}

TEST_CASE("the sections are those of the specification, in its order") {
    std::vector<std::pair<std::string, std::size_t>> sections;
    for (const Section& section : embedded_ledger().sections) {
        sections.emplace_back(section.id, section.statements.size());
    }
    const std::vector<std::pair<std::string, std::size_t>> expected = {
        {"model", 12},
        {"availability", 7},
        {"attribute", 16},
        {"trigger", 20},
        {"wait", 15},
        {"visibility", 15},
        {"stream", 7},
        {"event-programmatic", 13},
        {"event-launch-completion", 10},
        {"graph-edge", 23},
        {"graph-capture", 16},
        {"graph-query", 13},
        {"graph-exec", 7},
        {"device-update", 5},
        {"toolchain", 10},
        {"ambiguities", 25},
    };
    CHECK(sections == expected);
}

TEST_CASE("every statement has a sentence of its own and a source") {
    std::set<std::string> texts;
    for (const Statement* statement : all_statements()) {
        CAPTURE(statement->id);
        CHECK(words(statement->text) >= 8);
        CHECK(words(statement->text) <= 60);
        CHECK(statement->text.ends_with('.'));
        CHECK_MESSAGE(statement->text.find(". ") == std::string::npos, "more than one sentence");
        CHECK(texts.insert(statement->text).second);
        CHECK_FALSE(statement->sources.empty());
        for (const Source& source : statement->sources)
            CHECK(source.section.size() >= 3);
        CHECK(statement->line > 1);
        CHECK(find_statement(embedded_ledger(), statement->id) == statement);
        CHECK(section_of(embedded_ledger(), statement->id) != nullptr);
        const bool ambiguous = statement->strength == Strength::unspecified;
        CHECK((words(statement->reading) >= 15) == ambiguous);
        CHECK(statement->id.starts_with("ambiguity.") == ambiguous);
    }
}

TEST_CASE("the ambiguities are A1 to A25") {
    const Section& section = embedded_ledger().sections.back();
    REQUIRE(section.id == "ambiguities");
    for (std::size_t i = 0; i < section.statements.size(); ++i) {
        const std::string number = std::to_string(i + 1);
        const std::string prefix = "ambiguity.a" + std::string(2 - number.size(), '0') + number + "-";
        CHECK(section.statements[i].id.starts_with(prefix));
    }
}

TEST_CASE("every document has a title and is cited") {
    std::set<std::string> cited;
    for (const Statement* statement : all_statements()) {
        for (const Source& source : statement->sources) {
            cited.insert(source.document);
        }
    }
    for (const Document& document : embedded_ledger().documents) {
        CAPTURE(document.key);
        CHECK(document.title.size() > document.key.size());
        CHECK(cited.contains(document.key));
    }
}

TEST_CASE("statements that decide verdicts stand in the ledger as the documents have them") {
    struct Row {
        const char* id;
        Strength strength;
        Basis basis;
        int compute_capability;
        const char* toolkit;
    };
    const Row rows[] = {
        {"model.default-serialization", Strength::guarantee, Basis::read, 0, ""},
        {"avail.toolkit-floor", Strength::definition, Basis::derived, 0, "11.8"},
        {"trigger.kickoff-requires-all-blocks", Strength::guarantee, Basis::read, 90, ""},
        {"trigger.no-dependent-is-harmless", Strength::guarantee, Basis::inferred, 90, ""},
        {"wait.blocks-until-completion", Strength::guarantee, Basis::read, 90, ""},
        {"wait.intransitive-if-middle-skips", Strength::permission, Basis::derived, 90, ""},
        {"visibility.after-wait.post-trigger-writes", Strength::guarantee, Basis::read, 90, ""},
        {"visibility.nc-loads-excluded", Strength::definition, Basis::read, 70, ""},
        {"visibility.gpu-fence-cross-domain-insufficient", Strength::permission, Basis::read, 90, "12.0"},
        {"stream.copy-completes-before-pss-kernel", Strength::guarantee, Basis::read, 0, ""},
        {"stream.graph-launch-ordered", Strength::guarantee, Basis::derived, 0, "10.0"},
        {"event.lc.not-visible-to-wait", Strength::definition, Basis::read, 90, ""},
        {"graph.edge.upstream-visible-to-wait", Strength::guarantee, Basis::read, 90, "12.3"},
        {"graph.capture.pss-port", Strength::equivalence, Basis::read, 0, "12.3"},
        {"graph.query.get-edges-lossy", Strength::guarantee, Basis::read, 0, "12.3"},
        {"devupdate.set-param.fence-before-trigger", Strength::requirement, Basis::read, 90, "12.4"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.id);
        const Statement* statement = find_statement(embedded_ledger(), row.id);
        REQUIRE(statement != nullptr);
        CHECK(statement->strength == row.strength);
        CHECK(statement->basis == row.basis);
        CHECK(statement->minimum_compute_capability == row.compute_capability);
        CHECK(statement->minimum_toolkit == row.toolkit);
    }
}
