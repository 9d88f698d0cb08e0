// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/emit_testing.hpp"

#include <sstream>

using namespace pdlcts;

namespace {

std::string emit_instructions(const std::string& instructions) {
    return emit_text("memory x = 0, y = 0, v[4] = 0, h[4]:u16 = 0, b[4]:u8 = 0\nhost_memory p = 0\n"
                     "grid g <<<1, 32>>>\n  thread 0:\n" +
                     instructions + "ends\n");
}

/// From the line that names a kernel to the brace that closes it.
std::string kernel(const std::string& source, const std::string& name) {
    const auto start =
        source.find(" " + name + "(const void* trial, word blocks_before, word starts_late, word measures)");
    REQUIRE(start != std::string::npos);
    const auto end = source.find("\n}", start);
    REQUIRE(end != std::string::npos);
    return source.substr(start, end - start);
}

constexpr const char* handshake = R"(memory  x = 0, started = 0
grid primary <<<1, 32>>>
  thread 0:
      trigger
      await started == 1 -> overlapped within 50us
      delay 500ns
      st.weak x, 1
grid secondary <<<1, 32>>> pss
  thread 0:
      st.relaxed.sys started, 1
-     wait
      ld.weak x -> seen
never   seen == 0
armed   overlapped == 1
)";

} // namespace

TEST_CASE("a kernel for each grid of program and control, which differ by the marked line") {
    const std::string source = emit_text(handshake);
    for (const char* name : {"program_primary", "program_secondary", "control_primary", "control_secondary"}) {
        CHECK(contains(source, "extern \"C\" __global__ void __launch_bounds__(32) " + std::string(name) +
                                   "(const void* trial, word blocks_before, word starts_late, word measures)"));
    }
    CHECK(contains(kernel(source, "program_secondary"), "griddepcontrol_wait();"));
    CHECK_FALSE(contains(kernel(source, "control_secondary"), "griddepcontrol_wait"));
    CHECK(contains(source, "// grid secondary <<<1, 32>>> pss\n"));
}

TEST_CASE("the litmus lines stand above what they became, in order") {
    const std::string source = emit_text(handshake);
    const std::string primary = kernel(source, "program_primary");
    std::size_t place = 0;
    for (const char* line :
         {"if (threadIdx.x == 0) {", "// trigger\n", "griddepcontrol_launch_dependents();",
          "// await started == 1 -> overlapped within 50us\n",
          "satisfied_0 = await_equal(location_started, salt + 1u, within_0, elapsed_0);", "// delay 500ns\n",
          "delay(time_1);", "// st.weak x, 1\n", "st_weak(location_x, salt + 1u);", "return;"}) {
        const auto found = primary.find(line, place);
        REQUIRE_MESSAGE(found != std::string::npos, line);
        place = found;
    }
}

TEST_CASE("a trial's record says how long polls, delays and starts take, each in the word that the layout gives it") {
    const Litmus litmus = *parse_litmus(handshake, "test.litmus");
    const std::vector<Timing> timings = lay_out(litmus)->program.timings;
    REQUIRE(timings.size() == 4);
    CHECK(timings[0].key == "primary: thread 0");
    CHECK(timings[1].key == "primary: thread 0: await started == 1 -> overlapped within 50us");
    CHECK(timings[2].key == "primary: thread 0: delay 500ns");
    CHECK(timings[3].key == "secondary: thread 0");
    CHECK(timings[1].nanoseconds == 50000);
    CHECK(timings[2].nanoseconds == 500);
    const std::string primary = kernel(emit_text(handshake), "program_primary");
    const auto at = [](std::size_t word) { return "ld_weak(record + " + std::to_string(4 * word) + ")"; };
    CHECK(contains(primary, "if (starts_late != 0) delay(" + at(timings[0].word) + ");"));
    CHECK(contains(primary, "const nanoseconds within_0 = " + at(timings[1].word) + ";"));
    CHECK(contains(primary, "const nanoseconds time_1 = " + at(timings[2].word) + ";"));
    // Behind everything else, and only where the trial measures.
    CHECK(primary.ends_with("if (measures != 0) note_latency(record + " + std::to_string(4 * timings[1].latency_word) +
                            ", satisfied_0, elapsed_0);\n        return;\n    }"));
}

