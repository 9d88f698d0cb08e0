// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"
#include "reports/results/example_json.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;
using namespace pdlcts::examples;

namespace {

std::string error_of(std::string_view text) {
    const Result<Results> results = read_json(text, "r.json");
    return results ? "" : results.error().message;
}

/// The error after one value of a sound file was set to another.
std::string error_with(const char* pointer, Json value) {
    Json json = sound();
    at(json, pointer) = std::move(value);
    return error_of(text_of(json));
}

std::string error_without(const char* parent, const char* key) {
    Json json = sound();
    erase(json, parent, key);
    return error_of(text_of(json));
}

} // namespace

TEST_CASE("the keys that other programs rely on") {
    const Json json = sound();
    const auto is = [&](const char* pointer, const Json& value) {
        CAPTURE(pointer);
        Json copy = json;
        CHECK(text_of(at(copy, pointer)) == text_of(value));
        CHECK(copy == json);
    };
    is("/schema", 1);
    is("/suite/version", "0.1.0");
    is("/environment/gpu", "NVIDIA H200");
    is("/cells/0/case", "visibility.after-wait/post-trigger");
    is("/cells/0/statement", "visibility.after-wait");
    is("/cells/0/strength", "guarantee");
    is("/cells/0/basis", "read");
    is("/cells/0/route", "stream");
    is("/cells/0/verdict", "PASS");
    is("/cells/0/reason", "");
    is("/cells/0/trials", 2000);
    is("/cells/0/armed", 2000);
    is("/cells/0/violations", 0);
    is("/cells/0/control/armed_violations", 1990);
    is("/cells/0/control/outcomes/overlapped=1 seen=0", 1990);
    is("/cells/0/outcomes/overlapped=1 seen=1", 2000);
    is("/cells/0/allowed/1", "overlapped=1 seen=1");
    is("/cells/0/incident", "none");
    is("/cells/0/branches", 1);
    is("/cells/0/time/launch_seconds", 0.25);
    is("/cells/0/instances/instances", 1024);
    is("/cells/0/instances/control/armed_violations", 1024);
    is("/cells/2/other_form/control/armed_violations", 1990);
    is("/cells/2/other_form/branches", 16);
    is("/cells/3/verdict", "NOT SUPPORTED");
    is("/cells/4/machine/answer", "proved");
    CHECK(error_without("/cells/0", "machine").empty()); // absent already
}

