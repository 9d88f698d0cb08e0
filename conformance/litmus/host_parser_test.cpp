// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/litmus_testing.hpp"

using namespace pdlcts;
using namespace pdlcts::testing;

namespace {

/// A file that claims nothing but that it ends, with lines put in from line 3 on.
std::string with_lines(const std::string& lines) {
    return "memory x = 0, v[4] = 0, n[4]:u16 = 0\nhost_memory h = 0, w[4] = 0\n" + lines +
           "\ngrid a <<<1, 1>>>\nends\n";
}

HostOperation operation(const std::string& lines) {
    return parsed(with_lines(lines)).operations.front();
}

std::string with_memory(const std::string& line) {
    return line + "\ngrid a <<<1, 1>>>\nends\n";
}

std::vector<Location> memory(const std::string& declarations) {
    return parsed(with_memory("memory " + declarations)).memory;
}

} // namespace

TEST_CASE("memory declares its locations") {
    using Locations = std::vector<Location>;
    CHECK(memory("x = 0, _y2=4294967295") ==
          Locations{{"x", {0}, Width::u32, false}, {"_y2", {4294967295}, Width::u32, false}});
    CHECK(memory("v[3] = 7") == Locations{{"v", {7, 7, 7}, Width::u32, true}});
    CHECK(memory("v [ 2 ] : u16 = {0,65535}") == Locations{{"v", {0, 65535}, Width::u16, true}});
    CHECK(memory("b:u8 = 255, w:u32 = 1, one[1] = {5}") ==
          Locations{{"b", {255}, Width::u8, false}, {"w", {1}, Width::u32, false}, {"one", {5}, Width::u32, true}});
    CHECK(memory("v[64]:u8 = 1").front().bytes() == 64);
    const Program program = parsed(with_memory("memory x = 0\nhost_memory h = 1, v[2] = {1, 2}"));
    CHECK(program.host_memory == Locations{{"h", {1}, Width::u32, false}, {"v", {1, 2}, Width::u32, true}});
    CHECK(program.memory.size() == 1);
    CHECK(parsed(with_memory("host_memory h = 1")).memory.empty());

    const std::string in_order =
        " line is out of place; expected memory, host_memory, stream, operations and claims in this order, found ";
    check_errors(
        with_memory,
        {
            {"memory", "1:7: missing name; expected a name for a location, found the end of the line"},
            {"memory x", "1:9: missing initial value; expected '=', found the end of the line"},
            {"memory x = 4294967296",
             "1:12: the initial value is out of range; expected 0 to 4294967295, found '4294967296'"},
            {"memory x = -1", "1:12: the initial value is not a number; expected 0 to 4294967295, found '-'"},
            {"memory x = 0x1", "1:12: the initial value is not a number; expected 0 to 4294967295, found '0x1'"},
            {"memory x = {0}", "1:12: the initial value is not a number; expected 0 to 4294967295, found '{'"},
            {"memory x = 0, x = 1", "1:15: a location is declared twice; expected another name, found 'x'"},
            {"memory wait = 0",
             "1:8: a word of the language cannot be a name; expected a name for a location, found 'wait'"},
            {"memory 1x = 0", "1:8: missing name; expected a name for a location, found '1x'"},
            {"memory x = 0,", "1:14: missing name; expected a name for a location, found the end of the line"},
            {"memory x = 0 y = 0", "1:14: more than the declaration takes; expected the end of the line, found 'y'"},
            {"memory x = 0\nmemory y = 0",
             "2:1: a second memory line; expected all locations on one line, found 'memory'"},
            {"memory v[0] = 0", "1:10: the number of elements is out of range; expected 1 to 64, found '0'"},
            {"memory v[65] = 0", "1:10: the number of elements is out of range; expected 1 to 64, found '65'"},
            {"memory v[2 = 0", "1:12: unclosed brackets; expected ']', found '='"},
            {"memory v[2] = {0}", "1:17: fewer initial values than elements; expected ',', found '}'"},
            {"memory v[2] = {0, 1, 2}", "1:20: more initial values than elements; expected '}', found ','"},
            {"memory b:u8 = 256", "1:15: the initial value is out of range; expected 0 to 255, found '256'"},
            {"memory b[2]:u16 = {0, 65536}",
             "1:23: the initial value is out of range; expected 0 to 65535, found '65536'"},
            {"memory b:u64 = 0", "1:10: unknown width; expected 'u32', 'u16' or 'u8', found 'u64'"},
            {"memory b:u8[2] = 0", "1:12: missing initial value; expected '=', found '['"},
            {"host_memory b:u8 = 0", "1:14: host memory is made of words; expected no width, found ':'"},
            {"host_memory h = 0\nhost_memory g = 0",
             "2:1: a second host_memory line; expected all locations on one line, found 'host_memory'"},
            {"host_memory h = 0\nmemory x = 0", "2:1: the memory" + in_order + "'memory'"},
            {"stream s\nhost_memory x = 0", "2:1: the host_memory" + in_order + "'host_memory'"},
            {"memory x = 0\nhost_memory x = 0", "2:13: a location is declared twice; expected another name, found 'x'"},
        });
}
TEST_CASE("either every operation names its stream or none does") {
    using Streams = std::vector<std::string>;
    CHECK(parsed("grid a <<<1, 1>>>\nrecord e\nwait_event e\nends\n").streams == Streams{only_stream});
    CHECK(parsed("grid a <<<1, 1>>> on t\nrecord e on t\nwait_event e on s\nends\n").streams == Streams{"t", "s"});
    CHECK(parsed("stream s, t, u\ngrid a <<<1, 1>>> on t\nends\n").streams == Streams{"s", "t", "u"});

    CHECK(error_of("grid a <<<1, 1>>> on s\nrecord e\nends\n") ==
          "f:2:9: this operation does not name its stream, an earlier line does; expected 'on', or no stream in any "
          "line, found the end of the line");
    CHECK(error_of("record e\ngrid a <<<1, 1>>> on s\nends\n") ==
          "f:2:22: this operation names its stream, an earlier one does not; expected no 'on', or 'on' in every "
          "operation, found 's'");
    CHECK(error_of("stream s\ngrid a <<<1, 1>>>\nends\n") ==
          "f:2:18: this operation does not name its stream, an earlier line does; expected 'on', or no stream in any "
          "line, found the end of the line");
    CHECK(error_of("stream s\ngrid a <<<1, 1>>> on t\nends\n") ==
          "f:2:22: undeclared stream; expected a stream of the stream line, found 't'");
    CHECK(error_of("stream s, s\n") == "f:1:11: a stream is declared twice; expected another name, found 's'");
    CHECK(error_of("stream s\nstream t\n") ==
          "f:2:1: a second stream line; expected all streams on one line, found 'stream'");
}

