// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/random_litmus.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <sstream>

using namespace pdlcts;

namespace {

Litmus parsed(std::string_view text) {
    const auto litmus = parse_litmus(text, "test");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return *litmus;
}

Condition condition(std::string_view text) {
    const auto condition = parse_condition(text);
    REQUIRE_MESSAGE(condition, condition.error().message);
    return *condition;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> lines;
    for (std::string line; std::getline(stream, line);) {
        lines.push_back(line);
    }
    return lines;
}

/// Nothing when reading back what was printed gives the same value.
std::string difference_after_round_trip(const Litmus& litmus) {
    const std::string text = print(litmus);
    const auto again = parse_litmus(text, "again");
    if (!again) {
        return again.error().message + "\n" + text;
    }
    return *again == litmus ? "" : "another value:\n" + text;
}

} // namespace

TEST_CASE("a file in canonical form is printed as it was written") {
    for (const std::string text : {
             R"(# What the primary stores after its trigger is visible after the wait.
#
# The second paragraph.
checks  visibility.after-wait.post-trigger-writes, trigger.is-not-completion
because  NVIDIA/cccl issue 9134, ggml-org/llama.cpp pull 24030
routes  stream, captured

memory  x = 0, started = 0

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
)",
             R"(memory  x = 0

grid primary <<<8, 64>>> on s programmatic_event e at_block_start
  blocks 0..6 threads 0..31:
+     trigger
      red.relaxed.gpu.add x, 1
  block 7 thread 63:
      atom.acq_rel.sys.exch x, 2 -> old

record f on s
- wait_event e on t
+ wait_event f on t
memset x, 7 on t

- grid secondary <<<1, 32>>> on t pss = 2
+ grid secondary <<<1, 32>>> on t

sometimes old != 2 || old == 7
ends
)",
             R"(memory  x[4] = {1, 2, 3, 4}, narrow[16]:u8 = 7, y = 0
host_memory  h = 0, w[2] = 5

write h, 1

grid a <<<4, 64>>> cluster 2 priority -1 domain remote shared_memory 65536 pss
- shared tile[4] = 0, s:u16 = 1
+ shared tile[4] = 0, s:u16 = 2
  mbarrier full = 1, empty = 32
  blocks 0..3 thread 0:
-     cp.async.bulk.shared.global tile, x, full
      mbarrier.wait.acquire.cta full, 0 -> done within 50us

memcpy y, h
host publish
      write w[1], 1
-     read h -> seen
- read h -> later
+     write w[0], 1
sync stream
record e
sync event e
sync device

never   any done == 1
)"}) {
        CHECK(print(parsed(text)) == text);
    }
}

TEST_CASE("any spelling of a file is printed in canonical form") {
    CHECK(print(parsed("\n  #first\n# second\n\n# a remark\n\tmemory x=0 ,y = 00\t# a remark\r\n"
                       "grid a<<< 1,32 >>>launch_completion_event e programmatic_event f pss=1 on s\n"
                       "block 0 threads 3..3:\nawait x==1 within 2000000ns\ndelay 1500ns\n"
                       "- grid b<<<2,32>>> on s pss=0\n+grid b<<<2,32>>> on s\nthreads 0..31 :\nld.weak.nc y->r\n"
                       "armed any r==1\nnever((r==1&&(r!=2)))||(all r==3||any r==0)\n")) ==
          R"(# first
# second

memory  x = 0, y = 0

grid a <<<1, 32>>> on s pss programmatic_event f launch_completion_event e
  thread 3:
      await x == 1 within 2ms
      delay 1500ns

- grid b <<<2, 32>>> on s pss = 0
+ grid b <<<2, 32>>> on s
  blocks 0..1 threads 0..31:
      ld.weak.nc y -> r

never   r == 1 && r != 2 || all r == 3 || any r == 0
armed   any r == 1
)");
}

