// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/trigger.hpp"

#include <algorithm>

namespace pdlcts::machine {
namespace {

bool has_acted(const Block& block) {
    return std::any_of(block.roles.begin(), block.roles.end(), [](const Counted<Thread>& threads) {
        return threads.empty() || std::any_of(threads.begin(), threads.end(),
                                              [](const auto& counted) { return counted.first.performed != 0; });
    });
}

View known_to_block(const Block& block) {
    View known;
    for (const Counted<Thread>& threads : block.roles) {
        for (const auto& [thread, count] : threads) {
            join(known, thread.known);
        }
    }
    return known;
}

/// Whether every other thread of a block that has not exited has triggered. Those that are alike trigger together.
bool has_triggered_otherwise(const Code& code, const State& state, const Place& place) {
    const std::vector<Counted<Thread>>& roles = state.blocks[place.block].first.roles;
    for (std::size_t role = 0; role < roles.size(); ++role) {
        const std::vector<Operation>& operations = class_at(code, state, place).roles[role].operations;
        for (std::size_t thread = 0; thread < roles[role].size(); ++thread) {
            const Thread& other = roles[role][thread].first;
            const bool itself = role == place.role && thread == place.thread;
            const bool triggered = std::any_of(operations.begin(), operations.end(), [&](const Operation& each) {
                return each.kind == Kind::trigger && is_performed(other, each);
            });
            if (!itself && !triggered) {
                return false;
            }
        }
    }
    return true;
}

/// trigger.repeat-idempotent, trigger.repeat-not-counted-across-ctas: nothing.
void repeat_trigger(const Code& code, State& state, std::size_t node, unsigned blocks) {
    const auto count_for = [&](std::size_t other) {
        unsigned& counted = state.nodes[other].triggered_or_exited;
        counted = std::min(counted + blocks, code.nodes[other].blocks);
    };
    if (code.fault == Fault::repeats_count_for_other_blocks) {
        count_for(node);
    } else if (code.fault == Fault::repeats_are_kept_for_the_next_kernel) {
        std::for_each(code.nodes[node].dependents.begin(), code.nodes[node].dependents.end(), count_for);
    }
}

bool is_ignored(Fault fault, Scope fence_before_trigger) {
    return fault == Fault::fence_before_the_trigger_ignored ||
           (fault == Fault::gpu_fence_before_the_trigger_ignored && fence_before_trigger == Scope::gpu);
}

} // namespace

bool is_triggered(const Code& code, const State& state, std::size_t node) {
    const NodeState& of_node = state.nodes[node];
    switch (code.fault) {
    case Fault::one_triggered_block_is_enough:
        return of_node.triggered_or_exited > 0;
    case Fault::exited_blocks_do_not_count:
        return is_complete(code, state, node) || of_node.triggered_or_exited >= code.nodes[node].blocks;
    case Fault::unlaunched_blocks_are_forgotten:
        return of_node.triggered_or_exited > 0 &&
               std::none_of(state.blocks.begin(), state.blocks.end(), [&](const auto& counted) {
                   const Block& block = counted.first;
                   return code.classes[block.block_class].node == node && !block.triggered && has_acted(block);
               });
    default:
        return of_node.begun && of_node.triggered_or_exited >= code.nodes[node].blocks;
    }
}

void trigger(const Code& code, State& state, const Place& place) {
    auto& [block, count] = state.blocks[place.block];
    if (block.triggered) {
        repeat_trigger(code, state, class_at(code, state, place).node, count);
        return;
    }
    if (code.fault == Fault::trigger_needs_all_threads && !has_triggered_otherwise(code, state, place)) {
        return;
    }
    block.triggered = true;
    NodeState& node = state.nodes[class_at(code, state, place).node];
    node.triggered_or_exited += count;
    if (code.fault == Fault::wait_skips_stores_before_the_trigger ||
        code.fault == Fault::wait_skips_stores_behind_the_trigger) {
        join(node.told_apart, known_to_block(block));
    }
    if (code.fault == Fault::trigger_flushes) {
        join(node.trigger_gpu, known_to_block(block));
        join(node.trigger_sys, known_to_block(block));
    }
    // visibility.release-fence-gpu-same-domain, visibility.release-fence-sys-any-domain
    for (const Published& published : thread_at(state, place).published) {
        if (published.cell == any_location && includes(published.scope, Level::gpu) &&
            !is_ignored(code.fault, published.scope)) {
            join(node.trigger_gpu, published.view);
            if (published.scope == Scope::sys) {
                join(node.trigger_sys, published.view);
            }
        }
    }
}

void trigger_by_exit(const Code& code, NodeState& node, Block& block, unsigned blocks) {
    if (block.triggered) {
        return;
    }
    block.triggered = true;
    if (code.fault != Fault::exited_blocks_do_not_count && code.fault != Fault::implicit_trigger_never_comes) {
        node.triggered_or_exited += blocks;
    }
}

View released_by_triggers(const Code& code, const State& state, std::size_t upstream, std::size_t node) {
    const GpuScope& released = code.nodes[upstream].gpu_scope;
    const GpuScope& acquired = code.nodes[node].gpu_scope;
    const bool domains_alike = code.fault == Fault::gpu_fence_reaches_every_domain && released.peer == acquired.peer;
    if (released == acquired || domains_alike) {
        return state.nodes[upstream].trigger_gpu;
    }
    return code.fault == Fault::sys_fence_stops_at_the_domain ? View{} : state.nodes[upstream].trigger_sys;
}

bool has_other_trigger(const Code& code, const State& state, const Place& place) {
    const Block& block = state.blocks[place.block].first;
    const BlockClass& block_class = class_at(code, state, place);
    for (std::size_t role = 0; role < block.roles.size(); ++role) {
        const std::vector<Operation>& operations = block_class.roles[role].operations;
        for (std::size_t thread = 0; thread < block.roles[role].size(); ++thread) {
            const auto& [other, count] = block.roles[role][thread];
            const bool itself = role == place.role && thread == place.thread && count == 1;
            for (const Operation& operation : operations) {
                const bool pending = !is_performed(other, operation);
                // Its own later triggers come later.
                if (!itself && pending && operation.kind == Kind::trigger) {
                    return true;
                }
            }
        }
    }
    return false;
}

} // namespace pdlcts::machine
