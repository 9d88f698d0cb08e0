// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>

using namespace pdlcts;

namespace {

Program parsed(const std::string& text) {
    const auto litmus = parse_litmus(text, "f");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return litmus->program;
}

std::string error_of(const std::string& text) {
    const auto litmus = parse_litmus(text, "f");
    return litmus ? "no error" : litmus.error().message;
}

/// Line 2 holds the grid.
std::string with_grid(const std::string& attributes) {
    return "\ngrid a " + attributes + "\nends\n";
}

Grid grid(const std::string& attributes) {
    return std::get<Grid>(parsed(with_grid(attributes)).operations.front());
}

/// Line 3 and the following hold the agents of a grid of 4 blocks of 64 threads.
std::string with_agents(const std::string& agents) {
    return "memory x = 0\ngrid a <<<4, 64>>>\n" + agents + "\nends\n";
}

Agent agent(const std::string& line) {
    return std::get<Grid>(parsed(with_agents(line)).operations.front()).agents.front();
}

/// Line 4 holds the instruction, of a single thread.
std::string with_instruction(const std::string& line) {
    return with_agents("block 0 thread 0:\n      " + line);
}

Instruction instruction(const std::string& line) {
    return std::get<Grid>(parsed(with_instruction(line)).operations.front()).agents.front().instructions.front();
}

/// Line 7 and the following hold the claims. One thread writes r and s, a class writes c.
std::string with_claims(const std::string& claims) {
    return "memory x = 0\ngrid a <<<4, 64>>>\nblock 0 thread 0:\nld.weak x -> r\nblock 1 threads 0..1:\n"
           "ld.weak x -> c\n" +
           claims + "\n";
}

Condition condition(std::string_view text) {
    const auto condition = parse_condition(text);
    REQUIRE_MESSAGE(condition, condition.error().message);
    return *condition;
}

Condition comparison(const char* result, Value value) {
    return {Condition::Kind::comparison, {Quantifier::single, result, true, value}, {}};
}

Condition junction(Condition::Kind kind, std::vector<Condition> operands) {
    Condition condition;
    condition.kind = kind;
    condition.operands = std::move(operands);
    return condition;
}

void check_errors(std::string (*file)(const std::string&), const std::map<std::string, std::string>& errors) {
    for (const auto& error : errors) {
        CAPTURE(error.first);
        CHECK(error_of(file(error.first)) == "f:" + error.second);
    }
}

} // namespace

