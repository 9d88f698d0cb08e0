// SPDX-License-Identifier: Apache-2.0
#include "harness/export/launches.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

std::string on(const std::string& stream) {
    return stream == only_stream ? "" : " on " + stream;
}

/// `trial.salt + 4u`, or the word itself where it carries no salt.
std::string host_word(const Layout& layout, const std::string& location, Value value) {
    return layout.encoding.is_raw(location, value) ? concat(value, "u") : concat("trial.salt + ", value, "u");
}

std::string host_element(const Layout& layout, const Element& element) {
    return concat("trial.host_record + ", layout.location(element.location).word + element.position());
}

void write_host_instruction(CppText& out, const Layout& layout, const HostInstruction& instruction) {
    out.line(1, "// " + print(instruction));
    std::visit(Overloaded{[&](const HostRead& read) {
                              out.line(1, concat("trial.host_record[", layout.result(read.result).first_word,
                                                 "] = __atomic_load_n(", host_element(layout, read.element),
                                                 ", __ATOMIC_ACQUIRE);"));
                          },
                          [&](const HostWrite& write) {
                              out.line(1, concat("__atomic_store_n(", host_element(layout, write.element), ", ",
                                                 host_word(layout, write.element.location, write.value),
                                                 ", __ATOMIC_RELEASE);"));
                          }},
               instruction);
}

/// The attributes of a launch, each the assignments to its value.
struct Attribute {
    std::string id;
    std::vector<std::string> values;
};

std::vector<Attribute> launch_attributes_of(const Grid& grid) {
    std::vector<Attribute> attributes;
    if (grid.cluster > 1) {
        attributes.push_back({"cudaLaunchAttributeClusterDimension",
                              {concat("clusterDim.x = ", grid.cluster), "clusterDim.y = 1", "clusterDim.z = 1"}});
    }
    if (grid.priority) {
        attributes.push_back({"cudaLaunchAttributePriority", {concat("priority = ", *grid.priority)}});
    }
    if (grid.domain) {
        attributes.push_back({"cudaLaunchAttributeMemSyncDomain",
                              {concat("memSyncDomain = cudaLaunchMemSyncDomain",
                                      *grid.domain == Domain::remote ? "Remote" : "Default")}});
    }
    if (grid.pss) {
        attributes.push_back({"cudaLaunchAttributeProgrammaticStreamSerialization",
                              {concat("programmaticStreamSerializationAllowed = ", *grid.pss)}});
    }
    if (grid.programmatic_event) {
        attributes.push_back(
            {"cudaLaunchAttributeProgrammaticEvent",
             {concat("programmaticEvent.event = ", event_variable(grid.programmatic_event->event)),
              concat("programmaticEvent.triggerAtBlockStart = ", grid.programmatic_event->at_block_start ? 1 : 0)}});
    }
    if (grid.launch_completion_event) {
        attributes.push_back(
            {"cudaLaunchAttributeLaunchCompletionEvent",
             {concat("launchCompletionEvent.event = ", event_variable(*grid.launch_completion_event))}});
    }
    return attributes;
}

/// The calls of one program, issued to streams; in a capture each node is noted.
struct CallWriter {
    CppText& out;
    const Side& side;

    void made(const HostOperation& operation, const std::string& stream) {
        if (side.route == Route::captured) {
            // How the plan calls the node, so that edges read back can be held against the plan's.
            const auto place = static_cast<std::size_t>(&operation - side.program->operations.data());
            out.line(1, concat("note_node(made, ", stream_variable(stream), ", ",
                               string_literal(node_name(*side.program, Node{place, {}})), ");"));
        }
    }

    void call(const std::string& call, const std::string& doing) { out.check(1, call, doing); }

