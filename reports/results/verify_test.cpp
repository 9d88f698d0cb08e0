// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"
#include "reports/results/example_json.hpp"

#include <doctest/doctest.h>

#include <algorithm>

using namespace pdlcts;
using namespace pdlcts::examples;
using Lines = std::vector<std::string>;

namespace {

const Ledger ledger = small_ledger();

Lines verify_json(const Json& json) {
    return verify(text_of(json), "r.json", ledger);
}

Lines with(const char* pointer, Json value) {
    Json json = sound();
    at(json, pointer) = std::move(value);
    return verify_json(json);
}

/// Every value of a file that is no list and no object, by its JSON pointer.
void leaves(const Json& json, const std::string& path, std::vector<std::string>& pointers) {
    if (const auto* object = json.as<Json::Object>()) {
        for (const auto& [key, value] : *object) {
            leaves(value, path + "/" + key, pointers);
        }
    } else if (const auto* list = json.as<Json::List>()) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            leaves((*list)[i], path + "/" + std::to_string(i), pointers);
        }
    } else {
        pointers.push_back(path);
    }
}

/// Another value of the same kind, so that the reader takes it.
Json another(const Json& value, const std::string& path) {
    const auto ends = [&](std::string_view end) { return path.ends_with(end); };
    if (const auto* boolean = value.as<bool>()) {
        return !*boolean;
    }
    if (ends("/upper_bound")) {
        return 0.5;
    }
    if (const auto* number = value.as<double>()) {
        return *number + 1;
    }
    if (const auto* number = value.as<std::uint64_t>()) {
        return *number + 1;
    }
    if (const auto* number = value.as<std::int64_t>()) {
        return static_cast<int>(*number + 1);
    }
    if (ends("/strength")) {
        return value == Json("permission") ? "guarantee" : "permission";
    }
    if (ends("/basis")) {
        return "derived";
    }
    if (ends("/route")) {
        return value == Json("stream") ? "edges" : "stream";
    }
    if (ends("/verdict")) {
        return value == Json("PASS") ? "VACUOUS" : "PASS";
    }
    if (ends("/incident")) {
        return "crash";
    }
    if (ends("/answer")) {
        return "refuted";
    }
    if (ends("/started")) {
        return "2026-11-30T12:00:01Z";
    }
    return *value.as<std::string>() + "x";
}

} // namespace

TEST_CASE("a file as written holds") {
    CHECK(verify_json(sound()) == Lines{});
    CHECK(verify(write_json(Results{}), "r.json", ledger) == Lines{});
}

TEST_CASE("layout and the order of keys are not evidence") {
    Json json = sound();
    auto& keys = *json.as<Json::Object>();
    std::reverse(keys.begin(), keys.end());
    CHECK(verify_json(json) == Lines{});
    CHECK(verify(print(json, JsonLayout::indented), "r.json", ledger) == Lines{});
}

TEST_CASE("a file that cannot be read is one difference") {
    CHECK(verify("{}", "r.json", ledger) == Lines{R"(r.json: /: the key "schema" is missing)"});
}

TEST_CASE("each value that is flipped is noticed, derived or evidence") {
    std::vector<std::string> pointers;
    leaves(sound(), "", pointers);
    CHECK(pointers.size() > 200);
    for (const std::string& pointer : pointers) {
        if (pointer == "/schema") {
            continue; // another schema is the reader's business
        }
        CAPTURE(pointer);
        Json json = sound();
        at(json, pointer) = another(at(json, pointer), pointer);
        const Lines lines = verify_json(json);
        REQUIRE_FALSE(lines.empty());
        CHECK(lines.front().starts_with("r.json: /"));
    }
}

TEST_CASE("each value that is taken away, added or renamed is noticed") {
    for (const auto& [parent, key] : {std::pair{"/cells/0", "control"},
                                      {"/cells/0", "branches"},
                                      {"/cells/0", "time"},
                                      {"/cells/0", "instances"},
                                      {"/cells/2", "other_form"},
                                      {"/cells/4", "machine"}}) {
        CAPTURE(key);
        Json json = sound();
        erase(json, parent, key);
        CHECK_FALSE(verify_json(json).empty());
    }
    Json shorter = sound();
    at(shorter, "/cells").as<Json::List>()->pop_back();
    CHECK_FALSE(verify_json(shorter).empty());
    CHECK_FALSE(with("/cells/0/allowed/2", "overlapped=1 seen=0").empty());
    CHECK_FALSE(with("/cells/0/outcomes/overlapped=0 seen=1", 5).empty());
    CHECK_FALSE(with("/cells/0/outcomes", Json::Object{{"overlapped=0 seen=1", 2000}}).empty());
    CHECK_FALSE(with("/environment/variables/CUDA_LAUNCH_BLOCKING", "1").empty());
}

