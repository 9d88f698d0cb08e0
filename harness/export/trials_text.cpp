// SPDX-License-Identifier: Apache-2.0
#include "harness/export/trials_text.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "harness/export/claim_text.hpp"
#include "harness/export/launches.hpp"
#include "harness/export/words.hpp"
#include "harness/gpu/batches.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr std::uint64_t most_trials_of_a_batch = 64;
constexpr std::chrono::milliseconds usual_deadline{20000};

std::chrono::milliseconds deadline_of(const Reproduced& reproduced) {
    return std::max(usual_deadline, least_deadline(reproduced.litmus));
}

constexpr const char* calls_text = R"(
[[noreturn]] static void fail(const char* what) {
    std::fflush(stdout);
    std::fprintf(stderr, "error, so there is no verdict: %s\n", what);
    std::_Exit(3); // without destructors, which would wait for the device
}

static void check(cudaError_t status, const char* doing) {
    if (status != cudaSuccess) {
        fail((std::string(doing) + ": " + cudaGetErrorName(status) + ": " + cudaGetErrorString(status)).c_str());
    }
}

)";

constexpr const char* waiting_text = R"(
// Ends the run with what it has shown so far: the device may never answer again.
[[noreturn]] static void give_up(const std::string& missed) {
    const bool negative = report(missed);
    std::fflush(stdout);
    std::_Exit(negative ? 1 : 0);
}

// Polls, because no call that waits for the device has a deadline.
static void wait_until_idle(cudaStream_t awaited, const char* what) {
    const auto deadline = std::chrono::steady_clock::now() + longest_wait;
    while (true) {
        const bool late = std::chrono::steady_clock::now() >= deadline;
        const cudaError_t status = cudaStreamQuery(awaited);
        if (status == cudaSuccess) return;
        if (status != cudaErrorNotReady) check(status, what);
        if (late) give_up(std::string(what) + ": not done in time");
        std::this_thread::yield();
    }
}

)";

constexpr const char* watchdog_text = R"(
// This program makes the host's own thread wait, by calls that have no deadline. Another thread watches it.
static std::atomic<long long> watched_until{std::numeric_limits<long long>::max()}; // by the steady clock

static long long in_ticks(std::chrono::steady_clock::time_point time) { return time.time_since_epoch().count(); }

static void start_watchdog() {
    std::thread([] {
        while (true) {
            std::this_thread::sleep_for(std::chrono::milliseconds(100));
            if (in_ticks(std::chrono::steady_clock::now()) > watched_until) {
                give_up("a call of the host's own thread did not return in time");
            }
        }
    }).detach();
}

)";

constexpr const char* place_text = R"(
// A trial and whose it is.
struct Placed {
    Side* side;
    Trial trial;
};

// Program and control in turn, each trial with a record of its own: no trial finds the lines of another in a cache.
)";

constexpr const char* copy_text = R"(
        // The host writes all records, and the device has them before anything is launched.
        for (size_t index = 0; index < placed; ++index) {
            batch[index].trial.salt = next_salt();
            batch[index].side->prepare(batch[index].trial);
        }
        check(cudaMemcpyAsync(records, copies, words * sizeof(word), cudaMemcpyHostToDevice, MAIN), "resetting memory");
        wait_until_idle(MAIN, "resetting memory");

)";

constexpr const char* count_text = R"(
        check(cudaMemcpyAsync(copies, records, words * sizeof(word), cudaMemcpyDeviceToHost, MAIN), "reading memory");
        wait_until_idle(MAIN, "reading memory");
        for (size_t index = 0; index < placed; ++index) {
            count(*batch[index].side, batch[index].side->outcome(batch[index].trial));
        }
        done += round;
    }
}
)";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
    for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
        text.replace(at, what.size(), by);
    }
    return text;
}

void write_count(CppText& out) {
    out.line(0, "// Counts the outcome of one trial.");
    out.line(0, "static void count(Side& side, const Outcome& outcome) {");
    out.line(1, "++side.trials;");
    out.line(1, "if (outcome.unwritten) {");
    out.line(2, "++side.unwritten;");
    out.line(2, "return;");
    out.line(1, "}");
    out.line(1, "const bool armed = is_armed(outcome);");
    out.line(1, "const bool matching = matches(outcome);");
    out.line(1, "side.armed += armed;");
    out.line(1, "side.matching += matching;");
    out.line(1, "side.armed_matching += armed && matching;");
    out.line(1, "++side.outcomes[outcome.in_words()];");
    out.line(1, "if (armed) side.armed_outcomes.insert(outcome.in_words());");
    out.line(1, "if (matching) side.matching_outcomes.insert(outcome.in_words());");
    out.line(0, "}");
    out.blank();
}

