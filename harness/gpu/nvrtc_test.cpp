// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/nvrtc.hpp"

#include "harness/gpu/background_load.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"
#include "conformance/litmus/random_litmus.hpp"
#include "conformance/support/counted.hpp"
#include "harness/gpu/constructs.hpp"
#include "harness/gpu/emit.hpp"
#include "harness/gpu/stamps.hpp"
#include "harness/gpu/translation_unit.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <elf.h>
#include <map>
#include <set>
#include <string_view>

using namespace pdlcts;

namespace {

constexpr const char* fences = "fence.acq_rel.cta\nfence.acq_rel.cluster\nfence.acq_rel.gpu\nfence.acq_rel.sys\n"
                               "fence.sc.cta\nfence.sc.cluster\nfence.sc.gpu\nfence.sc.sys\nfence.proxy.async\n";
constexpr const char* control = "trigger\nwait\nbar.sync\ndelay 500ns\ndelay 1000ms\n"
                                "await x == 1 -> r within 50us\nawait x == 2 within 1000ms\nexit\n";

constexpr const char* scopes[] = {"cta", "cluster", "gpu", "sys"};

/// The atomics of a location of one kind of memory.
std::string atomics(const std::string& location, const std::string& prefix) {
    std::string text;
    for (const char* scope : scopes) {
        for (const char* ordering : {"relaxed", "release"}) {
            for (const char* operation : {"add", "min", "max", "and", "or", "xor"}) {
                text += std::string("red.") + ordering + "." + scope + "." + operation + " " + location + ", 1\n";
            }
        }
        for (const char* ordering : {"relaxed", "acquire", "release", "acq_rel"}) {
            for (const char* operation : {"add", "exch", "min", "max", "and", "or", "xor", "cas"}) {
                text += std::string("atom.") + ordering + "." + scope + "." + operation + " " + location +
                        (operation == std::string("cas") ? ", 0, 1" : ", 1") + " -> " + prefix +
                        std::to_string(text.size()) + "\n";
            }
        }
    }
    return text;
}

/// Every load and store of a location, in every width that it may have; `cached` where it takes cache operators.
std::string accesses(const std::string& location, const std::string& prefix, bool cached) {
    std::string text;
    std::vector<std::string> loads{"ld.weak"};
    std::vector<std::string> stores{"st.weak"};
    if (cached) {
        loads.insert(loads.end(), {"ld.weak.ca", "ld.weak.cg", "ld.weak.nc"});
    }
    for (const std::string scope : scopes) {
        loads.insert(loads.end(), {"ld.relaxed." + scope, "ld.acquire." + scope});
        stores.insert(stores.end(), {"st.relaxed." + scope, "st.release." + scope});
    }
    const auto result = [&] { return prefix + std::to_string(text.size()); };
    for (const std::string& load : loads) {
        text += load + " " + location + "[3] -> " + result() + "\n";
        text += load + ".v2 " + location + "[2] -> {" + result() + "a, " + result() + "b}\n";
        text += load + ".v4 " + location + "[0] -> {" + result() + "a, " + result() + "b, " + result() + "c, " +
                result() + "d}\n";
    }
    for (const std::string& store : stores) {
        text += store + " " + location + "[1], 1\n" + store + ".v2 " + location + "[2], {0, 1}\n" + store + ".v4 " +
                location + "[0], {0, 1, 1, 0}\n";
    }
    return text + "await " + location + "[2] == 1 -> " + result() + " within 1us\n";
}

/// A program in which every access of the language is made of global, host and shared memory.
std::string every_access() {
    std::string text = "memory x = 0, w[4] = 0, h[4]:u16 = 0, b[4]:u8 = 0\nhost_memory p = 0, q[4] = 0\n"
                       "grid g <<<2, 32>>> cluster 2\n  shared s = 0, sw[4] = 0, sh[4]:u16 = 0, sb[4]:u8 = 0\n"
                       "  thread 0:\n";
    for (const char* location : {"w", "h", "b"}) {
        text += accesses(location, std::string("g") + location, true);
    }
    for (const char* location : {"q", "sw", "sh", "sb"}) {
        text += accesses(location, std::string("o") + location, false);
    }
    return text + atomics("x", "ax") + atomics("p", "ap") + atomics("s", "as") + "ends\n";
}

/// The same of another block's shared memory.
std::string every_remote_access() {
    std::string text = "grid g <<<2, 32>>> cluster 2\n  shared s = 0, w = 0, h:u16 = 0, b:u8 = 0\n  thread 0:\n";
    for (const std::string scope : scopes) {
        for (const std::string location : {"w", "h", "b"}) {
            const std::string result = location + scope;
            text += "ld.relaxed." + scope + " " + location + "@1 -> r" + result + "\nld.acquire." + scope + " " +
                    location + "@1 -> a" + result + "\nst.relaxed." + scope + " " + location + "@1, 1\nst.release." +
                    scope + " " + location + "@1, 1\n";
        }
    }
    return text + "ld.weak b@1 -> lb\nst.weak h@1, 1\n" + atomics("s@1", "as") +
           "barrier.cluster.arrive.release\nbarrier.cluster.wait.acquire\nends\n";
}

/// Barriers, mbarriers of every scope, and bulk copies of every kind.
std::string every_synchronization() {
    std::string text = "memory x[4] = 0, y[8]:u16 = 0, z[16]:u8 = 0\ngrid g <<<2, 64>>> cluster 2\n"
                       "  shared sx[4] = 0, sy[8]:u16 = 0, sz[16]:u8 = 0\n  mbarrier m = 1, n = 1048575\n"
                       "  thread 0:\n";
    for (const std::string scope : {"cta", "cluster"}) {
        text += "mbarrier.arrive.release." + scope + " m\nmbarrier.arrive.expect_tx.release." + scope +
                " m, 1048575\nmbarrier.wait.acquire." + scope + " m, 0 -> r" + scope +
                " within 1us\nmbarrier.wait.acquire." + scope + " n, 1 within 1us\n";
    }
    text += "mbarrier.arrive.release.cluster m@1\nmbarrier.arrive.expect_tx.release.cluster m@1, 16\n";
    for (const std::string name : {"x", "y", "z"}) {
        text += "cp.async.bulk.shared.global s" + name + ", " + name + ", m\nmbarrier.wait.acquire.cta m, 1 -> d" +
                name + " within 1us\nfence.proxy.async\ncp.async.bulk.global.shared " + name + ", s" + name +
                "\ncp.async.bulk.commit_group\n";
    }
    return text + "cp.async.bulk.wait_group.read 2\ncp.async.bulk.wait_group 1\ncp.async.bulk.wait_group.read 0\n"
                  "cp.async.bulk.wait_group 0\nbar.sync 1, 64\nbar.arrive 15, 64\n"
                  "barrier.cluster.arrive.release\nbarrier.cluster.wait.acquire\nbarrier.cluster.arrive.relaxed\n"
                  "barrier.cluster.wait.acquire\n  thread 63:\nbar.sync 1, 64\nbar.sync 15, 64\n"
                  "barrier.cluster.arrive.release\nbarrier.cluster.wait.acquire\nbarrier.cluster.arrive.relaxed\n"
                  "barrier.cluster.wait.acquire\nends\n";
}

std::string in_one_thread(const std::string& instructions) {
    return "memory x = 0\ngrid g <<<1, 32>>>\n  thread 0:\n" + instructions + "ends\n";
}

// Names that C++ keeps for itself, or that an emitted source uses.
constexpr const char* awkward_names = R"(memory int = 0, trial = 0, salt = 0
host_memory host_trial = 0
grid return <<<1, 1>>>
  shared  word = 0, element[8] = 0, address = 0, window = 1
  mbarrier asm = 1
  thread 0:
      ld.weak host_trial -> host_record
      ld.weak int -> asm
      ld.weak trial -> word
      ld.weak salt -> salt
      ld.weak.v2 element[2] -> {int, lane0}
      mbarrier.wait.acquire.cta asm, 0 within 1us
ends
)";

