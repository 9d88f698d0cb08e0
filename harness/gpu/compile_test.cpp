// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/compile.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/support/temporary_folder.hpp"
#include "harness/gpu/layout.hpp"
#include "harness/gpu/translation_unit.hpp"

#include <algorithm>
#include <atomic>
#include <doctest/doctest.h>
#include <mutex>
#include <set>

using namespace pdlcts;

namespace {

/// Cases that differ in the value that they store, some with a control.
std::vector<Litmus> cases(int count) {
    std::vector<Litmus> all;
    for (int value = 0; value < count; ++value) {
        const std::string line = "      st.weak x, " + std::to_string(1000 + value) + "\n";
        const auto litmus =
            parse_litmus("memory x = 0\ngrid writer <<<1, 32>>>\n  thread 0:\n" + (value % 2 == 0 ? line : "-" + line) +
                             "      ld.weak x -> seen\nnever seen == 1\n",
                         "test.litmus");
        REQUIRE_MESSAGE(litmus, litmus.error().message);
        all.push_back(*litmus);
    }
    return all;
}

std::vector<const Litmus*> pointers(const std::vector<Litmus>& all) {
    std::vector<const Litmus*> each;
    for (const Litmus& litmus : all) {
        each.push_back(&litmus);
    }
    return each;
}

/// A compiler whose code is the source, and that refuses a source which holds one of `refused`.
struct FakeCompiler {
    std::vector<std::string> refused;
    std::mutex mutex;
    std::multiset<std::string> compiled;

    UnitCompiler unit_compiler(std::string key = "fake 1") {
        return {[this](const std::string& source) -> Result<std::vector<char>> {
                    const std::lock_guard lock(mutex);
                    compiled.insert(source);
                    for (const std::string& text : refused) {
                        if (source.find(text) != std::string::npos) {
                            return Error{"refused " + text};
                        }
                    }
                    return std::vector<char>(source.begin(), source.end());
                },
                "fake image", std::move(key)};
    }
};

std::string_view code_of(const CompiledCase& compiled) {
    return {compiled.unit->code.data(), compiled.unit->code.size()};
}

std::size_t count(std::string_view text, std::string_view part) {
    std::size_t times = 0;
    for (std::size_t at = text.find(part); at != std::string_view::npos; at = text.find(part, at + 1)) {
        ++times;
    }
    return times;
}

} // namespace

TEST_CASE("cases go into few units of about equal size, whatever the machine is") {
    CHECK(cut_into_units(0).empty());
    CHECK(cut_into_units(1) == std::vector<UnitRange>{{0, 1}});
    CHECK(cut_into_units(8) == std::vector<UnitRange>{{0, 8}});
    CHECK(cut_into_units(9) == std::vector<UnitRange>{{0, 4}, {4, 5}});
    std::size_t covered = 0;
    for (const UnitRange& range : cut_into_units(301)) {
        CHECK(range.first == covered);
        CHECK((range.count == 7 || range.count == 8));
        covered += range.count;
    }
    CHECK(covered == 301);
}

TEST_CASE("each case's source is one piece of its unit, and its kernels are told apart by their prefix") {
    const std::vector<Litmus> all = cases(20);
    FakeCompiler compiler;
    const auto compiled = compile_cases(compiler.unit_compiler(), pointers(all));
    REQUIRE(compiled.size() == 20);
    CHECK(compiler.compiled.size() == 3);
    std::set<std::pair<const CompiledUnit*, std::string>> places;
    for (std::size_t index = 0; index < all.size(); ++index) {
        REQUIRE(compiled[index]);
        const CompiledCase& each = *compiled[index];
        CHECK(each.image == "fake image");
        CHECK(each.source.find(std::to_string(1000 + index)) != std::string::npos);
        CHECK(count(code_of(each), each.source) == 1);
        CHECK(count(code_of(each), "#define program_writer " + each.kernel_prefix + "program_writer\n") == 1);
        CHECK(count(code_of(each), "#define control_writer " + each.kernel_prefix + "control_writer\n") ==
              (all[index].control ? 1 : 0));
        CHECK_FALSE(each.unit->from_cache);
        places.insert({each.unit.get(), each.kernel_prefix});
    }
    CHECK(places.size() == 20);
}

TEST_CASE("a case alone is compiled as it is shown") {
    const std::vector<Litmus> all = cases(1);
    FakeCompiler compiler;
    const auto compiled = compile_cases(compiler.unit_compiler(), pointers(all));
    REQUIRE(compiled[0]);
    CHECK(code_of(*compiled[0]) == compiled[0]->source);
    CHECK(compiled[0]->kernel_prefix.empty());
}

