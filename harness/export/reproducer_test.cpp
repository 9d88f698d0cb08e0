// SPDX-License-Identifier: Apache-2.0
#include "harness/export/reproducer.hpp"

#include "harness/export/reproducer_testing.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

Case user_case(const std::string& text, const std::string& name = "mine.litmus") {
    const Result<Case> read = read_user_case({name, text}, embedded_ledger());
    REQUIRE_MESSAGE(read, read.error().message);
    return *read;
}

std::string refusal(const Case& listed, Route route, bool control_alone = false) {
    const Result<std::string> text =
        reproducer(listed, embedded_ledger(), {.route = route, .control_alone = control_alone, .suite = "pdlcts"});
    REQUIRE(!text);
    return text.error().message;
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

} // namespace

TEST_CASE("a reproducer says what it is of, holds the suite's kernels, and ends in main") {
    const Case& listed = suite_case("visibility/post-trigger-writes");
    const std::string text = reproducer_of(listed, Route::stream);
    CHECK(contains(text, "visibility.after-wait.post-trigger-writes (guarantee, read)"));
    CHECK(contains(text, "Source: PTX ISA"));
    CHECK(contains(text, "//     -     wait"));
    CHECK(contains(text, "nvcc -arch=sm_90"));
    const auto layout = lay_out(listed.litmus);
    REQUIRE(layout);
    std::string kernels = emit(listed.litmus, *layout);
    kernels.erase(kernels.find_last_not_of('\n') + 1);
    CHECK(contains(text, kernels));
    CHECK(contains(text, "programmaticStreamSerializationAllowed = 1;"));
    // Program and control: the set of the machine's textbook answers for a handshake with and without its wait.
    CHECK(contains(text, "        \"overlapped=1 seen=1\",\n    },\n};"));
    CHECK(text.ends_with("}\n"));
}

TEST_CASE("an explicit graph has the plan's edges, with type and port") {
    const std::string text = reproducer_of(suite_case("visibility/post-trigger-writes"), Route::edges);
    CHECK(contains(text, "add_edge(made.graph, node_primary, node_secondary,\n             "
                         "cudaGraphDependencyTypeProgrammatic, cudaGraphKernelNodePortProgrammatic);"));
    CHECK(!contains(text, "cudaStreamBeginCapture"));
}

TEST_CASE("what was explored before gives the same text, and is looked up by its route") {
    const Case& listed = suite_case("graph-capture/pss-port");
    const std::string text = reproducer_of(listed, Route::captured);
    const Route routes[] = {Route::captured, Route::edges};
    std::vector<Check> known = check_routes(listed.litmus, routes);
    const auto reproduced = [&] {
        const ReproducerOptions options{.route = Route::captured, .suite = "pdlcts", .known = known};
        return *reproducer(listed, embedded_ledger(), options);
    };
    CHECK(reproduced() == text);
    known.pop_back();
    CHECK(reproduced() == text);
    known.front().program.outcomes = {{{{"no_such_register", {7}}}, {}}};
    CHECK(contains(reproduced(), "\"no_such_register=7\""));
    known.front().program.decided = false;
    CHECK(reproduced() == text);
}

TEST_CASE("an equivalence is reproduced by both of its forms") {
    const std::string text = reproducer_of(suite_case("graph-capture/pss-port"), Route::captured);
    CHECK(contains(text, "run_trials({&captured_program, &captured_control}"));
    CHECK(contains(text, "run_trials({&edges_program, &edges_control}"));
}

TEST_CASE("the control alone is a program of its own") {
    const Case& listed = suite_case("visibility/post-trigger-writes");
    const std::string text = reproducer_of(listed, Route::stream, true);
    CHECK(!contains(text, "griddepcontrol_wait();"));
    CHECK(!contains(text, "issue_control"));
    CHECK(contains(text, "CONTROL VIOLATED"));
}

TEST_CASE("where there is no reproducer, the reason is said") {
    CHECK(contains(refusal(suite_case("graph-capture/pss-port"), Route::stream), "makes no claim on route stream"));
    const Case without =
        user_case("memory x = 0\ngrid g <<<1, 1>>>\n  thread 0:\n      ld.weak x -> r\nnever r == 1\n");
    CHECK(contains(refusal(without, Route::stream, true), "has no control"));
    const Case host = user_case("host_memory h = 0\ngrid g <<<1, 1>>>\n  thread 0:\n      st.weak h, 1\nsync stream\n"
                                "read h -> r\nnever r == 0\n");
    CHECK(contains(refusal(host, Route::edges), "a graph is launched as a whole"));
    const Case peer =
        user_case("memory x = 0\ngrid g <<<1, 1>>> on s peer\n  thread 0:\n      ld.weak x -> r\nnever r == 1\n");
    CHECK(contains(refusal(peer, Route::stream), "grid g is on a second GPU"));
    CHECK(contains(refusal(suite_case("visibility/post-trigger-writes"), Route::cloned),
                   "export that one with --route captured"));
    CHECK(
        contains(refusal(suite_case("graph-exec/copy-of-a-graph-overlaps"), Route::child), "without a `routes` line"));
}

TEST_CASE("names and comments of a file cannot break out of the text") {
    const Case hostile = user_case("# A backslash at the end \\\n# */ \"quoted\" \\n\nmemory x = 0\ngrid g <<<1, 1>>>\n"
                                   "  thread 0:\n      ld.weak x -> r\nnever r == 1\n",
                                   "a\"\\\nint broken = ;.litmus");
    const std::string text = reproducer_of(hostile, Route::stream);
    CHECK(!contains(text, "\nint broken"));
    CHECK(!contains(text, "\\\n"));
    CHECK(contains(text, "\"a\\\"\\\\ int broken = ;\""));
}
