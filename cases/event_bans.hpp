// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/native_device.hpp"

/// What the two event attributes of a launch forbid alike.
namespace pdlcts {

enum class EventAttribute { programmatic, launch_completion };

/// A launch whose attribute names an event that was created with `event_flags`, with the attribute's `record_flags`.
/// What the launch must leave as it was is the word that its kernel would have counted up. Beside it the same launch
/// with an event without timing, and no flag. `what` says what is illegal.
void probe_event(const NativeDevice& device, Probes& probes, EventAttribute attribute, unsigned event_flags,
                 int record_flags, const std::string& what);

/// The same in a capture, where the nodes of the graph are what must stay as they were.
void probe_captured_event(const NativeDevice& device, Probes& probes, EventAttribute attribute, int record_flags,
                          const std::string& what);

} // namespace pdlcts