TEST_CASE("a difference is one line that says where, what the file says and what its evidence says") {
    CHECK(with("/cells/0/verdict", "FAIL") ==
          Lines{R"(r.json: /cells/0/verdict: the file says "FAIL", its evidence says "PASS")"});
    CHECK(with("/cells/0/trials", 3000) ==
          Lines{"r.json: /cells/0/trials: the file says 3000, its evidence says 2000"});
    CHECK(with("/cells/2/other_form/control/armed_violations", 0) ==
          Lines{"r.json: /cells/2/other_form/control/armed_violations: the file says 0, its evidence says 1990"});
    CHECK(with("/cells/3/reason", "") ==
          Lines{"r.json: /cells/3/reason: the file says \"\", its evidence says \"needs compute capability 10.0\""});

    const Lines lines = with("/cells/0/outcomes/overlapped=1 seen=1", 500);
    REQUIRE(lines.size() == 6);
    CHECK(lines[0].starts_with("r.json: /digest: the file says "));
    CHECK(lines[0].ends_with("; the evidence was changed after the run"));
    for (const char* line :
         {R"(r.json: /cells/0/verdict: the file says "PASS", its evidence says "VACUOUS")",
          R"(r.json: /cells/0/reason: the file says "", its evidence says "too few trials: 500, 1000 needed")",
          "r.json: /cells/0/armed: the file says 2000, its evidence says 500"}) {
        CHECK(std::find(lines.begin(), lines.end(), line) != lines.end());
    }
}

TEST_CASE("the last digits of the upper bound are another machine's") {
    Json json = sound();
    const double bound = *at(json, "/cells/0/upper_bound").as<double>();
    CHECK(with("/cells/0/upper_bound", bound * (1 + 1e-12)) == Lines{});
    CHECK_FALSE(with("/cells/0/upper_bound", bound * (1 + 1e-6)).empty());
}

TEST_CASE("one case on one route has one cell") {
    Results results = one_of_each();
    results.cells.push_back(results.cells[0]);
    CHECK(
        verify(write_json(results), "r.json", ledger) ==
        Lines{"r.json: /cells/5: the same case and route as /cells/0: \"visibility.after-wait/post-trigger\" stream"});
    results.cells.back().form.route = Route::edges;
    CHECK(verify(write_json(results), "r.json", ledger) == Lines{});
}

TEST_CASE("how a cell was run is consistent") {
    Results results = one_of_each();
    results.cells[0].form.instances->launches = 5;
    results.cells[1].form.time->launch_seconds = 1;
    results.cells[2].other_form->branches = 0;
    CHECK(verify(write_json(results), "r.json", ledger) ==
          Lines{"r.json: /cells/0/instances: 1024 instances were counted; 5 launches of 256 blocks have 1280",
                "r.json: /cells/0/instances/control: 1024 instances were counted; 5 launches of 256 blocks have 1280",
                "r.json: /cells/1/time: the launches took longer than everything together",
                "r.json: /cells/2/other_form/branches: trials ran, and in no branch"});
    results = one_of_each();
    results.cells[0].form.instances->control.reset();
    CHECK(
        verify(write_json(results), "r.json", ledger) ==
        Lines{"r.json: /cells/0/instances: instances of the program and trials of a control, or the other way round"});
}

TEST_CASE("no verdict is earned by a new label") {
    Results results = one_of_each();
    results.cells[0].strength = Strength::permission;
    results.cells[1].basis = Basis::derived;
    results.cells[3].statement = "no.such-statement";
    CHECK(verify(write_json(results), "r.json", ledger) ==
          Lines{"r.json: /cells/0/strength: the file says permission, the ledger says guarantee",
                "r.json: /cells/1/basis: the file says derived, the ledger says read",
                "r.json: /cells/3/statement: the ledger has no statement \"no.such-statement\""});
}

