// SPDX-License-Identifier: Apache-2.0
// The program as its users meet it: a process with arguments, output and an exit code.
#include "conformance/support/shell.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <string>

#include <unistd.h>

using namespace pdlcts;

namespace {

using Json = nlohmann::json;

Ran program(const std::string& arguments, const std::string& environment = "") {
    return shell(environment + " '" PDLCTS_PROGRAM "' " + arguments);
}

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::size_t lines(const std::string& text) {
    return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

/// An empty folder that is removed at the end.
struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("pdlcts-program-" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return (path / name).string();
    }
    std::string file(const std::string& name) const { return (path / name).string(); }
    std::string read(const std::string& name) const {
        std::ifstream stream(path / name);
        return {std::istreambuf_iterator<char>(stream), {}};
    }
};

std::string source_file(const char* name) {
    std::ifstream stream(std::string(PDLCTS_SOURCE_DIR) + "/" + name);
    return {std::istreambuf_iterator<char>(stream), {}};
}

} // namespace

TEST_CASE("run without a GPU proves every case on the machine, says so first, and succeeds") {
    // Whether there is a GPU or not: --on machine touches none.
    const Ran ran = program("run --on machine --case 'trigger/*'");
    CHECK(ran.code == 0);
    CHECK(ran.output.starts_with("Running on the abstract machine"));
    CHECK(contains(ran.output, "trigger.implicit-on-exit"));
    CHECK(!contains(ran.output, "\x1b["));
}

TEST_CASE("run --on gpu without a GPU is an error of its own, in one line") {
    // No device is visible, so that this holds on a machine with a GPU too.
    const Ran ran = program("run --on gpu", "CUDA_VISIBLE_DEVICES=");
    CHECK(ran.output.starts_with("pdlcts: no usable GPU: "));
    CHECK(lines(ran.output) == 1);
    CHECK(ran.code >= 10);
    CHECK(ran.code <= 15);
    const Ran native = program("run --on gpu --case graph-query/roundtrip", "CUDA_VISIBLE_DEVICES=");
    CHECK(native.output.starts_with("pdlcts: no usable GPU: "));
    const Ran fallback = program("run --case trigger/implicit-on-exit", "CUDA_VISIBLE_DEVICES=");
    CHECK(fallback.code == 0);
    CHECK(fallback.output.starts_with("Running on the abstract machine (cells say PROVED or REFUTED), because"));
}

TEST_CASE("a run of no cell is no success") {
    const Ran ran = program("run --on machine --case graph-capture/pss-port --route stream");
    CHECK(ran.code == 1);
    CHECK(contains(ran.output, "no cell was run, so nothing holds"));
}

TEST_CASE("results of the machine are written, verified and reported") {
    const Folder folder;
    const std::string file = folder.file("results.json");
    CHECK(program("run --on machine --case 'graph-capture/*' --case post-trigger-writes -o " + file).code == 0);
    const Json results = Json::parse(folder.read("results.json"));
    CHECK(results["schema"] == 1);
    CHECK(results["suite"].contains("git_hash"));
    CHECK(results["environment"]["gpu"] == "abstract machine");
    CHECK(results["cells"].size() >= 10);
    for (const Json& cell : results["cells"]) {
        CHECK(cell["verdict"] == "PROVED");
        CHECK(cell["image"] == "machine");
    }
    CHECK(program("verify " + file).code == 0);
    CHECK(contains(program("report " + file).output, "PROVED"));
    CHECK(contains(program("report --markdown - " + file).output, "|"));

    CHECK(contains(program("report --latency " + file).output, "no latencies"));
    CHECK(contains(program("report --picture post-trigger-writes " + file).output, "on stream: no picture"));
    CHECK(program("report --picture no-such-case " + file).code == 4);

    // Compressed, it is the same file to every command.
    const std::string packed = folder.file("packed.json.gz");
    CHECK(program("run --on machine --case post-trigger-writes -o " + packed).code == 0);
    CHECK(folder.read("packed.json.gz").starts_with("\x1f\x8b"));
    CHECK(program("verify " + packed).code == 0);
    CHECK(program("diff " + packed + " " + packed).code == 0);
    const Ran both = program("report --csv - --strict " + packed + " " + file);
    CHECK(both.code == 0);
    CHECK(lines(both.output) > results["cells"].size());
    CHECK(program("report " + packed + " " + folder.write("cut.json", "{")).code == 3);
    CHECK(contains(program("report " + packed + " " + folder.file("cut.json")).output, "PROVED"));
    CHECK(!contains(program("report --strict " + packed + " " + folder.file("cut.json")).output, "PROVED"));

    Json forged = results;
    forged["cells"][0]["verdict"] = "PASS";
    CHECK(program("verify " + folder.write("forged.json", forged.dump())).code == 1);
    Json wider = results;
    wider["cells"][0]["allowed"].push_back("seen=7");
    CHECK(program("verify " + folder.write("wider.json", wider.dump())).code == 1);
    Json fewer = results;
    fewer["every_case"] = true;
    const Ran lacking = program("verify " + folder.write("fewer.json", fewer.dump()));
    CHECK(lacking.code == 1);
    CHECK(contains(lacking.output, "there is no cell, though the file says that every case was run"));
    CHECK(program("report " + folder.file("fewer.json")).code == 1);
    Json empty = results;
    empty["cells"] = Json::array();
    CHECK(program("verify " + folder.write("empty.json", empty.dump())).code == 1);
    CHECK(program("verify " + folder.write("broken.json", "{")).code == 3);
}