// All shapes of ranges.
constexpr const char* classes = R"(memory x = 0
grid g <<<8, 64>>>
  blocks 1..3 threads 0..31:
      ld.weak x -> a
      bar.sync
  blocks 4..7 threads 0..63:
      ld.weak x -> b
  block 0 thread 5:
      ld.weak x -> c
ends
)";

constexpr const char* awaited_memset = R"(memory x = 0
memset x, 255
grid g <<<1, 1>>>
  thread 0:
      await x == 4294967295 -> r within 1us
ends
)";

constexpr const char* two_streams = R"(memory x = 0
stream s, t
grid a <<<1, 1>>> on s
  thread 0:
      st.weak x, 1
- grid b <<<1, 1>>> on t pss
+ grid b <<<1, 1>>> on s pss
  thread 0:
      ld.weak x -> r
sometimes r == 0
)";

std::vector<std::string> programs() {
    return {
        in_one_thread(fences),
        in_one_thread(control),
        every_access(),
        every_remote_access(),
        every_synchronization(),
        awkward_names,
        classes,
        "grid empty <<<65535, 1024>>>\nends\n",
        awaited_memset,
        two_streams,
    };
}

/// The machine code of each kernel of a cubin: the sections `.text.NAME` of the ELF file.
std::map<std::string, std::string> kernels_of(const std::vector<char>& cubin) {
    const auto read = [&](std::size_t at, auto value) {
        REQUIRE(at + sizeof value <= cubin.size());
        std::memcpy(&value, cubin.data() + at, sizeof value);
        return value;
    };
    const auto header = read(0, Elf64_Ehdr{});
    const auto section = [&](std::size_t index) {
        return read(header.e_shoff + index * header.e_shentsize, Elf64_Shdr{});
    };
    const Elf64_Shdr names = section(header.e_shstrndx);
    std::map<std::string, std::string> kernels;
    for (std::size_t index = 0; index < header.e_shnum; ++index) {
        const Elf64_Shdr each = section(index);
        const std::string name = cubin.data() + names.sh_offset + each.sh_name;
        if (name.starts_with(".text.")) {
            kernels[name.substr(6)] = std::string(cubin.data() + each.sh_offset, each.sh_size);
        }
    }
    REQUIRE_FALSE(kernels.empty());
    return kernels;
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

TEST_CASE("NVRTC compiles every program that the device tests run") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    const std::vector<Construct> all = constructs();
    CHECK(all.size() >= 20);
    for (const Construct& construct : all) {
        const auto sass = compile_source(*nvrtc, source_of(construct.text), {true, 90});
        CHECK_MESSAGE(sass, construct.name << ": " << sass.error().message);
    }
}

