// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/plan.hpp"

namespace pdlcts {

std::string node_name(const Program& program, const Node& node) {
    return std::visit(Overloaded{[](const Grid& grid) { return grid.name; },
                                 [](const Memset& memset) { return "memset " + memset.location; },
                                 [](const auto&) { return std::string("?"); }},
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
