// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/litmus_testing.hpp"

using namespace pdlcts;
using namespace pdlcts::testing;

namespace {

/// Line 8 holds the instruction, of a single thread in a block.
std::string with_instruction(const std::string& line) {
    return "memory x = 0, v[8] = 0, u[4] = 0, b[16]:u8 = 0, w:u16 = 0\n"
           "host_memory h = 0, hv[2] = 0\n"
           "grid a <<<4, 64>>> cluster 2\n"
           "shared tile[4] = 0, s = 0\n"
           "shared sb[8]:u8 = 0\n"
           "mbarrier full = 1\n"
           "thread 0:\n      " +
           line + "\nends\n";
}

/// The same, with a cluster barrier behind it, so that it may reach into another block.
std::string before_cluster_barrier(const std::string& line) {
    return with_instruction(line + "\nbarrier.cluster.arrive.release\nbarrier.cluster.wait.acquire");
}

Instruction instruction(const std::string& line) {
    const std::string text =
        line.find('@') == std::string::npos ? with_instruction(line) : before_cluster_barrier(line);
    const Program program = parsed(text);
    return std::get<Grid>(program.operations.front()).agents.front().instructions.front();
}

} // namespace

TEST_CASE("instructions") {
    const std::pair<const char*, Instruction> forms[] = {
        {"trigger", Trigger{}},
        {"wait", Wait{}},
        {"exit", Exit{}},
        {"bar.sync", Barrier{}},
        {"fence.acq_rel.cta", Fence{Ordering::acq_rel, Scope::cta}},
        {"fence.sc.sys", Fence{Ordering::sc, Scope::sys}},
        {"ld.weak x -> r", Load{Ordering::weak, Scope::sys, CacheOperator::unspecified, scalar("x"), {"r"}}},
        {"ld.weak.ca x->r", Load{Ordering::weak, Scope::sys, CacheOperator::ca, scalar("x"), {"r"}}},
        {"ld.weak.cg x -> r", Load{Ordering::weak, Scope::sys, CacheOperator::cg, scalar("x"), {"r"}}},
        {"ld.weak.nc x -> r", Load{Ordering::weak, Scope::sys, CacheOperator::nc, scalar("x"), {"r"}}},
        {"ld.relaxed.gpu x -> r", Load{Ordering::relaxed, Scope::gpu, CacheOperator::unspecified, scalar("x"), {"r"}}},
        {"ld.acquire.cta x -> x", Load{Ordering::acquire, Scope::cta, CacheOperator::unspecified, scalar("x"), {"x"}}},
        {"st.weak x, 4294967295", Store{Ordering::weak, Scope::sys, scalar("x"), {4294967295}}},
        {"st.relaxed.sys x, 1", Store{Ordering::relaxed, Scope::sys, scalar("x"), {1}}},
        {"st.release.gpu x,1", Store{Ordering::release, Scope::gpu, scalar("x"), {1}}},
        {"red.relaxed.gpu.add x, 1",
         Atomic{Ordering::relaxed, Scope::gpu, AtomicOperation::add, scalar("x"), 1, 0, {}}},
        {"red.release.sys.min x, 1",
         Atomic{Ordering::release, Scope::sys, AtomicOperation::min, scalar("x"), 1, 0, {}}},
        {"atom.relaxed.cta.max x, 2 -> r",
         Atomic{Ordering::relaxed, Scope::cta, AtomicOperation::max, scalar("x"), 2, 0, "r"}},
        {"atom.acquire.gpu.exch x, 2 -> r",
         Atomic{Ordering::acquire, Scope::gpu, AtomicOperation::exch, scalar("x"), 2, 0, "r"}},
        {"atom.acq_rel.gpu.add x, 2 -> r",
         Atomic{Ordering::acq_rel, Scope::gpu, AtomicOperation::add, scalar("x"), 2, 0, "r"}},
        {"atom.release.gpu.add x, 2 -> r",
         Atomic{Ordering::release, Scope::gpu, AtomicOperation::add, scalar("x"), 2, 0, "r"}},
        {"await x == 3 -> r within 50us", Await{scalar("x"), 3, "r", 50'000}},
        {"await x==3 within 1000ms", Await{scalar("x"), 3, {}, 1'000'000'000}},
        {"bar.sync 1, 32", Barrier{1, 32, false}},
        {"bar.arrive 15,32", Barrier{15, 32, true}},
        {"barrier.cluster.arrive.release\nbarrier.cluster.wait.acquire", ClusterArrive{Ordering::release}},
        {"barrier.cluster.arrive.relaxed\nbarrier.cluster.wait.acquire", ClusterArrive{Ordering::relaxed}},
        {"fence.acq_rel.cluster", Fence{Ordering::acq_rel, Scope::cluster}},
        {"fence.proxy.async", ProxyFence{}},
        {"ld.acquire.cluster s -> r",
         Load{Ordering::acquire, Scope::cluster, CacheOperator::unspecified, scalar("s"), {"r"}}},
        {"ld.weak tile[3]@1 -> r",
         Load{Ordering::weak, Scope::sys, CacheOperator::unspecified, of_rank(element("tile", 3), 1), {"r"}}},
        {"ld.weak.v2 v[2] -> {a, b}",
         Load{Ordering::weak, Scope::sys, CacheOperator::unspecified, element("v", 2), {"a", "b"}}},
        {"ld.weak.nc.v4 v[4]->{a,b,c,d}",
         Load{Ordering::weak, Scope::sys, CacheOperator::nc, element("v", 4), {"a", "b", "c", "d"}}},
        {"ld.relaxed.gpu.v2 b[14] -> {a, b}",
         Load{Ordering::relaxed, Scope::gpu, CacheOperator::unspecified, element("b", 14), {"a", "b"}}},
        {"ld.weak.ca hv[1] -> r", Load{Ordering::weak, Scope::sys, CacheOperator::ca, element("hv", 1), {"r"}}},
        {"st.weak b[1], 255", Store{Ordering::weak, Scope::sys, element("b", 1), {255}}},
        {"st.weak w, 65535", Store{Ordering::weak, Scope::sys, scalar("w"), {65535}}},
        {"st.release.cluster.v4 v[0], {1, 2, 3, 4}",
         Store{Ordering::release, Scope::cluster, element("v", 0), {1, 2, 3, 4}}},
        {"st.relaxed.sys hv[0], 9", Store{Ordering::relaxed, Scope::sys, element("hv", 0), {9}}},
        {"red.relaxed.cluster.xor s@0, 1",
         Atomic{Ordering::relaxed, Scope::cluster, AtomicOperation::bit_xor, of_rank(scalar("s"), 0), 1, 0, {}}},
        {"red.relaxed.gpu.and v[7], 1",
         Atomic{Ordering::relaxed, Scope::gpu, AtomicOperation::bit_and, element("v", 7), 1, 0, {}}},
        {"atom.relaxed.gpu.or x, 1 -> r",
         Atomic{Ordering::relaxed, Scope::gpu, AtomicOperation::bit_or, scalar("x"), 1, 0, "r"}},
        {"atom.acq_rel.sys.cas x, 5, 6 -> r",
         Atomic{Ordering::acq_rel, Scope::sys, AtomicOperation::cas, scalar("x"), 6, 5, "r"}},
        {"await b[0] == 255 within 1us", Await{element("b", 0), 255, {}, 1'000}},
        {"await tile[0] == 1 -> r within 1us", Await{element("tile", 0), 1, "r", 1'000}},
        {"mbarrier.arrive.release.cta full", MbarrierArrive{Scope::cta, scalar("full"), {}}},
        {"mbarrier.arrive.release.cluster full@1", MbarrierArrive{Scope::cluster, of_rank(scalar("full"), 1), {}}},
        {"mbarrier.arrive.expect_tx.release.cta full, 1048575", MbarrierArrive{Scope::cta, scalar("full"), 1048575}},
        {"mbarrier.wait.acquire.cta full, 0 -> r within 50us", MbarrierWait{Scope::cta, "full", 0, "r", 50'000}},
        {"mbarrier.wait.acquire.cluster full, 1 within 1ms", MbarrierWait{Scope::cluster, "full", 1, {}, 1'000'000}},
        {"cp.async.bulk.shared.global tile, u, full\nmbarrier.wait.acquire.cta full, 0 within 1us",
         BulkCopy{"tile", "u", "full"}},
        {"cp.async.bulk.global.shared u,tile\ncp.async.bulk.commit_group\ncp.async.bulk.wait_group 0",
         BulkCopy{"u", "tile", {}}},
        {"cp.async.bulk.commit_group", BulkCommit{}},
        {"cp.async.bulk.wait_group 64", BulkWait{64, false}},
        {"cp.async.bulk.wait_group.read 0", BulkWait{0, true}},
        {"delay 500ns", Delay{500}},
        {"delay 0ms", Delay{0}},
    };
    for (const auto& form : forms) {
        CAPTURE(form.first);
        CHECK(instruction(form.first) == form.second);
    }
}

TEST_CASE("instructions that are none") {
    const std::string time = "expected a time such as 500ns, 50us or 2ms, at most 1000ms, found ";
    check_errors(
        with_instruction,
        {
            {"tigger",
             "8:7: unknown instruction; expected an instruction such as trigger, wait or ld.weak, found 'tigger'"},
            {"wait x", "8:12: more than wait takes; expected the end of the line, found 'x'"},
            {"trigger.gpu", "8:14: more than trigger takes; expected the end of the line, found '.'"},
            {"bar", "8:10: incomplete barrier; expected '.' and 'sync' or 'arrive', found the end of the line"},
            {"bar.wait", "8:11: incomplete barrier; expected 'sync' or 'arrive', found 'wait'"},
            {"bar.arrive", "8:17: the barrier is not a number; expected 1 to 15, found the end of the line"},
            {"bar.sync.aligned",
             "8:15: a qualifier that this barrier does not take; expected a blank and the operands, found '.'"},
            {"bar.sync 0, 32", "8:16: the barrier is out of range; expected 1 to 15, found '0'"},
            {"bar.sync 16, 32", "8:16: the barrier is out of range; expected 1 to 15, found '16'"},
            {"bar.sync 1",
             "8:17: a named barrier needs its number of threads; expected ',', found the end of the line"},
            {"bar.sync 1, 0", "8:19: the number of threads is out of range; expected 32 to 1024, found '0'"},
            {"bar.sync 1, 33", "8:19: the threads of a barrier are whole warps; expected a multiple of 32, found '33'"},
            {"bar.sync 1, 1056", "8:19: the number of threads is out of range; expected 32 to 1024, found '1056'"},
            {"barrier.sync", "8:15: incomplete cluster barrier; expected 'cluster', found 'sync'"},
            {"barrier.cluster",
             "8:22: incomplete cluster barrier; expected '.' and 'arrive' or 'wait', found the end of the line"},
            {"barrier.cluster.arrive.acquire",
             "8:30: an arrival needs its ordering; expected 'release' or 'relaxed', found 'acquire'"},
            {"barrier.cluster.wait",
             "8:27: a wait needs its ordering; expected '.' and 'acquire', found the end of the line"},
            {"fence.proxy.tensormap", "8:19: a proxy fence needs its proxy; expected 'async', found 'tensormap'"},
            {"fence.release.gpu",
             "8:13: a fence needs its ordering; expected 'acq_rel', 'sc' or 'proxy', found 'release'"},
            {"fence.sc", "8:15: a fence needs its scope; expected '.' and 'cta', 'cluster', 'gpu' or 'sys', found the "
                         "end of the line"},
            {"ld x -> r",
             "8:10: a load needs its ordering; expected '.' and 'weak', 'relaxed' or 'acquire', found 'x'"},
            {"ld .weak x -> r",
             "8:10: a load needs its ordering; expected '.' and 'weak', 'relaxed' or 'acquire', found '.'"},
            {"ld.release.gpu x -> r",
             "8:10: a load needs its ordering; expected 'weak', 'relaxed' or 'acquire', found 'release'"},
            {"ld.weak.gpu x -> r", "8:15: a weak load takes a cache operator and lanes at most; expected 'ca', 'cg', "
                                   "'nc', 'v2' or 'v4', found 'gpu'"},
            {"ld.relaxed x -> r",
             "8:18: a strong load needs its scope; expected '.' and 'cta', 'cluster', 'gpu' or 'sys', found 'x'"},
            {"ld.relaxed.gpu.ca x -> r",
             "8:22: after its other qualifiers this load takes lanes at most; expected 'v2' or 'v4', found 'ca'"},
            {"ld.weak y -> r",
             "8:15: undeclared location; expected a location of a memory, host_memory or shared line, found 'y'"},
            {"ld.weak x", "8:16: missing result; expected '->', found the end of the line"},
            {"ld.weak x -> any",
             "8:20: a word of the language cannot be a name; expected a name for a register, found 'any'"},
            {"st.acquire.gpu x, 1",
             "8:10: a store needs its ordering; expected 'weak', 'relaxed' or 'release', found 'acquire'"},
            {"st.weak x", "8:16: missing value; expected ',', found the end of the line"},
            {"st.weak x, 4294967296", "8:18: the value is out of range; expected 0 to 4294967295, found '4294967296'"},
            {"red.acquire.gpu.add x, 1",
             "8:11: a reduction needs its ordering; expected 'relaxed' or 'release', found 'acquire'"},
            {"red.relaxed.gpu.exch x, 1",
             "8:23: a reduction needs its operation; expected 'add', 'min', 'max', 'and', 'or' or 'xor', found 'exch'"},
            {"red.relaxed.gpu.add x, 1 -> r", "8:32: more than red takes; expected the end of the line, found '->'"},
            {"atom.weak.gpu.add x, 1 -> r",
             "8:12: an atomic needs its ordering; expected 'relaxed', 'acquire', 'release' "
             "or 'acq_rel', found 'weak'"},
            {"atom.relaxed.gpu.add x, 1", "8:32: missing result; expected '->', found the end of the line"},
            {"await x != 1 within 1us", "8:15: incomplete await; expected '==', found '!='"},
            {"await x == 1", "8:19: a poll needs its bound; expected '->' or 'within', found the end of the line"},
            {"await x == 1 -> r", "8:24: a poll needs its bound; expected 'within', found the end of the line"},
            {"await x == 1 within 2s", "8:27: the bound is not a time; " + time + "'2s'"},
            {"await x == 1 within 1001ms", "8:27: the bound is too long; " + time + "'1001ms'"},
            {"delay 99999999999999999999ns", "8:13: the delay is too long; " + time + "'99999999999999999999ns'"},
            {"delay 500 ns", "8:13: the delay is not a time; " + time + "'500'"},
            {"delay us", "8:13: the delay is not a time; " + time + "'us'"},
            {"exit\n  wait", "9:3: an instruction after exit; expected the end of the agent, found 'wait'"},
        });
}

TEST_CASE("elements, lanes and values that are none") {
    const std::string alone = "a scalar has no elements; expected its name alone, found ";
    check_errors(
        with_instruction,
        {
            {"ld.weak v -> r", "8:17: an array shows which of its elements; expected '[', found '->'"},
            {"ld.weak v[8] -> r", "8:17: the index is out of range; expected 0 to 7, found '8'"},
            {"ld.weak v[x] -> r", "8:17: the index is not a number; expected 0 to 7, found 'x'"},
            {"ld.weak v[1 -> r", "8:19: unclosed brackets; expected ']', found '->'"},
            {"ld.weak x[0] -> r", "8:16: " + alone + "'['"},
            {"ld.weak full -> r", "8:15: this name stands for something else; expected a location of a memory, "
                                  "host_memory or shared line, found 'full'"},
            {"ld.weak.v2 x -> {a, b}", "8:18: a scalar has no lanes; expected an array, found 'x'"},
            {"ld.weak.v2 v[1] -> {a, b}", "8:20: the lanes are not aligned; expected a multiple of 2, found '1'"},
            {"ld.weak.v4 v[2] -> {a, b, c, d}", "8:20: the lanes are not aligned; expected a multiple of 4, found '2'"},
            {"ld.weak.v4 hv[0] -> {a, b, c, d}",
             "8:21: the lanes reach beyond the array; expected 4 elements of 2, found '0'"},
            {"ld.weak.v3 v[0] -> {a, b, c}", "8:15: a weak load takes a cache operator and lanes at most; expected "
                                             "'ca', 'cg', 'nc', 'v2' or 'v4', found 'v3'"},
            {"ld.weak.v2.ca v[0] -> {a, b}",
             "8:17: a qualifier that this load does not take; expected a blank and the operands, found '.'"},
            {"ld.relaxed.gpu.v2.v2 v[0] -> {a, b}",
             "8:24: a qualifier that this load does not take; expected a blank and the operands, found '.'"},
            {"ld.weak.v2 v[0] -> a", "8:26: lanes stand in braces; expected '{', found 'a'"},
            {"ld.weak.v2 v[0] -> {a}", "8:28: one entry for each lane; expected ',', found '}'"},
            {"ld.weak.v2 v[0] -> {a, b, c}", "8:31: one entry for each lane; expected '}', found ','"},
            {"ld.weak v[0] -> {a}", "8:23: missing name; expected a name for a register, found '{'"},
            {"ld.weak.nc h -> r", "8:18: the read-only path is for global memory; expected a location of the memory "
                                  "line, found 'h'"},
            {"ld.weak.nc tile[0] -> r", "8:18: the read-only path is for global memory; expected a location of the "
                                        "memory line, found 'tile'"},
            {"ld.weak x@1 -> r", "8:16: a rank in memory that all blocks share; expected no rank, found '@'"},
            {"ld.weak tile[0]@2 -> r", "8:23: the rank is out of range; expected 0 to 1, found '2'"},
            {"ld.weak tile@1[0] -> r", "8:19: an array shows which of its elements; expected '[', found '@'"},
            {"st.weak b[0], 256", "8:21: the value is out of range; expected 0 to 255, found '256'"},
            {"st.weak w, 65536", "8:18: the value is out of range; expected 0 to 65535, found '65536'"},
            {"st.weak.v2 b[0], {1, 256}", "8:28: the value is out of range; expected 0 to 255, found '256'"},
            {"st.weak.v2 v[0], 1", "8:24: lanes stand in braces; expected '{', found '1'"},
            {"st.weak.v2 v[0], {1}", "8:26: one entry for each lane; expected ',', found '}'"},
            {"st.weak.ca x, 1",
             "8:15: after its other qualifiers this store takes lanes at most; expected 'v2' or 'v4', found 'ca'"},
            {"red.relaxed.gpu.add w, 1",
             "8:27: atomics are made on words; expected a location of width u32, found 'w'"},
            {"atom.relaxed.gpu.add sb[0], 1 -> r",
             "8:28: atomics are made on words; expected a location of width u32, found 'sb'"},
            {"red.relaxed.gpu.add.v2 v[0], 1",
             "8:26: a qualifier that this reduction does not take; expected a blank and the operands, found '.'"},
            {"red.relaxed.gpu.cas x, 0, 1", "8:23: a reduction needs its operation; expected 'add', 'min', 'max', "
                                            "'and', 'or' or 'xor', found 'cas'"},
            {"atom.relaxed.gpu.cas x, 1 -> r",
             "8:33: cas compares with a value and stores another; expected ',', found '->'"},
            {"atom.relaxed.gpu.add x, 1, 2 -> r", "8:32: missing result; expected '->', found ','"},
            {"await b[0] == 256 within 1us", "8:21: the value is out of range; expected 0 to 255, found '256'"},
            {"await tile[0]@1 == 1 within 1us", "8:20: a poll of another block's memory; expected '==', found '@'"},
            {"await v[8] == 1 within 1us", "8:15: the index is out of range; expected 0 to 7, found '8'"},
        });
    CHECK(error_of("grid a <<<4, 64>>>\nshared s = 0\nthread 0:\nld.weak s@0 -> r\nends\n") ==
          "f:4:10: a rank in a grid without clusters; expected 'cluster' among the grid's attributes, found '@'");
}

TEST_CASE("mbarrier instructions that are none") {
    check_errors(
        with_instruction,
        {
            {"mbarrier.init full",
             "8:16: incomplete operation of an mbarrier; expected 'arrive' or 'wait', found 'init'"},
            {"mbarrier.arrive full",
             "8:23: incomplete arrival; expected '.' and 'release' or 'expect_tx', found 'full'"},
            {"mbarrier.arrive.relaxed.cta full",
             "8:23: incomplete arrival; expected 'release' or 'expect_tx', found 'relaxed'"},
            {"mbarrier.arrive.expect_tx full, 16",
             "8:33: an arrival needs its ordering; expected '.' and 'release', found 'full'"},
            {"mbarrier.arrive.release.gpu full",
             "8:31: an arrival needs its scope; expected 'cta' or 'cluster', found 'gpu'"},
            {"mbarrier.arrive.release.cta.x full",
             "8:34: a qualifier that this arrival does not take; expected a blank and the operands, found '.'"},
            {"mbarrier.arrive.release.cta other",
             "8:35: undeclared location; expected an mbarrier of the grid, found 'other'"},
            {"mbarrier.arrive.release.cta tile",
             "8:35: this name stands for something else; expected an mbarrier of the grid, found 'tile'"},
            {"mbarrier.arrive.release.cta full[0]",
             "8:39: a scalar has no elements; expected its name alone, found '['"},
            {"mbarrier.arrive.release.cluster full@2", "8:44: the rank is out of range; expected 0 to 1, found '2'"},
            {"mbarrier.arrive.release.cta full, 16",
             "8:39: more than mbarrier takes; expected the end of the line, found ','"},
            {"mbarrier.arrive.expect_tx.release.cta full",
             "8:49: missing number of bytes; expected ',', found the end of the line"},
            {"mbarrier.arrive.expect_tx.release.cta full, 0",
             "8:51: the number of bytes is out of range; expected 1 to 1048575, found '0'"},
            {"mbarrier.arrive.expect_tx.release.cta full, 1048576",
             "8:51: the number of bytes is out of range; expected 1 to 1048575, found '1048576'"},
            {"mbarrier.wait.release.cta full, 0 within 1us",
             "8:21: a wait needs its ordering; expected 'acquire', found 'release'"},
            {"mbarrier.wait.acquire.sys full, 0 within 1us",
             "8:29: a wait needs its scope; expected 'cta' or 'cluster', found 'sys'"},
            {"mbarrier.wait.acquire.cta full@1, 0 within 1us",
             "8:37: an operand that stands for all of its elements; expected its name alone, found '@'"},
            {"mbarrier.wait.acquire.cta full within 1us", "8:38: missing parity; expected ',', found 'within'"},
            {"mbarrier.wait.acquire.cta full, 2 within 1us",
             "8:39: the parity is out of range; expected 0 to 1, found '2'"},
            {"mbarrier.wait.acquire.cta full, 0",
             "8:40: a poll needs its bound; expected '->' or 'within', found the end of the line"},
        });
    // An mbarrier belongs to one grid.
    CHECK(error_of("grid a <<<1, 1>>>\nmbarrier full = 1\ngrid b <<<1, 1>>>\nthread 0:\n"
                   "mbarrier.arrive.release.cta full\nends\n") ==
          "f:5:29: undeclared location; expected an mbarrier of the grid, found 'full'");
}

TEST_CASE("bulk copies that are none") {
    const std::string unlike =
        "source and destination differ in width or length; expected an array like the destination, found ";
    check_errors(
        with_instruction,
        {
            {"cp.async.ca", "8:16: incomplete bulk copy; expected 'bulk', found 'ca'"},
            {"cp.sync", "8:10: incomplete bulk copy; expected 'async', found 'sync'"},
            {"cp.async.bulk", "8:20: incomplete bulk copy; expected '.' and 'shared', 'global', 'commit_group' or "
                              "'wait_group', found the end of the line"},
            {"cp.async.bulk.shared.shared tile, u, full",
             "8:28: a bulk copy needs its source; expected 'global', found 'shared'"},
            {"cp.async.bulk.shared.global u, tile, full", "8:35: this name stands for something else; expected a "
                                                          "location of a shared line of the grid, found 'u'"},
            {"cp.async.bulk.shared.global tile, hv, full",
             "8:41: this name stands for something else; expected a location of the memory line, found 'hv'"},
            {"cp.async.bulk.shared.global tile, v, full", "8:41: " + unlike + "'v'"},
            {"cp.async.bulk.shared.global tile, b, full", "8:41: " + unlike + "'b'"},
            {"cp.async.bulk.shared.global s, u, full", "8:35: a bulk copy of a scalar; expected an array, found 's'"},
            {"cp.async.bulk.shared.global tile, x, full",
             "8:41: a bulk copy of a scalar; expected an array, found 'x'"},
            {"cp.async.bulk.shared.global tile, u", "8:42: missing mbarrier; expected ',', found the end of the line"},
            {"cp.async.bulk.shared.global tile, u, s",
             "8:44: this name stands for something else; expected an mbarrier of the grid, found 's'"},
            {"cp.async.bulk.shared.global tile[0], u, full",
             "8:39: an operand that stands for all of its elements; expected its name alone, found '['"},
            {"cp.async.bulk.global.shared u, tile, full",
             "8:42: more than cp takes; expected the end of the line, found ','"},
            {"cp.async.bulk.commit_group 0", "8:34: more than cp takes; expected the end of the line, found '0'"},
            {"cp.async.bulk.wait_group",
             "8:31: the number of pending groups is not a number; expected 0 to 64, found the end of the line"},
            {"cp.async.bulk.wait_group 65",
             "8:32: the number of pending groups is out of range; expected 0 to 64, found '65'"},
            {"cp.async.bulk.wait_group.write 0",
             "8:32: a wait for bulk groups takes 'read' at most; expected 'read', found 'write'"},
        });
    CHECK(error_of("memory e[8]:u8 = 0\ngrid a <<<1, 1>>>\nshared d[8]:u8 = 0\nthread 0:\n"
                   "cp.async.bulk.global.shared e, d\nends\n") ==
          "f:5:29: a bulk copy of 8 bytes; expected a multiple of 16, found 'e'");
    CHECK(error_of("memory e[4] = 0\ngrid a <<<1, 2>>>\nshared d[4] = 0\nthreads 0..1:\n"
                   "cp.async.bulk.global.shared e, d\nends\n") ==
          "f:5:21: several threads of a block issue a bulk copy; expected an agent of a single thread, found '.'");
}