/// The memory of a batch, and its graphs where the route has any.
void write_placing(CppText& out, const Reproduced& reproduced) {
    const bool host = uses_host_memory(reproduced);
    out.line(1, "size_t words = 0; // of all records in device memory");
    if (host) {
        out.line(1, "size_t host_words = 0;");
    }
    out.line(1, "for (const Side* side : sides) {");
    out.line(2, "words += trials_of_a_batch * side->words;");
    if (host) {
        out.line(2, "host_words += trials_of_a_batch * side->host_words;");
    }
    out.line(1, "}");
    out.line(1, "word* records = nullptr;");
    out.line(1, "word* copies = nullptr; // on the host");
    out.line(1, "check(cudaMalloc(&records, words * sizeof(word)), \"allocating device memory\");");
    out.line(1, "check(cudaMallocHost(&copies, words * sizeof(word)), \"allocating host memory\");");
    if (host) {
        out.line(1, "word* host_records = nullptr; // shared with the device");
        out.line(1, "word* host_records_on_device = nullptr;");
        out.line(1, "check(cudaHostAlloc(&host_records, host_words * sizeof(word), cudaHostAllocMapped), "
                    "\"allocating memory for both\");");
        out.line(1, "check(cudaHostGetDevicePointer(&host_records_on_device, host_records, 0), "
                    "\"asking for the device's address\");");
    }
    out.line(1, concat("static Placed batch[trials_of_a_batch * ", reproduced.roles().size(),
                       "]; // in one place: host functions are given its addresses"));
    out.line(1, "size_t placed = 0;");
    out.line(1, "size_t at = 0;");
    if (host) {
        out.line(1, "size_t host_at = 0;");
    }
    out.line(1, "for (size_t round = 0; round < trials_of_a_batch; ++round) {");
    out.line(2, "for (Side* side : sides) {");
    out.line(3, "Trial trial;");
    out.line(3, "trial.record = records + at;");
    out.line(3, "trial.copy = copies + at;");
    out.line(3, "at += side->words;");
    if (host) {
        out.line(3, "trial.host_record = host_records + host_at;");
        out.line(3, "trial.host_record_on_device = host_records_on_device + host_at;");
        out.line(3, "host_at += side->host_words;");
    }
    out.line(3, "batch[placed++] = {side, trial};");
    out.line(2, "}");
    out.line(1, "}");
}

bool names_priorities(const Reproduced& reproduced) {
    const std::vector<const Side*> roles = reproduced.roles();
    return std::any_of(roles.begin(), roles.end(), [](const Side* side) {
        const std::vector<const Grid*> grids = grids_of(*side->program);
        return std::any_of(grids.begin(), grids.end(), [](const Grid* grid) { return grid->priority.has_value(); });
    });
}

void write_graphs(CppText& out, const Reproduced& reproduced) {
    out.blank();
    out.line(1, "// A graph for each trial, and what the driver has made of it.");
    out.line(1, "std::vector<cudaGraphExec_t> graphs;");
    out.line(1, "for (Placed& each : batch) {");
    out.line(2, "const TrialGraph made = each.side->make_graph(each.trial);");
    out.line(2, "const std::vector<std::string> edges = edges_of(made);");
    out.line(2, "if (!each.side->edges_known) each.side->edges = edges;");
    out.line(2, "each.side->edges_known = true;");
    out.line(2, "if (each.side->edges != edges) fail(\"the edges differ from one trial's graph to the next\");");
    out.line(2, "cudaGraphExec_t graph = nullptr;");
    if (names_priorities(reproduced)) {
        out.line(2, "// With the flag, for otherwise all nodes have the priority of the stream of the launch.");
        out.line(2, "check(cudaGraphInstantiate(&graph, made.graph, cudaGraphInstantiateFlagUseNodePriority), "
                    "\"instantiating a graph\");");
    } else {
        out.line(2, "check(cudaGraphInstantiate(&graph, made.graph, 0), \"instantiating a graph\");");
    }
    out.line(2, "graphs.push_back(graph);");
    out.line(1, "}");
}

