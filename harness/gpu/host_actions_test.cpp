// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/host_actions.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("a host function reads and writes salted words of its trial's record, in order") {
    const auto litmus = parse_litmus(R"(memory m[1] = 0
host_memory h[2] = 5, raw[1] = 0
memset m, 1
memcpy raw, m
host f
    read h[1] -> before
    write h[1], 9
    read h[1] -> after
    write raw[0], 16843009
grid g <<<1, 1>>>
ends
)",
                                     "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    const auto layout = lay_out(*litmus);
    REQUIRE_MESSAGE(layout, layout.error().message);
    const Layout& program = layout->program;
    std::vector<std::uint32_t> record(program.host_words, 0);
    record[0] = 0x12345600;
    std::uint32_t* const h = record.data() + program.location("h").word;
    h[1] = 0x12345605;
    HostCall call = call_of(std::get<HostFunction>(litmus->program.operations[2]), program, record.data());
    perform_host_call(&call);
    CHECK(record[program.result("before").first_word] == 0x12345605);
    CHECK(record[program.result("after").first_word] == 0x12345609);
    CHECK(h[1] == 0x12345609);
    CHECK(h[0] == 0);
    CHECK(record[program.location("raw").word] == 0x01010101);
    record[0] = 0x22222200; // another trial at the same place, as a graph that is launched again has it
    perform_host_call(&call);
    CHECK(record[program.result("before").first_word] == 0x12345609);
    CHECK(h[1] == 0x22222209);
}
