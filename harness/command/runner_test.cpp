// SPDX-License-Identifier: Apache-2.0
// The runner, against workers that do what no worker should, against its own death, and against full disks. Executions
// are sampled, so that what each cell has to be is known to the last count: that of a run of which nothing went wrong.
#include "conformance/support/counted.hpp"
#include "conformance/support/shell.hpp"
#include "conformance/support/temporary_folder.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

using namespace pdlcts;

namespace {

using Json = nlohmann::json;

/// Few cells, each of some milliseconds.
const std::string run_options = "run --on fault:none --quick --seed 7 --retries 0 "
                                "--case visibility/post-trigger-writes --route stream,captured";
constexpr std::size_t run_cells = 2;

Ran program(const std::string& arguments, const std::string& before = "") {
    return shell(before + " '" PDLCTS_PROGRAM "' " + arguments);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

struct Folder : TemporaryFolder {
    std::string file(const std::string& name) const { return path + "/" + name; }
    std::string read(const std::string& name) const {
        std::ifstream stream(file(name));
        return {std::istreambuf_iterator<char>(stream), {}};
    }
};

/// The cells of a results file, less what differs from run to run.
Json cells_of(const std::string& text) {
    const Json results = Json::parse(text, nullptr, false);
    return results.is_object() ? results["cells"] : Json();
}

/// A run of which nothing goes wrong, once.
const Json& sound_cells() {
    static const Json cells = [] {
        const Folder folder;
        REQUIRE(program(run_options + " -o " + folder.file("r.json")).code == 0);
        return cells_of(folder.read("r.json"));
    }();
    return cells;
}

/// Whether the cells are those of a sound run but for the one that was hit: none lost, none twice, none invented.
std::string difference(const Json& cells, const std::string& verdict, const std::string& detail, std::size_t most,
                       const Json& sound = sound_cells()) {
    if (!cells.is_array() || cells.size() != sound.size()) {
        return "not the cells of the run";
    }
    std::size_t hit = 0;
    for (std::size_t index = 0; index < cells.size(); ++index) {
        const Json& cell = cells[index];
        if (cell == sound[index]) {
            continue;
        }
        ++hit;
        if (cell["case"] != sound[index]["case"] || cell["route"] != sound[index]["route"]) {
            return "a cell in the place of another";
        }
        if (cell["verdict"] != verdict || !contains(cell["incident_detail"], detail) ||
            !contains(cell["incident_detail"], "reproduce: pdlcts run --on fault:none --case ")) {
            return cell["verdict"].get<std::string>() + ": " + cell["incident_detail"].get<std::string>();
        }
    }
    return hit > most ? "more than one cell was hit" : "";
}

struct Mischief {
    const char* name;
    const char* verdict;
    const char* detail;
    bool on_every_line = true; ///< also on those that are of no job
};

constexpr Mischief mischiefs[] = {
    {"hang", "TIMEOUT", "the worker did not answer within 1500 ms, and was ended"},
    {"crash", "CRASH", "the worker ended with signal 11"},
    {"exit", "CRASH", "the worker ended with exit code 5"},
    {"garbage", "CRASH", "the worker wrote what is no message, and was ended"},
    {"half-line", "CRASH", "the worker ended with exit code 0"},
    {"flood", "CRASH", "the worker wrote a line of more than"},
    {"stall", "TIMEOUT", "the worker did not answer within 1500 ms, and was ended"},
    {"other-job", "CRASH", "the worker ", false},
    {"other-cell", "CRASH", "the worker answered for another job, and was ended", false},
    {"twice", "CRASH", "the worker answered for another job, and was ended", false},
};

/// Does each of a list, some at a time: most of them wait.
template <typename Work>
void at_once(std::size_t count, Work work) {
    std::atomic<std::size_t> next{0};
    std::vector<std::jthread> threads;
    for (int thread = 0; thread < 6; ++thread) {
        threads.emplace_back([&] {
            for (std::size_t index = next++; index < count; index = next++) {
                work(index);
            }
        });
    }
}

} // namespace

TEST_CASE("whatever a worker does at whatever point, only its cell says so, and every other cell is as without it") {
    REQUIRE(sound_cells().size() == run_cells);
    // hello, compiled, and the lines of the cells: two steps each, and the cell.
    constexpr std::size_t lines = 3 + 3 * run_cells;
    const Folder folder;
    std::mutex mutex;
    std::vector<std::string> wrong;
    std::map<std::string, int> hits;
    at_once(std::size(mischiefs) * lines, [&](std::size_t index) {
        const Mischief& mischief = mischiefs[index / lines];
        const std::string at = std::to_string(index % lines + 1);
        const std::string name = std::string(mischief.name) + "-" + at;
        const Ran ran = program(
            run_options + " --patience 1500 --worker '" PDLCTS_FAKE_WORKER "' -o " + folder.file(name + ".json"),
            "PDLCTS_REAL_WORKER='" PDLCTS_PROGRAM "' PDLCTS_MISCHIEF=" + std::string(mischief.name) +
                " PDLCTS_AT=" + at + " PDLCTS_ONCE=" + folder.file(name + ".once"));
        const std::string text = folder.read(name + ".json");
        const std::string found = difference(cells_of(text), mischief.verdict, mischief.detail, 1);
        const bool hit = contains(text, "\"verdict\":\"TIMEOUT\"") || contains(text, "\"verdict\":\"CRASH\"");
        const std::lock_guard lock(mutex);
        hits[mischief.name] += hit ? 1 : 0;
        if (!found.empty() || ran.code != (hit ? 1 : 0) || !std::filesystem::exists(folder.file(name + ".once"))) {
            wrong.push_back(name + ": " + found + " (exit code " + std::to_string(ran.code) + ")\n" + ran.output);
        }
    });
    for (const std::string& each : wrong) {
        FAIL_CHECK(each);
    }
    for (const Mischief& mischief : mischiefs) {
        CAPTURE(mischief.name);
        CHECK(hits[mischief.name] >= static_cast<int>(run_cells));
    }
    counted("a worker that misbehaves: ", std::size(mischiefs), " ways at ", lines, " points, ", wrong.size(),
            " runs with another cell than its own changed");
}

TEST_CASE("a worker that dies while it compiles beside its job says so, and the next one compiles first") {
    const Folder folder;
    for (const bool compiling : {true, false}) {
        CAPTURE(compiling);
        const std::string name = compiling ? "compiling" : "idle";
        // hello, what is compiled, that it is, and what the first cell is about.
        const Ran ran = program(run_options + " --worker '" PDLCTS_FAKE_WORKER "' -o " + folder.file(name + ".json"),
                                "PDLCTS_REAL_WORKER='" PDLCTS_PROGRAM "' PDLCTS_MISCHIEF=" +
                                    std::string(compiling ? "crash-compiling" : "exit") +
                                    " PDLCTS_AT=4 PDLCTS_ONCE=" + folder.file(name + ".once"));
        CHECK(ran.code == 1);
        const std::string text = folder.read(name + ".json");
        CHECK(contains(text, compiling ? "the worker ended with exit code 6" : "the worker ended with exit code 5"));
        CHECK(contains(text, "later cells were being compiled beside it") == compiling);
        CHECK(std::filesystem::exists(folder.file(name + ".once.first")) == compiling);
    }
}

TEST_CASE("a supervisor that dies at any moment loses the cell in flight, and --resume goes on") {
    const Folder folder;
    const std::string run_options = "run --on fault:none --quick --seed 7 --retries 0 --case 'model/*' --route stream";
    REQUIRE(program(run_options + " -o " + folder.file("sound.json")).code == 0);
    const Json sound = cells_of(folder.read("sound.json"));
    const std::size_t whole = folder.read("sound.json").size();
    REQUIRE(sound.size() >= 8);
    // From the start to the end of a run as long as one takes here, with as many at a time.
    const auto begin = std::chrono::steady_clock::now();
    at_once(12, [&](std::size_t index) {
        static_cast<void>(program(run_options + " -o " + folder.file("t" + std::to_string(index) + ".json")));
    });
    const std::chrono::duration<double, std::milli> taken =
        (std::chrono::steady_clock::now() - begin) / 2; // six at a time
    std::mt19937 random(11);
    std::vector<double> moments(50);
    for (double& moment : moments) {
        moment = std::uniform_real_distribution<double>(1, taken.count())(random);
    }
    std::mutex mutex;
    std::vector<std::string> wrong;
    int resumed = 0;
    at_once(moments.size(), [&](std::size_t index) {
        const std::string output = folder.file(std::to_string(index) + ".json");
        const std::string command = "'" PDLCTS_PROGRAM "' " + run_options + " -o " + output;
        // Much of a short run is its start. So every second one is killed by how far its journal has grown.
        const auto grown = static_cast<std::size_t>(moments[index] / taken.count() * static_cast<double>(whole));
        const Ran killed =
            index % 2 == 0
                ? shell("timeout -s KILL " + std::to_string(moments[index] / 1000) + " " + command)
                : shell(command + " & run=$!; while kill -0 $run && [ $(stat -c %s " + output +
                        ".partial || echo 0) -lt " + std::to_string(grown) + " ]; do :; done; kill -9 $run; wait");
        const bool journal = std::filesystem::exists(output + ".partial");
        const Ran again = program(run_options + (journal ? " --resume" : "") + " -o " + output);
        const bool empty = again.code == 22 && contains(again.output, "holds nothing yet");
        const Ran last = empty ? program(run_options + " -o " + output) : again;
        const std::string found = difference(cells_of(folder.read(std::to_string(index) + ".json")), "", "", 0, sound);
        const std::lock_guard lock(mutex);
        resumed += journal && !empty ? 1 : 0;
        if (!found.empty() || last.code != 0 || std::filesystem::exists(output + ".partial")) {
            wrong.push_back(std::to_string(moments[index]) + " ms: " + found + "\n" + again.output);
        }
    });
    for (const std::string& each : wrong) {
        FAIL_CHECK(each);
    }
    counted("a supervisor killed at ", moments.size(), " moments, of which ", resumed,
            " left a journal with something in it: ", wrong.size(), " results that differ");
    CHECK(resumed >= 15);
    // No worker outlives its supervisor, and nothing is left beside the outputs but what the runs wrote.
    for (const auto& entry : std::filesystem::directory_iterator(folder.path)) {
        const std::string name = entry.path().filename();
        CHECK_MESSAGE((name.ends_with(".json") || contains(name, ".new") || name.ends_with(".old")), name);
    }
}

TEST_CASE("--resume refuses another run, and takes half a line for none") {
    const Folder folder;
    const std::string output = folder.file("r.json");
    const std::string journal = output + ".partial";
    // Ended behind the first cell, by fail-fast of a worker that crashes.
    CHECK(program(run_options + " --fail-fast --worker '" PDLCTS_FAKE_WORKER "' -o " + output,
                  "PDLCTS_REAL_WORKER='" PDLCTS_PROGRAM "' PDLCTS_MISCHIEF=crash PDLCTS_AT=6 PDLCTS_ONCE=" +
                      folder.file("once"))
              .code == 1);
    REQUIRE(std::filesystem::exists(journal));
    const std::string text = folder.read("r.json.partial");
    const auto refused = [&](const std::string& arguments, const std::string& why) {
        const Ran ran = program(arguments + " --resume -o " + output);
        CAPTURE(ran.output);
        CHECK(ran.code == 22);
        CHECK(contains(ran.output, why));
        CHECK(folder.read("r.json.partial") == text);
    };
    refused("run --on fault:wait-returns-at-once --quick --seed 7 --retries 0 --case visibility/post-trigger-writes",
            "--on: `");
    refused("run --on fault:none --seed 7 --retries 0 --case visibility/post-trigger-writes",
            "--quick: `yes` then, `no` now");
    refused("run --on fault:none --quick --seed 8 --retries 0 --case visibility/post-trigger-writes",
            "--seed: `7` then");
    refused("run --on fault:none --quick --retries 0 --case visibility/*", "the cases and routes");

    const auto with = [&](std::string changed, const std::string& from, const std::string& to) {
        const std::size_t at = changed.find(from);
        REQUIRE(at != std::string::npos);
        std::ofstream(journal) << changed.replace(at, from.size(), to);
        return program(run_options + " --resume -o " + output);
    };
    const Ran suite = with(text, "\"git_hash\":\"", "\"git_hash\":\"0");
    CHECK(suite.code == 22);
    CHECK(contains(suite.output, "the suite: `"));
    CHECK(with(text, "\"driver_version\":\"", "\"driver_version\":\"1").code == 22);
    CHECK(with(text, "\"cell\":1,", "\"cell\":99,").code == 22);
    CHECK(with(text, "\"cell\":1,", "\"cell\":2,").code == 22);
    CHECK(with(text, "{\"about\"", "{\"abouts\"").code == 22);

    std::ofstream(journal) << text << "{\"cell\":2,\"is\":{\"case\":\"visi";
    const Ran resumed = program(run_options + " --resume -o " + output);
    CHECK(contains(resumed.output, "cells and 0 of 0 native checks are there"));
    CHECK(difference(cells_of(folder.read("r.json")), "CRASH", "signal 11", 1).empty());
    CHECK(!std::filesystem::exists(journal));
    CHECK(program(run_options + " --resume -o " + output).code == 22);
    CHECK(program(run_options + " --resume").code == 2);
}

TEST_CASE("a full disk and a read-only output are clear errors, and what stood there stays") {
    const Folder folder;
    const std::string output = folder.file("r.json");
    std::ofstream(output) << "what stood there";
    // The journal's first line fits, and no cell behind it.
    for (const char* blocks : {"0", "2"}) {
        const Ran full =
            shell(std::string("ulimit -f ") + blocks + "; '" PDLCTS_PROGRAM "' " + run_options + " -o " + output);
        CAPTURE(full.output);
        CHECK(full.code == 5);
        CHECK(contains(full.output, "File too large"));
        CHECK(folder.read("r.json") == "what stood there");
    }
    for (const char* name : {"/proc/no-such-folder/r.json", "/proc/version"}) {
        const Ran read_only = program(run_options + " -o " + name);
        CAPTURE(read_only.output);
        CHECK(read_only.code == 5);
        CHECK(contains(read_only.output, "cannot write the file"));
    }
    CHECK(program(run_options + " -o " + folder.path).code == 5);
    CHECK(program(run_options + " -o /dev/null").code == 0);
    CHECK(std::filesystem::is_character_file("/dev/null"));
}

TEST_CASE("order, isolation and workers change no cell; a signal ends a run behind its cell") {
    const Folder folder;
    for (const char* option : {"--shuffle", "--isolate", "--in-process", "--no-cache"}) {
        CAPTURE(option);
        CHECK(program(run_options + " " + option + " -o " + folder.file("r.json")).code == 0);
        CHECK(cells_of(folder.read("r.json")) == sound_cells());
    }
    // The worker is silent at its second cell, and the signal comes before the supervisor has had enough.
    const Ran interrupted = shell(
        "PDLCTS_REAL_WORKER='" PDLCTS_PROGRAM "' PDLCTS_MISCHIEF=hang PDLCTS_AT=7 PDLCTS_ONCE=" + folder.file("once") +
        " '" PDLCTS_PROGRAM "' " + run_options + " --shuffle --patience 3000 --worker '" PDLCTS_FAKE_WORKER "' -o " +
        folder.file("i.json") + " & while [ ! -e " + folder.file("once") + " ]; do sleep 0.02; done; kill -TERM $!; " +
        "wait $!; echo code $?");
    CAPTURE(interrupted.output);
    CHECK(contains(interrupted.output, "the run was interrupted (Terminated); 0 cells are MISSING"));
    CHECK(contains(interrupted.output, "code 21"));
    CHECK(difference(cells_of(folder.read("i.json")), "TIMEOUT", "3000", 1).empty());
    const Ran early = shell(
        "PDLCTS_REAL_WORKER='" PDLCTS_PROGRAM "' PDLCTS_MISCHIEF=hang PDLCTS_AT=4 PDLCTS_ONCE=" + folder.file("once2") +
        " '" PDLCTS_PROGRAM "' " + run_options + " --patience 2000 --worker '" PDLCTS_FAKE_WORKER "' -o " +
        folder.file("i.json") + " & while [ ! -e " + folder.file("once2") +
        " ]; do sleep 0.02; done; kill -TERM $!; wait $!; echo code $?");
    CAPTURE(early.output);
    CHECK(contains(early.output, "1 cells are MISSING"));
    CHECK(contains(early.output, "code 21"));
    const Json cells = cells_of(folder.read("i.json"));
    REQUIRE(cells.size() == run_cells);
    CHECK(cells[run_cells - 1]["verdict"] == "MISSING");
    CHECK(std::filesystem::exists(folder.file("i.json.partial")));
    const Ran resumed = program(run_options + " --resume -o " + folder.file("i.json"));
    CHECK(contains(resumed.output, "1 of 2 cells"));
    CHECK(difference(cells_of(folder.read("i.json")), "TIMEOUT", "2000", 1).empty());
}

TEST_CASE("what a case does only after others is found, with the smallest list of them") {
    const std::string options =
        "bisect visibility/post-trigger-writes --route stream --on fault:none --quick --case 'model/*' "
        "--case post-trigger-writes ";
    const Ran poisoned = program(options + "--poison 'model/preamble-overlaps+model/three-components"
                                           ">visibility/post-trigger-writes'");
    CAPTURE(poisoned.output);
    CHECK(poisoned.code == 0);
    CHECK(contains(poisoned.output, "visibility/post-trigger-writes on stream, alone: PASS\n"));
    CHECK(contains(poisoned.output, "It fails (HARNESS ERROR) behind these 2 cells, and without any of them it does "
                                    "not:\n  model/preamble-overlaps on "));
    CHECK(contains(poisoned.output, "\n  model/three-components on "));
    const Ran sound = program(options);
    CHECK(sound.code == 1);
    CHECK(contains(sound.output, "It does not fail behind them either"));
    CHECK(program("bisect no-such-case --on fault:none").code == 4);
}

TEST_CASE("who is silent has not shown that a program does not end: of such a claim that would be a FAIL") {
    const Folder folder;
    const Ran ran = program(
        "run --on fault:none --quick --case trigger/implicit-on-exit --route stream --patience 1000 "
        "--worker '" PDLCTS_FAKE_WORKER "' -o " +
            folder.file("r.json"),
        "PDLCTS_REAL_WORKER='" PDLCTS_PROGRAM "' PDLCTS_MISCHIEF=hang PDLCTS_AT=5 PDLCTS_ONCE=" + folder.file("once"));
    CHECK(ran.code == 1);
    CHECK(cells_of(folder.read("r.json"))[0]["verdict"] == "DEVICE ERROR");
}

TEST_CASE(
    "who cannot say which GPUs there are is no machine without one, and a GPU on which no worker starts is lost") {
    const std::string fake = " --patience 1000 --worker '" PDLCTS_FAKE_WORKER "'";
    const std::string crash = "PDLCTS_REAL_WORKER='" PDLCTS_PROGRAM "' PDLCTS_MISCHIEF=crash PDLCTS_AT=1 ";
    for (const char* on : {"gpu", "auto"}) {
        const Ran ran = program(std::string("run --case post-trigger-writes --on ") + on + fake, crash);
        CAPTURE(ran.output);
        CHECK(ran.code == 16);
        CHECK(contains(ran.output, "the worker that was asked for the GPUs ended with signal 11"));
    }
    const Ran lost = program(run_options + fake, crash);
    CAPTURE(lost.output);
    CHECK(lost.code == 20);
    CHECK(contains(lost.output, "a worker that was to open the GPU: the worker ended with signal 11"));
    CHECK(!contains(lost.output, "PASS"));
}