void write_launching(CppText& out, const Reproduced& reproduced, const std::string& main) {
    if (!reproduced.on_streams()) {
        out.line(2, "// One graph behind the other: the completion of each covers every node of it.");
        out.line(2, "for (size_t index = 0; index < placed; ++index) {");
        out.line(3, concat("check(cudaGraphLaunch(graphs[index], ", main, "), \"launching a trial\");"));
        out.line(2, "}");
        out.line(2, concat("wait_until_idle(", main, ", \"a batch of trials\");"));
        return;
    }
    out.line(2, "for (size_t index = 0; index < placed; ++index) {");
    if (host_thread_takes_part(reproduced)) {
        out.line(3, "watched_until = in_ticks(std::chrono::steady_clock::now() + longest_wait);");
    }
    out.line(
        3, "// Between two trials every stream does something that is no kernel: behind a kernel, be it done or not,");
    out.line(3, "// a launch with programmatic stream serialization would have it as its primary.");
    for (const std::string& stream : reproduced.streams) {
        out.line(3, concat("check(cudaMemsetAsync(separator_word, 0, sizeof(word), ", stream_variable(stream),
                           "), \"separating trials\");"));
    }
    for (std::size_t index = 1; index < reproduced.streams.size(); ++index) {
        out.line(3,
                 concat("wait_until_idle(", stream_variable(reproduced.streams[index]), ", \"separating trials\");"));
    }
    out.line(3, "batch[index].side->issue(batch[index].trial);");
    for (const std::string& stream : reproduced.streams) {
        out.line(3, concat("wait_until_idle(", stream_variable(stream), ", \"a trial\");"));
    }
    out.line(2, "}");
    if (host_thread_takes_part(reproduced)) {
        out.line(2, "watched_until = std::numeric_limits<long long>::max();");
    }
}

} // namespace

void write_calls(CppText& out, const Reproduced& reproduced) {
    const bool host = uses_host_memory(reproduced);
    out.block(calls_text);
    out.comment(
        0, "One trial. Value v of the program is the word salt + v, with another salt in each trial, so that a word "
           "which anything else has left behind is noticed.");
    out.line(0, "struct Trial {");
    out.line(1, "word salt = 0;");
    out.line(1, "word* record = nullptr; // in device memory: what the kernels are given");
    out.line(1, "word* copy = nullptr;   // the same words on the host, before the trial and after it");
    if (host) {
        out.line(1, "word* host_record = nullptr; // in host memory that the device can access");
        out.line(1, "word* host_record_on_device = nullptr; // the same, as the device sees it");
    }
    out.line(0, "};");
}

void write_trials(CppText& out, const Reproduced& reproduced) {
    const std::string main = stream_variable(reproduced.streams.front());
    const std::chrono::milliseconds deadline = deadline_of(reproduced);
    const std::uint64_t batch =
        std::min(most_trials_of_a_batch, largest_batch(reproduced.litmus, reproduced.layout, deadline));
    out.line(0, concat("static const size_t trials_of_a_batch = ", batch, "; // of each program"));
    out.line(0, concat("static const std::chrono::milliseconds longest_wait(", deadline.count(), ");"));
    out.blank();
    out.block(waiting_text);
    if (host_thread_takes_part(reproduced)) {
        out.block(watchdog_text);
    }
    write_count(out);
    out.block(place_text);
    out.line(0, "static void run_trials(std::initializer_list<Side*> sides, unsigned long long trials) {");
    write_placing(out, reproduced);
    if (!reproduced.on_streams()) {
        write_graphs(out, reproduced);
    }
    out.blank();
    out.line(1, "unsigned long long done = 0;");
    out.line(1, "while (done < trials) {");
    out.line(2, "const size_t round = std::min<unsigned long long>(trials_of_a_batch, trials - done);");
    out.line(2, "placed = round * sides.size();");
    out.block(replaced(copy_text, "MAIN", main));
    write_launching(out, reproduced, main);
    out.blank();
    out.block(replaced(count_text, "MAIN", main));
}

namespace {

constexpr const char* report_text = R"(
// Prints the outcomes and the verdict. Returns whether the verdict speaks against the device.
static bool report(const std::string& missed) {
    for (const Side* side : all_sides) {
        std::printf("\n%s: %llu trials\n", side->name.c_str(), side->trials);
        for (const auto& entry : side->outcomes) {
            const bool known = !side->decided || side->allowed.count(entry.first) != 0;
            std::printf("  %8llu  %s%s%s%s\n", entry.second, entry.first.c_str(),
                        side->armed_outcomes.count(entry.first) != 0 ? "  armed" : "",
                        side->matching_outcomes.count(entry.first) != 0 ? "  MATCHING" : "",
                        known ? "" : "  not among the allowed outcomes");
        }
        if (side->unwritten > 0) std::printf("  %8llu  a register was never written\n", side->unwritten);
EDGES    }
    const Verdict verdict = judge(missed);
    std::printf("\nverdict: %s%s%s\n", verdict.name.c_str(), verdict.reason.empty() ? "" : ": ", verdict.reason.c_str());
    const std::set<std::string> against = {AGAINST};
    return against.count(verdict.name) != 0;
}
)";

