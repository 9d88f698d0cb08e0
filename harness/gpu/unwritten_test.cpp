// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/unwritten.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

constexpr const char* text = R"(memory x = 0
host_memory h = 0
grid first <<<8, 64>>>
  blocks 2..5 threads 1..2:
      ld.weak x -> r
      ld.weak x -> s
  block 7 thread 0:
      ld.weak x -> t
grid second <<<1, 1>>> pss
  thread 0:
      ld.weak x -> u
sync stream
read h -> v
never u == 9
)";

} // namespace

TEST_CASE("what a trial has not written is told by grid and block, as far as it leaves a trace") {
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    const auto laid_out = lay_out(*litmus);
    REQUIRE(laid_out);
    const Layout& layout = laid_out->program;
    std::vector<std::uint32_t> device(layout.words);
    std::vector<std::uint32_t> host(layout.host_words);
    const TrialRecords records{device, host};
    const auto slot = [&](const char* name, std::size_t index) -> std::uint32_t& {
        const RegisterSlots& result = layout.result(name);
        return records.of(result.memory)[result.first_word + index];
    };
    prepare(records, layout, 0x100);
    CHECK(unwritten(records, layout) ==
          "first: blocks 2..5, 7 have not written r; second: block 0 has not written u; the host has not written v");
    // Block 2 got to its end, block 3 to s with one of its two threads, 4 nowhere, 5 to its end.
    for (const std::size_t written : {0, 1, 2, 3, 6, 7}) {
        slot("r", written) = 0x100;
    }
    for (const std::size_t written : {0, 1, 2, 6, 7}) {
        slot("s", written) = 0x100;
    }
    slot("t", 0) = 0x100;
    CHECK(unwritten(records, layout) ==
          "first: blocks 3, 4 have not written r; second: block 0 has not written u; the host has not written v");
    slot("r", 4) = slot("r", 5) = slot("s", 4) = slot("s", 5) = 0x100;
    slot("v", 0) = 0x100;
    CHECK(unwritten(records, layout) == "first: block 3 has not written s; second: block 0 has not written u");
    slot("s", 3) = slot("u", 0) = 0x100;
    CHECK(unwritten(records, layout).empty());
}
