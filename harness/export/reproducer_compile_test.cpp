// SPDX-License-Identifier: Apache-2.0
// Compiles reproducers as a host compiler sees them; the target `reproducers` gives each to nvcc.
#include "conformance/plan/routes.hpp"
#include "harness/export/reproducer_testing.hpp"

#include "conformance/machine/check.hpp"
#include "conformance/support/counted.hpp"
#include "conformance/support/shell.hpp"
#include "harness/gpu/constructs.hpp"
#include "harness/judge/judge.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <unistd.h>

using namespace pdlcts;

namespace {

struct Folder {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("pdlcts-reproducer-" + std::to_string(getpid()));
    Folder() { std::filesystem::create_directory(path); }
    ~Folder() { std::filesystem::remove_all(path); }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path / name) << text;
        return (path / name).string();
    }
};

const std::string compiler = std::string("'" PDLCTS_COMPILER "' -std=c++17 -x c++ -isystem '" PDLCTS_CUDA_INCLUDE "' ");

/// Every reproducer in a namespace of its own, the headers before them: one run of the compiler for all.
class Unity {
public:
    void add(std::string text) {
        std::string body;
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t end = std::min(text.find('\n', at), text.size());
            const std::string line = text.substr(at, end - at);
            at = end + 1;
            if (line.starts_with("#include")) {
                headers_.insert(line);
            } else if (line.starts_with("extern \"C\" __global__")) {
                body += line.substr(11) + "\n"; // C has no namespaces
            } else {
                body += (line.starts_with("int main(") ? "static int run_" + line.substr(4) : line) + "\n";
            }
        }
        body_ += "namespace reproducer_" + std::to_string(count) + " {\n" + body +
                 "int (*const use)(int, char**) = run_main;\n}\n";
        ++count;
    }

    std::string text() const {
        std::string text =
            "#include <device_launch_parameters.h>\n#undef __launch_bounds__\n#define __launch_bounds__(threads)\n";
        for (const std::string& header : headers_) {
            text = header + "\n" + text;
        }
        return text + body_;
    }

    std::size_t count = 0;

private:
    std::set<std::string> headers_;
    std::string body_;
};

/// What the machine allows is data in the text, and dear: a search of one state leaves it out.
void add(Unity& unity, const Case& listed, Route route, bool control_alone = false) {
    const ReproducerOptions options{route, control_alone, "pdlcts", {.states = 1}};
    if (const Result<std::string> text = reproducer(listed, embedded_ledger(), options)) {
        unity.add(*text);
    }
}

/// The verdict and the exit code of a reproducer whose GPU does what a script says.
Ran run_script(const std::string& program, char script, const char* arguments = "2000") {
    return shell(std::string("FAKE_SCRIPT=") + script + " '" + program + "' " + arguments);
}

std::string verdict_line(const Ran& ran) {
    const std::size_t at = ran.output.find("verdict: ");
    return at == std::string::npos ? "none" : ran.output.substr(at + 9, ran.output.find('\n', at) - at - 9);
}

/// What the suite says of the same trials: 2,000 of program and control, counted as the scripts of fake_runtime.hpp
/// have them.
std::string suite_verdict(std::map<std::string, std::uint64_t> program, std::map<std::string, std::uint64_t> control,
                          std::uint64_t unwritten = 0) {
    Cell cell;
    cell.case_id = "visibility/post-trigger-writes";
    cell.statement = "visibility.after-wait.post-trigger-writes";
    cell.image = "sass sm_90";
    cell.claim = {.never = "seen == 0", .sometimes = "", .ends = false, .armed = "overlapped == 1"};
    cell.form.program.tally = {std::move(program), unwritten};
    cell.form.program.allowed = {"overlapped=0 seen=1", "overlapped=1 seen=1"};
    cell.form.program.decided = true;
    cell.form.control.emplace();
    cell.form.control->tally = {std::move(control), 0};
    cell.form.control->allowed = {"overlapped=0 seen=0", "overlapped=0 seen=1", "overlapped=1 seen=0",
                                  "overlapped=1 seen=1"};
    cell.form.control->decided = true;
    const Judgement judgement = judge(cell);
    return std::string(name(judgement.verdict)) + (judgement.reason.empty() ? "" : ": " + judgement.reason);
}

} // namespace

