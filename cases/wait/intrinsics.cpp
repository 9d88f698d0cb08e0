// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "conformance/support/sha256.hpp"
#include "harness/gpu/native_pair.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>

/// The intrinsics of the toolkit's header beside the instructions of PTX: the checks of trigger and wait.
namespace pdlcts {
namespace {

constexpr const char* trigger_call = "cudaTriggerProgrammaticLaunchCompletion();";
constexpr const char* wait_call = "cudaGridDependencySynchronize();";

std::string with_header(const std::string& source) {
    return "#include <cuda_device_runtime_api.h>\n" + source;
}

constexpr Target ptx{false, 90};

std::string ptx_of(const NativeDevice& device, const std::string& source) {
    return device.code(with_header(source), ptx, device.with_headers()).data();
}

/// With the header a compilation takes long.
void compile_ahead(const NativeDevice& device, std::vector<std::string> sources, const Target& target) {
    std::transform(sources.begin(), sources.end(), sources.begin(), with_header);
    device.compile_ahead(std::move(sources), target, device.with_headers());
}

int count_of(const std::string& text, std::string_view part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size())) {
        ++count;
    }
    return count;
}

/// A kernel that loads, executes the statement, loads again and stores: what stands on either side is part of the code.
std::string around(const std::string& statement) {
    return concat("extern \"C\" __global__ void around(unsigned* words) {\n    const unsigned before = words[0];\n    ",
                  statement, "\n    words[1] = before + words[0];\n}\n");
}

/// Two spellings make the same PTX, hence the same code; another instruction in their place does not.
void probe_spellings(const NativeDevice& device, Probes& probes, const std::string& call, const std::string& assembly,
                     const std::string& other) {
    compile_ahead(device, {around(assembly), around(call), around(other)}, ptx);
    const std::string expected = sha256(ptx_of(device, around(assembly)));
    probes.holds(concat("SHA-256 of the PTX with ", call, " and with ", assembly), {expected},
                 sha256(ptx_of(device, around(call))));
    probes.differs(concat("SHA-256 of the PTX with ", other), {expected}, sha256(ptx_of(device, around(other))));
}

std::string pair_with(const std::string& of_trigger, const std::string& of_wait) {
    return pair_source(concat(R"(
extern "C" __global__ void primary(u32* words) {
    )",
                              of_trigger, R"(
    const u32 seen = poll(words + started, 20000);
    pause(1000);
    store(words + data, 1);
    add(words + overlapped, seen);
}
extern "C" __global__ void secondary(u32* words) {
    raise(words + started);
    )",
                              of_wait, R"(
    add(words + old, load(words + data) == 0);
}
)"));
}

PairCounts run_pair(const NativeDevice& device, const std::string& source) {
    return NativePair(device, device.load(with_header(source), device.target(), device.with_headers()), std::nullopt)
        .run();
}

void trigger_spellings(const NativeDevice& device, Probes& probes) {
    probe_spellings(device, probes, trigger_call, R"(asm volatile("griddepcontrol.launch_dependents;");)", wait_call);
    const auto pair = [](const char* of_trigger) { return pair_with(of_trigger, wait_call); };
    compile_ahead(device, {pair("trigger();"), pair(trigger_call), pair("")}, device.target());
    const auto overlaps = [&](const char* of_trigger) {
        return run_pair(device, pair(of_trigger)).overlapped > 0 ? "overlap" : "serial";
    };
    const std::string enabled = overlaps("trigger();");
    probes.holds("a primary that triggers by the intrinsic, as by the instruction", {enabled}, overlaps(trigger_call));
    probes.differs("a primary that does not trigger", {enabled}, overlaps(""));
}

void wait_spellings(const NativeDevice& device, Probes& probes) {
    probe_spellings(device, probes, wait_call, R"(asm volatile("griddepcontrol.wait;" ::: "memory");)", trigger_call);
    const auto pair = [](const char* of_wait) { return pair_with("trigger();", of_wait); };
    compile_ahead(device, {pair("wait();"), pair(wait_call), pair("")}, device.target());
    const auto read = [&](const char* of_wait) { return run_pair(device, pair(of_wait)).values(); };
    const std::string behind = read("wait();");
    probes.holds("what is read behind the intrinsic, as behind the instruction", {behind}, read(wait_call));
    probes.differs("what is read without a wait", {behind}, read(""));
}

/// The assembly of an intrinsic, as the toolkit's header has it.
std::string assembly_of(const NativeDevice& device, std::string_view instruction) {
    const std::string option = device.with_headers().front();
    std::ifstream file(option.substr(option.find('=') + 1) + "/cuda_device_runtime_api.h");
    for (std::string line; std::getline(file, line);) {
        if (line.find(instruction) != std::string::npos && line.find("asm") != std::string::npos) {
            const std::size_t first = line.find_first_not_of(" \t");
            return line.substr(first, line.find_last_not_of(" \t\r") + 1 - first);
        }
    }
    throw NativeUnsupported("the toolkit's header does not spell the intrinsic as inline assembly");
}