TEST_CASE("errors name file, path, what was expected and what was found") {
    CHECK(
        error_with("/cells/3/route", "x") ==
        R"(r.json: /cells/3/route: expected one of stream, captured, edges, cloned, child, updated, driver, found "x")");
    CHECK(error_with("/cells/3/route", 1) ==
          "r.json: /cells/3/route: expected one of stream, captured, edges, cloned, child, updated, driver, found 1");
    CHECK(error_with("/cells/0/verdict", "OK") ==
          "r.json: /cells/0/verdict: expected one of FAIL, UNEXPLAINED, REFUTED, TIMEOUT, CRASH, DEVICE ERROR, HARNESS "
          "ERROR, PASS, OBSERVED, PROVED, RECORDED, VACUOUS, NOT OBSERVED, NOT DECIDED, NOT SUPPORTED, MISSING, found "
          "\"OK\"");
    CHECK(error_with("/cells/0/branches", 1025) ==
          "r.json: /cells/0/branches: expected a whole number from 0 to 1024, found 1025");
    CHECK(error_with("/cells/0/time/seconds", -1) ==
          "r.json: /cells/0/time/seconds: expected a number from 0, found -1");
    CHECK(error_with("/cells/0/second_gpu", "H200") ==
          R"(r.json: /cells/0/second_gpu: expected an object, found "H200")");
    CHECK(error_with("/cells/0/second_gpu", Json::Object{{"name", "H200"}}) ==
          R"(r.json: /cells/0/second_gpu: the key "stood_in_for" is missing)");
    CHECK(error_with("/cells/0/upper_bound", 1.5) ==
          "r.json: /cells/0/upper_bound: expected a number from 0 to 1, found 1.5");
    CHECK(error_with("/cells/0/trials", -1) ==
          "r.json: /cells/0/trials: expected a whole number from 0 to 18446744073709551615, found -1");
    CHECK(error_with("/cells/0/outcomes/a~1b", 1.5) ==
          "r.json: /cells/0/outcomes/a~1b: expected a whole number from 0 to 1000000000000, found 1.5");
    CHECK(error_with("/cells/0/outcomes/x", std::uint64_t{1'000'000'000'001}) ==
          "r.json: /cells/0/outcomes/x: expected a whole number from 0 to 1000000000000, found 1000000000001");
    CHECK(error_with("/cells/0/allowed/1", Json::Object{}) ==
          "r.json: /cells/0/allowed/1: expected a string, found an object");
    CHECK(error_with("/cells", Json::Object{}) == "r.json: /cells: expected a list, found an object");
    CHECK(error_with("/cells/1", Json::List{}) == "r.json: /cells/1: expected an object, found a list");
    CHECK(error_with("/cells/0/decided", 1) == "r.json: /cells/0/decided: expected true or false, found 1");
    CHECK(error_with("/cells/0/extra", 1) == R"(r.json: /cells/0: unknown key "extra")");
    CHECK(error_with("/cells/0/control", Json()) == "r.json: /cells/0/control: expected an object, found null");
    CHECK(error_with("/cells/2/other_form/extra", 1) == R"(r.json: /cells/2/other_form: unknown key "extra")");
    CHECK(error_with("/started", "yesterday") ==
          "r.json: /started: expected a time such as 2026-11-30T12:00:00Z, or an empty string, found \"yesterday\"");
    CHECK(error_with("/seconds", -1) == "r.json: /seconds: expected a number from 0, found -1");
    CHECK(error_with("/compilation/units_from_cache", 4) ==
          "r.json: /compilation/units_from_cache: expected a whole number from 0 to 3, found 4");
    CHECK(error_without("/compilation", "units") == R"(r.json: /compilation: the key "units" is missing)");
    CHECK(error_with("/environment/multiprocessors", std::uint64_t{3'000'000'000}) ==
          "r.json: /environment/multiprocessors: expected a whole number from 0 to 2147483647, found 3000000000");
    CHECK(error_without("/cells/0", "reason") == R"(r.json: /cells/0: the key "reason" is missing)");
    CHECK(error_without("/cells/0/structure", "built") == R"(r.json: /cells/0/structure: the key "built" is missing)");
    CHECK(error_without("", "environment") == R"(r.json: /: the key "environment" is missing)");
    CHECK(error_of("[]") == "r.json: /: expected an object, found a list");
}

TEST_CASE("pictures of a stranger are held to their bounds") {
    const auto refused = [](const char* pointer, Json value, const char* message) {
        CHECK(error_with(pointer, std::move(value)) == concat("r.json: ", message));
    };
    const char* block = "/cells/0/picture/median/nodes/2/shown/0: times of a block that do not follow one another";
    refused("/cells/0/picture/median/nodes/2/shown/0/end", 1184, block);
    refused("/cells/0/picture/median/nodes/2/shown/0/begin", 1248, block);
    refused("/cells/0/picture/median/nodes/2/shown/0/wait_returned", 1215, block);
    refused("/cells/0/picture/median/nodes/2/shown/0/trigger", -32, block);
    refused("/cells/0/picture/worst/nodes/0/begin", std::uint64_t{60'000'000'001},
            "/cells/0/picture/worst/nodes/0/begin: expected a whole number from -60000000000 to 60000000000, found "
            "60000000001");
    refused("/cells/0/picture/worst/measured_ns", 0.5,
            "/cells/0/picture/worst/measured_ns: expected a whole number from -60000000000 to 60000000000, found 0.5");
    refused("/cells/0/picture/worst/nodes/0/end", -32,
            "/cells/0/picture/worst/nodes/0: a node that ends before it begins");
    refused("/cells/0/picture/worst/nodes/0/stamped", 1,
            "/cells/0/picture/worst/nodes/0: more blocks shown than stamped, or stamped than there are");
    refused("/cells/0/picture/armed", 101, "/cells/0/picture: more armed trials than trials");
    refused("/cells/0/picture/measure", "x", R"(/cells/0/picture/measure: expected one of gap, duration, found "x")");
    refused("/cells/0/picture/worst/nodes", Json::List(most_picture_nodes + 1),
            "/cells/0/picture/worst/nodes: 257 entries, at most 256");
    refused("/cells/0/picture/worst/nodes/0/shown", Json::List(most_picture_blocks + 1),
            "/cells/0/picture/worst/nodes/0/shown: 1025 entries, at most 1024");
    refused("/cells/0/latency", Json::List(most_latencies + 1), "/cells/0/latency: 257 entries, at most 256");
    refused("/cells/0/latency/0/begin/p5_ns", -3935,
            "/cells/0/latency/0/begin: quantiles that do not follow one another");
    CHECK(error_without("/cells/0/picture/median/nodes/2/shown/0", "wait_entered") ==
          "r.json: /cells/0/picture/median/nodes/2/shown/0: a wait that was entered and one that returned are given "
          "together");
    CHECK(error_without("/cells/0", "picture").empty());
    CHECK(error_without("/cells/0/picture", "median").empty());
}

TEST_CASE("another schema is named before anything else is complained of") {
    const char* message =
        "r.json: /schema: schema 2, this program reads schema 1; read the file with the version of the "
        "suite that wrote it";
    CHECK(error_with("/schema", 2) == message);
    CHECK(error_of(R"({"schema": 2, "new": true})") == message);
    CHECK(error_of("{}") == R"(r.json: /: the key "schema" is missing)");
}

TEST_CASE("what is not JSON, or is ambiguous JSON") {
    CHECK(error_of("").starts_with("r.json:1:1: not JSON: "));
    CHECK(error_of("{\n \"schema\": ,").starts_with("r.json:2:12: not JSON: "));
    CHECK(error_of("{} {}").starts_with("r.json:1:4: not JSON: "));
    CHECK(error_of("{\"schema\": \"\xff\"}").starts_with("r.json:1:13: not JSON: "));
    CHECK(error_of("{\"schema\": NaN}").starts_with("r.json:1:12: not JSON: "));
    CHECK(error_of(R"({"schema": 1, "schema": 1})") == "r.json: /schema: the key stands twice");
    CHECK(error_of(R"({"cells": [{}, {"a": 1, "a": 2}]})") == "r.json: /cells/1/a: the key stands twice");
    CHECK(error_of(R"({"a": [1, {"b": {"x": [0], "y": 1, "\u0078": 2}}]})") ==
          "r.json: /a/1/b/x: the key stands twice");
    std::string many = "{";
    for (int i = 0; i < 50; ++i) {
        many += concat("\"k", i, "\": {\"a\": [1, 2]}, ");
    }
    CHECK(error_of(many + "\"k7\": 0}") == "r.json: /k7: the key stands twice");
}

TEST_CASE("JSON is read as RFC 8259 has it") {
    const auto read = [](std::string_view text) {
        const Result<Json> json = parse_json(text, "j");
        return json ? print(*json, JsonLayout::compact) : json.error().message;
    };
    CHECK(read(" [ 0 , -0, -7, 18446744073709551615, 18446744073709551616, 1.50, 1e2, -2.5E-1, 1e-400 ]\r\n") ==
          "[0,0,-7,18446744073709551615,18446744073709551616,1.5,100,-0.25,0]");
    CHECK(read(R"(["\u00e9\uD83D\uDE00\b\f\n\r\t\/\\\"","\u0000"])") ==
          "[\"\xc3\xa9\xf0\x9f\x98\x80\\u0008\\u000c\\n\\u000d\\u0009/\\\\\\\"\",\"\\u0000\"]");
    CHECK(read("{\"a\":{},\"b\":[],\"c\":[true,false,null]}") == "{\"a\":{},\"b\":[],\"c\":[true,false,null]}");
    CHECK(read("[1,]") == "j:1:4: not JSON: expected a value, found \"]\"");
    CHECK(read("[1 2]") == "j:1:4: not JSON: expected ',' or ']', found \"2\"");
    CHECK(read("{\"a\" 1}") == "j:1:6: not JSON: expected ':', found \"1\"");
    CHECK(read("{a:1}") == "j:1:2: not JSON: expected a key in quotes, found \"a\"");
    CHECK(read("{\"a\":1,}") == "j:1:8: not JSON: expected a key in quotes, found \"}\"");
    CHECK(read("01") == "j:1:2: not JSON: expected the end of the text, found \"1\"");
    CHECK(read("-") == "j:1:2: not JSON: expected a digit, found the end of the text");
    CHECK(read("1.") == "j:1:3: not JSON: expected a digit, found the end of the text");
    CHECK(read("1e+") == "j:1:4: not JSON: expected a digit, found the end of the text");
    CHECK(read("1e999") == "j:1:1: not JSON: expected a number of at most 1.7e308, found \"1\"");
    CHECK(read("tru") == "j:1:4: not JSON: expected 'true', found the end of the text");
    CHECK(read("\"a\nb\"") ==
          "j:1:3: not JSON: expected a character of UTF-8, control characters escaped, found \"?\"");
    CHECK(read("\"\xed\xa0\x80\"").starts_with("j:1:2: not JSON: expected a character of UTF-8"));
    CHECK(read(R"("\x41")") == "j:1:3: not JSON: expected an escape, found \"x\"");
    CHECK(read(R"("\u12g4")") == "j:1:4: not JSON: expected four hexadecimal digits, found \"1\"");
    CHECK(read(R"("\ud83d")") == "j:1:8: not JSON: expected the second half of a surrogate pair, found \"\"\"");
    CHECK(read(R"("\ude00")") ==
          "j:1:8: not JSON: expected the first half of a surrogate pair before its second, found \"\"\"");
    CHECK(read("\"abc") == "j:1:5: not JSON: expected the end of a string, found the end of the text");
    CHECK(read("\xef\xbb\xbf{}").starts_with("j:1:1: not JSON: expected a value"));
}

TEST_CASE("sizes are bounded") {
    CHECK(error_of(std::string(1000, '[')).find("nested too deeply, at most 16 levels") != std::string::npos);
    CHECK(error_of(std::string(largest_results_file + 1, ' ')) ==
          "r.json: 67108865 bytes, a results file has at most 67108864");
    CHECK(error_with("/cells/0/reason", std::string(largest_results_string + 1, 'x')) ==
          "r.json: /cells/0/reason: a string of 65537 bytes, at most 65536");
    CHECK(error_with("/cells/0/reason", std::string(largest_results_string, 'x')).empty());
    CHECK(error_with("/cells/0/allowed", std::vector<std::string>(most_results_entries + 1, "")) ==
          "r.json: /cells/0/allowed: 100001 entries, at most 100000");
    Json many = sound();
    at(many, "/cells") = Json::List(most_results_cells + 1);
    CHECK(error_of(text_of(many)) == "r.json: /cells: 100001 entries, at most 100000");
    std::string masses = "[0";
    for (int i = 0; i < 8'000'000; ++i) {
        masses += ",0";
    }
    CHECK(error_of(masses + "]").find("more than 8000000 values") != std::string::npos);
}

TEST_CASE("a stranger's text cannot take over the message") {
    const std::string error = error_with("/cells/0/route", "\x1b[31m\n" + std::string(1000, 'x'));
    CHECK(error.find('\x1b') == std::string::npos);
    CHECK(error.find('\n') == std::string::npos);
    CHECK(error.size() < 200);
    CHECK(error_with("/cells/0/route", "a\u202eb\u009bc\u200bd\u2028e").ends_with("found \"a?b?c?d?e\""));
    CHECK(error_with("/cells/0", Json::Object{{"a\u202e/b", 1}}) == "r.json: /cells/0: unknown key \"a?/b\"");
}

TEST_CASE("a damaged file is refused or read, never a crash") {
    const std::string text = write_json(one_of_each());
    int refused = 0;
    int cuts = 0;
    for (std::size_t at = 0; at + 2 < text.size(); at += 7, ++cuts) {
        refused += read_json(std::string_view(text).substr(0, at), "r.json") ? 0 : 1;
        std::string flipped = text;
        flipped[at] = static_cast<char>(flipped[at] ^ 0x11);
        const Result<Results> results = read_json(flipped, "r.json");
        CHECK((results || results.error().message.starts_with("r.json:")));
    }
    CHECK(refused == cuts);
}