    void operator()(const Grid& grid) {
        const std::vector<Attribute> attributes = launch_attributes_of(grid);
        const std::string launch = "launch_" + grid.name;
        const std::string array = "attributes_" + grid.name;
        if (!attributes.empty()) {
            out.line(1, concat("cudaLaunchAttribute ", array, "[", attributes.size(), "] = {};"));
        }
        for (std::size_t index = 0; index < attributes.size(); ++index) {
            out.line(1, concat(array, "[", index, "].id = ", attributes[index].id, ";"));
            for (const std::string& value : attributes[index].values) {
                out.line(1, concat(array, "[", index, "].val.", value, ";"));
            }
        }
        out.line(1, concat("cudaLaunchConfig_t ", launch, " = {};"));
        out.line(1, concat(launch, ".gridDim = dim3(", grid.blocks, ");"));
        out.line(1, concat(launch, ".blockDim = dim3(", grid.threads, ");"));
        if (grid.shared_memory.value_or(0) != 0) {
            out.line(1, concat(launch, ".dynamicSmemBytes = ", *grid.shared_memory, ";"));
        }
        out.line(1, concat(launch, ".stream = ", stream_variable(grid.stream), ";"));
        if (!attributes.empty()) {
            out.line(1, concat(launch, ".attrs = ", array, ";"));
            out.line(1, concat(launch, ".numAttrs = ", attributes.size(), ";"));
        }
        std::string arguments;
        for (const std::string& argument : kernel_arguments(side, grid)) {
            arguments += ", " + argument;
        }
        call(concat("cudaLaunchKernelEx(&", launch, ", ", kernel_name(side.role, grid), arguments, ")"),
             "launching " + grid.name);
    }
    void operator()(const Record& record) {
        call(concat("cudaEventRecord(", event_variable(record.event), ", ", stream_variable(record.stream), ")"),
             "recording " + record.event);
    }
    void operator()(const WaitEvent& wait) {
        call(concat("cudaStreamWaitEvent(", stream_variable(wait.stream), ", ", event_variable(wait.event), ", 0)"),
             "waiting for " + wait.event);
    }
    void operator()(const Memset& memset) {
        const PlacedLocation& location = side.layout->location(memset.location);
        call(concat("cudaMemsetAsync(", device_place(location), ", ", unsigned{memset.byte}, ", ", location.bytes(),
                    ", ", stream_variable(memset.stream), ")"),
             "issuing memset " + memset.location);
    }
    void operator()(const Memcpy& copy) {
        const PlacedLocation& source = side.layout->location(copy.source);
        call(concat("cudaMemcpyAsync(", device_place(side.layout->location(copy.destination)), ", ",
                    device_place(source), ", ", source.bytes(), ", cudaMemcpyDefault, ", stream_variable(copy.stream),
                    ")"),
             concat("issuing memcpy ", copy.destination, ", ", copy.source));
    }
    void operator()(const HostFunction& function) {
        call(concat("cudaLaunchHostFunc(", stream_variable(function.stream), ", ", role_name(side), "_function_",
                    function.name, ", &trial)"),
             "issuing host " + function.name);
    }
    void operator()(const SyncStream& sync) {
        call(concat("cudaStreamSynchronize(", stream_variable(sync.stream), ")"), "waiting for a stream");
    }
    void operator()(const SyncEvent& sync) {
        call(concat("cudaEventSynchronize(", event_variable(sync.event), ")"), "waiting for " + sync.event);
    }
    void operator()(const SyncDevice&) { call("cudaDeviceSynchronize()", "waiting for the device"); }
    void operator()(const HostRead& read) { write_host_instruction(out, *side.layout, read); }
    void operator()(const HostWrite& write) { write_host_instruction(out, *side.layout, write); }

    void write_all() {
        bool first = true;
        for (const HostOperation& operation : side.program->operations) {
            if (!std::exchange(first, false)) {
                out.blank();
            }
            const bool says_so_itself =
                std::holds_alternative<HostRead>(operation) || std::holds_alternative<HostWrite>(operation);
            if (!says_so_itself) {
                out.line(1, comment_line(operation_line(operation)));
            }
            std::visit(*this, operation);
            const bool is_node =
                !std::holds_alternative<Record>(operation) && !std::holds_alternative<WaitEvent>(operation);
            if (is_node && stream_of(operation) != nullptr) {
                made(operation, *stream_of(operation));
            }
        }
    }
};

std::set<std::string> events_of(const Reproduced& reproduced) {
    std::set<std::string> events;
    for (const Side* side : reproduced.roles()) {
        for (const HostOperation& operation : side->program->operations) {
            std::visit(Overloaded{[&](const Grid& grid) {
                                      if (grid.programmatic_event) {
                                          events.insert(grid.programmatic_event->event);
                                      }
                                      if (grid.launch_completion_event) {
                                          events.insert(*grid.launch_completion_event);
                                      }
                                  },
                                  [&](const auto& each) {
                                      if constexpr (requires { each.event; }) {
                                          events.insert(each.event);
                                      }
                                  }},
                       operation);
        }
    }
    return events;
}

} // namespace

std::string operation_line(const HostOperation& operation) {
    return std::visit(
        Overloaded{
            [](const Grid& grid) { return print_header(grid); },
            [](const Record& each) { return concat("record ", each.event, on(each.stream)); },
            [](const WaitEvent& each) { return concat("wait_event ", each.event, on(each.stream)); },
            [](const Memset& each) {
                return concat("memset ", each.location, ", ", unsigned{each.byte}, on(each.stream));
            },
            [](const Memcpy& each) { return concat("memcpy ", each.destination, ", ", each.source, on(each.stream)); },
            [](const HostFunction& each) { return concat("host ", each.name, on(each.stream)); },
            [](const SyncStream& each) { return concat("sync stream", on(each.stream)); },
            [](const SyncEvent& each) { return concat("sync event ", each.event); },
            [](const SyncDevice&) { return std::string("sync device"); },
            [](const HostRead& each) { return print(HostInstruction{each}); },
            [](const HostWrite& each) { return print(HostInstruction{each}); }},
        operation);
}

