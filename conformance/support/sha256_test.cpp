// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/sha256.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace pdlcts;

// The examples of FIPS 180-4 and NIST's example values.
TEST_CASE("SHA-256 of published examples") {
    CHECK(sha256("") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    CHECK(sha256("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    CHECK(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq") ==
          "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    CHECK(sha256(std::string(1'000'000, 'a')) == "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

// Lengths around the end of a block, where the padding takes its other shape; checked against sha256sum.
TEST_CASE("SHA-256 at the block's edge") {
    CHECK(sha256(std::string(55, 'a')) == "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
    CHECK(sha256(std::string(56, 'a')) == "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
    CHECK(sha256(std::string(63, 'a')) == "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
    CHECK(sha256(std::string(64, 'a')) == "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
    CHECK(sha256(std::string(65, 'a')) == "635361c48bb9eab14198e76ea8ab7f1a41685d6ad62aa9146d301d4f17eb0ae0");
}

TEST_CASE("bytes that are not text count") {
    const std::string zero(1, '\0');
    const std::string high(1, '\xff');
    const std::set<std::string> digests = {sha256(""), sha256(zero), sha256(high), sha256(zero + zero)};
    CHECK(digests.size() == 4);
    CHECK(sha256(zero) == "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d");
}

TEST_CASE("the processor's instructions and plain arithmetic give the same digests") {
    std::string text;
    for (int i = 0; i < 300; ++i) {
        CHECK(sha256(text) == sha256_on_any_processor(text));
        text += static_cast<char>(i * 37);
    }
    CHECK(sha256_on_any_processor("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