TEST_CASE("NVRTC compiles the kernel that runs beside trials") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    for (const bool sass : {true, false}) {
        const auto code = compile_source(*nvrtc, background_source(), {sass, 90});
        REQUIRE_MESSAGE(code, code.error().message);
        CHECK(std::string_view(code->data(), code->size()).find("background") != std::string_view::npos);
    }
}

TEST_CASE("NVRTC compiles random programs of the language") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    std::mt19937 random(20261130);
    int compiled = 0;
    for (int program = 0; program < 250; ++program) {
        const Litmus litmus = random_litmus(random);
        const auto layout = lay_out(litmus);
        if (!layout) { // values that leave no room for a salt, or a memset under a comparison
            CHECK_FALSE(layout.error().message.empty());
            continue;
        }
        const std::string source = emit(litmus, *layout);
        const auto sass = compile_source(*nvrtc, source, {true, 90});
        CHECK_MESSAGE(sass, print(litmus) << sass.error().message << source);
        ++compiled;
    }
    CHECK(compiled > 20);
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

TEST_CASE("the compiler keeps the stamps of a program in their order") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    const auto litmus = parse_litmus(in_one_thread("st.weak x, 1\nwait\nld.weak x -> b\ntrigger\n"), "test.litmus");
    REQUIRE(litmus);
    const auto code = compile_source(*nvrtc, emit(*litmus, *lay_out_stamped(*litmus)), {false, 90});
    REQUIRE(code);
    const std::string_view ptx(code->data(), code->size());
    std::size_t place = ptx.find("program_g(");
    for (const char* next :
         {"%globaltimer", "st.weak.global.u32", "%globaltimer", "griddepcontrol.wait;", "%globaltimer",
          "ld.weak.global.u32", "%globaltimer", "griddepcontrol.launch_dependents;", "st.weak.global.u32",
          "%globaltimer", "%smid", "st.weak.global.u32", "st.weak.global.u64", "ret;"}) {
        place = ptx.find(next, place + 1);
        REQUIRE_MESSAGE(place != std::string_view::npos, next);
    }
}

