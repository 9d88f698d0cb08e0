// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

/// Faulty machines: the abstract machine, or what a route builds, with one rule broken. README.md of this folder says
/// how a fault is made and how the suite is held against it.
namespace pdlcts {

/// Each is consulted at the one place of its rule. What each changes stands in its FaultInfo.
enum class Fault : std::uint8_t {
    none,
    // Of the wait.
    wait_returns_at_once,
    wait_waits_for_the_trigger,
    wait_without_flush,
    wait_skips_atomics,
    wait_skips_bulk_copies,
    wait_skips_stores_before_the_trigger,
    wait_skips_stores_behind_the_trigger,
    wait_skips_blocks_that_never_triggered,
    wait_honours_the_first_prerequisite,
    wait_honours_the_last_prerequisite,
    wait_released_by_another_grid,
    wait_holds_the_whole_block,
    wait_forgets_what_its_primary_waited_for,
    wait_waits_for_all_earlier_grids,
    wait_without_prerequisite_hangs,
    second_wait_hangs,
    wait_keeps_stale_lines,
    wait_speaks_to_its_thread_alone,
    wait_stops_at_the_memory_domain,
    wait_ignores_the_launch_completion_port,
    wait_sees_launch_completion_events,
    // Of the trigger.
    one_triggered_block_is_enough,
    trigger_needs_all_threads,
    repeats_count_for_other_blocks,
    repeats_are_kept_for_the_next_kernel,
    exited_blocks_do_not_count,
    unlaunched_blocks_are_forgotten,
    implicit_trigger_at_block_start,
    implicit_trigger_when_one_thread_exits,
    implicit_trigger_never_comes,
    completion_at_the_trigger,
    trigger_flushes,
    fence_before_the_trigger_ignored,
    gpu_fence_before_the_trigger_ignored,
    sys_fence_stops_at_the_domain,
    gpu_fence_reaches_every_domain,
    release_between_grids_ignored,
    // Of what lets a grid begin, and what it then sees.
    no_overlap,
    plain_successor_overlaps,
    default_edge_without_visibility,
    default_edge_after_the_first_block,
    programmatic_port_at_block_start,
    launch_completion_port_before_the_blocks,
    launch_completion_port_waits_for_triggers,
    first_dependency_starts_the_kernel,
    default_edge_lost_beside_a_programmatic_one,
    one_dependent_of_a_fan_out,
    programmatic_event_after_the_first_block,
    programmatic_event_needs_a_trigger,
    launch_completion_event_at_the_end,
    launch_completion_event_never_fires,
    // Of what a launch or a capture makes of attributes and events.
    pss_ignored,
    pss_zero_taken_as_one,
    pss_above_one_ignored,
    pss_of_the_primary_taken_for_the_secondarys,
    pss_applied_across_a_memset,
    pss_applied_across_a_copy,
    pss_applied_across_a_host_function,
    pss_applied_across_an_event,
    pss_applied_across_streams,
    pss_ignored_behind_a_record,
    pss_behind_the_kernel_before_the_last,
    event_at_block_start_whatever_its_flag,
    event_recorded_again_keeps_its_first_kernel,
    streams_share_a_queue,
    plain_kernel_forgets_an_unwaited_primary,
    copy_forgets_an_unwaited_primary,
    event_forgets_an_unwaited_primary,
    stream_sync_forgets_an_unwaited_primary,
    capture_drops_edge_types,
    capture_swaps_event_ports,
    capture_annotates_a_memset,
    capture_annotates_a_join,
    // Of what a graph makes of its edges when it is launched.
    explicit_edges_treated_as_default,
    explicit_default_edges_treated_as_programmatic,
    replay_loses_annotated_edges,
    replay_keeps_the_triggers,
    clone_loses_annotated_edges,
    child_graph_loses_edge_data,
    update_loses_annotated_edges,
    driver_launch_hides_the_prerequisite,
};

struct FaultInfo {
    Fault fault = Fault::none;
    std::string_view name;      ///< `wait-returns-at-once`
    std::string_view statement; ///< the id of what it breaks
    std::string_view change;    ///< the one rule, and what becomes of it
    std::string_view cause;     ///< how such a bug could arise in a driver or a chip
    /// Public reports (OWNER/NAME issue N, ...) in which somebody suspected or met this behaviour; often empty.
    std::string_view reports = "";
    /// Only allows less than the specification does: it can show as NOT OBSERVED or VACUOUS, and must not as FAIL.
    bool takes_permission = false;
    /// Why nobody could notice it, in terms of the specification. Empty for all that can be noticed.
    std::string_view equivalent_because = "";
};

/// In the order of the enumeration, without `none`.
std::span<const FaultInfo> all_faults();

/// Null where no fault has that name. `none` is none.
const FaultInfo* find_fault(std::string_view name);

} // namespace pdlcts