TEST_CASE("no path, host or user name reaches a results file") {
    const Folder folder;
    CHECK(program("run --on machine --case 'visibility/*' -o " + folder.file("results.json")).code == 0);
    const std::string text = folder.read("results.json");
    std::array<char, 256> host{};
    REQUIRE(gethostname(host.data(), host.size() - 1) == 0);
    CHECK(!contains(text, PDLCTS_SOURCE_DIR));
    CHECK(!contains(text, folder.path.string()));
    CHECK(!contains(text, "\"" + std::string(host.data()) + "\""));
}

TEST_CASE("list --json keeps its contract") {
    const Ran ran = program("list --json");
    REQUIRE(ran.code == 0);
    const Json list = Json::parse(ran.output);
    CHECK(list["statements"].size() == 214);
    CHECK(list["cases"].size() >= 12);
    for (const Json& listed : list["cases"]) {
        CHECK(listed["id"].is_string());
        CHECK(listed["statement"].is_string());
        CHECK(listed["kind"].is_string());
        CHECK(listed["because"].is_array());
        if (listed["id"] == "wait/blocks-until-completion") {
            CHECK(listed["because"] == Json{"https://github.com/NVIDIA/TensorRT-LLM/pull/15729"});
        }
        CHECK(!listed["routes"].empty());
        CHECK((listed["kind"] == "native") == (listed["routes"] == Json{"native"}));
    }
    std::size_t tested = 0;
    for (const Json& statement : list["statements"]) {
        CHECK(statement["strength"].is_string());
        CHECK(statement["basis"].is_string());
        tested += statement["cases"].empty() ? 0 : 1;
    }
    CHECK(tested >= 12);
    CHECK(contains(program("list").output, "trigger/implicit-on-exit"));
    CHECK(contains(program("list --statements").output, "214 statements"));
    const Ran coverage = program("list --coverage");
    CHECK(contains(coverage.output, "/214 ("));
    CHECK(coverage.code == 0);
    CHECK(!contains(coverage.output, "NEITHER"));
    CHECK(contains(program("explain graph-query/roundtrip").output, "read back as they were added"));
}

