// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/protocol.hpp"

#include "harness/judge/example_cells.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

TEST_CASE("what is asked and what is said is read as it was written") {
    RunSetup setup;
    setup.on = "fault:none";
    setup.seed = ~std::uint64_t{0};
    setup.quick = setup.one_gpu_as_two = setup.compile_first = true;
    setup.image = ImageChoice::ptx;
    setup.poison = "a>b";
    CellJob job{3, Route::captured, 17, 2, 500};
    for (const Ask& ask : {Ask(AskList{}), Ask(AskOpen{1, setup, {{"a/b", ""}, {"own", "grid g <<<1, 1>>>\n"}}}),
                           Ask(AskCompile{}), Ask(AskCell{9, job, false}), Ask(AskCell{9, job, true}),
                           Ask(AskNative{9, "a/b", false}), Ask(AskNative{9, "hang", true}), Ask(AskLook{})}) {
        const std::string line = write_ask(ask);
        CHECK(line.find('\n') == std::string::npos);
        const Result<Ask> read = read_ask(line);
        REQUIRE_MESSAGE(read, read.error().message);
        CHECK(*read == ask);
    }
    Results head;
    head.environment.gpu = "NVIDIA H200\nwith a line break";
    NativeCell native;
    native.case_id = "a/b";
    for (const Say& say :
         {Say(SayGpus{{0, 2}}), Say(SayUnavailable{{GpuProblem::no_nvrtc, "why"}}), Say(SayHello{1, head}),
          Say(SayCompiled{{0.5, 3, 2}}), Say(SayAbout{9, "a \"batch\""}), Say(SayAbout{9, "another", true}),
          Say(SayCell{9, true, examples::never_cell(), false}), Say(SayCell{9, false, Cell{}, true}),
          Say(SayNative{9, false, native}), Say(SaySeen{head})}) {
        const std::string line = write_say(say);
        CHECK(line.find('\n') == std::string::npos);
        const Result<Say> read = read_say(line);
        REQUIRE_MESSAGE(read, read.error().message);
        CHECK(*read == say);
        // No part of a line is a line.
        for (std::size_t length = 0; length < line.size(); length += 1 + line.size() / 50) {
            CHECK_FALSE(read_say(line.substr(0, length)));
        }
    }
    for (const char* line :
         {"", "{}", "[]", "null", R"({"say":"hello"})", R"({"say":"dance"})", R"({"say":"about","job":1,"what":""})",
          R"({"say":"about","job":-1,"what":"","compiling":false})",
          R"({"say":"about","job":1,"what":"","compiling":false,"more":1})",
          R"({"say":"unavailable","problem":"weather","message":""})"}) {
        CHECK_FALSE(read_say(line));
        CHECK_FALSE(read_ask(line));
    }
}