bool host_thread_takes_part(const Reproduced& reproduced) {
    const std::vector<const Side*> roles = reproduced.roles();
    return std::any_of(roles.begin(), roles.end(), [](const Side* side) {
        const std::vector<HostOperation>& operations = side->program->operations;
        return std::any_of(operations.begin(), operations.end(), [](const HostOperation& operation) {
            return stream_of(operation) == nullptr || std::holds_alternative<SyncStream>(operation);
        });
    });
}

void write_streams_and_events(CppText& out, const Reproduced& reproduced) {
    for (const std::string& stream : reproduced.streams) {
        out.line(0, concat("static cudaStream_t ", stream_variable(stream), ";"));
    }
    const bool captured = reproduced.route() == Route::captured;
    const std::set<std::string> events = events_of(reproduced);
    std::vector<std::string> variables;
    for (const std::string& event : events) {
        variables.push_back(event_variable(event));
    }
    if (captured && reproduced.streams.size() > 1) {
        variables.emplace_back("fork_event");
        variables.emplace_back("join_event");
    }
    for (const std::string& variable : variables) {
        out.line(0, concat("static cudaEvent_t ", variable, ";"));
    }
    out.block(R"(
static word* separator_word; // in device memory

// The suite can ask a kernel for blocks that exit at once, for a late start, and for the latency of its polls. Here it is
// asked for none of that.
static word none = 0;

)");
    out.line(0, "static void create_streams_and_events() {");
    for (const std::string& stream : reproduced.streams) {
        out.line(1, concat("check(cudaStreamCreateWithFlags(&", stream_variable(stream),
                           ", cudaStreamNonBlocking), \"creating a stream\");"));
    }
    if (!variables.empty()) {
        out.line(1, "// Events without timing: a programmatic or launch-completion event may have none.");
    }
    for (const std::string& variable : variables) {
        out.line(1, concat("check(cudaEventCreateWithFlags(&", variable,
                           ", cudaEventDisableTiming), \"creating an event\");"));
    }
    out.line(1, "check(cudaMalloc(&separator_word, sizeof(word)), \"allocating device memory\");");
    out.line(0, "}");
}

void write_host_functions(CppText& out, const Side& side) {
    for (const HostOperation& operation : side.program->operations) {
        const auto* function = std::get_if<HostFunction>(&operation);
        if (function == nullptr) {
            continue;
        }
        out.blank();
        out.line(0, concat("// What host ", function->name, " of the ", role_name(side), " does."));
        out.line(0,
                 concat("static void CUDART_CB ", role_name(side), "_function_", function->name, "(void* argument) {"));
        out.line(1, "const Trial& trial = *static_cast<const Trial*>(argument);");
        for (const HostInstruction& instruction : function->instructions) {
            write_host_instruction(out, *side.layout, instruction);
        }
        if (function->instructions.empty()) {
            out.line(1, "(void)trial;");
        }
        out.line(0, "}");
    }
}

void write_issue(CppText& out, const Side& side) {
    out.blank();
    out.line(0, concat("// One trial of the ", role_name(side), "."));
    out.line(0, concat("static void issue_", role_name(side), "(Trial& trial) {"));
    CallWriter{out, side}.write_all();
    out.line(0, "}");
}

void write_capture(CppText& out, const Reproduced& reproduced, const Side& side) {
    const std::string main = stream_variable(reproduced.streams.front());
    out.blank();
    out.line(0, concat("// One trial of the ", role_name(side), ", captured."));
    out.line(0, concat("static TrialGraph capture_", role_name(side), "(Trial& trial) {"));
    out.line(1, "TrialGraph made;");
    out.line(1, concat("check(cudaStreamBeginCapture(", main,
                       ", cudaStreamCaptureModeThreadLocal), \"beginning the capture\");"));
    if (reproduced.streams.size() > 1) {
        out.line(1, "// The other streams join the capture before anything is in it, which makes no edge.");
        out.line(1, concat("check(cudaEventRecord(fork_event, ", main, "), \"forking\");"));
    }
    for (std::size_t index = 1; index < reproduced.streams.size(); ++index) {
        out.line(1, concat("check(cudaStreamWaitEvent(", stream_variable(reproduced.streams[index]),
                           ", fork_event, 0), \"forking\");"));
    }
    out.blank();
    CallWriter{out, side}.write_all();
    out.blank();
    for (std::size_t index = 1; index < reproduced.streams.size(); ++index) {
        out.line(1, concat("check(cudaEventRecord(join_event, ", stream_variable(reproduced.streams[index]),
                           "), \"joining\");"));
        out.line(1, concat("check(cudaStreamWaitEvent(", main, ", join_event, 0), \"joining\");"));
    }
    out.line(1, concat("check(cudaStreamEndCapture(", main, ", &made.graph), \"ending the capture\");"));
    out.line(1, "return made;");
    out.line(0, "}");
}

} // namespace pdlcts