TEST_CASE("check proves the suite, and answers for a file of the user's own") {
    const Ran all = program("check");
    CHECK(all.code == 0);
    CHECK(!contains(all.output, "REFUTED"));
    CHECK(contains(all.output, "PROVED on stream, captured and edges: "));

    const Folder folder;
    const std::string wrong = folder.write(
        "wrong.litmus", "memory x = 0\ngrid a <<<1, 1>>>\nthread 0:\nst.weak x, 1\ngrid b <<<1, 1>>> pss\nthread 0:\n"
                        "ld.weak x -> seen\nnever seen == 0\n");
    const Ran refuted = program("check " + wrong);
    CHECK(refuted.code == 1);
    CHECK(contains(refuted.output, "REFUTED on stream, captured and edges: the specification allows `seen=0`"));
    // Said once for all routes: the execution, the step that decides, why, and what would help.
    CHECK(contains(refuted.output, "ld.weak x -> seen  reads 0  <--\n"));
    CHECK(contains(refuted.output, ": `ld.weak x -> seen` of b thread 0 can still read 0, the initial value of `x`"));
    CHECK(contains(refuted.output, "\n      - `wait` before `ld.weak x -> seen` in b thread 0\n"));
    CHECK(contains(refuted.output, "\n0 of 3 proved\n"));
    const Ran json = program("check --json " + wrong);
    CHECK(Json::parse(json.output).size() == 3);
    CHECK(program("run --on machine " + wrong).code == 1);
}

TEST_CASE("check tells routes apart, and says what it does not know") {
    const Folder folder;
    const std::string chain = folder.write(
        "chain.litmus", "memory x = 0\ngrid a <<<1, 1>>>\nthread 0:\ntrigger\nst.weak x, 1\ngrid b <<<1, 1>>> pss\n"
                        "grid c <<<1, 1>>>\nthread 0:\nld.weak x -> seen\nnever seen == 0\n");
    const Ran routes = program("check " + chain);
    CHECK(routes.code == 1);
    CHECK(contains(routes.output, "PROVED on stream: "));
    CHECK(contains(routes.output, "REFUTED on captured and edges: "));
    CHECK(contains(routes.output, "wait.intransitive-if-middle-skips"));

    const Ran limited = program("check --states 1 " + chain);
    CHECK(limited.code == 1);
    CHECK(contains(limited.output, "NOT DECIDED on stream, captured and edges: program: more than 1 states"));
    CHECK(contains(limited.output, "pdlcts check --states"));

    const std::string sync = folder.write("sync.litmus", "grid a <<<1, 1>>>\nsync device\ngrid b <<<1, 1>>>\nends\n");
    const Ran inexpressible = program("check " + sync);
    CHECK(inexpressible.code == 0);
    CHECK(contains(inexpressible.output, "PROVED on stream: "));
    CHECK(contains(inexpressible.output, "NOT EXPRESSIBLE on captured and edges: program: the host's thread"));

    const std::string toothless = folder.write(
        "toothless.litmus", "memory x = 0\ngrid a <<<1, 1>>>\nthread 0:\nst.weak x, 1\ngrid b <<<1, 1>>>\nthread 0:\n"
                            "- wait\nld.weak x -> seen\nnever seen == 0\n");
    const Ran proves_nothing = program("check " + toothless);
    CHECK(proves_nothing.code == 1);
    CHECK(contains(proves_nothing.output, "The control ends in `seen=1`."));
}

TEST_CASE("explain shows a case, and the source that a GPU runs") {
    const Ran ran = program("explain post-trigger-writes");
    CHECK(ran.code == 0);
    CHECK(contains(ran.output, "visibility.after-wait.post-trigger-writes (guarantee, read)"));
    CHECK(contains(ran.output, "-     wait"));
    CHECK(contains(ran.output, "primary -> secondary: type programmatic, port programmatic"));
    CHECK(contains(ran.output, "allowed outcomes: overlapped=0 seen=1 | overlapped=1 seen=1"));
    const Ran source = program("explain --source post-trigger-writes");
    CHECK(contains(source.output, "griddepcontrol.wait"));
}

TEST_CASE("what goes wrong is one clear line and an exit code of its own") {
    const Folder folder;
    const std::string malformed = folder.write("malformed.litmus", "grid g <<<1, 1>>>\nthread 0:\nfrobnicate\nends\n");
    const auto complains = [](const Ran& ran, int code, const std::string& part) {
        CAPTURE(ran.output);
        CHECK(ran.code == code);
        CHECK(lines(ran.output) == 1);
        CHECK(contains(ran.output, part));
    };
    complains(program("run --on machine " + malformed), 3, "malformed.litmus:3:1: ");
    complains(program("check " + malformed), 3, "malformed.litmus:3:1: ");
    complains(program("check " + folder.file("absent.litmus")), 3, "cannot open the file");
    complains(program("run --on machine --case no-such-case"), 4, "no case matches `no-such-case`");
    complains(program("explain no-such-case"), 4, "there is no case and no file `no-such-case`");
    complains(program("run --on machine -o " + folder.file("no/such/folder.json")), 5, "cannot write the file");
    complains(program("verify " + folder.file("absent.json")), 3, "cannot open the file");
    CHECK(program("").code == 2);
    CHECK(program("run --on moon").code == 2);
    CHECK(program("frobnicate").code == 2);
    CHECK(program("run --help").code == 0);
    CHECK(program("--version").output.starts_with("pdlcts "));
}

