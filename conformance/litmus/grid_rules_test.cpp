// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/litmus_testing.hpp"

using namespace pdlcts;
using namespace pdlcts::testing;

namespace {

/// Line 3 and the following hold the agents of a grid of 4 blocks of 64 threads.
std::string with_agents(const std::string& agents) {
    return "memory x = 0\ngrid a <<<4, 64>>>\n" + agents + "\nends\n";
}

/// The same for a grid of clusters of two blocks; line 3 declares.
std::string with_clusters(const std::string& agents) {
    return "\ngrid a <<<4, 64>>> cluster 2\nshared s = 0\nmbarrier full = 1\n" + agents + "\nends\n";
}

/// Line 6 and the following hold the instructions of a single thread.
std::string with_copies(const std::string& instructions) {
    return "memory x[4] = 0\ngrid a <<<1, 32>>>\nshared t[4] = 0\nmbarrier full = 1, empty = 1\nthread 0:\n" +
           instructions + "\nends\n";
}

constexpr const char* cluster_barrier = "\nbarrier.cluster.arrive.release\nbarrier.cluster.wait.acquire\n";

} // namespace

TEST_CASE("what a grid declares stands before its agents") {
    const Grid grid = std::get<Grid>(parsed("memory x = 0\ngrid a <<<1, 1>>>\n  shared t[2] = {1, 2}, s = 3\n"
                                            "  mbarrier full = 1, empty = 1048575\n  shared b:u8 = 255\n"
                                            "  mbarrier third = 2\n  thread 0:\nends\n")
                                         .operations.front());
    CHECK(grid.shared == std::vector<Location>{{"t", {1, 2}, Width::u32, true},
                                               {"s", {3}, Width::u32, false},
                                               {"b", {255}, Width::u8, false}});
    CHECK(grid.mbarriers == std::vector<Mbarrier>{{"full", 1}, {"empty", 1048575}, {"third", 2}});
    CHECK(error_of("grid a <<<1, 1>>>\nshared s = 0\ngrid b <<<1, 1>>>\nshared s = 0\nends\n") == "no error");

    const auto with_declarations = [](const std::string& lines) {
        return "memory x = 0\ngrid a <<<1, 1>>>\n" + lines + "\nends\n";
    };
    std::string many = "shared s0 = 0";
    for (int index = 1; index < 64; ++index) {
        many += ", s" + std::to_string(index) + " = 0";
    }
    check_accepted(with_declarations, {many});
    check_errors(
        with_declarations,
        {
            {"shared x = 0", "3:8: a location is declared twice; expected another name, found 'x'"},
            {"shared s = 0\nmbarrier s = 1", "4:10: a location is declared twice; expected another name, found 's'"},
            {"mbarrier full", "3:14: missing number of arrivals; expected '=', found the end of the line"},
            {"mbarrier full = 0", "3:17: the number of arrivals is out of range; expected 1 to 1048575, found '0'"},
            {"mbarrier full = 1048576",
             "3:17: the number of arrivals is out of range; expected 1 to 1048575, found '1048576'"},
            {"mbarrier full[2] = 1", "3:14: missing number of arrivals; expected '=', found '['"},
            {"mbarrier full = 1 2", "3:19: more than the declaration takes; expected the end of the line, found '2'"},
            {"thread 0:\nshared s = 0",
             "4:1: a declaration behind an agent; expected declarations before the grid's agents, found 'shared'"},
            {"thread 0:\nmbarrier full = 1",
             "4:1: a declaration behind an agent; expected declarations before the grid's agents, found 'mbarrier'"},
            {"record e\nshared s = 0", "4:1: a declaration outside a grid; expected a grid before it, found 'shared'"},
            {many + "\nmbarrier full = 1",
             "4:1: too much shared memory; expected at most 64 locations and mbarriers in "
             "a grid, found 'mbarrier'"},
        });
}

TEST_CASE("roles of one block pass the same number of barriers") {
    CHECK(error_of(with_agents("thread 0:\nbar.sync\nbar.sync\nthread 1:\nbar.sync\ntrigger\nbar.sync")) == "no error");
    CHECK(error_of(with_agents("blocks 0..1 thread 0:\nbar.sync\nblocks 2..3 thread 1:\ntrigger")) == "no error");
    check_errors(
        with_agents,
        {
            {"thread 0:\nbar.sync\n  thread 1:\nbar.sync\nbar.sync",
             "5:3: roles of one block pass different numbers of barriers; expected 1 'bar.sync' as in line 3, found 2"},
            {"blocks 0..2 thread 0:\nbar.sync\n  blocks 2..3 thread 1:\ntrigger",
             "5:3: roles of one block pass different numbers of barriers; expected 1 'bar.sync' as in line 3, found 0"},
        });
    // A grid as large as a grid can be takes no longer to check.
    CHECK(error_of("grid a <<<2147483647, 2>>>\nthread 0:\nbar.sync\nblocks 0..2147483645 thread 1:\nbar.sync\n"
                   "block 2147483646 thread 1:\nends\n")
              .starts_with("f:6:1: roles of one block"));
}

