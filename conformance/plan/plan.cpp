// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/plan.hpp"

#include "conformance/litmus/printer.hpp"

namespace pdlcts {

std::string node_name(const Program& program, const Node& node) {
    using std::string;
    return std::visit(Overloaded{[](const Grid& grid) { return grid.name; },
                                 [](const Record& record) { return "record " + record.event; },
                                 [](const WaitEvent& wait) { return "wait_event " + wait.event; },
                                 [](const Memset& memset) { return "memset " + memset.location; },
                                 [](const Memcpy& copy) { return "memcpy " + copy.destination + ", " + copy.source; },
                                 [](const HostFunction& function) { return "host " + function.name; },
                                 [](const SyncStream& sync) {
                                     return sync.stream == only_stream ? string("sync stream")
                                                                       : "sync stream on " + sync.stream;
                                 },
                                 [](const SyncEvent& sync) { return "sync event " + sync.event; },
                                 [](const SyncDevice&) { return string("sync device"); },
                                 [](const HostRead& read) { return print(HostInstruction{read}); },
                                 [](const HostWrite& write) { return print(HostInstruction{write}); }},
                      program.operations[node.operation]);
}

std::vector<std::string> print_dependencies(const Program& program, const Plan& plan) {
    std::vector<std::string> lines;
    for (const Node& node : plan.nodes) {
        for (const Dependency& dependency : node.dependencies) {
            lines.push_back(node_name(program, plan.nodes[dependency.upstream]) + " -> " + node_name(program, node) +
                            ": type " + std::string(name(dependency.type)) + ", port " +
                            std::string(name(dependency.port)));
        }
    }
    return lines;
}

std::string_view name(DependencyType type) {
    return type == DependencyType::full ? "default" : "programmatic";
}

std::string_view name(Port port) {
    switch (port) {
    case Port::full:
        return "default";
    case Port::programmatic:
        return "programmatic";
    case Port::launch_completion:
        return "launch completion";
    }
    return "?";
}

} // namespace pdlcts
