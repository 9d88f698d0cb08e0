// SPDX-License-Identifier: Apache-2.0
// Which compiler is used, what it compiles for, and that the cache changes nothing of what it makes.
#include "conformance/litmus/parser.hpp"
#include "conformance/support/temporary_folder.hpp"
#include "harness/gpu/native_code.hpp"
#include "harness/gpu/nvrtc.hpp"

#include <algorithm>
#include <cstdlib>
#include <dlfcn.h>
#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

/// A compiler that knows these architectures; one that knows none says so, or refuses to answer.
std::vector<int>& fake_architectures() {
    static std::vector<int> known;
    return known;
}

Nvrtc fake_nvrtc(std::vector<int> known) {
    fake_architectures() = std::move(known);
    Nvrtc nvrtc;
    nvrtc.version = [](int* major, int* minor) {
        *major = 12;
        *minor = 4;
        return 0;
    };
    nvrtc.supported_archs_count = [](int* count) {
        *count = static_cast<int>(fake_architectures().size());
        return 0;
    };
    nvrtc.supported_archs = [](int* archs) {
        std::copy(fake_architectures().begin(), fake_architectures().end(), archs);
        return 0;
    };
    nvrtc.create_program = [](NvrtcProgram**, const char*, const char*, int, const char* const*, const char* const*) {
        return 1;
    };
    nvrtc.error_string = [](int) { return "NVRTC_ERROR_OUT_OF_MEMORY"; };
    return nvrtc;
}

/// PDLCTS_NVRTC for as long as a test asks for it.
struct NamedNvrtc {
    explicit NamedNvrtc(const std::string& value) { ::setenv("PDLCTS_NVRTC", value.c_str(), 1); }
    NamedNvrtc(const NamedNvrtc&) = delete;
    NamedNvrtc& operator=(const NamedNvrtc&) = delete;
    ~NamedNvrtc() { before ? ::setenv("PDLCTS_NVRTC", before->c_str(), 1) : ::unsetenv("PDLCTS_NVRTC"); }

private:
    static std::optional<std::string> now() {
        const char* value = std::getenv("PDLCTS_NVRTC");
        return value == nullptr ? std::nullopt : std::optional<std::string>(value);
    }
    std::optional<std::string> before = now();
};

bool is_one_line(const Error& error) {
    return !error.message.empty() && error.message.find('\n') == std::string::npos;
}

} // namespace

TEST_CASE("a GPU newer than the compiler gets PTX of the newest architecture that both know, or what was asked for") {
    const Nvrtc older = fake_nvrtc({50, 70, 80, 86, 89, 90});
    CHECK(image_name(*target_for(older, 90)) == "sass sm_90");
    CHECK(image_name(*target_for(older, 120)) == "ptx compute_90");
    CHECK(image_name(*target_for(older, 120, ImageChoice::ptx)) == "ptx compute_90");
    CHECK(image_name(*target_for(older, 90, ImageChoice::ptx)) == "ptx compute_90");
    const auto refused = target_for(older, 120, ImageChoice::sass);
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message ==
          "NVRTC 12.4 does not compile SASS for a GPU of compute capability 12.0; use a newer NVRTC, or --image ptx");
    const Nvrtc newer = fake_nvrtc({75, 90, 100, 103, 120});
    CHECK(image_name(*target_for(newer, 100)) == "sass sm_100");
    CHECK(image_name(*target_for(newer, 101)) == "ptx compute_100");
    CHECK(image_name(*target_for(newer, 100, ImageChoice::ptx)) == "ptx compute_90");
}

TEST_CASE("a compiler that knows no architecture with PDL, or none at all, is one clear line") {
    for (const std::vector<int>& known : {std::vector<int>{}, {50, 80, 89}, {100, 120}}) {
        const auto target = target_for(fake_nvrtc(known), 90);
        REQUIRE_FALSE(target);
        CHECK(is_one_line(target.error()));
        CHECK(target.error().message.find("9.0") != std::string::npos);
    }
    const auto failed = compile_source(fake_nvrtc({90}), "", {true, 90});
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message == "NVRTC: NVRTC_ERROR_OUT_OF_MEMORY");
}

