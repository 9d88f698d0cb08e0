// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"
#include "harness/gpu/cuda_handles.hpp"
#include "harness/gpu/emit.hpp"
#include "harness/gpu/kernel_library.hpp"
#include "harness/gpu/second_gpu.hpp"
#include "harness/gpu/stream_calls.hpp"
#include "harness/gpu/variation.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

/// What every route runs: trials of a program, and of its control.
namespace pdlcts {

/// The GPU cannot run a program as it is to be launched: asked before anything of it was.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A program whose kernels are loaded.
struct LoadedProgram {
    Role role = Role::program;
    const Program* program = nullptr;
    const Layout* layout = nullptr;
    Plan expected;               ///< what the route has to make of it
    std::vector<Kernel> kernels; ///< by operation; null for what is not a grid
};

/// One trial of a batch, and where its two records are.
struct Trial {
    const LoadedProgram* program = nullptr;
    std::uint32_t* record = nullptr;                ///< in device memory
    std::uint32_t base = 0;                         ///< of its salted values
    std::uint32_t* host_record = nullptr;           ///< in host memory; null where the program has nothing there
    std::uint32_t* host_record_on_device = nullptr; ///< the same as the device sees it
    Variation variation = {};
    std::uint64_t pair = 0; ///< counts the pairs of program and control through the run
    unsigned instances = 0; ///< not 0: each of so many blocks is one, with a record behind that of the one before
    std::size_t branch = 0; ///< whose streams it is issued to

    KernelArguments arguments(const Grid& grid) const {
        return {record, instances > 0 ? every_block_an_instance : variation.blocks_before * grid.cluster,
                variation.timing ? 1u : 0u, variation.measures ? 1u : 0u, host_record_on_device};
    }
    void* place_of(const PlacedLocation& location) const {
        return (location.memory == Memory::device ? record : host_record_on_device) + location.word;
    }
    const PlacedLocation& location(const std::string& name) const { return program->layout->location(name); }
};

/// A stream of a case, and whether it is one of the second GPU.
struct NamedStream {
    std::string name;
    bool peer = false;
};

/// The streams that program and control name, the first of the program first. Every branch has its own.
class TrialStreams {
public:
    TrialStreams(const std::vector<NamedStream>& named, const GpuPair& gpus);

    std::size_t size() const { return streams_.size(); }
    cudaStream_t at(std::size_t index) const { return streams_[index].get(); }
    cudaStream_t at(const std::string& name) const { return at(index_.at(name)); }
    cudaStream_t main() const { return at(std::size_t{0}); }

    /// The GPU to select for calls on a stream; none where the trials have one GPU, which is selected.
    std::optional<int> gpu_of(std::size_t index) const { return gpus_[index]; }
    std::optional<int> gpu_of(const std::string& name) const { return gpus_[index_.at(name)]; }
    /// Of all streams, each once; none where the trials have one.
    std::set<int> gpus() const;

private:
    std::map<std::string, std::size_t> index_;
    std::vector<std::optional<int>> gpus_;
    std::vector<Stream> streams_;
};

/// The events that operations of a program name, each with the stream that records it.
using NamedEvents = std::map<std::string, std::string>;

/// The events of several trials. Each trial has its own, so that recording one disturbs no earlier trial.
class TrialEvents {
public:
    /// An event belongs to the GPU whose stream records it: those of `streams` stand for the ones of every branch.
    TrialEvents(std::size_t trials, const NamedEvents& named, const TrialStreams& streams,
                const StreamCalls& interface);

    cudaEvent_t named(std::size_t trial, const std::string& name) const;
    /// The separator before a trial is done.
    cudaEvent_t opened(std::size_t trial) const { return at(trial, 0); }
    /// A stream has done its part of a trial.
    cudaEvent_t closed(std::size_t trial, std::size_t stream) const { return at(trial, 1 + stream); }

private:
    cudaEvent_t at(std::size_t trial, std::size_t event) const {
        return events_[trial * events_a_trial_ + event].get();
    }

    std::map<std::string, std::size_t> index_;
    std::size_t events_a_trial_ = 0;
    std::vector<Event> events_;
};

/// The streams of program and control, the first of the program first. Throws Unsupported where a stream is one GPU's
/// in the program and the other's in the control.
std::vector<NamedStream> all_streams(const Litmus& litmus);

/// The events of program and control. Throws Unsupported where streams of both GPUs record one: an event is one GPU's.
NamedEvents all_events(const Litmus& litmus, const std::vector<NamedStream>& streams);

} // namespace pdlcts
