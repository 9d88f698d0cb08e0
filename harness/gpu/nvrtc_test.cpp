// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/nvrtc.hpp"

#include "conformance/litmus/parser.hpp"
#include "harness/gpu/emit.hpp"

#include <doctest/doctest.h>
#include <string_view>

using namespace pdlcts;

namespace {

constexpr const char* loads = "ld.weak x -> a\nld.weak.ca x -> b\nld.weak.cg x -> c\nld.weak.nc x -> d\n"
                              "ld.relaxed.cta x -> e\nld.relaxed.gpu x -> f\nld.relaxed.sys x -> g\n"
                              "ld.acquire.cta x -> h\nld.acquire.gpu x -> i\nld.acquire.sys x -> j\n";
constexpr const char* stores = "st.weak x, 1\nst.relaxed.cta x, 1\nst.relaxed.gpu x, 1\nst.relaxed.sys x, 1\n"
                               "st.release.cta x, 1\nst.release.gpu x, 1\nst.release.sys x, 1\n";
constexpr const char* fences = "fence.acq_rel.cta\nfence.acq_rel.gpu\nfence.acq_rel.sys\n"
                               "fence.sc.cta\nfence.sc.gpu\nfence.sc.sys\n";
constexpr const char* control = "trigger\nwait\nbar.sync\ndelay 500ns\ndelay 1000ms\n"
                                "await x == 1 -> r within 50us\nawait x == 2 within 1000ms\nexit\n";

std::string reductions() {
    std::string text;
    for (const char* ordering : {"relaxed", "release"}) {
        for (const char* scope : {"cta", "gpu", "sys"}) {
            for (const char* operation : {"add", "min", "max"}) {
                text += std::string("red.") + ordering + "." + scope + "." + operation + " x, 1\n";
            }
        }
    }
    return text;
}

std::string atomics() {
    std::string text;
    int results = 0;
    for (const char* ordering : {"relaxed", "acquire", "release", "acq_rel"}) {
        for (const char* scope : {"cta", "gpu", "sys"}) {
            for (const char* operation : {"add", "exch", "min", "max"}) {
                text += std::string("atom.") + ordering + "." + scope + "." + operation + " x, 1 -> r" +
                        std::to_string(results++) + "\n";
            }
        }
    }
    return text;
}

std::string in_one_thread(const std::string& instructions) {
    return "memory x = 0\ngrid g <<<1, 32>>>\n  thread 0:\n" + instructions + "ends\n";
}

std::vector<std::string> programs() {
    return {
        in_one_thread(loads),
        in_one_thread(stores),
        in_one_thread(fences),
        in_one_thread(control),
        in_one_thread(reductions()),
        in_one_thread(atomics()),
        // Names that C++ keeps for itself.
        "memory int = 0, trial = 0, salt = 0\ngrid return <<<1, 1>>>\n  thread 0:\n"
        "      ld.weak int -> asm\n      ld.weak trial -> word\n      ld.weak salt -> salt\nends\n",
        // Classes, all shapes of ranges.
        "memory x = 0\ngrid g <<<8, 64>>>\n  blocks 1..3 threads 0..31:\n      ld.weak x -> a\n      bar.sync\n"
        "  blocks 4..7 threads 0..63:\n      ld.weak x -> b\n  block 0 thread 5:\n      ld.weak x -> c\nends\n",
        "grid empty <<<65535, 1024>>>\nends\n",
        "memory x = 0\nmemset x, 255\ngrid g <<<1, 1>>>\n  thread 0:\n      await x == 4294967295 -> r within "
        "1us\nends\n",
        "memory x = 0\nstream s, t\ngrid a <<<1, 1>>> on s\n  thread 0:\n      st.weak x, 1\n"
        "- grid b <<<1, 1>>> on t pss\n+ grid b <<<1, 1>>> on s pss\n  thread 0:\n      ld.weak x -> r\n"
        "sometimes r == 0\n",
    };
}

std::string source_of(const std::string& text) {
    const auto litmus = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    const auto layout = lay_out(*litmus);
    REQUIRE_MESSAGE(layout, layout.error().message);
    return emit(*litmus, *layout);
}

} // namespace

TEST_CASE("NVRTC compiles every instruction of the language, without headers, to SASS and to PTX") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    for (const std::string& text : programs()) {
        const std::string source = source_of(text);
        const auto sass = compile_source(*nvrtc, source, {true, 90});
        REQUIRE_MESSAGE(sass, sass.error().message << source);
        CHECK(std::string_view(sass->data(), sass->size())
                  .starts_with("\x7f"
                               "ELF"));
        const auto ptx = compile_source(*nvrtc, source, {false, 90});
        REQUIRE_MESSAGE(ptx, ptx.error().message << source);
        CHECK(ptx->back() == '\0');
        CHECK(std::string_view(ptx->data(), ptx->size()).find(".target sm_90") != std::string_view::npos);
    }
}

TEST_CASE("the compiler keeps the PTX of a program in its order") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    const auto code = compile_source(
        *nvrtc, source_of(in_one_thread("ld.weak x -> a\nwait\nld.weak x -> b\nst.weak x, 1\ntrigger\nst.weak x, 2\n")),
        {false, 90});
    REQUIRE(code);
    const std::string_view ptx(code->data(), code->size());
    std::size_t place = ptx.find("program_g(");
    for (const char* next : {"ld.weak.global.u32", "ld.weak.global.u32", "griddepcontrol.wait;", "ld.weak.global.u32",
                             "st.weak.global.u32", "griddepcontrol.launch_dependents;", "st.weak.global.u32"}) {
        place = ptx.find(next, place + 1);
        REQUIRE_MESSAGE(place != std::string_view::npos, next);
    }
}

TEST_CASE("the image is SASS where NVRTC knows the GPU, else PTX that the GPU can compile") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    const auto hopper = target_for(*nvrtc, 90);
    REQUIRE(hopper);
    CHECK(image_name(*hopper) == "sass sm_90");
    const auto unknown = target_for(*nvrtc, 99);
    REQUIRE(unknown);
    CHECK(image_name(*unknown) == "ptx compute_90");
    CHECK_FALSE(target_for(*nvrtc, 10));
}

TEST_CASE("an error of the compiler carries its log") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    const auto failed = compile_source(*nvrtc, "__global__ void f() { undeclared(); }", {true, 90});
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message.find("undeclared") != std::string::npos);
    CHECK(failed.error().message.find("case.cu(1)") != std::string::npos);
}
