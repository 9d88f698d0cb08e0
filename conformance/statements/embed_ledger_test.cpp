// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/shell.hpp"

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <unistd.h>

namespace {

/// An empty folder that is removed at the end.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("pdlcts-embed-ledger-" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    void write(const char* name, const char* text) const { std::ofstream(path / name) << text; }
    bool has(const char* name) const { return std::filesystem::exists(path / name); }
    std::string read(const char* name) const {
        std::ifstream stream(path / name);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
};

pdlcts::Ran embed(const Folder& folder, const std::string& arguments) {
    return pdlcts::shell("cd '" + folder.path.string() + "' && '" PDLCTS_EMBED_LEDGER "' " + arguments);
}

} // namespace

TEST_CASE("a good ledger becomes a source") {
    const Folder folder;
    folder.write("documents.toml", "[[document]]\nkey = \"A\"\ntitle = 'a \"b\" \\ \tc'\n");
    const pdlcts::Ran run = embed(folder, "out.cpp documents.toml");
    CHECK(run.code == 0);
    CHECK(run.output.empty());
    const std::string source = folder.read("out.cpp");
    CHECK(source.find("\"documents.toml\"") != source.npos);
    CHECK(source.find(R"(a \"b\" \\ \011c)") != source.npos);
    CHECK(source.find(folder.path.string()) == source.npos);
}

TEST_CASE("a bad ledger stops the build: the tool names file and line, fails and writes nothing") {
    const Folder folder;
    folder.write("bad.toml", "[[document]]\nkey = \"A\"\ntitel = \"B\"\n");
    const pdlcts::Ran run = embed(folder, "out.cpp bad.toml");
    CHECK(run.code == 1);
    CHECK(run.output.starts_with("bad.toml:3:1: unknown key in a document"));
    CHECK_FALSE(folder.has("out.cpp"));
}

TEST_CASE("the tool refuses what it cannot read, cannot write or must not embed") {
    const Folder folder;
    folder.write("documents.toml", "[[document]]\nkey = \"A\"\ntitle = \"B\"\n");
    CHECK(embed(folder, "").output.starts_with("usage:"));
    CHECK(embed(folder, "out.cpp").code == 1);
    CHECK(embed(folder, "out.cpp missing.toml").output.starts_with("missing.toml: cannot open"));
    const pdlcts::Ran absolute = embed(folder, "out.cpp '" + (folder.path / "documents.toml").string() + "'");
    CHECK(absolute.code == 1);
    CHECK(absolute.output.find("absolute") != std::string::npos);
    const pdlcts::Ran unwritable = embed(folder, "no/such/folder/out.cpp documents.toml");
    CHECK(unwritable.code == 1);
    CHECK(unwritable.output.find("cannot write") != std::string::npos);
    CHECK_FALSE(folder.has("out.cpp"));
}