TEST_CASE("the threads of a named barrier are whole warps, as many as it says") {
    check_accepted(
        with_agents,
        {
            "threads 0..63:\nbar.sync 1, 64",
            "thread 0:\nbar.sync 1, 32", // the other threads of the warp exit at once
            "thread 0:\nbar.sync 1, 64\nthread 32:\nbar.arrive 1, 64",
            "threads 0..31:\nbar.sync 1, 32\nbar.sync\nthreads 32..63:\nbar.sync 2, 32\nbar.sync",
            "threads 0..15:\nbar.sync 1, 32\nbar.arrive 1, 32\nthreads 16..31:\nbar.arrive 1, 32\nbar.sync 1, 32",
            // In different blocks the same barrier is another one.
            "blocks 0..1 threads 0..31:\nbar.sync 1, 32\nblocks 2..3 threads 0..63:\nbar.sync 1, 64\nbar.sync 1, 64",
            "blocks 0..1 threads 0..31:\nbar.sync 1, 32\nblocks 2..3 threads 16..31:\ntrigger",
        });
    check_errors(
        with_agents,
        {
            {"threads 0..63:\n  bar.sync 1, 32", "4:3: the barrier is not of so many threads; expected 64, the threads "
                                                 "of the warps that use it, found 32"},
            {"thread 0:\ntrigger\n  bar.sync 3, 64", "5:3: the barrier is not of so many threads; expected 32, the "
                                                     "threads of the warps that use it, found 64"},
            {"thread 0:\n  bar.sync 1, 32\nthread 1:\ntrigger",
             "4:3: a warp has threads that use the barrier and threads that do not; expected whole warps, found warp 0 "
             "of block 0"},
            {"blocks 0..3 threads 32..40:\n  bar.sync 1, 32\nblock 2 thread 63:\ntrigger",
             "4:3: a warp has threads that use the barrier and threads that do not; expected whole warps, found warp 1 "
             "of block 2"},
            {"thread 0:\nbar.sync 1, 32\nthread 1:\nbar.sync 1, 32\nbar.sync 1, 32",
             "6:1: roles of one block use a barrier different numbers of times; expected 1 uses of barrier 1 as in "
             "line "
             "4, found 2"},
            {"thread 0:\nbar.sync 1, 64\nthread 32:\nbar.sync 1, 32",
             "6:1: a barrier of two numbers of threads; expected 64 as in line 4, found 32"},
            {"thread 0:\nbar.sync 1, 32\ntrigger\nbar.sync 1, 64",
             "6:1: a barrier of two numbers of threads; expected 32 as in line 4, found 64"},
            {"blocks 0..2 thread 0:\nbar.sync 1, 64\nblocks 1..3 thread 32:\nbar.sync 1, 64",
             "4:1: the barrier is not of so many threads; expected 32, the threads of the warps that use it, found 64"},
        });
    CHECK(error_of("grid a <<<2147483647, 1024>>>\nthreads 0..1023:\nbar.sync 15, 1024\nends\n") == "no error");
}

TEST_CASE("cluster barriers are arrived at and waited for in turn, by all roles of a grid") {
    const std::string barrier = cluster_barrier;
    check_accepted(with_agents, {"thread 0:" + barrier + barrier, "thread 0:" + barrier + "thread 1:" + barrier,
                                 "thread 0:\nbarrier.cluster.arrive.relaxed\ntrigger\nbarrier.cluster.wait.acquire"});
    check_errors(
        with_agents,
        {
            {"thread 0:\n  barrier.cluster.wait.acquire",
             "4:3: a wait without an arrival; expected 'barrier.cluster.arrive' before it, found "
             "'barrier.cluster.wait'"},
            {"thread 0:" + barrier + "  barrier.cluster.wait.acquire",
             "6:3: a wait without an arrival; expected 'barrier.cluster.arrive' before it, found "
             "'barrier.cluster.wait'"},
            {"thread 0:\nbarrier.cluster.arrive.release\ntrigger\n  barrier.cluster.arrive.release",
             "6:3: an arrival before the last one was waited for; expected 'barrier.cluster.wait.acquire', found "
             "'barrier.cluster.arrive'"},
            {"thread 0:" + barrier + "  barrier.cluster.arrive.release",
             "6:3: an arrival that is not waited for; expected 'barrier.cluster.wait.acquire' behind it, found the end "
             "of the agent"},
            {"block 0 thread 0:" + barrier + barrier + "  block 3 thread 0:" + barrier,
             "9:3: roles of one grid pass different numbers of cluster barriers; expected 2 as in line 3, found 1"},
            {"block 0 thread 0:" + barrier + "  block 3 thread 0:\ntrigger",
             "6:3: roles of one grid pass different numbers of cluster barriers; expected 1 as in line 3, found 0"},
        });
}