namespace {

/// Two published runs of one GPU, and what an independent reader finds in them.
struct TwoRuns {
    std::string first;
    std::string second;
    std::map<std::string, std::string> before; ///< `case on route`: verdict
    std::map<std::string, std::string> after;
    std::vector<std::string> changed;

    TwoRuns() {
        const std::filesystem::path folder = std::string(PDLCTS_SOURCE_DIR) + "/reports/published";
        const std::string name = "h200-580.159.04-cuda13.0";
        first = (folder / (name + ".json")).string();
        second = (folder / name / "run-2.json").string();
        second += std::filesystem::exists(second) ? "" : ".gz";
        before = verdicts(first);
        after = verdicts(second);
        for (const auto& [cell, verdict] : before) {
            if (after.at(cell) != verdict) {
                changed.push_back(cell);
            }
        }
    }
    static std::map<std::string, std::string> verdicts(const std::string& file) {
        const Ran text = shell("gzip --decompress --stdout --force '" + file + "'");
        const Json results = Json::parse(text.output);
        std::map<std::string, std::string> verdicts;
        for (const char* list : {"cells", "native"}) {
            for (const Json& cell : results.value(list, Json::array())) {
                verdicts[cell["case"].get<std::string>() + " on " + cell.value("route", "native")] = cell["verdict"];
            }
        }
        return verdicts;
    }
};

} // namespace

TEST_CASE("diff names what two published runs of one GPU differ in, as text, Markdown and JSON") {
    const TwoRuns runs;
    const std::string files = "'" + runs.first + "' '" + runs.second + "'";
    const Ran text = program("diff " + files);
    CHECK(text.code == 0);
    CHECK(contains(text.output, std::to_string(runs.before.size()) + " cells in both files"));
    for (const std::string& cell : runs.changed) {
        CHECK(contains(text.output, "\n  " + cell + "\n      before: " + runs.before.at(cell)));
        CHECK(contains(text.output, "\n      after:  " + runs.after.at(cell)));
    }
    CHECK(program("diff --exit-code " + files).code == (runs.changed.empty() ? 0 : 1));
    CHECK(program("diff --markdown - " + files).output.starts_with("| | |\n|---|---|\n| old | NVIDIA H200"));
    const Json json = Json::parse(program("diff --json " + files).output);
    CHECK(json["compared"] == runs.before.size());
    const auto changed = std::count_if(json["cells"].begin(), json["cells"].end(), [](const Json& cell) {
        return cell["before"]["verdict"] != cell["after"]["verdict"];
    });
    CHECK(static_cast<std::size_t>(changed) == runs.changed.size());
    const std::string twice = "'" + runs.first + "' '" + runs.first + "'";
    const Ran same = program("diff --exit-code " + twice);
    CHECK(same.code == 0);
    CHECK(contains(same.output, "no cell differs"));
    CHECK(program("diff /no/such/file.json '" + runs.first + "'").code == 3);
    CHECK(program("diff --markdown /no/such/folder/x.md " + twice).code == 5);
}