TEST_CASE("instructions") {
    const Element x = {"x", {}, {}};
    const Element v2 = {"v", 2, {}};
    const std::pair<Instruction, const char*> forms[] = {
        {Trigger{}, "trigger"},
        {Wait{}, "wait"},
        {Exit{}, "exit"},
        {Barrier{}, "bar.sync"},
        {Barrier{1, 64, false}, "bar.sync 1, 64"},
        {Barrier{15, 32, true}, "bar.arrive 15, 32"},
        {ClusterArrive{Ordering::release}, "barrier.cluster.arrive.release"},
        {ClusterArrive{Ordering::relaxed}, "barrier.cluster.arrive.relaxed"},
        {ClusterWait{}, "barrier.cluster.wait.acquire"},
        {Fence{Ordering::sc, Scope::sys}, "fence.sc.sys"},
        {Fence{Ordering::acq_rel, Scope::cluster}, "fence.acq_rel.cluster"},
        {ProxyFence{}, "fence.proxy.async"},
        {Load{Ordering::weak, Scope::sys, CacheOperator::ca, x, {"r"}}, "ld.weak.ca x -> r"},
        {Load{Ordering::acquire, Scope::gpu, CacheOperator::unspecified, x, {"r"}}, "ld.acquire.gpu x -> r"},
        {Load{Ordering::weak, Scope::sys, CacheOperator::nc, v2, {"a", "b"}}, "ld.weak.nc.v2 v[2] -> {a, b}"},
        {Load{Ordering::relaxed, Scope::cta, CacheOperator::unspecified, {"v", 0, 1}, {"a", "b", "c", "d"}},
         "ld.relaxed.cta.v4 v[0]@1 -> {a, b, c, d}"},
        {Store{Ordering::weak, Scope::sys, x, {4294967295}}, "st.weak x, 4294967295"},
        {Store{Ordering::release, Scope::cta, {"x", {}, 0}, {1}}, "st.release.cta x@0, 1"},
        {Store{Ordering::weak, Scope::sys, v2, {1, 2}}, "st.weak.v2 v[2], {1, 2}"},
        {Atomic{Ordering::release, Scope::gpu, AtomicOperation::max, x, 3, 0, {}}, "red.release.gpu.max x, 3"},
        {Atomic{Ordering::relaxed, Scope::gpu, AtomicOperation::bit_and, v2, 3, 0, {}}, "red.relaxed.gpu.and v[2], 3"},
        {Atomic{Ordering::acquire, Scope::sys, AtomicOperation::min, x, 3, 0, "r"}, "atom.acquire.sys.min x, 3 -> r"},
        {Atomic{Ordering::acq_rel, Scope::cluster, AtomicOperation::cas, x, 3, 0, "r"},
         "atom.acq_rel.cluster.cas x, 0, 3 -> r"},
        {Await{x, 1, "r", 50'000}, "await x == 1 -> r within 50us"},
        {Await{v2, 1, {}, 1'000'000'000}, "await v[2] == 1 within 1000ms"},
        {MbarrierArrive{Scope::cta, {"full", {}, {}}, {}}, "mbarrier.arrive.release.cta full"},
        {MbarrierArrive{Scope::cluster, {"full", {}, 1}, 16}, "mbarrier.arrive.expect_tx.release.cluster full@1, 16"},
        {MbarrierWait{Scope::cta, "full", 1, "r", 1'000}, "mbarrier.wait.acquire.cta full, 1 -> r within 1us"},
        {MbarrierWait{Scope::cluster, "full", 0, {}, 1'000}, "mbarrier.wait.acquire.cluster full, 0 within 1us"},
        {BulkCopy{"tile", "x", "full"}, "cp.async.bulk.shared.global tile, x, full"},
        {BulkCopy{"x", "tile", {}}, "cp.async.bulk.global.shared x, tile"},
        {BulkCommit{}, "cp.async.bulk.commit_group"},
        {BulkWait{2, false}, "cp.async.bulk.wait_group 2"},
        {BulkWait{0, true}, "cp.async.bulk.wait_group.read 0"},
        {Delay{0}, "delay 0ns"},
        {Delay{1'001}, "delay 1001ns"},
    };
    for (const auto& [instruction, text] : forms) {
        CHECK(print(instruction) == text);
    }
    CHECK(print(HostInstruction{HostRead{x, "r"}}) == "read x -> r");
    CHECK(print(HostInstruction{HostWrite{v2, 7}}) == "write v[2], 7");
}

TEST_CASE("the block of an agent is left out where there is only one") {
    const Agent agent{{0, 0}, {0, 31}, {}};
    Grid grid;
    grid.threads = 32;
    CHECK(print_header(agent, grid) == "threads 0..31");
    grid.blocks = 2;
    CHECK(print_header(agent, grid) == "block 0 threads 0..31");
}

TEST_CASE("conditions bear the parentheses they need and no others") {
    for (const char* text : {"a == 1", "all a != 4294967295", "a == 1 && b == 2 || c == 3",
                             "(a == 1 || b == 2) && any c == 3", "a == 1 && (b == 2 || c == 3 && d == 4) && e == 5"}) {
        CHECK(print(condition(text)) == text);
    }
    CHECK(print(condition("((a == 1)) && (b == 2 && c == 3)")) == "a == 1 && b == 2 && c == 3");
}

TEST_CASE("the stream line is printed where the order of the streams needs it") {
    const std::string two_grids = "grid a <<<1, 32>>> on s\ngrid b <<<1, 32>>> on t\nends\n";
    CHECK(print(parsed("stream s, t\n" + two_grids)).find("stream") == std::string::npos);
    CHECK(print(parsed("stream t, s\n" + two_grids)).starts_with("stream  t, s\n\n"));
    CHECK(print(parsed("stream s, t, u\n" + two_grids)).starts_with("stream  s, t, u\n\n"));
    // The control no longer uses t: its line is needed, and both get it rather than one of them a mark.
    CHECK(print(parsed("stream s, t\ngrid a <<<1, 32>>> on s\n- grid b <<<1, 32>>> on t\nends\n"))
              .starts_with("stream  s, t\n\n"));
}

TEST_CASE("no more lines are marked than differ") {
    const std::string text = print(parsed("memory x = 0\ngrid a <<<1, 32>>>\nthread 0:\n"
                                          "- trigger\n- st.weak x, 1\n- fence.sc.gpu\n- wait\n- ld.weak x -> r\n"
                                          "+ st.weak x, 1\n+ trigger\n+ wait\n+ ld.weak x -> r\n"
                                          "never r == 0\n"));
    const auto lines = lines_of(text);
    const auto marked = [&](char mark) {
        return std::count_if(lines.begin(), lines.end(), [=](const auto& line) { return line.starts_with(mark); });
    };
    // trigger moves behind the store, the fence goes: two lines out, one in.
    CHECK(marked('-') == 2);
    CHECK(marked('+') == 1);
}

TEST_CASE("texts too long for a shortest difference are still printed right") {
    std::string text = "grid a <<<1, 32>>>\nthread 0:\n";
    for (int line = 0; line < 2100; ++line) {
        text += "-wait\n+trigger\n";
    }
    CHECK(difference_after_round_trip(parsed(text + "ends\n")) == "");
}

TEST_CASE("whatever is printed reads back as the same value") {
    std::mt19937 random(20261130);
    std::map<std::string, int> covered;
    std::string difference;
    const std::vector<std::string> constructs = {"\nhost_memory ",
                                                 "]:u8 = ",
                                                 ":u16 = ",
                                                 "] = {",
                                                 " cluster ",
                                                 " priority -",
                                                 " domain remote",
                                                 " domain default",
                                                 " shared_memory ",
                                                 "\n  shared ",
                                                 "\n  mbarrier ",
                                                 "bar.arrive ",
                                                 "bar.sync\n",
                                                 "bar.sync 1, ",
                                                 "barrier.cluster.arrive.release",
                                                 ".v2 ",
                                                 ".v4 ",
                                                 "]@1",
                                                 ".cas ",
                                                 "fence.proxy.async",
                                                 ".expect_tx.",
                                                 "mbarrier.wait",
                                                 ".shared.global ",
                                                 ".global.shared ",
                                                 "wait_group.read",
                                                 "commit_group",
                                                 "\nmemcpy ",
                                                 "\nhost publish",
                                                 "\n      read ",
                                                 "\n      write ",
                                                 "\nread ",
                                                 "\nwrite ",
                                                 "sync device",
                                                 "sync event ",
                                                 "sync stream"};
    for (int round = 0; round < 8000 && difference.empty(); ++round) {
        const Litmus litmus = random_litmus(random);
        difference = difference_after_round_trip(litmus);
        ++covered[litmus.control ? "control" : "no control"];
        if (litmus.control) {
            covered["other memory"] += litmus.control->memory != litmus.program.memory;
            covered["other streams"] += litmus.control->streams != litmus.program.streams;
            covered["other operations"] += litmus.control->operations != litmus.program.operations;
        }
        const std::string text = print(litmus.program);
        for (const std::string& construct : constructs) {
            covered[construct] += text.find(construct) != std::string::npos;
        }
        const auto program = parse_litmus(text, "program");
        if (difference.empty() && (!program || program->control || !(program->program == litmus.program))) {
            difference = "the program alone:\n" + print(litmus.program);
        }
    }
    CHECK(difference == "");
    // The generator does reach what the property is about.
    for (const std::string& construct : constructs) {
        CAPTURE(construct);
        CHECK(covered[construct] > 20);
    }
    for (const char* kind : {"control", "no control", "other memory", "other streams", "other operations"}) {
        CAPTURE(kind);
        CHECK(covered[kind] > 200);
    }
}
