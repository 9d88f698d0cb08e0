// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_device.hpp"

#include "conformance/plan/plan.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/cuda_compatibility.hpp"

#include <algorithm>

namespace pdlcts {

KernelLibrary NativeDevice::compile(const std::string& source) const {
    const auto target = target_for(nvrtc_, compute_capability_);
    if (!target) {
        throw NativeUnsupported(target.error().message);
    }
    const auto code = compile_source(nvrtc_, source, *target);
    if (!code) {
        throw HarnessFault(code.error().message);
    }
    return KernelLibrary(*code);
}

std::string returned(cudaError_t status) {
    static_cast<void>(cudaGetLastError());
    return cudaGetErrorName(status);
}

std::string print(const cudaGraphEdgeData& edge) {
    // Values that no document has are shown as numbers.
    const bool known_type = edge.type <= static_cast<int>(DependencyType::programmatic);
    const bool known_port = edge.from_port <= static_cast<int>(Port::launch_completion);
    const std::string type = known_type ? std::string(name(static_cast<DependencyType>(edge.type)))
                                        : std::to_string(static_cast<int>(edge.type));
    const std::string port = known_port ? std::string(name(static_cast<Port>(edge.from_port)))
                                        : std::to_string(static_cast<int>(edge.from_port));
    std::string text = concat("type ", type, ", port ", port);
    if (edge.to_port != 0) {
        text += concat(", to port ", static_cast<int>(edge.to_port));
    }
    return text;
}

std::string print_edges(cudaGraph_t graph, const std::vector<std::pair<cudaGraphNode_t, std::string>>& names) {
    const auto name_of = [&](cudaGraphNode_t node) {
        const auto found =
            std::find_if(names.begin(), names.end(), [=](const auto& each) { return each.first == node; });
        return found == names.end() ? std::string("another node") : found->second;
    };
    const GraphEdges edges = edges_of(graph);
    std::vector<std::string> lines;
    for (std::size_t index = 0; index < edges.edges.size(); ++index) {
        lines.push_back(
            concat(name_of(edges.from[index]), " -> ", name_of(edges.to[index]), ": ", print(edges.edges[index])));
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) {
        text += (text.empty() ? "" : "; ") + line;
    }
    return text.empty() ? "no edge" : text;
}

} // namespace pdlcts