TEST_CASE("bisect-reports names the first report in which a cell changed") {
    const Folder folder;
    const TwoRuns runs;
    const std::string reports = folder.file("reports");
    std::filesystem::create_directory(reports);
    std::filesystem::copy_file(runs.first, reports + "/a.json");
    const std::string second = runs.second.ends_with(".gz") ? "b.json.gz" : "b.json";
    std::filesystem::copy_file(runs.second, reports + "/" + second);
    const Ran ran = program("bisect-reports " + reports + " --statement '*'");
    CHECK(ran.code == 0);
    CHECK(contains(ran.output, "580.159.04 (a.json), 580.159.04 (" + second + ")"));
    for (const std::string& cell : runs.changed) {
        CHECK(contains(ran.output,
                       "\n" + cell + ", NVIDIA H200, toolkit 13.0\n  580.159.04 (a.json): " + runs.before.at(cell)));
    }
    CHECK(contains(ran.output, "\n" + std::to_string(runs.changed.size()) + " of " +
                                   std::to_string(runs.before.size()) + " cells changed\n"));
    CHECK(program("bisect-reports " + reports + " --case no-such-case").code == 4);
    CHECK(program("bisect-reports " + reports).code == 2);
    CHECK(program("bisect-reports " + folder.file("absent") + " --case x").code == 3);
    folder.write("reports/bad.json", "{");
    const Ran bad = program("bisect-reports " + reports + " --json --case implicit-on-exit");
    CHECK(bad.code == 3);
    CHECK(contains(bad.output, "\"changes\""));
}

TEST_CASE("the gate is shut for results of the machine, whatever is let pass, and says why in every form") {
    const Folder folder;
    const std::string file = folder.file("results.json");
    CHECK(program("run --on machine --case trigger/implicit-on-exit -o " + file).code == 0);
    const std::string all = " --allow partial,quick,dirty,other-suite --today 2026-11-30";
    const Ran text = program("gate " + file + all + " --explain");
    CHECK(text.code == 1);
    CHECK(text.output.starts_with("gate shut: "));
    CHECK(contains(text.output, "no-device: results of the abstract machine"));
    CHECK(contains(text.output, "trigger/implicit-on-exit on stream: fails (no-device): PROVED, which is"));
    CHECK(contains(text.output, "let pass, as asked for: a run of selected cases"));
    CHECK(contains(program("gate " + file + " --today 2026-11-30").output, "partial: a run of selected cases"));
    const Ran json = program("gate " + file + all + " --json");
    CHECK(json.code == 1);
    CHECK(Json::parse(json.output)["open"] == false);
    const Ran annotations = program("gate " + file + all + " --annotations --markdown " + folder.file("summary.md") +
                                    " --junit " + folder.file("junit.xml"));
    CHECK(annotations.code == 1);
    CHECK(annotations.output.starts_with("::error "));
    CHECK(contains(folder.read("summary.md"), "## PDL conformance gate: shut"));
    CHECK(contains(folder.read("junit.xml"), "<testsuite name=\"trigger\""));

    Json forged = Json::parse(folder.read("results.json"));
    forged["cells"][0]["verdict"] = "PASS";
    CHECK(contains(program("gate " + folder.write("forged.json", forged.dump()) + all).output, "contradiction: "));
    CHECK(program("gate " + folder.file("absent.json")).code == 3);
    CHECK(program("gate " + file + " --baseline " + folder.file("absent.json")).code == 3);
    const Ran waivers = program("gate " + file + " --waivers " + folder.write("w.toml", "[[waiver]]\ncase = 3\n"));
    CHECK(waivers.code == 3);
    CHECK(contains(waivers.output, "w.toml:2:8: expected `case`, a string"));
    CHECK(program("gate " + file + " --today yesterday").code == 2);
    CHECK(program("gate " + file + " --allow everything").code == 2);
}

TEST_CASE("the gate opens for a cell of a real run that passes, and shuts for one that fails and is not waived") {
    const Folder folder;
    const TwoRuns runs;
    const auto bundle = [&](const std::string& cell) {
        const std::size_t on = cell.find(" on ");
        const std::string output = folder.file(cell.substr(on + 4));
        std::filesystem::remove_all(output);
        REQUIRE(program("bundle '" + runs.first + "' --case " + cell.substr(0, on) + " --route " + cell.substr(on + 4) +
                        " -o " + output)
                    .code == 0);
        return output + "/results.json --allow partial,other-suite --today 2026-11-30 ";
    };
    REQUIRE(runs.before.at("trigger/implicit-on-exit on stream") == "PASS");
    const std::string passing = bundle("trigger/implicit-on-exit on stream");
    const Ran open = program("gate " + passing);
    CHECK(open.code == 0);
    CHECK(open.output.starts_with("gate open: 1 cell passes\n"));
    // A passing gate whose report cannot be written is no success; a shut one is shut.
    CHECK(program("gate " + passing + "--junit /no/such/folder/x.xml").code == 5);
    const auto vacuous =
        std::find_if(runs.before.begin(), runs.before.end(), [](const auto& cell) { return cell.second == "VACUOUS"; });
    REQUIRE(vacuous != runs.before.end());
    const std::string failing = bundle(vacuous->first);
    CHECK(program("gate " + failing).code == 1);
    CHECK(program("gate " + failing + "--junit /no/such/folder/x.xml").code == 1);
}