TEST_CASE("a kernel's code is the same, byte by byte, alone and among other cases, and compiled again") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    std::vector<Litmus> cases;
    for (const Construct& construct : constructs()) {
        const auto litmus = parse_litmus(construct.text, construct.name);
        REQUIRE(litmus);
        cases.push_back(*litmus);
    }
    std::vector<const Litmus*> all;
    for (const Litmus& litmus : cases) {
        all.push_back(&litmus);
    }
    const UnitCompiler compiler = unit_compiler(*nvrtc, {true, 90});
    const auto together = compile_cases(compiler, all);
    const auto with_stamps = compile_cases(compiler, all, {.stamps = true, .beside_trials = true});
    std::size_t kernels = 0;
    std::size_t stamped_kernels = 0;
    std::set<const CompiledUnit*> units;
    for (std::size_t index = 0; index < all.size(); ++index) {
        REQUIRE_MESSAGE(together[index], together[index].error().message);
        units.insert(together[index]->unit.get());
        CHECK_FALSE(together[index]->stamped);
        const Result<CompiledCase>& stamped = with_stamps[index];
        const std::string why = stamped ? "" : stamped.error().message;
        const bool is_expected =
            why.find("two GPUs") != std::string::npos || why.find("nothing to stamp") != std::string::npos;
        CHECK_MESSAGE((static_cast<bool>(stamped) != is_expected), why);
        CHECK((!stamped || stamped->stamped));
        stamped_kernels += stamped ? kernels_of(stamped->unit->code).size() : 0;
        const auto alone = compile_source(*nvrtc, together[index]->source, {true, 90});
        REQUIRE(alone);
        const auto in_unit = kernels_of(together[index]->unit->code);
        for (const auto& [name, code] : kernels_of(*alone)) {
            const auto found = in_unit.find(together[index]->kernel_prefix + name);
            REQUIRE_MESSAGE(found != in_unit.end(), name);
            CHECK_MESSAGE(found->second == code, name);
            ++kernels;
        }
    }
    CHECK(units.size() < all.size() / 4);
    CHECK(kernels > all.size());
    CHECK(stamped_kernels > all.size() / 2);
    counted("kernels compiled alone and in a unit: ", kernels, ", 0 disagreements");
}

TEST_CASE("spelled with intrinsics a program is the same code, byte by byte") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    if (const auto options = intrinsic_options(*nvrtc); !options) {
        MESSAGE("skipped: " << options.error().message);
        return;
    }
    std::vector<Litmus> cases;
    for (const Construct& construct : constructs()) {
        cases.push_back(*parse_litmus(construct.text, construct.name));
    }
    std::vector<const Litmus*> all;
    for (const Litmus& litmus : cases) {
        all.push_back(&litmus);
    }
    const auto by_ptx = compile_cases(unit_compiler(*nvrtc, {true, 90}), all);
    const UnitCompiler intrinsic = unit_compiler(*nvrtc, {true, 90, Spelling::intrinsics});
    const auto by_intrinsics = compile_cases(intrinsic, all);
    CHECK(intrinsic.key != unit_compiler(*nvrtc, {true, 90}).key);
    std::size_t waits = 0;
    std::size_t triggers = 0;
    for (std::size_t index = 0; index < all.size(); ++index) {
        REQUIRE_MESSAGE(by_intrinsics[index], by_intrinsics[index].error().message);
        const std::string& source = by_intrinsics[index]->source;
        waits += source.find("cudaGridDependencySynchronize") != std::string::npos ? 1 : 0;
        triggers += source.find("cudaTriggerProgrammaticLaunchCompletion") != std::string::npos ? 1 : 0;
        CHECK(source.find("griddepcontrol") == std::string::npos);
        CHECK(by_intrinsics[index]->image == "sass sm_90, intrinsics");
        // trigger.ptx-equivalent, wait.ptx-equivalent
        CHECK(kernels_of(by_intrinsics[index]->unit->code) == kernels_of(by_ptx[index]->unit->code));
    }
    CHECK(waits > 0);
    CHECK(triggers > 0);
}

TEST_CASE("an error names the case and its own line, also in a unit") {
    const auto nvrtc = load_nvrtc(0);
    if (!nvrtc) {
        MESSAGE("skipped: no NVRTC: " << nvrtc.error().message);
        return;
    }
    const std::vector<UnitPart> parts{{"extern \"C\" __global__ void f() {}", {"f"}},
                                      {"\nextern \"C\" __global__ void f() { undeclared(); }", {"f"}}};
    const auto failed = compile_source(*nvrtc, join(parts), {true, 90});
    REQUIRE_FALSE(failed);
    CHECK(failed.error().message.find("case_1.cu(2)") != std::string::npos);
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
    const auto intrinsic = target_for(*nvrtc, 90, ImageChoice::intrinsic);
    REQUIRE(intrinsic);
    CHECK(image_name(*intrinsic) == "sass sm_90, intrinsics");
    CHECK(spelling_of(image_name(*intrinsic)) == Spelling::intrinsics);
    CHECK(spelling_of(image_name(*hopper)) == Spelling::ptx);
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
