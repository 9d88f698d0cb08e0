// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"

#include <algorithm>
#include <iterator>

namespace pdlcts {
namespace {

std::vector<NativeCheck> collect() {
    std::vector<NativeCheck> all;
#ifdef PDLCTS_HAS_TOOLKIT
    for (const auto section : {room_checks,
                               latency_checks,
                               availability_checks,
                               attribute_checks,
                               attribute_driver_checks,
                               intrinsic_checks,
                               place_checks,
                               visibility_checks,
                               copy_checks,
                               tensor_map_checks,
                               stream_checks,
                               stream_copy_checks,
                               event_programmatic_checks,
                               late_event_checks,
                               event_launch_completion_checks,
                               graph_edge_checks,
                               graph_capture_checks,
                               replay_checks,
                               graph_query_checks,
                               graph_exec_checks,
                               disabled_node_checks,
                               graph_launch_checks,
                               device_update_checks,
                               toolchain_checks,
                               ambiguities_of_graphs_checks,
                               ambiguities_of_launches_checks}) {
        std::vector<NativeCheck> checks = section();
        std::move(checks.begin(), checks.end(), std::back_inserter(all));
    }
#endif
    return all;
}

} // namespace

const std::vector<NativeCheck>& native_checks() {
    static const std::vector<NativeCheck> all = collect();
    return all;
}

NativeFunction find_native_check(std::string_view id) {
    const std::vector<NativeCheck>& all = native_checks();
    const auto found = std::find_if(all.begin(), all.end(), [=](const NativeCheck& check) { return check.id == id; });
    return found == all.end() ? nullptr : found->function;
}

} // namespace pdlcts
