// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/plan/plan.hpp"
#include "harness/gpu/cuda_handles.hpp"
#include "harness/gpu/emit.hpp"
#include "harness/gpu/kernel_library.hpp"
#include "harness/gpu/variation.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

/// What every route runs: trials of a program, and of its control.
namespace pdlcts {

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
    std::size_t branch = 0; ///< whose streams it is issued to

    KernelArguments arguments(const Grid& grid) const {
        return {record, variation.blocks_before * grid.cluster, variation.timing ? 1u : 0u,
                variation.measures ? 1u : 0u, host_record_on_device};
    }
    void* place_of(const PlacedLocation& location) const {
        return (location.memory == Memory::device ? record : host_record_on_device) + location.word;
    }
    const PlacedLocation& location(const std::string& name) const { return program->layout->location(name); }
};

/// The streams that program and control name, the first of the program first, and a word for each that separators set.
/// Every branch has its own.
class TrialStreams {
public:
    explicit TrialStreams(const std::vector<std::string>& names);

    std::size_t size() const { return streams_.size(); }
    cudaStream_t at(std::size_t index) const { return streams_[index].get(); }
    cudaStream_t at(const std::string& name) const { return at(index_.at(name)); }
    cudaStream_t main() const { return at(std::size_t{0}); }
    void* separator_word(std::size_t index) const { return words_.get() + index; }

private:
    std::map<std::string, std::size_t> index_;
    std::vector<Stream> streams_;
    DeviceWords words_;
};

/// The events of several trials. Each trial has its own, so that recording one disturbs no earlier trial.
class TrialEvents {
public:
    TrialEvents(std::size_t trials, const std::set<std::string>& names, std::size_t streams);

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

/// The events that operations of a program name.
std::set<std::string> event_names(const Program& program);

} // namespace pdlcts