TEST_CASE("grids and their attributes") {
    CHECK(grid("<<<1, 32>>>") == Grid{"a", 1, 32, only_stream, {}, {}, {}, {}});
    CHECK(grid("<<<2147483647,1024>>>pss") == Grid{"a", 2147483647, 1024, only_stream, 1, {}, {}, {}});
    CHECK(grid("<<<1, 32>>> pss = 0").pss == 0);
    CHECK(grid("<<<1, 32>>> pss=2147483647").pss == 2147483647);
    CHECK(grid("<<<1, 32>>> launch_completion_event e programmatic_event f at_block_start pss on s") ==
          Grid{"a", 1, 32, "s", 1, ProgrammaticEvent{"f", true}, "e", {}});
    CHECK(grid("<<<1, 32>>> programmatic_event f").programmatic_event == ProgrammaticEvent{"f", false});
    CHECK(parsed("grid first <<<1, 1>>>\ngrid second <<<1, 1>>>\nends\n").operations.size() == 2);

    const std::string twice = "an attribute is given twice; expected each attribute once, found ";
    check_errors(
        with_grid,
        {
            {"", "2:7: missing launch shape; expected '<<<', found the end of the line"},
            {"<<<0, 32>>>", "2:11: the number of blocks is out of range; expected 1 to 2147483647, found '0'"},
            {"<<<2147483648, 32>>>",
             "2:11: the number of blocks is out of range; expected 1 to 2147483647, found '2147483648'"},
            {"<<<18446744073709551617, 32>>>",
             "2:11: the number of blocks is out of range; expected 1 to 2147483647, found '18446744073709551617'"},
            {"<<<1, 0>>>", "2:14: the number of threads is out of range; expected 1 to 1024, found '0'"},
            {"<<<1, 1025>>>", "2:14: the number of threads is out of range; expected 1 to 1024, found '1025'"},
            {"<<<1>>>", "2:12: incomplete launch shape; expected ',', found '>>>'"},
            {"<<<1, 32>>", "2:16: unclosed launch shape; expected '>>>', found '>'"},
            {"<<<1, 32>>> on s on s", "2:25: " + twice + "'on'"},
            {"<<<1, 32>>> pss pss", "2:24: " + twice + "'pss'"},
            {"<<<1, 32>>> programmatic_event e programmatic_event f", "2:41: " + twice + "'programmatic_event'"},
            {"<<<1, 32>>> launch_completion_event e launch_completion_event f",
             "2:46: " + twice + "'launch_completion_event'"},
            {"<<<1, 32>>> programmatic_event e launch_completion_event e",
             "2:41: one launch records an event twice; expected two events, found 'launch_completion_event'"},
            {"<<<1, 32>>> pss = 2147483648",
             "2:26: the value of pss is out of range; expected 0 to 2147483647, found '2147483648'"},
            {"<<<1, 32>>> launch_completion_event e at_block_start",
             "2:46: unknown attribute of a grid; expected 'on', 'pss', 'programmatic_event', 'launch_completion_event' "
             "or "
             "the end of the line, found 'at_block_start'"},
        });
    CHECK(error_of("grid a <<<1, 1>>>\ngrid a <<<1, 1>>>\nends\n") ==
          "f:2:6: two grids have one name; expected another name, found 'a'");
}