TEST_CASE("record, wait_event and memset") {
    const auto operation = [](const std::string& line) { return parsed(with_lines(line)).operations.front(); };
    CHECK(operation("record e") == HostOperation{Record{"e", only_stream}});
    CHECK(operation("memset x, 255") == HostOperation{Memset{"x", 255, only_stream}});
    const Program program = parsed("memory x = 0\nrecord e on s\ngrid a <<<1, 1>>> on s\nrecord e on t\n"
                                   "wait_event e on u\nmemset x, 7 on u\nends\n");
    CHECK(program.operations[3] == HostOperation{WaitEvent{"e", "u"}});
    CHECK(program.operations[4] == HostOperation{Memset{"x", 7, "u"}});

    const Errors errors = {
        {"record", "f:3:7: missing name; expected a name for an event, found the end of the line"},
        {"record e f", "f:3:10: more than the operation takes; expected the end of the line, found 'f'"},
        {"wait_event e",
         "f:3:12: nothing has recorded the event; expected an event of an earlier operation, found 'e'"},
        {"memset x", "f:3:9: missing byte; expected ',', found the end of the line"},
        {"memset x, 256", "f:3:11: the byte is out of range; expected 0 to 255, found '256'"},
        {"memset y, 1", "f:3:8: undeclared location; expected a location of the memory line, found 'y'"},
        {"memset h, 1",
         "f:3:8: this name stands for something else; expected a location of the memory line, found 'h'"},
        {"memset v[0], 1", "f:3:9: an operand that stands for all of its elements; expected its name alone, found '['"},
        {"trigger", "f:3:1: an instruction outside an agent; expected an agent such as 'thread 0:' before it, found "
                    "'trigger'"},
    };
    for (const auto& [line, message] : errors) {
        CHECK(error_of(with_lines(line)) == message);
    }
    SUBCASE("an event is recorded by what stands before, not behind") {
        CHECK(
            error_of("grid a <<<1, 1>>>\nwait_event e\nrecord e\nends\n").starts_with("f:2:12: nothing has recorded"));
        CHECK(error_of("grid a <<<1, 1>>> programmatic_event e\nwait_event e\nends\n") == "no error");
        CHECK(error_of("grid a <<<1, 1>>> launch_completion_event e\nwait_event e\nends\n") == "no error");
    }
}

