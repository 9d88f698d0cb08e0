// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cuda_runtime_api.h>

/// The functions that take edge data, under one name for all toolkits: theirs have a suffix in 12.x and none in 13.
/// Unchecked: what they return is what a native check is about. cuda_compatibility.hpp has what the harness checks.
namespace pdlcts {

#if CUDART_VERSION >= 13000
inline constexpr auto get_edges = &cudaGraphGetEdges;
inline constexpr auto get_dependencies = &cudaGraphNodeGetDependencies;
inline constexpr auto get_dependents = &cudaGraphNodeGetDependentNodes;
inline constexpr auto add_dependencies = &cudaGraphAddDependencies;
inline constexpr auto remove_dependencies = &cudaGraphRemoveDependencies;
inline constexpr auto add_node = &cudaGraphAddNode;
inline constexpr auto get_capture_info = &cudaStreamGetCaptureInfo;
inline constexpr auto update_capture_dependencies = &cudaStreamUpdateCaptureDependencies;
#else
inline constexpr auto get_edges = &cudaGraphGetEdges_v2;
inline constexpr auto get_dependencies = &cudaGraphNodeGetDependencies_v2;
inline constexpr auto get_dependents = &cudaGraphNodeGetDependentNodes_v2;
inline constexpr auto add_dependencies = &cudaGraphAddDependencies_v2;
inline constexpr auto remove_dependencies = &cudaGraphRemoveDependencies_v2;
inline constexpr auto add_node = &cudaGraphAddNode_v2;
inline constexpr auto get_capture_info = &cudaStreamGetCaptureInfo_v3;
inline constexpr auto update_capture_dependencies = &cudaStreamUpdateCaptureDependencies_v2;
#endif

} // namespace pdlcts