TEST_CASE("the README, the program's help and the source agree on the exit codes, which are distinct") {
    // Each place is read on its own, so that a code that one of them lacks, or words otherwise, is seen.
    const auto read = [](const std::string& text, const std::string& pattern) {
        const std::regex expression(pattern);
        std::multimap<int, std::string> codes;
        std::istringstream stream(text);
        std::smatch match;
        for (std::string line; std::getline(stream, line);) {
            if (std::regex_match(line, match, expression)) {
                codes.emplace(std::stoi(match[1]), match.size() > 2 ? match[2].str() : "");
            }
        }
        return codes;
    };
    const std::string readme = source_file("README.md");
    const auto in_readme = read(readme.substr(readme.find("\n## Exit codes\n")), R"(\| (\d+) \| (.*) \|)");
    const auto in_help = read(program("--help").output, R"( +(\d+)  (.*))");
    const auto in_source = read(source_file("harness/command/exit_code.hpp"), R"(    \w+ = (\d+),)");
    CHECK(in_readme == in_help);
    REQUIRE(in_source.size() == in_help.size());
    CHECK(in_source.size() >= 14);
    for (const auto& [code, nothing] : in_source) {
        CAPTURE(code);
        CHECK(in_source.count(code) == 1);
        CHECK(in_help.count(code) == 1);
    }
}

TEST_CASE("the README's pattern is what it says it is") {
    const std::string readme = source_file("README.md");
    const std::size_t begin = readme.find("```litmus\n");
    REQUIRE(begin != std::string::npos);
    const std::size_t text = begin + std::string("```litmus\n").size();
    const Folder folder;
    const std::string file = folder.write("my-pattern.litmus", readme.substr(text, readme.find("```", text) - text));
    const Ran ran = program("check " + file);
    CHECK(ran.code == 0);
    CHECK(contains(ran.output, "3 of 3 proved"));
}

TEST_CASE("the program needs the C and C++ run time and nothing else") {
    const Ran needed = shell("ldd '" PDLCTS_PROGRAM "'");
    REQUIRE(needed.code == 0);
    const auto is_run_time = [](const std::string& name) {
        for (const char* part :
             {"linux-vdso.so", "libstdc++.so", "libm.so", "libgcc_s.so", "libc.so", "ld-linux-x86-64.so"}) {
            if (contains(name, part)) {
                return true;
            }
        }
        return false;
    };
    std::size_t libraries = 0;
    std::istringstream text(needed.output);
    for (std::string name, line; text >> name && std::getline(text, line);) {
        CAPTURE(name);
        CHECK(is_run_time(name));
        ++libraries;
    }
    CHECK(libraries >= 4);
}