TEST_CASE("what one case is refused for is its error alone, with its source") {
    const std::vector<Litmus> all = cases(40);
    FakeCompiler compiler;
    compiler.refused = {"1003", "1021"};
    const auto compiled = compile_cases(compiler.unit_compiler(), pointers(all));
    for (std::size_t index = 0; index < all.size(); ++index) {
        CAPTURE(index);
        if (index == 3 || index == 21) {
            REQUIRE_FALSE(compiled[index]);
            CHECK(compiled[index].error().message.starts_with("refused " + std::to_string(1000 + index) + "\n//"));
            CHECK(compiled[index].error().message.find("program_writer") != std::string::npos);
        } else {
            REQUIRE_MESSAGE(compiled[index], compiled[index].error().message);
            CHECK(count(code_of(*compiled[index]), compiled[index]->source) == 1);
        }
    }
}

TEST_CASE("a case that cannot be emitted has its own error, and its neighbours code") {
    std::vector<Litmus> all = cases(3);
    // A memset's pattern is no salted value.
    const auto unsalted = parse_litmus("memory x = 0\nmemset x, 255\ngrid g <<<1, 1>>>\n  thread 0:\n"
                                       "      atom.relaxed.gpu.max x, 1 -> r\nnever r == 1\n",
                                       "test.litmus");
    REQUIRE_MESSAGE(unsalted, unsalted.error().message);
    REQUIRE_FALSE(lay_out(*unsalted));
    all[1] = *unsalted;
    FakeCompiler compiler;
    const auto compiled = compile_cases(compiler.unit_compiler(), pointers(all));
    CHECK(compiled[0]);
    CHECK_FALSE(compiled[1]);
    CHECK(compiled[2]);
    CHECK(compiled[0]->unit == compiled[2]->unit);
}

TEST_CASE("what the cache has is not compiled again, and what was compiled otherwise is not taken from it") {
    const TemporaryFolder folder;
    const auto cache = open_code_cache(folder.path);
    REQUIRE(cache);
    const std::vector<Litmus> all = cases(20);
    FakeCompiler compiler;
    const auto fresh = compile_cases(compiler.unit_compiler(), pointers(all), {.cache = &*cache});
    CHECK(compiler.compiled.size() == 3);
    const auto again = compile_cases(compiler.unit_compiler(), pointers(all), {.cache = &*cache});
    CHECK(compiler.compiled.size() == 3);
    for (std::size_t index = 0; index < all.size(); ++index) {
        REQUIRE(again[index]);
        CHECK(again[index]->unit->from_cache);
        CHECK(again[index]->unit->code == fresh[index]->unit->code);
        CHECK(again[index]->source == fresh[index]->source);
        CHECK(again[index]->kernel_prefix == fresh[index]->kernel_prefix);
    }
    const auto other = compile_cases(compiler.unit_compiler("fake 2"), pointers(all), {.cache = &*cache});
    CHECK(compiler.compiled.size() == 6);
    CHECK_FALSE(other[0]->unit->from_cache);
}

TEST_CASE("a refusal is not kept") {
    const TemporaryFolder folder;
    const auto cache = open_code_cache(folder.path);
    REQUIRE(cache);
    const std::vector<Litmus> all = cases(1);
    FakeCompiler compiler;
    compiler.refused = {"1000"};
    CHECK_FALSE(compile_cases(compiler.unit_compiler(), pointers(all), {.cache = &*cache})[0]);
    compiler.refused.clear();
    CHECK(compile_cases(compiler.unit_compiler(), pointers(all), {.cache = &*cache})[0]);
    CHECK(compiler.compiled.size() == 2);
}

TEST_CASE("the images that take pictures are others, and each says which it is") {
    const std::vector<Litmus> all = cases(9);
    FakeCompiler compiler;
    const auto counted = compile_cases(compiler.unit_compiler(), pointers(all));
    const auto stamped =
        compile_cases(compiler.unit_compiler(), pointers(all), {.stamps = true, .beside_trials = true});
    for (std::size_t index = 0; index < all.size(); ++index) {
        REQUIRE(counted[index]);
        CHECK_FALSE(counted[index]->stamped);
        REQUIRE_MESSAGE(stamped[index], stamped[index].error().message);
        CHECK(stamped[index]->stamped);
        CHECK(stamped[index]->source != counted[index]->source);
        CHECK(stamped[index]->source.find("control_writer") == std::string::npos);
    }
}

TEST_CASE("what is not begun when a stop is asked for is not compiled, and says so") {
    const std::vector<Litmus> all = cases(40);
    FakeCompiler compiler;
    std::stop_source source;
    UnitCompiler stopping = compiler.unit_compiler();
    stopping.compile = [&, compile = stopping.compile](const std::string& text) {
        source.request_stop();
        return compile(text);
    };
    const auto compiled = compile_cases(stopping, pointers(all), {.beside_trials = true, .stop = source.get_token()});
    REQUIRE(compiled.size() == all.size());
    std::size_t done = 0;
    for (const Result<CompiledCase>& each : compiled) {
        if (each) {
            ++done;
        } else {
            CHECK(each.error().message.find("the run ended before") != std::string::npos);
        }
    }
    // Each thread may have begun a unit.
    CHECK(done >= 8);
    const auto none = compile_cases(compiler.unit_compiler(), pointers(all), {.stop = source.get_token()});
    CHECK(std::none_of(none.begin(), none.end(), [](const auto& each) { return static_cast<bool>(each); }));
}
