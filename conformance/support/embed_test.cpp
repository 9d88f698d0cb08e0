// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/embed.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("an embedding source spells out what a literal cannot hold") {
    const std::string text = std::string("a\"b\\c\n") + '\0' + "1\xc3\xa9";
    const std::string source = embedding_source(std::vector<EmbeddedFile>{{"cases/x.litmus", text}}, "files_of_test");
    CHECK(source.find("\"cases/x.litmus\"") != std::string::npos);
    CHECK(source.find("a\\\"b\\\\c\\n\"") != std::string::npos);
    CHECK(source.find("\\0001\\303\\251\", 10)") != std::string::npos);
}

TEST_CASE("a file that cannot be embedded is named") {
    const char* const absolute[] = {"/somewhere/x.litmus"};
    CHECK(read_embedded_files(absolute).error().message.find("the name is absolute") != std::string::npos);
    const char* const missing[] = {"no-such-folder/x.litmus"};
    CHECK(read_embedded_files(missing).error().message == "no-such-folder/x.litmus: cannot open the file");
    CHECK(!write_file("no-such-folder/x.cpp", "text"));
}
