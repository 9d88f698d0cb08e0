// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/native/probes.hpp"

#include <string_view>
#include <vector>

/// The code of the native checks. Each section's stands in its folder, beside the pages that say what it does
/// (cases/<section>/*.check), and gives a list; what the two sections of events share is in event_bans.cpp. A test
/// holds pages and code together.
namespace pdlcts {

std::vector<NativeCheck> room_checks(); // what a lack of room does, in several sections
std::vector<NativeCheck> latency_checks();
std::vector<NativeCheck> availability_checks();
std::vector<NativeCheck> attribute_checks();
std::vector<NativeCheck> attribute_driver_checks();
std::vector<NativeCheck> intrinsic_checks(); // of trigger and wait
std::vector<NativeCheck> place_checks();     // of trigger and wait in the code
std::vector<NativeCheck> visibility_checks();
std::vector<NativeCheck> copy_checks();
std::vector<NativeCheck> tensor_map_checks();
std::vector<NativeCheck> stream_checks();
std::vector<NativeCheck> stream_copy_checks();
std::vector<NativeCheck> event_programmatic_checks();
std::vector<NativeCheck> late_event_checks();
std::vector<NativeCheck> event_launch_completion_checks();
std::vector<NativeCheck> graph_edge_checks();
std::vector<NativeCheck> graph_capture_checks();
std::vector<NativeCheck> replay_checks(); // of captures
std::vector<NativeCheck> graph_query_checks();
std::vector<NativeCheck> graph_exec_checks();
std::vector<NativeCheck> disabled_node_checks();
std::vector<NativeCheck> graph_launch_checks();
std::vector<NativeCheck> device_update_checks();
std::vector<NativeCheck> toolchain_checks();
std::vector<NativeCheck> ambiguities_of_graphs_checks();
std::vector<NativeCheck> ambiguities_of_launches_checks();

/// All of them; none where the program was built without the CUDA Toolkit.
const std::vector<NativeCheck>& native_checks();

/// Null where there is none of this id.
NativeFunction find_native_check(std::string_view id);

} // namespace pdlcts
