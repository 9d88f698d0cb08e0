// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/litmus_testing.hpp"

#include <doctest/doctest.h>

#include <map>
#include <utility>

using namespace pdlcts;
using namespace pdlcts::testing;

namespace {

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

/// Line 7 and the following hold the claims. One thread writes r and s, a class writes c.
std::string with_claims(const std::string& claims) {
    return "memory x = 0\ngrid a <<<4, 64>>>\nblock 0 thread 0:\nld.weak x -> r\nblock 1 threads 0..1:\n"
           "ld.weak x -> c\n" +
           claims + "\n";
}

Grid named(const char* name, unsigned blocks, unsigned threads) {
    Grid grid;
    grid.name = name;
    grid.blocks = blocks;
    grid.threads = threads;
    return grid;
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

} // namespace

TEST_CASE("grids and their attributes") {
    CHECK(grid("<<<1, 32>>>") == named("a", 1, 32));
    Grid expected = named("a", 2147483647, 1024);
    expected.pss = 1;
    CHECK(grid("<<<2147483647,1024>>>pss") == expected);
    CHECK(grid("<<<1, 32>>> pss = 0").pss == 0);
    CHECK(grid("<<<1, 32>>> pss=2147483647").pss == 2147483647);
    expected = named("a", 8, 32);
    expected.stream = "s";
    expected.cluster = 4;
    expected.priority = -3;
    expected.domain = Domain::remote;
    expected.shared_memory = 65536;
    expected.pss = 1;
    expected.programmatic_event = ProgrammaticEvent{"f", true};
    expected.launch_completion_event = "e";
    CHECK(grid("<<<8, 32>>> launch_completion_event e shared_memory 65536 programmatic_event f at_block_start pss "
               "priority -3 domain remote cluster 4 on s") == expected);
    CHECK(grid("<<<1, 32>>> domain default").domain == Domain::standard);
    CHECK(grid("<<<1, 32>>> peer on s").peer);
    CHECK_FALSE(grid("<<<1, 32>>> on s").peer);
    CHECK(error_of("grid a <<<1, 1>>> on s peer\ngrid b <<<1, 1>>> on t\ngrid c <<<1, 1>>> on s\nends\n") ==
          "f:3:6: a stream belongs to one GPU, and an earlier grid of it is on the other; expected 'peer', or another "
          "stream, found 'c'");
    CHECK(grid("<<<16, 32>>> cluster 16").cluster == 16);
    CHECK(grid("<<<1, 32>>> priority 100").priority == 100);
    CHECK(grid("<<<1, 32>>> priority -100").priority == -100);
    CHECK(grid("<<<1, 32>>> shared_memory 232448").shared_memory == 232448);
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
            {"<<<1, 32>>> peer peer", "2:25: " + twice + "'peer'"},
            {"<<<1, 32>>> pss pss", "2:24: " + twice + "'pss'"},
            {"<<<1, 32>>> programmatic_event e programmatic_event f", "2:41: " + twice + "'programmatic_event'"},
            {"<<<1, 32>>> launch_completion_event e launch_completion_event f",
             "2:46: " + twice + "'launch_completion_event'"},
            {"<<<1, 32>>> programmatic_event e launch_completion_event e",
             "2:41: one launch records an event twice; expected two events, found 'launch_completion_event'"},
            {"<<<1, 32>>> pss = 2147483648",
             "2:26: the value of pss is out of range; expected 0 to 2147483647, found '2147483648'"},
            {"<<<1, 32>>> launch_completion_event e at_block_start",
             "2:46: unknown attribute of a grid; expected 'on', 'peer', 'cluster', 'priority', 'domain', "
             "'shared_memory', "
             "'pss', 'programmatic_event', 'launch_completion_event' or the end of the line, found 'at_block_start'"},
            {"<<<6, 32>>> cluster 4",
             "2:28: the grid is not made of whole clusters; expected a divisor of 6, found '4'"},
            {"<<<6, 32>>> cluster 1",
             "2:28: the number of blocks of a cluster is out of range; expected 2 to 16, found '1'"},
            {"<<<32, 32>>> cluster 32",
             "2:29: the number of blocks of a cluster is out of range; expected 2 to 16, found '32'"},
            {"<<<6, 32>>> cluster 2 cluster 3", "2:30: " + twice + "'cluster'"},
            {"<<<1, 32>>> priority 101",
             "2:29: the priority is not a number in range; expected -100 to 100, found '101'"},
            {"<<<1, 32>>> priority -101",
             "2:29: the priority is not a number in range; expected -100 to 100, found '-101'"},
            {"<<<1, 32>>> priority - 1",
             "2:29: the priority is not a number in range; expected -100 to 100, found '-'"},
            {"<<<1, 32>>> priority",
             "2:28: the priority is not a number in range; expected -100 to 100, found the end of the line"},
            {"<<<1, 32>>> priority 99999999999999999999",
             "2:29: the priority is not a number in range; expected -100 to 100, found '99999999999999999999'"},
            {"<<<1, 32>>> priority 1 priority 1", "2:31: " + twice + "'priority'"},
            {"<<<1, 32>>> domain far", "2:27: unknown domain; expected 'remote' or 'default', found 'far'"},
            {"<<<1, 32>>> domain remote domain default", "2:34: " + twice + "'domain'"},
            {"<<<1, 32>>> shared_memory 232449",
             "2:34: the size of shared memory is out of range; expected 0 to 232448, found '232449'"},
            {"<<<1, 32>>> shared_memory 1 shared_memory 1", "2:36: " + twice + "'shared_memory'"},
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

TEST_CASE("no two instructions write one register") {
    CHECK(error_of("memory v[2] = 0\ngrid a <<<1, 1>>>\nthread 0:\nld.weak.v2 v[0] -> {a, a}\nends\n") ==
          "f:4:24: two instructions write one register; expected another name, found 'a'");
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

    const Errors errors = {
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