TEST_CASE("a folder is run and checked file by file; what cannot be read is said, and loses nothing") {
    const Folder folder;
    const std::string good = source_file("cases/trigger/implicit-on-exit.litmus");
    for (const char* inside : {"one", "one/deep", "two", "none"}) {
        std::filesystem::create_directories(folder.path / inside);
    }
    folder.write("one/b.litmus", good);
    folder.write("one/a.litmus", good);
    folder.write("one/deep/a.litmus", good);
    folder.write("one/notes.txt", "no litmus file");
    folder.write("two/a.litmus", good);
    const std::string one = folder.file("one");
    const std::string results = folder.file("results.json");

    // Two files of one name stay apart, and one that is named twice is run once.
    const Ran ran =
        program("run --on machine " + one + " " + folder.file("two/a.litmus") + " " + one + " -o " + results);
    CHECK(ran.code == 0);
    std::vector<std::string> ids;
    const Json parsed = Json::parse(folder.read("results.json"));
    for (const Json& cell : parsed["cells"]) {
        if (cell["route"] == "stream") {
            ids.push_back(cell["case"]);
        }
    }
    CHECK(ids == std::vector<std::string>{"one/a", "b", "deep/a", "two/a"});
    CHECK(program("verify " + results).code == 0);

    folder.write("one/bad.litmus", "memory x = q\n");
    const Ran partly = program("run --on machine " + one + " -o " + results);
    CHECK(partly.code == 3);
    CHECK(contains(partly.output, "bad.litmus:1:12: the initial value is not a number"));
    CHECK(Json::parse(folder.read("results.json"))["cells"].size() == 3 * 7); // `routes all`, as the copied case says
    const Ran checked = program("check " + one + " trigger/implicit-on-exit");
    CHECK(checked.code == 3);
    CHECK(contains(checked.output, "28 of 28 proved"));

    for (const char* command : {"run --on machine ", "check "}) {
        const Ran empty = program(command + folder.file("none"));
        CHECK(empty.code == 3);
        CHECK(contains(empty.output, "none: holds no file that ends in .litmus"));
    }
}

TEST_CASE("export writes a reproducer, or says why there is none") {
    const Folder folder;
    const std::string file = folder.file("one.cu");
    CHECK(program("export post-trigger-writes --route edges -o " + file).code == 0);
    CHECK(contains(folder.read("one.cu"), "post-trigger-writes on route edges"));
    CHECK(contains(program("export post-trigger-writes").output, "post-trigger-writes on route stream"));
    const Ran refused = program("export pss-port --route stream");
    CHECK(refused.code == 1);
    CHECK(contains(refused.output, "makes no claim on route stream"));
    CHECK(program("export nonsense").code == 4);
    CHECK(program("export post-trigger-writes -o " + folder.file("no/such/folder.cu")).code == 5);
}

TEST_CASE("a bundle holds one cell that verifies, its case, and how to run it again") {
    const Folder folder;
    const std::string results = std::string(PDLCTS_SOURCE_DIR) + "/reports/published/h200-580.159.04-cuda13.0.json";
    REQUIRE(std::filesystem::exists(results));
    const std::string cell = " --case post-trigger-writes --route stream ";
    CHECK(program("bundle " + results + cell + "-o " + folder.file("whole")).code == 0);
    CHECK(program("verify " + folder.file("whole/results.json")).code == 0);
    CHECK(Json::parse(folder.read("whole/results.json"))["cells"].size() == 1);
    CHECK(program("check " + folder.file("whole/case.litmus")).code == 0);
    const std::string readme = folder.read("whole/README.md");
    CHECK(contains(readme, "visibility/post-trigger-writes on route stream: PASS"));
    CHECK(contains(readme, "pdlcts run --on gpu --case visibility/post-trigger-writes --route stream --seed "));
    CHECK(contains(folder.read("whole/reproducer.cu"), "int main("));
    CHECK(contains(folder.read("whole/trace.txt"), "An execution of the control that violates the claim"));
    for (const auto& entry : std::filesystem::directory_iterator(folder.path / "whole")) {
        CHECK(!contains(folder.read("whole/" + entry.path().filename().string()), folder.path.string()));
    }

    CHECK(program("bundle " + results + cell + "-o " + folder.file("whole.tar")).code == 0);
    const std::string unpack = "tar -C '" + folder.path.string() + "' -xf '" + folder.file("whole.tar") + "'";
    CHECK(std::system(unpack.c_str()) == 0);
    CHECK(folder.read("pdlcts-visibility-post-trigger-writes-on-stream/README.md") == readme);

    CHECK(program("bundle " + results + cell + "-o " + folder.file("whole")).code == 5); // it is there already
    CHECK(program("bundle " + results + cell + "-o x.tar.gz").code == 2);
    CHECK(contains(program("bundle " + results + " --case post-trigger-writes").output, "names several cells"));
    CHECK(program("bundle " + results + " --case nonsense").code == 4);

    // A pattern of one's own is bundled with its file.
    const std::string mine = folder.write("mine.litmus", source_file("cases/trigger/implicit-on-exit.litmus"));
    const std::string own = folder.file("own.json");
    CHECK(program("run --on machine " + mine + " --route stream -o " + own).code == 0);
    CHECK(contains(program("bundle " + own + " --case mine").output, "name its file with --file"));
    CHECK(program("bundle " + own + " --case mine --file " + mine + " -o " + folder.file("mine")).code == 0);
    CHECK(contains(folder.read("mine/README.md"), "mine on route stream: PROVED"));
}

