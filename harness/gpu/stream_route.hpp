// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/host_actions.hpp"
#include "harness/gpu/host_thread.hpp"
#include "harness/gpu/trial.hpp"

/// Issuing a trial to streams, by the calls that its program stands for. A capture of these calls is the captured
/// route.
namespace pdlcts {

/// Told of what is issued. A capture learns so which node is which.
class IssueListener {
public:
    virtual ~IssueListener() = default;
    /// Issues the separator of one of a branch's streams.
    virtual void separate(const TrialStreams& streams, std::size_t stream) = 0;
    /// A stream other than the main one was made to wait for the separator before a trial.
    virtual void stream_forked(const TrialStreams& streams, std::size_t stream) { separate(streams, stream); }
    /// The first thing that a trial does in a stream, other than the main one, is to wait for an event.
    virtual void before_first_wait(cudaStream_t) {}
    /// A node of the plan, counted in host program order, was issued.
    virtual void node_issued(cudaStream_t, std::size_t /*plan_node*/) {}
};

/// Issues a trial behind its separator, to the streams of its branch. When the call returns everything of the trial is
/// joined into the branch's main stream.
///
/// The separator is a memset in every stream (in a capture: an empty node in the main one, from which the others are
/// forked), behind everything issued to the branch before and before everything of the trial. It is no kernel: a kernel
/// before a pss grid would become its primary.
///
/// `is_awaited`: the caller waits for the event behind the separator, which else is only recorded where the program has
/// other streams, to be forked behind it.
/// `interface` makes the calls of the program; what separates trials is the runtime's always. `calls` keeps what the
/// program's host functions do. `blocking` is needed for what the host's own thread does: a program for which
/// host_takes_part says so.
void issue_trial(const Trial& trial, std::size_t index, const TrialStreams& streams, const TrialEvents& events,
                 bool is_awaited, const StreamCalls& interface, IssueListener& listener, HostCalls& calls,
                 BlockingCalls* blocking);

/// Whether the host's own thread waits, reads or writes among the operations.
bool host_takes_part(const Program& program);

} // namespace pdlcts
