// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/faults/fault.hpp"
#include "conformance/plan/plan.hpp"

#include <optional>

/// The rules of lowering that faults change. Each function is the rule, and what a fault makes of it.
namespace pdlcts {

/// The faults that a route can have: nothing that a launch or a capture does wrong is part of a graph built by hand.
Fault fault_of_building(Fault fault, Route route);

/// attr.pss.nonzero-enables: whether the attribute is in force on a grid. `previous`: the node before it in its stream;
/// `recorded`: whether an event was recorded in between.
bool is_pss_in_force(const Program& program, const Plan& plan, const Grid& grid, std::optional<std::size_t> previous,
                     bool recorded, Fault fault);

/// attr.pss.previous-kernel-in-stream: the kernel that the attribute of the next grid is about, given the node before
/// it in its stream; none where the attribute changes nothing.
std::optional<std::size_t> kernel_of_pss(const Program& program, const Plan& plan, std::optional<std::size_t> previous,
                                         Fault fault);

/// What a kernel with the attribute waits for by ordinary events, it waits for in full: pss is about its stream alone.
void loosen_events(const Program& program, const Plan& plan, const std::vector<Dependency>& waits,
                   std::vector<Dependency>& dependencies, Fault fault);

/// attr.pss.previous-kernel-in-stream, for the half edges of a capture: they stay where they are.
void move_half_edges(const Program& program, const Plan& plan, Node& node, Fault fault);

/// model.independent-kernels-use-streams: the nodes that hold up what is issued to another stream, given those of its
/// own: none.
std::vector<std::size_t> held_by_other_streams(const Plan& plan, const std::vector<std::size_t>& own, Fault fault);

/// stream.plain-kernel-after-chain, stream.copy-after-chain, stream.event-covers-unwaited-primary,
/// stream.sync-covers-unwaited-primary: whether what is issued to a stream comes behind all that the stream holds, and
/// not behind its latest operation alone.
bool covers_the_stream(const HostOperation& operation, Fault fault);

/// graph.capture.event-noblockstart-port, graph.capture.event-blockstart-port
Port port_of_event(const ProgrammaticEvent& event, Route route, Fault fault);

/// What a capture makes of the edges of a plain grid, which are default ones.
void annotate_plain_grid(const Program& program, const Plan& plan, Node& node, Fault fault);

/// What becomes of a plan that was built when it is launched: nothing, without a fault. `again`: it has been launched
/// before. A graph that is read back shows none of it.
Plan as_launched(const Program& program, Plan plan, Fault fault, bool again);

} // namespace pdlcts