TEST_CASE("a faulty machine in the place of a GPU goes the whole way, and its results say what it is") {
    const Folder folder;
    const std::string selected = " --quick --seed 3 --case 'wait/*' -o " + folder.file("results.json");
    const Ran sound = program("run --on fault:none" + selected);
    CHECK(sound.code == 0);
    CHECK(sound.output.starts_with("No GPU: "));
    CHECK(program("verify " + folder.file("results.json")).code == 0);

    const Ran faulty = program("run --on fault:wait-without-flush" + selected);
    CHECK(faulty.code == 1);
    CHECK(contains(faulty.output, "with the fault wait-without-flush"));
    CHECK(contains(faulty.output, "FAIL"));
    CHECK(program("verify " + folder.file("results.json")).code == 0); // it holds: the machine was faulty
    const Json results = Json::parse(folder.read("results.json"));
    CHECK(results["environment"]["fault"] == "wait-without-flush");
    CHECK(results["environment"]["gpu"] == "abstract machine, fault wait-without-flush");
    CHECK(results["cells"][0]["image"] == "sampled executions, fault wait-without-flush");

    const Ran unknown = program("run --on fault:wait-for-godot");
    CHECK(unknown.code == 2);
    CHECK(lines(unknown.output) == 1);
}

TEST_CASE("faults prints the kill matrix, with the score as its last line") {
    const std::string selected = "faults --fault wait-without-flush --fault pss-applied-across-a-copy --case 'wait/*'";
    const Ran ran = program(selected);
    CHECK(ran.code == 1); // no case of the wait has a copy in between
    CHECK(ran.output.ends_with("\nmutation score 1/2 (50 %)\n"));
    const Json json = Json::parse(program(selected + " --json").output);
    CHECK(json["score"] == 0.5);
    REQUIRE(json["faults"].size() == 2);
    CHECK(json["faults"][0]["name"] == "wait-without-flush");
    CHECK(json["faults"][0]["statement"] == "visibility.after-wait.all-memory-ops");
    CHECK(json["faults"][0]["trials_to_kill"] > 0);
    CHECK(json["faults"][1]["killed_by"].empty());
    CHECK(program("faults --fault nothing").code == 4);
}

TEST_CASE("selftest tries mutants, keeps what it saw, and says so in its exit code") {
    const Folder folder;
    const std::string file = folder.file("selftest.json");
    const std::string one_case = "selftest --on machine --route stream --case visibility/post-trigger-writes ";
    const Ran ran = program(one_case + "--mutant 'drop-*' --mutant hoist-stores -o " + file);
    CHECK(ran.code == 0);
    CHECK(contains(ran.output, "On the abstract machine"));
    CHECK(contains(ran.output, "0 survived"));
    const Ran verified = program("verify " + file);
    CHECK_MESSAGE(verified.code == 0, verified.output);
    CHECK(contains(verified.output, "the fates of"));
    CHECK(contains(program("report --markdown - " + file).output, "# Mutants"));
    std::string forged = folder.read("selftest.json");
    const std::string fails = "\"verdict\": \"FAIL\"";
    REQUIRE(contains(forged, fails));
    forged.replace(forged.find(fails), fails.size(), "\"verdict\": \"VACUOUS\"");
    CHECK(program("verify " + folder.write("forged.json", forged)).code == 1);

    // Nothing that is noticed is no success.
    CHECK(program(one_case + "--mutant hoist-stores").code == 1);
    CHECK(program("selftest --mutant no-such-mutant").code == 4);
    CHECK(program("selftest --on machine --case no-such-case").code == 4);
    CHECK(contains(program("selftest --list").output, "drop-wait"));
    CHECK(program("selftest", "CUDA_VISIBLE_DEVICES=").code >= 10);
}
