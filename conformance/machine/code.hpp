// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/faults/fault.hpp"
#include "conformance/plan/plan.hpp"
#include "conformance/support/result.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What the machine runs: a program and its plan made flat, with every question that does not change during an
/// execution answered once.
namespace pdlcts::machine {

enum class Kind : std::uint8_t {
    trigger,
    wait,
    exit,
    barrier,       ///< the plain `bar.sync`
    gather_arrive, ///< the first half of a named barrier or of a cluster barrier
    gather_leave,  ///< the second half
    fence,
    proxy_fence,
    load,
    store,
    atomic,
    await,
    copy, ///< of one element: of a memcpy or a bulk copy
    mbarrier_arrive,
    mbarrier_wait,
    bulk_issue,
    bulk_wait
};

/// Where two operations stand to each other decides which scopes let them synchronise. Levels are ordered; a scope
/// includes every level up to its own. Grids of one GPU and one memory synchronization domain are of one `gpu` level
/// (visibility.gpu-fence-cross-domain-insufficient).
enum class Level : std::uint8_t { block, cluster, gpu, sys };

inline constexpr std::uint16_t any_location = 0xffff;

/// One element of a location, as the index of its cell in memory.
using Cell = std::uint16_t;

struct Operation {
    Kind kind = Kind::trigger;
    std::uint8_t index = 0; ///< in its role
    std::uint8_t last = 0;  ///< of its instruction: the lanes of a vector access, and copied elements, are unordered
    Ordering ordering = Ordering::weak;
    Scope scope = Scope::sys;
    AtomicOperation atomic = AtomicOperation::add;
    bool non_coherent = false; ///< `.nc`
    Cell cell = 0;
    Cell source = 0; ///< of a copy
    Value value = 0;
    Value compare = 0;
    int result = -1; ///< index into Code::results, -1 for none
    bool reads = false;
    bool writes = false;
    bool strong = false;
    bool acquires = false;
    bool releases = false;
    bool asynchronous = false; ///< of the asynchronous proxy
    bool collects = false;     ///< a strong read behind which a fence, or an acquire of the same cell, can acquire
    bool publishes = false;    ///< a strong write that ends a release pattern whose reader can acquire
    bool keeps = false;        ///< a release or fence that a later write of the thread can publish
    std::uint16_t slot = 0;    ///< of a gathering, in its block or cluster
    std::uint16_t threads = 0; ///< that the gathering waits for
    bool in_cluster = false;   ///< whether the gathering is of a cluster
    std::uint16_t mbarrier = 0;
    std::uint32_t bytes = 0; ///< expected by an arrival, or completed by a bulk copy
    unsigned parity = 0;
    int prospect = -1;                ///< index into Code::prospects, -1 where it means nothing to other blocks
    std::vector<std::uint8_t> copies; ///< roles of the block: the copies that are issued or waited for
    bool waits_for_reads_only = false;
    std::string text; ///< the litmus line
};

/// Nothing of their thread moves across control points.
bool is_control_point(const Operation& operation);
bool accesses_memory(const Operation& operation);

/// The instructions of one agent, less those that mean nothing to the machine (`delay`), or the elements of a bulk
/// copy, which moves on its own from its issue on.
struct Role {
    std::string text; ///< `thread 0`, `threads 0..31`
    unsigned threads = 1;
    std::vector<Operation> operations;
    bool is_copy = false;
    int copied_slot = -1; ///< of a copy out of shared memory, in Block::copied
    int mbarrier = -1;    ///< that a copy into shared memory completes on
    std::uint32_t bytes = 0;
    std::uint64_t every_operation() const {
        return operations.size() == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << operations.size()) - 1;
    }
};

/// Blocks of one node that run the same roles, and so are counted instead of spelled out.
struct BlockClass {
    std::size_t node = 0;
    unsigned blocks = 1;
    std::string text;          ///< `block 3`, `blocks 0..6`; empty where the grid has one block
    std::uint16_t who = 0;     ///< index into Code::levels
    std::uint16_t cluster = 0; ///< index into State::clusters, where the grid has cluster barriers
    std::uint16_t gatherings = 0;
    std::uint16_t copies = 0; ///< out of shared memory
    std::vector<Role> roles;
};

/// What a dependency waits for. In the machine without a fault: completion, triggers, begun blocks, or nothing.
enum class Gate : std::uint8_t { completed, triggered, begun, nothing, first_completed, first_triggered, never };

struct NodeCode {
    std::string text; ///< `primary`, `memset y`
    unsigned blocks = 1;
    bool is_grid = false;
    GpuScope gpu_scope;
    std::vector<Dependency> dependencies;
    std::vector<Gate> gates;                ///< of each dependency
    std::vector<std::size_t> prerequisites; ///< nodes that the wait of this one is for
    std::vector<std::size_t> classes;
    std::vector<std::size_t> dependents;
};

struct MbarrierCode {
    std::string text;
    std::uint32_t arrivals = 1;
};

/// Something that a thread may still do, or a write that it has performed ahead of others, as far as other blocks can
/// tell: as a thread of this role that has nothing else before it.
struct Prospect {
    std::uint16_t block_class = 0;
    std::uint8_t role = 0;
    std::uint64_t performed = 0; ///< Thread::performed
    bool is_ahead = false;
    std::optional<Cell> ahead; ///< the cell of what is ahead
};

struct Code {
    std::vector<std::string> cells;
    std::vector<Value> initial;
    std::vector<std::string> results;
    std::vector<NodeCode> nodes;
    std::vector<BlockClass> classes;
    std::vector<MbarrierCode> mbarriers;
    std::vector<std::uint16_t> clusters; ///< for each cluster with a barrier its number of phases
    /// How those who act stand to each other: blocks where the program tells them apart, else grids of one GPU
    /// and domain, and the host.
    std::vector<std::vector<Level>> levels;
    /// Whether bulk copies are used, so that what the asynchronous proxy knows is kept apart.
    bool uses_proxies = false;
    /// Whether a fence.sc can be held up by a dependency that brings no memory order, so that it may stand before one
    /// that is performed earlier.
    bool reorders_sc_fences = false;
    /// Whether all grids are of one GPU and one memory synchronization domain.
    bool one_gpu_scope = true;
    /// What others may still do, each of it once, and from `ahead_prospects` on what they have done ahead: first
    /// anything, then by cell.
    std::vector<Prospect> prospects;
    std::size_t ahead_prospects = 0;
    /// The rule that is broken. What depends on it alone and on no state is decided in gates.cpp, before a search.
    Fault fault = Fault::none;
};

bool includes(Scope scope, Level level);

/// An error says what the machine cannot hold: more than 64 instructions in a thread, say.
Result<Code> compile(const Program& program, const Plan& plan, Fault fault = Fault::none);

} // namespace pdlcts::machine
