// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/stream_separators.hpp"

namespace pdlcts {
namespace {

constexpr int unmarked = 0xff;

} // namespace

StreamSeparators::StreamSeparators(std::size_t trials, std::size_t streams, bool omitted)
    : streams_(streams), omitted_(omitted), marks_(allocate_device_words(trials * streams)),
      marks_on_host_(allocate_host_words(trials * streams)) {}

void StreamSeparators::begin_batch(std::size_t trials, const TrialStreams& streams) {
    trials_ = trials;
    const OnGpu on(streams.gpu_of(std::size_t{0}));
    check(cudaMemsetAsync(marks_.get(), unmarked, trials * streams_ * sizeof(std::uint32_t), streams.main()),
          "taking the marks of separators away");
}

void StreamSeparators::separate(std::size_t trial, const TrialStreams& streams, std::size_t stream) const {
    if (!omitted_) {
        check(cudaMemsetAsync(marks_.get() + trial * streams_ + stream, 0, sizeof(std::uint32_t), streams.at(stream)),
              "issuing the separator before a trial");
    }
}

void StreamSeparators::check_batch(cudaStream_t main, Deadline deadline, const std::string& batch) {
    const std::size_t words = trials_ * streams_;
    check(cudaMemcpyAsync(marks_on_host_.get(), marks_.get(), words * sizeof(std::uint32_t), cudaMemcpyDeviceToHost,
                          main),
          "reading the marks of separators");
    wait_for(main, deadline, batch + ", its separators");
    for (std::size_t word = 0; word < words; ++word) {
        if (marks_on_host_.get()[word] != 0) {
            throw HarnessFault("trial " + std::to_string(word / streams_) + " of the " + batch +
                               " was not separated from the one before it");
        }
    }
}

} // namespace pdlcts