TEST_CASE("variations are the same trials once more, and windows are what a pilot gives") {
    const auto lines_after = [](auto change) {
        Results results = one_of_each();
        change(*results.cells[2].other_form);
        return verify(write_json(results), "r.json", ledger);
    };
    const auto lines_of_window = [&](auto change) { return lines_after([&](Form& form) { change(form.windows[0]); }); };
    CHECK(lines_after([](Form&) {}) == Lines{});
    CHECK(lines_after([](Form& form) { form.program.variations.clear(); }) == Lines{});
    CHECK(lines_after([](Form& form) { form.windows.clear(); }) == Lines{});
    CHECK(
        lines_after([](Form& form) { form.control->variations["load"].unwritten = 1; }) ==
        Lines{"r.json: /cells/2/other_form/control/variations: the trials of all variations together are not those of "
              "the outcomes"});
    CHECK(lines_of_window([](PollWindow& window) { window.window_ns = 50'001; }) ==
          Lines{"r.json: /cells/2/other_form/windows/0: a window of 50001 ns under a ceiling of 50000"});
    CHECK(lines_of_window([](PollWindow& window) { window.window_ns = 1'799; }) ==
          Lines{"r.json: /cells/2/other_form/windows/0: a window of 1799 ns that its pilot does not give"});
    CHECK(lines_of_window([](PollWindow& window) { window.program.reset(); }) ==
          Lines{"r.json: /cells/2/other_form/windows/0: a window of 7200 ns that its pilot does not give"});
    CHECK(lines_of_window([](PollWindow& window) { window.program->satisfied = 57; }) ==
          Lines{"r.json: /cells/2/other_form/windows/0/program: satisfied in 57 of 56 trials"});
    CHECK(lines_of_window([](PollWindow& window) { window.program->median_ns = 1'801; }) ==
          Lines{"r.json: /cells/2/other_form/windows/0/program: the median is above the quantile of 95 %"});
    CHECK(lines_of_window([](PollWindow& window) { window.control->high_ns = 1; }) ==
          Lines{"r.json: /cells/2/other_form/windows/0/control: a latency of a poll that was never satisfied"});
}

TEST_CASE("a case that names no statement is a guarantee") {
    Results results = one_of_each();
    results.cells = {named(never_cell(), "my-pattern.litmus", "")};
    CHECK(verify(write_json(results), "r.json", ledger) == Lines{});
    results.cells[0].strength = Strength::unspecified;
    CHECK(verify(write_json(results), "r.json", ledger) ==
          Lines{"r.json: /cells/0: a case that names no statement is judged as a guarantee (read), the file says "
                "unspecified (read)"});
}

TEST_CASE("the ledger that was built in is the one that counts") {
    const Ledger& embedded = embedded_ledger();
    REQUIRE_FALSE(embedded.sections.empty());
    const Statement& statement = embedded.sections.front().statements.front();
    Results results = one_of_each();
    results.native.clear();
    results.cells = {named(never_cell(), "a", statement.id.c_str())};
    results.cells[0].strength = statement.strength;
    results.cells[0].basis = statement.basis;
    CHECK(verify(write_json(results), "r.json") == Lines{});
    results.cells[0].basis = statement.basis == Basis::read ? Basis::derived : Basis::read;
    CHECK(verify(write_json(results), "r.json").size() == 1);
}

TEST_CASE("an optional list that is given and empty is a difference, not a crash") {
    for (const char* key : {"/cells/1/latency", "/native"}) {
        Json json = sound();
        at(json, key) = Json::List{};
        const auto differences = verify(text_of(json), "r.json", small_ledger());
        REQUIRE_FALSE(differences.empty());
        CHECK(std::any_of(differences.begin(), differences.end(), [&](const std::string& line) {
            return line == concat("r.json: ", key, ": an empty list, which the suite leaves out");
        }));
    }
}

TEST_CASE("sampled executions and runs of a device are never one file") {
    Results results = *read_json(text_of(sound()), "r.json");
    const auto differences = [&] { return verify(write_json(results), "r.json", ledger); };
    REQUIRE(differences().empty());
    results.native.clear();
    results.environment.fault = "no-overlap";
    CHECK(differences().size() == results.cells.size()); // each says that a device ran
    for (Cell& cell : results.cells) {
        cell.image = "sampled executions, fault no-overlap";
    }
    CHECK(differences().empty());
    results.environment.fault = "none";
    CHECK(differences().size() == results.cells.size());
    results.environment.fault.reset();
    CHECK(differences().size() == results.cells.size());
}