constexpr const char* report_edges = R"(        for (const std::string& edge : side->edges) {
            std::printf("  edge %s\n", edge.c_str());
        }
        if (side->edges != side->expected) {
            std::printf("  expected were other edges:\n");
            for (const std::string& edge : side->expected) {
                std::printf("  edge %s\n", edge.c_str());
            }
        }
)";

constexpr const char* arguments_text = R"(
// The number of trials; a negative one where the argument is none.
static long long trials_of(int argc, char** argv) {
    if (argc == 1) return DEFAULT;
    char* end = nullptr;
    const long long trials = std::strtoll(argv[1], &end, 10);
    return argc == 2 && end != argv[1] && *end == '\0' && trials >= 1 && trials <= MOST ? trials : -1;
}

)";

constexpr std::uint64_t standard_trials = 2000;

} // namespace

void write_report(CppText& out, const Reproduced& reproduced) {
    std::string sides;
    for (const Side* side : reproduced.sides()) {
        sides += (sides.empty() ? "&" : ", &") + side_name(reproduced, *side);
    }
    std::string against = R"("FAIL", "UNEXPLAINED", "TIMEOUT", "HARNESS ERROR")";
    if (reproduced.control_alone) {
        against +=
            reproduced.litmus.program.claim.sometimes ? R"(, "CONTROL SHOWS IT TOO")" : R"(, "CONTROL NOT VIOLATED")";
    }
    out.block(
        replaced(replaced(report_text, "EDGES", reproduced.on_streams() ? "" : report_edges), "AGAINST", against));
}

void write_main(CppText& out, const Reproduced& reproduced) {
    const std::uint64_t most = most_trials(reproduced);
    out.block(replaced(replaced(arguments_text, "DEFAULT", std::to_string(std::min(standard_trials, most))), "MOST",
                       std::to_string(most)));
    out.line(0, "int main(int argc, char** argv) {");
    out.line(1, "const long long trials = trials_of(argc, argv);");
    out.line(1, "if (trials < 0) {");
    out.line(2, concat("std::fprintf(stderr, \"usage: %s [trials], 1 to ", most, "\\n\", argv[0]);"));
    out.line(2, "return 2;");
    out.line(1, "}");
    out.line(1, "check(cudaSetDevice(0), \"selecting the GPU\");");
    out.line(1, "cudaDeviceProp properties = {};");
    out.line(1, "int driver = 0;");
    out.line(1, "int runtime = 0;");
    out.line(1, "check(cudaGetDeviceProperties(&properties, 0), \"asking for the GPU's name\");");
    out.line(1, "check(cudaDriverGetVersion(&driver), \"asking for the driver's version\");");
    out.line(1, "check(cudaRuntimeGetVersion(&runtime), \"asking for the runtime's version\");");
    out.line(1, concat("std::printf(\"%s on route ", name(reproduced.route()), "%s\\n\", ",
                       string_literal(reproduced.listed->id), ", ",
                       string_literal(reproduced.control_alone ? ", the control alone"
                                      : reproduced.two_forms() ? ", compared with edges"
                                                               : ""),
                       ");"));
    out.line(1, "std::printf(\"%s, CUDA %d.%d of the driver, runtime %d.%d\\n\", properties.name, driver / 1000, "
                "driver % 1000 / 10,");
    out.line(1, "            runtime / 1000, runtime % 1000 / 10);");
    out.blank();
    out.line(1, "require_support();");
    out.line(1, "load_kernels();");
    out.line(1, "create_streams_and_events();");
    if (host_thread_takes_part(reproduced)) {
        out.line(1, "start_watchdog();");
    }
    for (const SideForm& form : reproduced.forms) {
        const std::string control = form.control ? ", &" + side_name(reproduced, *form.control) : "";
        out.line(1, concat("run_trials({&", side_name(reproduced, form.program), control,
                           "}, static_cast<unsigned long long>(trials));"));
    }
    out.line(1, "return report(\"\") ? 1 : 0;");
    out.line(0, "}");
}

} // namespace pdlcts
