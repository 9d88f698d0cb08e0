// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/notes.hpp"

#include "harness/catalogue/catalogue.hpp"
#include "harness/catalogue/native_case.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace pdlcts;

namespace {

std::string error_of(const std::string& text) {
    const auto read = read_notes({"notes.toml", text});
    return read ? "" : read.error().message;
}

const std::string sound = "[[note]]\ncase = \"a/b\"\nroutes = [\"stream\"]\ntext = \"\"\"\nOne\nparagraph.\"\"\"\n";

} // namespace

TEST_CASE("notes are read, and what is wrong in them is said") {
    const auto read = read_notes({"notes.toml", sound});
    REQUIRE(read);
    REQUIRE(read->size() == 1);
    CHECK(read->front().case_id == "a/b");
    CHECK(read->front().routes == std::vector<std::string>{"stream"});
    CHECK(read->front().text == "One paragraph.");

    CHECK(error_of("[[note]]\ncase = \"a/b\"\n") == "notes.toml:1: a note names its case and has a text");
    CHECK(error_of("[[note]]\ncase = \"a/b\"\nroutes = [\"road\"]\ntext = \"t\"\n") ==
          "notes.toml:1: unknown route 'road'");
    CHECK(error_of("[[note]]\nverdict = \"PASS\"\n").find("found 'verdict'") != std::string::npos);
    CHECK(error_of(sound + "[[note]]\ncase = \"a/b\"\ntext = \"t\"\n") ==
          "notes.toml:7: a second note for a cell of a/b");
    CHECK(error_of(sound + "[[note]]\ncase = \"a/b\"\nroutes = [\"edges\"]\ntext = \"t\"\n").empty());
    CHECK(error_of("[[note]\n").starts_with("notes.toml:1:"));
    CHECK(error_of("a = 1\n") == "notes.toml: expected tables [[note]], and nothing else");
}

TEST_CASE("the notes that are built in speak of cells that there are") {
    std::set<std::string> litmus;
    for (const Case& listed : embedded_cases()) {
        litmus.insert(listed.id);
    }
    std::set<std::string> native;
    for (const NativeCase& listed : embedded_native_cases()) {
        native.insert(listed.id);
    }
    CHECK(!embedded_notes().empty());
    for (const CaseNote& note : embedded_notes()) {
        CAPTURE(note.case_id);
        if (litmus.count(note.case_id) == 0) {
            CHECK(native.count(note.case_id) == 1);
            CHECK(note.routes.empty());
            CHECK(note_of(note.case_id, "native") == note.text);
        } else {
            for (const std::string& route : note.routes) {
                CHECK(note_of(note.case_id, route) == note.text);
            }
        }
    }
    CHECK(note_of("no/such-case", "stream").empty());
    CHECK(note_of("event-programmatic/dependent-waits", "edges").empty());
}
