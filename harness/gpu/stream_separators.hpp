// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/gpu/device_wait.hpp"
#include "harness/gpu/stream_route.hpp"

/// The separators of trials on streams. Nobody can read a stream back, so each of them leaves a mark of its own: a
/// trial that was issued without one is noticed behind its batch.
namespace pdlcts {

class StreamSeparators {
public:
    /// For batches of so many trials at most. `omitted`: none is issued, which has to be noticed.
    StreamSeparators(std::size_t trials, std::size_t streams, bool omitted);

    /// Takes all marks away, before anything of a batch of so many trials is issued.
    void begin_batch(std::size_t trials, const TrialStreams& streams);
    /// The separator of a stream before a trial. Trials of several branches may be issued at once.
    void separate(std::size_t trial, const TrialStreams& streams, std::size_t stream) const;

    /// Behind a batch that is done. Throws HarnessFault where a separator left no mark.
    void check_batch(cudaStream_t main, Deadline deadline, const std::string& batch);

private:
    std::size_t streams_;
    bool omitted_;
    DeviceWords marks_;
    HostWords marks_on_host_;
    std::size_t trials_ = 0;
};

/// Issues the separators before one trial.
class SeparatorMarks : public IssueListener {
public:
    SeparatorMarks(const StreamSeparators& separators, std::size_t trial) : separators_(separators), trial_(trial) {}
    void separate(const TrialStreams& streams, std::size_t stream) override {
        separators_.separate(trial_, streams, stream);
    }

private:
    const StreamSeparators& separators_;
    std::size_t trial_;
};

} // namespace pdlcts