TEST_CASE("two equal polls of an agent have words of their own, and blocks that are not the grid's exit at once") {
    const std::string source = emit_instructions("await x == 1 within 1us\nawait x == 1 within 1us\n");
    CHECK(contains(source, "within_0 = ld_weak(record + 8);"));
    CHECK(contains(source, "within_1 = ld_weak(record + 16);"));
    const std::string body = kernel(source, "program_g");
    const auto block = body.find("const word block = blockIdx.x - blocks_before;\n    if (block >= 1) return;\n");
    REQUIRE(block != std::string::npos);
    CHECK(block < body.find("record"));
}

TEST_CASE("memory instructions are PTX with the qualifiers of the program") {
    struct Expected {
        const char* instruction;
        const char* ptx;
    };
    const Expected expected[] = {
        {"ld.weak x -> r\n", "ld.weak.global.u32 %0, [%1];"},
        {"ld.weak.ca x -> r\n", "ld.weak.global.ca.u32 %0, [%1];"},
        {"ld.weak.cg x -> r\n", "ld.weak.global.cg.u32 %0, [%1];"},
        {"ld.weak.nc x -> r\n", "ld.global.nc.u32 %0, [%1];"},
        {"ld.relaxed.sys x -> r\n", "ld.relaxed.sys.global.u32 %0, [%1];"},
        {"ld.acquire.cta x -> r\n", "ld.acquire.cta.global.u32 %0, [%1];"},
        {"st.weak x, 1\n", "st.weak.global.u32 [%0], %1;"},
        {"st.release.gpu x, 1\n", "st.release.gpu.global.u32 [%0], %1;"},
        {"red.relaxed.gpu.add x, 1\n", "red.relaxed.gpu.global.add.u32 [%0], %1;"},
        {"red.release.sys.max x, 1\n", "red.release.sys.global.max.u32 [%0], %1;"},
        {"atom.acq_rel.gpu.add x, 1 -> r\n", "atom.acq_rel.gpu.global.add.u32 %0, [%1], %2;"},
        {"atom.acquire.cta.exch x, 1 -> r\n", "atom.acquire.cta.global.exch.b32 %0, [%1], %2;"},
        {"atom.relaxed.sys.min x, 1 -> r\n", "atom.relaxed.sys.global.min.u32 %0, [%1], %2;"},
        {"red.relaxed.gpu.and x, 1\n", "red.relaxed.gpu.global.and.b32 [%0], %1;"},
        {"red.release.cluster.or x, 1\n", "red.release.cluster.global.or.b32 [%0], %1;"},
        {"atom.relaxed.gpu.xor x, 1 -> r\n", "atom.relaxed.gpu.global.xor.b32 %0, [%1], %2;"},
        {"atom.acq_rel.cluster.cas x, 0, 1 -> r\n", "atom.acq_rel.cluster.global.cas.b32 %0, [%1], %2, %3;"},
        {"ld.weak.v2 v[2] -> {q, r}\n", "ld.weak.global.v2.u32 {%0, %1}, [%2];"},
        {"ld.weak.cg.v4 v[0] -> {o, p, q, r}\n", "ld.weak.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"},
        {"ld.weak.nc.v2 h[2] -> {q, r}\n", "ld.global.nc.v2.u16 {%0, %1}, [%2];"},
        {"ld.acquire.cluster b[3] -> r\n", "ld.acquire.cluster.global.u8 %0, [%1];"},
        {"st.weak.v4 b[0], {1, 2, 3, 4}\n", "st.weak.global.v4.u8 [%0], {%1, %2, %3, %4};"},
        {"st.relaxed.gpu.v2 v[0], {1, 2}\n", "st.relaxed.gpu.global.v2.u32 [%0], {%1, %2};"},
        {"fence.acq_rel.cluster\n", "\"fence.acq_rel.cluster;\""},
        {"fence.proxy.async\n", "\"fence.proxy.async;\""},
        {"barrier.cluster.arrive.release\nbarrier.cluster.wait.acquire\n", "\"barrier.cluster.arrive.release;\""},
        {"barrier.cluster.arrive.relaxed\nbarrier.cluster.wait.acquire\n", "\"barrier.cluster.wait.acquire;\""},
        {"bar.sync 3, 32\n", "\"barrier.sync 3, 32;\""},
        {"bar.arrive 15, 32\n", "\"barrier.arrive 15, 32;\""},
        {"fence.acq_rel.gpu\n", "\"fence.acq_rel.gpu;\""},
        {"fence.sc.sys\n", "\"fence.sc.sys;\""},
        {"bar.sync\n", "\"barrier.sync 0;\""},
        {"trigger\n", "\"griddepcontrol.launch_dependents;\""},
        {"wait\n", "\"griddepcontrol.wait;\""},
    };
    for (const Expected& each : expected) {
        CHECK_MESSAGE(contains(emit_instructions(each.instruction), each.ptx), each.instruction);
    }
}