TEST_CASE("memcpy copies what is alike") {
    CHECK(operation("memcpy x, h") == HostOperation{Memcpy{"x", "h", only_stream}});
    CHECK(operation("memcpy w, v") == HostOperation{Memcpy{"w", "v", only_stream}});
    CHECK(std::get<Memcpy>(
              parsed("memory x = 0, y = 0\nmemcpy x, y on s\ngrid a <<<1, 1>>> on s\nends\n").operations.front())
              .stream == "s");
    const std::string unlike =
        "source and destination differ in width or length; expected a location like the destination, found ";
    check_errors(with_lines,
                 {
                     {"memcpy x", "3:9: missing source; expected ',', found the end of the line"},
                     {"memcpy x, 1", "3:11: missing name; expected a name for a location, found '1'"},
                     {"memcpy x, y",
                      "3:11: undeclared location; expected a location of the memory or host_memory line, found 'y'"},
                     {"memcpy x, x", "3:11: a copy onto itself; expected another location, found 'x'"},
                     {"memcpy x, v", "3:11: " + unlike + "'v'"},
                     {"memcpy n, v", "3:11: " + unlike + "'v'"},
                     {"memcpy v[0], x",
                      "3:9: an operand that stands for all of its elements; expected its name alone, found '['"},
                     {"memcpy v, w 1", "3:13: more than the operation takes; expected the end of the line, found '1'"},
                 });
    CHECK(error_of("memory x = 0\ngrid a <<<1, 1>>>\nshared s = 0\nmemcpy x, s\nends\n") ==
          "f:4:11: undeclared location; expected a location of the memory or host_memory line, found 's'");
}

TEST_CASE("host functions and the lines below them") {
    CHECK(operation("host f\n  read h -> r\n write w[3], 7") ==
          HostOperation{HostFunction{"f", only_stream, {HostRead{scalar("h"), "r"}, HostWrite{element("w", 3), 7}}}});
}

