// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/state.hpp"

#include <functional>

/// One step of the machine.
///
/// | rule | statements |
/// |---|---|
/// | a block of an eligible node begins, at any time or late | model.overlap-opportunistic,
/// trigger.no-early-launch-guarantee, model.default-serialization | | the programmatic port fires when every block has
/// triggered or exited | trigger.kickoff-requires-all-blocks, trigger.requires-all-blocks-launched,
/// trigger.exit-counts-as-trigger, trigger.implicit-on-exit, graph.edge.port-programmatic-activation | | the
/// launch-completion port of programmatic type fires when every block has begun | event.prog.trigger-at-block-start,
/// graph.edge.port-launch-completion-activation | | a launch-completion event orders nothing |
/// event.lc.inversion-allowed, event.lc.may-wait-until-complete | | a full dependency brings the upstream's completion
/// view, a programmatic one nothing | graph.edge.zero-is-full-serialization, visibility.not-before-wait,
/// trigger.no-visibility-by-itself | | fence rule: a release fence, then the block's first trigger by the same thread |
/// visibility.release-fence-gpu-same-domain, visibility.release-fence-sys-any-domain, visibility.fence-writer-pattern |
/// | only the first trigger of a block counts | trigger.one-thread-per-cta-suffices, trigger.repeat-idempotent,
/// trigger.repeat-not-counted-across-ctas | | wait returns when the upstreams of programmatic type are complete, and
/// brings their views to its thread | wait.blocks-until-completion, wait.covers-all-prerequisites,
/// wait.blocks-executing-thread, wait.direct-dependencies-only, wait.no-prerequisite-returns,
/// visibility.after-wait.all-memory-ops, event.lc.not-visible-to-wait | | a grid is complete when all its threads have
/// exited, whatever its own prerequisites do | trigger.primary-continues, wait.transitive-if-middle-waits,
/// wait.intransitive-if-middle-skips |
namespace pdlcts::machine {

/// What a step did, small enough to keep one for every state.
struct Step {
    enum class Kind : std::uint8_t { none, begin, perform, barrier };
    Kind kind = Kind::none;
    std::uint16_t subject = 0; ///< a node that begins, or the class of the block that does something
    std::uint8_t role = 0;
    std::uint8_t operation = 0;
    std::uint32_t value = 0;   ///< what was read
    std::uint32_t threads = 1; ///< that took the step together (of a barrier: blocks)
};

/// Gives `found` the states that one step leads to, normalised: all of them, or a single one where a step loses no
/// execution by being taken first. Returns whether there was one, or an execution that had to be given up because it
/// contradicts itself: otherwise the state is stuck.
bool for_each_step(const Code& code, const State& state, const std::function<void(State&&, const Step&)>& found);

/// The step as a line for a person.
std::string print(const Code& code, const Step& step);

} // namespace pdlcts::machine