TEST_CASE("an NVRTC that is named is the one that is used: a file, or a folder; and no other in its place") {
    const TemporaryFolder folder;
    for (const std::string& named : {folder.path + "/absent.so", folder.path}) {
        const NamedNvrtc variable(named);
        const auto none = load_nvrtc(13000);
        REQUIRE_FALSE(none);
        CHECK(is_one_line(none.error()));
        CHECK(none.error().message.starts_with("PDLCTS_NVRTC is " + named + ","));
    }
    const NamedNvrtc variable("libm.so.6");
    const auto other = load_nvrtc(13000);
    REQUIRE_FALSE(other);
    CHECK(other.error().message ==
          "the NVRTC that was found lacks functions of version 12; install NVRTC 12.4 or newer");
}

TEST_CASE("an NVRTC whose folder is named compiles, though nothing else leads to its folder") {
    const auto usual = load_nvrtc(0);
    if (!usual) {
        MESSAGE("skipped: no NVRTC: " << usual.error().message);
        return;
    }
    Dl_info found{};
    REQUIRE(dladdr(reinterpret_cast<void*>(usual->version), &found) != 0);
    const NamedNvrtc variable(std::filesystem::canonical(found.dli_fname).parent_path().native());
    const auto named = load_nvrtc(0);
    REQUIRE_MESSAGE(named, named.error().message);
    CHECK(version_of(*named) == version_of(*usual));
    CHECK(compile_source(*named, "extern \"C\" __global__ void f() {}", {true, 90}));
}

TEST_CASE("what native checks share is what the compiler makes of the same source, target and options") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    NativeCode code;
    const std::string source = "extern \"C\" __global__ void f(int* x) { *x = VALUE; }";
    const std::vector<std::string> one{"-DVALUE=1"};
    const std::vector<std::string> two{"-DVALUE=2"};
    for (int time = 0; time < 2; ++time) {
        for (const auto& options : {one, two}) {
            for (const Target& target : {Target{true, 90}, Target{false, 90}}) {
                const auto shared = code.compile(*nvrtc, source, target, options);
                REQUIRE(shared);
                CHECK(*shared == *compile_source(*nvrtc, source, target, options));
            }
        }
        const auto failed = code.compile(*nvrtc, source, {true, 90});
        REQUIRE_FALSE(failed);
        CHECK(failed.error().message.find("VALUE") != std::string::npos);
    }
    // Only what is remembered takes no compiler.
    CHECK(code.compile(fake_nvrtc({90}), source, {true, 90}, one));
    CHECK_FALSE(code.compile(fake_nvrtc({90}), source, {true, 90}));
}

TEST_CASE("code from the cache is what the compiler makes, byte by byte, and belongs to one target") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    const TemporaryFolder folder;
    const auto cache = open_code_cache(folder.path);
    REQUIRE(cache);
    const auto litmus =
        parse_litmus("memory x = 0\ngrid g <<<1, 1>>>\n  thread 0:\n-     wait\n      ld.weak x -> r\nnever r == 1\n",
                     "test.litmus");
    REQUIRE(litmus);
    for (const Target& target : {Target{true, 90}, Target{false, 90}}) {
        const UnitCompiler compiler = unit_compiler(*nvrtc, target);
        const auto first = compile_cases(compiler, {&*litmus}, {.cache = &*cache});
        const auto second = compile_cases(compiler, {&*litmus}, {.cache = &*cache});
        REQUIRE(first[0]);
        REQUIRE(second[0]);
        CHECK_FALSE(first[0]->unit->from_cache);
        CHECK(second[0]->unit->from_cache);
        CHECK(second[0]->image == image_name(target));
        const auto fresh = compile_source(*nvrtc, second[0]->source, target);
        REQUIRE(fresh);
        CHECK(second[0]->unit->code == *fresh);
    }
    CHECK(unit_compiler(*nvrtc, {true, 90}).key.find("nvrtc " + version_of(*nvrtc)) == 0);
    CHECK_FALSE(nvrtc->file_identity.empty());
}