TEST_CASE("a block outlives the accesses of its shared memory by others") {
    const std::string barrier = cluster_barrier;
    check_accepted(with_clusters,
                   {
                       "thread 0:\nst.weak s@1, 1" + barrier,
                       "block 0 thread 0:\nld.weak s@1 -> r" + barrier + "blocks 1..3 thread 0:" + barrier,
                       "thread 0:" + barrier + "mbarrier.arrive.release.cluster full@0" + barrier,
                       // No block of rank 1 of the first cluster is left out; the second cluster is not reached.
                       "block 0 thread 0:\nred.relaxed.cluster.add s@1, 1" + barrier + "block 1 thread 5:" + barrier,
                   });
    check_errors(
        with_clusters,
        {
            {"thread 0:\n  st.weak s@1, 1", "6:3: the other block may have ended; expected "
                                            "'barrier.cluster.arrive.release' behind the access, found the end of the "
                                            "agent"},
            {"thread 0:" + barrier + "  mbarrier.arrive.release.cluster full@1",
             "8:3: the other block may have ended; expected 'barrier.cluster.arrive.release' behind the access, found "
             "the end of the agent"},
            {"thread 0:\n  ld.weak s@0 -> r\nbarrier.cluster.arrive.relaxed\nbarrier.cluster.wait.acquire",
             "6:3: the other block may have ended; expected 'barrier.cluster.arrive.release' behind the access, found "
             "the end of the agent"},
            {"blocks 0..2 thread 0:\n  st.weak s@1, 1" + barrier,
             "6:3: the other block may have ended; expected an agent in every block of rank 1, found none in block 3"},
            {"block 3 thread 0:\n  st.weak s@0, 1" + barrier,
             "6:3: the other block may have ended; expected an agent in every block of rank 0, found none in block "
             "0..2"},
        });
    CHECK(error_of("grid a <<<2147483646, 32>>> cluster 2\nshared s = 0\nblocks 0..2147483644 thread 0:\n"
                   "  st.weak s@1, 1" +
                   barrier + "ends\n") == "f:4:3: the other block may have ended; expected an agent in every block of "
                                          "rank 1, found none in block 2147483645");
}

TEST_CASE("whoever issues a bulk copy waits for it") {
    const std::string out = "cp.async.bulk.global.shared x, t\n";
    const std::string in = "cp.async.bulk.shared.global t, x, full\n";
    const std::string commit = "cp.async.bulk.commit_group\n";
    check_accepted(with_copies, {
                                    out + commit + "cp.async.bulk.wait_group 0",
                                    out + commit + "cp.async.bulk.wait_group.read 0",
                                    out + out + commit + "trigger\ncp.async.bulk.wait_group 0",
                                    // The latest group may be pending, and it holds no copy.
                                    out + commit + commit + "cp.async.bulk.wait_group 1",
                                    in + "mbarrier.wait.acquire.cta full, 0 within 1us",
                                    in + in + "mbarrier.wait.acquire.cta full, 1 -> r within 1us",
                                });
    const std::string uncommitted =
        "6:1: nothing commits the copy to a bulk group; expected 'cp.async.bulk.commit_group' behind it, found the end "
        "of the agent";
    const std::string not_waited =
        "6:1: nothing waits for the copy; expected 'cp.async.bulk.wait_group 0' or 'cp.async.bulk.wait_group.read 0' "
        "behind its commit, found the end of the agent";
    const std::string not_polled = "6:1: nothing waits for the copy; expected an 'mbarrier.wait' for 'full' behind it, "
                                   "found the end of the agent";
    check_errors(with_copies,
                 {
                     {out, uncommitted},
                     {out + "cp.async.bulk.wait_group 0", uncommitted},
                     {out + commit, not_waited},
                     {out + "cp.async.bulk.wait_group 0\n" + commit, not_waited},
                     {out + commit + "cp.async.bulk.wait_group 1", not_waited},
                     {out + commit + "cp.async.bulk.wait_group 1\n" + commit, not_waited},
                     {in, not_polled},
                     {in + "mbarrier.wait.acquire.cta empty, 0 within 1us", not_polled},
                     {"mbarrier.wait.acquire.cta full, 0 within 1us\n  " + in, "7:3" + not_polled.substr(3)},
                     {out + commit + "cp.async.bulk.wait_group 0\n" + out, "9:1" + uncommitted.substr(3)},
                 });
}
