// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/launch_attributes.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

bool is_equal(const cudaLaunchAttribute& expected, const cudaLaunchAttributeValue& found) {
    switch (expected.id) {
    case cudaLaunchAttributeClusterDimension:
        return found.clusterDim.x == expected.val.clusterDim.x && found.clusterDim.y == expected.val.clusterDim.y &&
               found.clusterDim.z == expected.val.clusterDim.z;
    case cudaLaunchAttributePriority:
        return found.priority == expected.val.priority;
    case cudaLaunchAttributeMemSyncDomain:
        return found.memSyncDomain == expected.val.memSyncDomain;
    default:
        return false;
    }
}

} // namespace

LaunchShape shape_of(const Grid& grid) {
    return {grid.blocks, grid.threads, grid.shared_memory.value_or(0)};
}

LaunchShape shape_of(const Grid& grid, const Trial& trial) {
    LaunchShape shape = shape_of(grid);
    shape.blocks *= std::max(trial.instances, 1u);
    shape.blocks += (trial.variation.blocks_before + trial.variation.blocks_behind) * grid.cluster;
    return shape;
}

cudaLaunchAttributeValue& LaunchAttributes::add(cudaLaunchAttributeID id) {
    attributes_[count_].id = id;
    return attributes_[count_++].val;
}

LaunchAttributes node_attributes(const Grid& grid) {
    LaunchAttributes attributes;
    if (grid.cluster > 1) {
        auto& value = attributes.add(cudaLaunchAttributeClusterDimension).clusterDim;
        value.x = grid.cluster;
        value.y = 1;
        value.z = 1;
    }
    if (grid.priority) {
        attributes.add(cudaLaunchAttributePriority).priority = *grid.priority;
    }
    if (grid.domain) {
        attributes.add(cudaLaunchAttributeMemSyncDomain).memSyncDomain =
            *grid.domain == Domain::remote ? cudaLaunchMemSyncDomainRemote : cudaLaunchMemSyncDomainDefault;
    }
    return attributes;
}

LaunchAttributes launch_attributes(const Grid& grid, std::size_t trial, const TrialEvents& events) {
    LaunchAttributes attributes = node_attributes(grid);
    if (grid.pss) {
        attributes.add(cudaLaunchAttributeProgrammaticStreamSerialization).programmaticStreamSerializationAllowed =
            *grid.pss;
    }
    if (grid.programmatic_event) {
        auto& value = attributes.add(cudaLaunchAttributeProgrammaticEvent).programmaticEvent;
        value.event = events.named(trial, grid.programmatic_event->event);
        value.flags = 0;
        value.triggerAtBlockStart = grid.programmatic_event->at_block_start ? 1 : 0;
    }
    if (grid.launch_completion_event) {
        auto& value = attributes.add(cudaLaunchAttributeLaunchCompletionEvent).launchCompletionEvent;
        value.event = events.named(trial, *grid.launch_completion_event);
        value.flags = 0;
    }
    return attributes;
}

void check_node_attributes(cudaGraphNode_t node, const Grid& grid) {
    LaunchAttributes expected = node_attributes(grid);
    for (const cudaLaunchAttribute& attribute : expected.all()) {
        cudaLaunchAttributeValue found{};
        check(cudaGraphKernelNodeGetAttribute(node, attribute.id, &found), "reading an attribute of a node");
        if (!is_equal(attribute, found)) {
            throw HarnessFault("the driver's node of grid " + grid.name +
                               " does not have the cluster, priority or domain that it was given (attribute " +
                               std::to_string(attribute.id) + ")");
        }
    }
}

} // namespace pdlcts