TEST_CASE("reproducers are programs to a host compiler, without a warning") {
    // Routes in turn, so that each meets what cases have; all of them are the target `reproducers`, or this test with
    // PDLCTS_ALL_REPRODUCERS set.
    const bool all = std::getenv("PDLCTS_ALL_REPRODUCERS") != nullptr;
    Unity unity;
    std::size_t turn = 0;
    for (const Case& listed : embedded_cases()) {
        std::vector<Route> routes = cell_routes(listed, embedded_ledger());
        std::erase_if(routes, [](Route route) { return lowered_as(route) != route; });
        if (routes.empty()) {
            continue; // of detours there is no reproducer
        }
        for (std::size_t place = 0; place < routes.size(); ++place) {
            if (all || place == turn % routes.size()) {
                add(unity, listed, routes[place]);
            }
            if (all || (place == turn % routes.size() && turn % 8 == 0)) {
                add(unity, listed, routes[place], true);
            }
        }
        ++turn;
    }
    for (const Construct& construct : constructs()) {
        const Result<Case> read = read_user_case({construct.name + ".litmus", construct.text}, embedded_ledger());
        REQUIRE_MESSAGE(read, read.error().message);
        for (const Route route : cell_routes(*read, embedded_ledger())) {
            add(unity, *read, route);
        }
    }
    CHECK(unity.count > embedded_cases().size());
    const Folder folder;
    const std::string file = folder.write("all.cpp", unity.text());
    // Of the kernels only the syntax is seen here; NVRTC compiles them in nvrtc_test.cpp.
    const Ran ran = shell(compiler +
                          "-fsyntax-only -Wall -Wextra -Werror -Wno-attributes -Wno-parentheses "
                          "-Wno-unused-parameter '" +
                          file + "'");
    CHECK_MESSAGE(ran.code == 0, ran.output.substr(0, 4000));
    counted("reproducers: ", unity.count, " compiled for the host");
}

TEST_CASE("a reproducer comes to the suite's verdicts, in the suite's words") {
    const Folder folder;
    std::string text = reproducer_of(suite_case("visibility/post-trigger-writes"), Route::stream);
    const std::string wait = "longest_wait(20000)";
    REQUIRE(text.find(wait) != std::string::npos);
    text.replace(text.find(wait), wait.size(), "longest_wait(100)");
    const std::string file = folder.write("one.cpp", "#include \"harness/export/fake_runtime.hpp\"\n" + text);
    const std::string program = (folder.path / "one").string();
    const Ran built = shell(compiler + "-w -I '" PDLCTS_SOURCE_DIR "' -o '" + program + "' '" + file + "'");
    REQUIRE_MESSAGE(built.code == 0, built.output);

    const std::string good = "overlapped=1 seen=1";
    const std::string bad = "overlapped=1 seen=0";
    const auto same = [&](char script, const std::string& expected, int code) {
        const Ran ran = run_script(program, script);
        CHECK_MESSAGE(verdict_line(ran) == expected, ran.output);
        CHECK(ran.code == code);
    };
    same('p', suite_verdict({{good, 2000}}, {{bad, 2000}}), 0);
    same('f', suite_verdict({{good, 1999}, {bad, 1}}, {{bad, 2000}}), 1);
    same('v', suite_verdict({{good, 2000}}, {{good, 2000}}), 0);
    same('r', suite_verdict({{good, 2000}}, {{bad, 10}, {good, 1990}}), 0);
    same('n', suite_verdict({{"overlapped=0 seen=1", 2000}}, {{"overlapped=0 seen=0", 2000}}), 0);
    same('h', suite_verdict({{good, 1000}, {"overlapped=0 seen=1", 1000}}, {{bad, 2000}}), 0);
    same('u', suite_verdict({{good, 1999}}, {{bad, 2000}}, 1), 1);
    same('o', suite_verdict({{good, 1999}, {"overlapped=1 seen=other", 1}}, {{bad, 2000}}), 1);
    CHECK(verdict_line(run_script(program, 's')).starts_with("NOT SUPPORTED"));
    const Ran hanging = run_script(program, 't');
    CHECK(verdict_line(hanging).starts_with("TIMEOUT"));
    CHECK(hanging.code == 1);
    const Ran failing = run_script(program, 'e');
    CHECK(failing.code == 3);
    CHECK(failing.output.find("launching primary: cudaErrorFake") != std::string::npos);
    CHECK(verdict_line(run_script(program, 'p', "50")).starts_with("VACUOUS: too few trials"));
    for (const char* wrong : {"0", "-1", "x", "10x", "1 2", "99999999999999999999"}) {
        CHECK(run_script(program, 'p', wrong).code == 2);
    }
}
