// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/trial.hpp"

#include <array>
#include <span>

/// The attributes of a grid as CUDA takes them: those that the program gives, and no others.
namespace pdlcts {

/// With the extra blocks of the variation.
LaunchShape shape_of(const Grid& grid);
/// With the extra blocks of a trial, or as many as it has instances.
LaunchShape shape_of(const Grid& grid, const Trial& trial);

class LaunchAttributes {
public:
    cudaLaunchAttributeValue& add(cudaLaunchAttributeID id);
    std::span<cudaLaunchAttribute> all() { return std::span(attributes_).first(count_); }

private:
    std::array<cudaLaunchAttribute, 6> attributes_ = {};
    std::size_t count_ = 0;
};

/// Cluster, priority and memory synchronization domain: what a launch and a node of a graph have alike.
LaunchAttributes node_attributes(const Grid& grid);

/// All: pss and events too, of which a graph makes edges. pss = 0 is given too.
LaunchAttributes launch_attributes(const Grid& grid, std::size_t trial, const TrialEvents& events);

/// Throws HarnessFault where a node of a graph does not have what node_attributes says.
void check_node_attributes(cudaGraphNode_t node, const Grid& grid);

} // namespace pdlcts
