// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/wait.h>
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

struct Run {
    int status = -1;
    std::string errors;
};

Run embed(const Folder& folder, const std::string& arguments) {
    const std::string command = "cd '" + folder.path.string() + "' && '" PDLCTS_EMBED_LEDGER "' " + arguments + " 2>&1";
    FILE* pipe = popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    Run run;
    std::array<char, 256> buffer;
    while (const std::size_t count = fread(buffer.data(), 1, buffer.size(), pipe)) {
        run.errors.append(buffer.data(), count);
    }
    const int status = pclose(pipe);
    run.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return run;
}

} // namespace

TEST_CASE("a good ledger becomes a source") {
    const Folder folder;
    folder.write("documents.toml", "[[document]]\nkey = \"A\"\ntitle = 'a \"b\" \\ \tc'\n");
    const Run run = embed(folder, "out.cpp documents.toml");
    CHECK(run.status == 0);
    CHECK(run.errors.empty());
    const std::string source = folder.read("out.cpp");
    CHECK(source.find("\"documents.toml\"") != source.npos);
    CHECK(source.find(R"(a \"b\" \\ \011c)") != source.npos);
    CHECK(source.find(folder.path.string()) == source.npos);
}

TEST_CASE("a bad ledger stops the build: the tool names file and line, fails and writes nothing") {
    const Folder folder;
    folder.write("bad.toml", "[[document]]\nkey = \"A\"\ntitel = \"B\"\n");
    const Run run = embed(folder, "out.cpp bad.toml");
    CHECK(run.status == 1);
    CHECK(run.errors.starts_with("bad.toml:3:1: unknown key in a document"));
    CHECK_FALSE(folder.has("out.cpp"));
}

TEST_CASE("the tool refuses what it cannot read, cannot write or must not embed") {
    const Folder folder;
    folder.write("documents.toml", "[[document]]\nkey = \"A\"\ntitle = \"B\"\n");
    CHECK(embed(folder, "").errors.starts_with("usage:"));
    CHECK(embed(folder, "out.cpp").status == 1);
    CHECK(embed(folder, "out.cpp missing.toml").errors.starts_with("missing.toml: cannot open"));
    const Run absolute = embed(folder, "out.cpp '" + (folder.path / "documents.toml").string() + "'");
    CHECK(absolute.status == 1);
    CHECK(absolute.errors.find("absolute") != std::string::npos);
    const Run unwritable = embed(folder, "no/such/folder/out.cpp documents.toml");
    CHECK(unwritable.status == 1);
    CHECK(unwritable.errors.find("cannot write") != std::string::npos);
    CHECK_FALSE(folder.has("out.cpp"));
}