TEST_CASE("nothing but PTX touches memory: no pointer is dereferenced, and no header is needed") {
    const std::string every_kind = "ld.acquire.gpu x -> a\nst.weak x, 1\nred.relaxed.gpu.add x, 1\n"
                                   "atom.relaxed.gpu.exch x, 1 -> b\nfence.sc.sys\nbar.sync\nld.weak.nc x -> c\n"
                                   "ld.weak.v2 v[0] -> {d, e}\nst.weak.v2 b[2], {1, 2}\nld.weak p -> f\n";
    std::istringstream lines(emit_text(handshake) + emit_instructions(every_kind));
    for (std::string line; std::getline(lines, line);) {
        const std::string code = line.substr(0, line.find("//"));
        CHECK_FALSE(contains(code, "#"));
        CHECK_FALSE(contains(code, "->"));
        // Brackets only inside PTX, stars only in the type of the argument: which no code can then dereference.
        if (!contains(code, "asm volatile")) {
            CHECK_FALSE(contains(code, "["));
            CHECK((!contains(code, "*") || contains(code, "const void*") || contains(code, "ull * ")));
        } else {
            CHECK((contains(code, "\"memory\"") || contains(code, "cvta.to.global")));
        }
    }
}

TEST_CASE("only the functions that are called are defined, and no value of a salt is compiled in") {
    const std::string source = emit_instructions("trigger\n");
    CHECK_FALSE(contains(source, "st_weak"));
    CHECK_FALSE(contains(source, "await_equal"));
    CHECK_FALSE(contains(source, "salt ="));
    CHECK(contains(emit_instructions("st.weak x, 1\n"), "const word salt = ld_weak(record);"));
}

TEST_CASE("the result of a load is stored behind the program, that of an await at once") {
    const std::string body = kernel(
        emit_instructions("await y == 1 -> first within 1us\nld.weak x -> second\nst.weak y, 1\nexit\n"), "program_g");
    const auto awaited = body.find("salt + satisfied_0");
    const auto load = body.find("result_second = ");
    const auto last = body.find("// st.weak y, 1");
    const auto stored = body.find(", result_second)");
    CHECK(awaited < load);
    CHECK(load < last);
    CHECK(last < stored);
    CHECK(stored != std::string::npos);
}

TEST_CASE("classes write a slot for each instance; lone threads leave before a barrier") {
    const std::string source = emit_text(R"(memory x = 0
grid g <<<8, 64>>>
  blocks 2..4 threads 1..2:
      bar.sync
      ld.weak x -> r
  blocks 5..7 thread 0:
      trigger
ends
)");
    const std::string body = kernel(source, "program_g");
    CHECK(contains(body, "if (block >= 2 && block <= 4 && threadIdx.x >= 1 && threadIdx.x <= 2) {"));
    CHECK(contains(body, "if (block >= 5 && threadIdx.x == 0) {"));
    CHECK(contains(body, "st_weak(record + 256 + 8ull * (block - 2) + 4ull * (threadIdx.x - 1), result_r);"));
    const auto leave = body.find("if (!((");
    CHECK(leave < body.find("barrier_sync()"));
    CHECK(leave != std::string::npos);
}