TEST_CASE("agents") {
    CHECK(agent("block 3 thread 63:") == Agent{{3, 3}, {63, 63}, {}});
    CHECK(agent("blocks 1..2 threads 0..63 :") == Agent{{1, 2}, {0, 63}, {}});
    CHECK(agent("thread 5:") == Agent{{0, 3}, {5, 5}, {}});
    CHECK(agent("blocks 3..3 threads 7..7:") == Agent{{3, 3}, {7, 7}, {}});
    CHECK(error_of(with_agents("blocks 0..1 thread 0:\nblocks 2..3 thread 0:\nthreads 1..63:")) == "no error");

    const std::string shared =
        "two agents of the grid share a thread; expected threads that no earlier agent has, found ";
    check_errors(
        with_agents,
        {
            {"block 4 thread 0:", "3:7: the block is out of range; expected 0 to 3, found '4'"},
            {"blocks 2..1 thread 0:", "3:11: the block is out of range; expected 2 to 3, found '1'"},
            {"blocks 2 thread 0:", "3:10: incomplete range; expected '..', found 'thread'"},
            {"block 0..1 thread 0:", "3:8: an agent needs its threads; expected 'thread' or 'threads', found '..'"},
            {"block 0:", "3:8: an agent needs its threads; expected 'thread' or 'threads', found ':'"},
            {"thread 64:", "3:8: the thread is out of range; expected 0 to 63, found '64'"},
            {"threads 0..64:", "3:12: the thread is out of range; expected 0 to 63, found '64'"},
            {"thread 0", "3:9: unclosed agent; expected ':', found the end of the line"},
            {"thread 0: wait", "3:11: more than an agent takes; expected the end of the line, found 'wait'"},
            {"thread 0:\n  thread 0:", "4:3: " + shared + "'thread'"},
            {"blocks 0..2 threads 0..31:\n  blocks 2..3 threads 31..40:", "4:3: " + shared + "'blocks'"},
        });
    CHECK(error_of("thread 0:\n") == "f:1:1: an agent outside a grid; expected a grid before it, found 'thread'");
    CHECK(error_of("grid a <<<1, 1>>>\nrecord e\nthread 0:\n") ==
          "f:3:1: an agent outside a grid; expected a grid before it, found 'thread'");
    CHECK(error_of("grid a <<<1, 1>>>\nwait\n") == "f:2:1: an instruction outside an agent; expected an agent such as "
                                                   "'thread 0:' before it, found 'wait'");
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

TEST_CASE("instructions") {
    const std::pair<const char*, Instruction> forms[] = {
        {"trigger", Trigger{}},
        {"wait", Wait{}},
        {"exit", Exit{}},
        {"bar.sync", Barrier{}},
        {"fence.acq_rel.cta", Fence{Ordering::acq_rel, Scope::cta}},
        {"fence.sc.sys", Fence{Ordering::sc, Scope::sys}},
        {"ld.weak x -> r", Load{Ordering::weak, Scope::sys, CacheOperator::unspecified, "x", "r"}},
        {"ld.weak.ca x->r", Load{Ordering::weak, Scope::sys, CacheOperator::ca, "x", "r"}},
        {"ld.weak.cg x -> r", Load{Ordering::weak, Scope::sys, CacheOperator::cg, "x", "r"}},
        {"ld.weak.nc x -> r", Load{Ordering::weak, Scope::sys, CacheOperator::nc, "x", "r"}},
        {"ld.relaxed.gpu x -> r", Load{Ordering::relaxed, Scope::gpu, CacheOperator::unspecified, "x", "r"}},
        {"ld.acquire.cta x -> x", Load{Ordering::acquire, Scope::cta, CacheOperator::unspecified, "x", "x"}},
        {"st.weak x, 4294967295", Store{Ordering::weak, Scope::sys, "x", 4294967295}},
        {"st.relaxed.sys x, 1", Store{Ordering::relaxed, Scope::sys, "x", 1}},
        {"st.release.gpu x,1", Store{Ordering::release, Scope::gpu, "x", 1}},
        {"red.relaxed.gpu.add x, 1", Atomic{Ordering::relaxed, Scope::gpu, AtomicOperation::add, "x", 1, {}}},
        {"red.release.sys.min x, 1", Atomic{Ordering::release, Scope::sys, AtomicOperation::min, "x", 1, {}}},
        {"atom.relaxed.cta.max x, 2 -> r", Atomic{Ordering::relaxed, Scope::cta, AtomicOperation::max, "x", 2, "r"}},
        {"atom.acquire.gpu.exch x, 2 -> r", Atomic{Ordering::acquire, Scope::gpu, AtomicOperation::exch, "x", 2, "r"}},
        {"atom.acq_rel.gpu.add x, 2 -> r", Atomic{Ordering::acq_rel, Scope::gpu, AtomicOperation::add, "x", 2, "r"}},
        {"atom.release.gpu.add x, 2 -> r", Atomic{Ordering::release, Scope::gpu, AtomicOperation::add, "x", 2, "r"}},
        {"await x == 3 -> r within 50us", Await{"x", 3, "r", 50'000}},
        {"await x==3 within 1000ms", Await{"x", 3, {}, 1'000'000'000}},
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
             "4:7: unknown instruction; expected an instruction such as trigger, wait or ld.weak, found 'tigger'"},
            {"wait x", "4:12: more than wait takes; expected the end of the line, found 'x'"},
            {"trigger.gpu", "4:14: more than trigger takes; expected the end of the line, found '.'"},
            {"bar", "4:10: incomplete barrier; expected '.' and 'sync', found the end of the line"},
            {"bar.arrive", "4:11: incomplete barrier; expected 'sync', found 'arrive'"},
            {"fence.release.gpu", "4:13: a fence needs its ordering; expected 'acq_rel' or 'sc', found 'release'"},
            {"fence.sc",
             "4:15: a fence needs its scope; expected '.' and 'cta', 'gpu' or 'sys', found the end of the line"},
            {"ld x -> r",
             "4:10: a load needs its ordering; expected '.' and 'weak', 'relaxed' or 'acquire', found 'x'"},
            {"ld .weak x -> r",
             "4:10: a load needs its ordering; expected '.' and 'weak', 'relaxed' or 'acquire', found '.'"},
            {"ld.release.gpu x -> r",
             "4:10: a load needs its ordering; expected 'weak', 'relaxed' or 'acquire', found 'release'"},
            {"ld.weak.gpu x -> r",
             "4:15: a weak load takes a cache operator at most; expected 'ca', 'cg' or 'nc', found 'gpu'"},
            {"ld.relaxed x -> r",
             "4:18: a strong load needs its scope; expected '.' and 'cta', 'gpu' or 'sys', found 'x'"},
            {"ld.relaxed.gpu.ca x -> r",
             "4:21: a qualifier that this load does not take; expected a blank and the operands, found '.'"},
            {"ld.weak y -> r", "4:15: undeclared location; expected a location of the memory line, found 'y'"},
            {"ld.weak x", "4:16: missing result; expected '->', found the end of the line"},
            {"ld.weak x -> any",
             "4:20: a word of the language cannot be a name; expected a name for a register, found 'any'"},
            {"st.acquire.gpu x, 1",
             "4:10: a store needs its ordering; expected 'weak', 'relaxed' or 'release', found 'acquire'"},
            {"st.weak x", "4:16: missing value; expected ',', found the end of the line"},
            {"st.weak x, 4294967296", "4:18: the value is out of range; expected 0 to 4294967295, found '4294967296'"},
            {"red.acquire.gpu.add x, 1",
             "4:11: a reduction needs its ordering; expected 'relaxed' or 'release', found 'acquire'"},
            {"red.relaxed.gpu.exch x, 1",
             "4:23: a reduction needs its operation; expected 'add', 'min' or 'max', found 'exch'"},
            {"red.relaxed.gpu.add x, 1 -> r", "4:32: more than red takes; expected the end of the line, found '->'"},
            {"atom.weak.gpu.add x, 1 -> r",
             "4:12: an atomic needs its ordering; expected 'relaxed', 'acquire', 'release' "
             "or 'acq_rel', found 'weak'"},
            {"atom.relaxed.gpu.add x, 1", "4:32: missing result; expected '->', found the end of the line"},
            {"await x != 1 within 1us", "4:15: incomplete await; expected '==', found '!='"},
            {"await x == 1", "4:19: a poll needs its bound; expected '->' or 'within', found the end of the line"},
            {"await x == 1 -> r", "4:24: a poll needs its bound; expected 'within', found the end of the line"},
            {"await x == 1 within 2s", "4:27: the bound is not a time; " + time + "'2s'"},
            {"await x == 1 within 1001ms", "4:27: the bound is too long; " + time + "'1001ms'"},
            {"delay 99999999999999999999ns", "4:13: the delay is too long; " + time + "'99999999999999999999ns'"},
            {"delay 500 ns", "4:13: the delay is not a time; " + time + "'500'"},
            {"delay us", "4:13: the delay is not a time; " + time + "'us'"},
            {"exit\n  wait", "5:3: an instruction after exit; expected the end of the agent, found 'wait'"},
        });
}

TEST_CASE("no two instructions write one register") {
    CHECK(error_of(with_agents("thread 0:\nld.weak x -> r\nthread 1:\nld.weak x -> s")) == "no error");
    check_errors(with_agents, {
                                  {"thread 0:\nld.weak x -> r\nld.weak x -> r",
                                   "5:14: two instructions write one register; expected another name, found 'r'"},
                                  {"thread 0:\nld.weak x -> r\nthread 1:\nawait x == 1 -> r within 1us",
                                   "6:17: two instructions write one register; expected another name, found 'r'"},
                              });
    CHECK(error_of("memory x = 0\ngrid a <<<1, 1>>>\nthread 0:\nld.weak x -> r\ngrid b <<<1, 1>>>\nthread 0:\n"
                   "  ld.weak x -> r\nends\n")
              .starts_with("f:7:16: two instructions write one register"));
}

TEST_CASE("claims") {
    Claim claim = parsed(with_claims("armed c == 1\nends\nnever r == 1 && all c != 2")).claim;
    CHECK(claim.ends);
    CHECK(claim.armed == comparison("c", 1));
    CHECK(claim.never->operands[1].comparison == Comparison{Quantifier::all, "c", false, 2});
    CHECK_FALSE(claim.sometimes);
    claim = parsed(with_claims("sometimes any c == 1")).claim;
    CHECK(claim.sometimes->comparison.quantifier == Quantifier::any);
    CHECK_FALSE(claim.ends);

    const std::string twice = "a claim is made twice; expected each claim once, found ";
    check_errors(with_claims,
                 {
                     {"armed r == 1",
                      "8:1: the program claims nothing; expected never, sometimes or ends, found the end of the file"},
                     {"ends\n ends", "8:2: " + twice + "'ends'"},
                     {"never r == 1\nnever r == 1", "8:1: " + twice + "'never'"},
                     {"sometimes r == 1\nsometimes r == 1", "8:1: " + twice + "'sometimes'"},
                     {"ends\narmed r == 1\narmed r == 1", "9:1: " + twice + "'armed'"},
                     {"never r == 1\nsometimes r == 0",
                      "8:1: never and sometimes exclude each other; expected one of them, found 'sometimes'"},
                     {"ends r == 1", "7:6: more than ends takes; expected the end of the line, found 'r'"},
                     {"never r == 1 && x == 1",
                      "7:17: nothing writes the register; expected a result of an instruction, found 'x'"},
                     {"never all c == 1 || any r == 1",
                      "7:21: a single thread writes the register; expected its name without a quantifier, found 'any'"},
                     {"never all r == 1",
                      "7:7: a single thread writes the register; expected its name without a quantifier, found 'all'"},
                 });
}

TEST_CASE("conditions") {
    using Kind = Condition::Kind;
    CHECK(condition("r == 1") == comparison("r", 1));
    CHECK(condition(" ( ( r==1 ) ) ") == comparison("r", 1));
    const Condition a = comparison("a", 1), b = comparison("b", 1), c = comparison("c", 1);
    CHECK(condition("a == 1 || b == 1 && c == 1") ==
          junction(Kind::disjunction, {a, junction(Kind::conjunction, {b, c})}));
    CHECK(condition("(a == 1 || b == 1) && c == 1") ==
          junction(Kind::conjunction, {junction(Kind::disjunction, {a, b}), c}));
    SUBCASE("junctions of one kind are flat") {
        const Condition flat = junction(Kind::conjunction, {a, b, c});
        CHECK(condition("a == 1 && b == 1 && c == 1") == flat);
        CHECK(condition("(a == 1 && b == 1) && c == 1") == flat);
        CHECK(condition("a == 1 && (b == 1 && (c == 1))") == flat);
    }
    const auto nested = [](int depth) {
        return std::string(static_cast<std::size_t>(depth), '(') + "r == 1" +
               std::string(static_cast<std::size_t>(depth), ')');
    };
    CHECK(parse_condition(nested(63)));
    CHECK(parse_condition(nested(64)).error().message ==
          "condition:1:65: parentheses are nested too deeply; expected at most 63 inside each other, found 'r'");
    CHECK_FALSE(parse_condition(std::string(60'000, '(')));

    const std::map<std::string, std::string> errors = {
        {"", "1: missing name; expected a name for a register, found the end of the line"},
        {"r", "2: incomplete comparison; expected '==' or '!=', found the end of the line"},
        {"r = 1", "3: incomplete comparison; expected '==' or '!=', found '='"},
        {"r == s", "6: the value is not a number; expected 0 to 4294967295, found 's'"},
        {"r == 1 &&", "10: missing name; expected a name for a register, found the end of the line"},
        {"r == 1 & s == 1", "8: more than a condition; expected '&&', '||' or the end of the line, found '&'"},
        {"(r == 1", "8: unclosed parenthesis; expected ')', found the end of the line"},
        {"r == 1)", "7: more than a condition; expected '&&', '||' or the end of the line, found ')'"},
        {"some r == 1", "6: incomplete comparison; expected '==' or '!=', found 'r'"},
    };
    for (const auto& error : errors) {
        CAPTURE(error.first);
        CHECK(parse_condition(error.first).error().message == "condition:1:" + error.second);
    }
}
