// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "harness/gpu/spelling.hpp"

#include <string>
#include <vector>

/// The device functions that emitted kernels call, each a wrapper of one PTX instruction or a bounded loop of them.
namespace pdlcts {

/// The state space that an address is of: `.global`, for host memory too; `.shared::cta`, the block's own; and
/// `.shared::cluster`, that of any block of the cluster.
enum class StateSpace { global, shared, cluster };

/// What PTX has to know of an access beside the instruction.
struct AccessType {
    StateSpace space = StateSpace::global;
    Width width = Width::u32;
    unsigned lanes = 1;
};

/// Collects the functions that a source calls, each once, in an order in which C++ accepts them.
class DeviceFunctions {
public:
    explicit DeviceFunctions(Spelling spelling = Spelling::ptx) : spelling_(spelling) {}

    // Each returns the name to call. An address is an `address` in global memory and a `shared_address` elsewhere.

    /// With one lane the function returns what it loads; with more it takes a variable for each.
    std::string load(const Load& load, AccessType type = {});
    std::string store(const Store& store, AccessType type = {});
    std::string atomic(const Atomic& atomic, StateSpace space = StateSpace::global);
    std::string await_equal(AccessType type = {});
    std::string fence(const Fence& fence);
    std::string proxy_fence();
    std::string delay();
    /// What a poll leaves in a trial that measures: the longest of its threads.
    std::string note_latency();

    // stamps.cpp
    std::string global_timer();
    std::string multiprocessor();
    /// Writes the number of a multiprocessor, or a time, to a stamp: the only one there, the earliest or the latest.
    std::string stamp_word();
    std::string stamp();
    std::string stamp_earliest();
    std::string stamp_latest();

    // device_synchronization.cpp
    std::string trigger();
    std::string wait();
    std::string barrier(const Barrier& barrier);
    std::string cluster_arrive(const ClusterArrive& arrive);
    std::string cluster_wait();
    std::string mbarrier_initialise();
    /// Between initialising mbarriers and the barrier behind which other threads use them.
    std::string mbarrier_initialisation_fence();
    std::string mbarrier_arrive(const MbarrierArrive& arrive, StateSpace space);
    std::string mbarrier_wait(const MbarrierWait& wait);
    std::string bulk_copy(const BulkCopy& copy);
    std::string bulk_commit();
    std::string bulk_wait(const BulkWait& wait);

    /// The address of a trial's record in global memory, for its kernel's argument.
    std::string global_address();
    /// The address of an array of the kernel's in the block's shared memory.
    std::string shared_address();
    /// The address of the same place in the shared memory of another block of the cluster.
    std::string map_to_rank();

    /// The definitions of all functions asked for.
    std::string definitions() const;

private:
    std::string use(const std::string& name, const std::string& definition);

    struct Function {
        std::string name;
        std::string definition;
    };
    Spelling spelling_;
    std::vector<Function> functions_;
};

} // namespace pdlcts