std::string clobber_of(const NativeDevice& device, std::string_view instruction) {
    const std::string assembly = assembly_of(device, instruction);
    return concat(assembly.find("volatile") != std::string::npos ? "volatile, " : "not volatile, ",
                  assembly.find("\"memory\"") != std::string::npos ? "memory clobber" : "no memory clobber");
}

constexpr std::string_view trigger_instruction = "griddepcontrol.launch_dependents";
constexpr std::string_view wait_instruction = "griddepcontrol.wait";

void no_compiler_barrier(const NativeDevice& device, Probes& probes) {
    const std::vector<std::string> expected = {"volatile, no memory clobber"};
    probes.holds("the trigger in the toolkit's header", expected, clobber_of(device, trigger_instruction));
    probes.differs("the wait in the toolkit's header", expected, clobber_of(device, wait_instruction));
    const std::string code =
        ptx_of(device, concat("extern \"C\" __global__ void twice(unsigned* words) {\n    words[0] = 1;\n    ",
                              trigger_call, "\n    words[0] = 2;\n}\n"));
    probes.noted("stores in the PTX of a store, the trigger and a store to the same word",
                 std::to_string(count_of(code, "st.global")));
}

void compiler_barrier(const NativeDevice& device, Probes& probes) {
    constexpr const char* no_clobber = R"(asm volatile("griddepcontrol.wait;");)";
    constexpr const char* neither = R"(asm("griddepcontrol.wait;");)";
    compile_ahead(device, {around(wait_call), around(""), around(no_clobber), around(neither)}, ptx);
    const auto loads = [&](const std::string& statement) {
        return std::to_string(count_of(ptx_of(device, around(statement)), "ld.global"));
    };
    probes.holds("the wait in the toolkit's header", {"volatile, memory clobber"},
                 clobber_of(device, wait_instruction));
    const std::vector<std::string> kept = {"2"};
    probes.holds("loads in the PTX of a load, the wait and a load of the same word", kept, loads(wait_call));
    // Nothing stands in the way, so the two are one: a barrier is what keeps them apart.
    probes.differs("loads in the PTX of two loads of the same word with nothing in between", kept, loads(""));
    probes.differs("the trigger in the toolkit's header", {"volatile, memory clobber"},
                   clobber_of(device, trigger_instruction));
    probes.noted("loads in the PTX of a load, the wait without a clobber, and a load", loads(no_clobber));
    probes.noted("loads in the PTX of a load, the wait without volatile and clobber, and a load", loads(neither));
}

/// What this compiler does where the documents leave it the choice.
void compiler_order(const NativeDevice& device, Probes& probes) {
    struct Spelling {
        const char* name;
        const char* statement;
    };
    constexpr std::array<Spelling, 3> spellings{
        Spelling{"the trigger", trigger_call}, Spelling{"the wait", wait_call},
        Spelling{"the wait without a clobber", R"(asm volatile("griddepcontrol.wait;");)"}};
    constexpr std::array<const char*, 2> pointers{"unsigned*", "const unsigned* __restrict__"};
    const auto source = [](const Spelling& spelling, const char* pointer) {
        return concat("extern \"C\" __global__ void both(", pointer,
                      " x, unsigned* y) {\n    const unsigned before = x[0];\n", "    y[0] = before;\n    ",
                      spelling.statement, "\n    y[1] = x[0];\n    y[0] = 2;\n}\n");
    };
    std::vector<std::string> sources;
    for (const Spelling& spelling : spellings) {
        for (const char* const pointer : pointers) {
            sources.push_back(source(spelling, pointer));
        }
    }
    compile_ahead(device, std::move(sources), ptx);
    for (const Spelling& spelling : spellings) {
        for (const char* const pointer : pointers) {
            const std::string code = ptx_of(device, source(spelling, pointer));
            const std::size_t instruction = code.find("griddepcontrol");
            const std::string above = code.substr(0, instruction);
            const std::string below = code.substr(instruction);
            probes.noted(concat("PTX of a load and a store on either side of ", spelling.name, ", ", pointer),
                         concat(count_of(above, "ld.global"), " loads and ", count_of(above, "st.global"),
                                " stores above, ", count_of(below, "ld.global"), " loads and ",
                                count_of(below, "st.global"), " stores below"));
        }
    }
}

} // namespace

std::vector<NativeCheck> intrinsic_checks() {
    return {
        {"trigger/intrinsic-and-instruction", trigger_spellings}, {"trigger/no-compiler-barrier", no_compiler_barrier},
        {"wait/intrinsic-and-instruction", wait_spellings},       {"wait/compiler-barrier", compiler_barrier},
        {"ambiguities/compiler-order", compiler_order},
    };
}

} // namespace pdlcts