TEST_CASE("elements are addressed by their bytes, and host memory by a record of its own") {
    const std::string source =
        emit_instructions("st.weak v[3], 1\nst.weak h[3], 1\nld.weak b[2] -> r\nst.weak p, 1\nst.weak v[0], 1\n");
    CHECK(contains(
        source,
        "program_g(const void* trial, word blocks_before, word starts_late, word measures, const void* host_trial) {"));
    CHECK(contains(source, "const address host_record = global_address(host_trial);"));
    CHECK(contains(source, "const address location_p = host_record + 128;"));
    CHECK(contains(source, "const address location_v = record + 384;"));
    CHECK(contains(source, "st_weak(location_v + 12, salt + 1u);"));
    CHECK(contains(source, "st_weak(location_v, salt + 1u);"));
    // Of a value up to 1 a half has 15 bits of the block, and the salt has the block from bit 8 on.
    CHECK(contains(source, "st_weak_u16(location_h + 6, ((salt >> 7) + 1u & 65535u));"));
    CHECK(contains(source, "const word result_r = ld_weak_u8(location_b + 2);"));
    CHECK(contains(source, "st_weak(location_p, salt + 1u);"));
}

TEST_CASE("each lane of a vector has a variable of its own, and its result a slot") {
    const std::string source = emit_instructions("ld.weak.v2 v[2] -> {q, r}\nst.weak.v2 v[0], {1, 2}\n");
    CHECK(contains(source, "word result_q, result_r;"));
    CHECK(contains(source, "ld_weak_v2(location_v + 8, result_q, result_r);"));
    CHECK(contains(source, "st_weak_v2(location_v, salt + 1u, salt + 2u);"));
    CHECK(contains(source, ", result_q);"));
    CHECK(contains(source, ", result_r);"));
}

TEST_CASE("operands are salted where they are values, and leave the salt alone where they are not") {
    CHECK(contains(emit_instructions("atom.relaxed.gpu.cas x, 3, 4 -> r\n"), "(location_x, salt + 3u, salt + 4u)"));
    CHECK(contains(emit_instructions("red.relaxed.gpu.and x, 5\n"), "(location_x, 4294967045u)")); // 0xffffff05
    CHECK(contains(emit_instructions("red.relaxed.gpu.or x, 5\n"), "(location_x, 5u)"));
    CHECK(contains(emit_instructions("red.relaxed.gpu.xor x, 5\n"), "(location_x, 5u)"));
    CHECK(contains(emit_instructions("red.relaxed.gpu.max x, 5\n"), "(location_x, salt + 5u)"));
}

TEST_CASE("a grid without instructions is an empty kernel") {
    const std::string source = emit_text("grid g <<<1, 1>>>\nends\n");
    CHECK(kernel(source, "program_g") ==
          " program_g(const void* trial, word blocks_before, word starts_late, word measures) {");
}

TEST_CASE("a memset word is written as it is, where it is stored or awaited") {
    const std::string source = emit_text(R"(memory x = 0
memset x, 7
grid g <<<1, 1>>>
  thread 0:
      await x == 117901063 -> r within 1us
      st.weak x, 3
ends
)");
    CHECK(contains(source, "await_equal(location_x, 117901063u, within_0, elapsed_0)"));
    CHECK(contains(source, "st_weak(location_x, salt + 3u)"));
}

TEST_CASE("blocks may be instances where every grid has one: each with the record behind that of the one before") {
    const std::string memory = "memory x = 0\n";
    const std::string reader = "  thread 0:\n      ld.weak x -> seen\nnever seen == 1\n";
    const std::string one = emit_text(memory + "grid g <<<1, 32>>>\n" + reader);
    const auto layout = lay_out(*parse_litmus(memory + "grid g <<<1, 32>>>\n" + reader, "test.litmus"));
    CHECK(contains(one, "const bool instances = blocks_before == 0xffffffffu;"));
    CHECK(contains(one, "const word block = instances ? 0 : blockIdx.x - blocks_before;"));
    CHECK(contains(one,
                   "(trial) + (instances ? " + std::to_string(4 * layout->program.words) + "ull * blockIdx.x : 0);"));
    for (const char* other : {"grid g <<<2, 32>>>\n", "memset x, 1\ngrid g <<<1, 32>>>\n"}) {
        CAPTURE(other);
        const std::string text = emit_text(memory + other +
                                           (std::string(other).find("<<<2") != std::string::npos
                                                ? "  block 0 thread 0:\n      ld.weak x -> seen\n"
                                                  "never seen == 1\n"
                                                : reader));
        CHECK_FALSE(contains(text, "instances"));
    }
}