TEST_CASE("reads and writes belong to the host function above if they are indented, else to the host's thread") {
    const Program program = parsed("host_memory h = 0\nwrite h, 1\nhost f\n read h -> a\n\n# a remark\n\twrite h, 2\n"
                                   "read h -> b\ngrid a <<<1, 1>>>\nread h -> c\nends\n");
    REQUIRE(program.operations.size() == 5);
    CHECK(program.operations[0] == HostOperation{HostWrite{scalar("h"), 1}});
    CHECK(program.operations[1] ==
          HostOperation{HostFunction{"f", only_stream, {HostRead{scalar("h"), "a"}, HostWrite{scalar("h"), 2}}}});
    CHECK(program.operations[2] == HostOperation{HostRead{scalar("h"), "b"}});
    CHECK(program.operations[4] == HostOperation{HostRead{scalar("h"), "c"}});
    SUBCASE("a mark and one blank behind it are no indentation") {
        const Litmus litmus = parsed_file("host_memory h = 0\nhost f\n-   write h, 1\n- write h, 2\n+write h, 3\n"
                                          "grid a <<<1, 1>>>\nends\n");
        CHECK(litmus.program.operations[0] ==
              HostOperation{HostFunction{"f", only_stream, {HostWrite{scalar("h"), 1}}}});
        CHECK(litmus.program.operations[1] == HostOperation{HostWrite{scalar("h"), 2}});
        CHECK(litmus.control->operations[0] == HostOperation{HostFunction{"f", only_stream, {}}});
        CHECK(litmus.control->operations[1] == HostOperation{HostWrite{scalar("h"), 3}});
    }
    const std::string astray = "indented, but not below a host function; expected a host function above it, or no "
                               "indentation where the host's own thread does it, found ";
    check_errors(
        with_lines,
        {
            {"  read h -> r", "3:3: " + astray + "'read'"},
            {"host f\nwrite h, 1\n  write h, 1", "5:3: " + astray + "'write'"},
            {"host f\nhost f", "4:6: two host functions have one name; expected another name, found 'f'"},
            {"host", "3:5: missing name; expected a name for a host function, found the end of the line"},
            {"host f g", "3:8: more than the operation takes; expected the end of the line, found 'g'"},
            {"read x -> r",
             "3:6: this name stands for something else; expected a location of the host_memory line, found 'x'"},
            {"read w -> r", "3:8: an array shows which of its elements; expected '[', found '->'"},
            {"read h", "3:7: missing result; expected '->', found the end of the line"},
            {"read h -> r s", "3:13: more than read takes; expected the end of the line, found 's'"},
            {"read h -> r on s", "3:13: more than read takes; expected the end of the line, found 'on'"},
            {"read h -> r\nread h -> r", "4:11: two instructions write one register; expected another name, found 'r'"},
            {"write h", "3:8: missing value; expected ',', found the end of the line"},
            {"write w[4], 1", "3:9: the index is out of range; expected 0 to 3, found '4'"},
            {"write h[0], 1", "3:8: a scalar has no elements; expected its name alone, found '['"},
            {"write h, 4294967296", "3:10: the value is out of range; expected 0 to 4294967295, found '4294967296'"},
            {"write h, 1, 2", "3:11: more than write takes; expected the end of the line, found ','"},
        });
    CHECK(error_of("host_memory h = 0\ngrid a <<<1, 1>>>\nthread 0:\n  read h -> r\nends\n") ==
          "f:4:3: " + astray + "'read'");
    CHECK(error_of("host_memory h = 0\ngrid a <<<1, 1>>>\nthread 0:\nread h -> r\nwait\nends\n") ==
          "f:5:1: an instruction outside an agent; expected an agent such as 'thread 0:' before it, found 'wait'");
}

TEST_CASE("syncs") {
    CHECK(operation("sync device") == HostOperation{SyncDevice{}});
    CHECK(operation("sync stream") == HostOperation{SyncStream{only_stream}});
    CHECK(operation("record e\nsync event e") == HostOperation{Record{"e", only_stream}});
    const Program program =
        parsed("grid a <<<1, 1>>> on s launch_completion_event e\nsync event e\nsync stream on t\nsync device\nends\n");
    CHECK(program.operations[1] == HostOperation{SyncEvent{"e"}});
    CHECK(program.operations[2] == HostOperation{SyncStream{"t"}});
    CHECK(program.streams == std::vector<std::string>{"s", "t"});
    check_errors(
        with_lines,
        {
            {"sync", "3:5: incomplete sync; expected 'stream', 'event' or 'device', found the end of the line"},
            {"sync grid", "3:6: incomplete sync; expected 'stream', 'event' or 'device', found 'grid'"},
            {"sync event e",
             "3:12: nothing has recorded the event; expected an event of an earlier operation, found 'e'"},
            {"record e\nsync event e on s",
             "4:14: more than the operation takes; expected the end of the line, found 'on'"},
            {"sync device on s", "3:13: more than the operation takes; expected the end of the line, found 'on'"},
            {"record e\nsync stream on s",
             "4:13: this operation names its stream, an earlier one does not; expected no 'on', or 'on' in every "
             "operation, found 'on'"},
        });
    // What the host's thread does itself names no stream, whatever the others do.
    CHECK(error_of("host_memory h = 0\nrecord e on s\nread h -> r\nsync event e\nsync device\nwrite h, 1\n"
                   "grid a <<<1, 1>>> on s\nends\n") == "no error");
}
