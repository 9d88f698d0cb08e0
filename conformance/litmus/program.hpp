// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// The litmus language as plain values: what a `.litmus` file says, and nothing about how it is run.
/// The language itself is described in cases/README.md.
namespace pdlcts {

/// A 32-bit word of a program, or `other_value`.
using Value = std::int64_t;

/// A word read back on a device that no instruction of the program, unsalted, can have written.
inline constexpr Value other_value = -1;
inline constexpr Value largest_value = 0xffffffff;

// ---- instructions: PTX's memory instructions, less types and brackets, and the two PDL instructions -------------

enum class Ordering { weak, relaxed, acquire, release, acq_rel, sc };
enum class Scope { cta, cluster, gpu, sys };
enum class CacheOperator { unspecified, ca, cg, nc };
/// `cas` compares with `compare` and stores the operand.
enum class AtomicOperation { add, exch, min, max, bit_and, bit_or, bit_xor, cas };

/// One element of a location: `x`, `v[2]`, and with the rank of a block in the cluster `tile[2]@1`, which only shared
/// memory and mbarriers take.
struct Element {
    std::string location;
    std::optional<unsigned> index; ///< of an array; always given for one
    std::optional<unsigned> rank;
    unsigned position() const { return index.value_or(0); }
    auto operator<=>(const Element&) const = default;
};

/// `trigger`: cudaTriggerProgrammaticLaunchCompletion() = griddepcontrol.launch_dependents.
struct Trigger {
    auto operator<=>(const Trigger&) const = default;
};

/// `wait`: cudaGridDependencySynchronize() = griddepcontrol.wait.
struct Wait {
    auto operator<=>(const Wait&) const = default;
};

/// `exit`: the thread ends here. The last instruction of its agent.
struct Exit {
    auto operator<=>(const Exit&) const = default;
};

/// `bar.sync`: all threads of the block that have not exited; with a number, `bar.sync 1, 64`: a named barrier
/// (1..15) of that many threads, a multiple of 32, all of them in whole warps. `bar.arrive 1, 64` does not wait.
struct Barrier {
    unsigned number = 0;
    unsigned threads = 0; ///< 0 where the number is 0
    bool arrive = false;  ///< of a named barrier only
    auto operator<=>(const Barrier&) const = default;
};

/// `barrier.cluster.arrive.release`, `barrier.cluster.arrive.relaxed`: of all threads of the cluster that have not
/// exited.
struct ClusterArrive {
    Ordering ordering = Ordering::release;
    auto operator<=>(const ClusterArrive&) const = default;
};

/// `barrier.cluster.wait.acquire`: the other half.
struct ClusterWait {
    auto operator<=>(const ClusterWait&) const = default;
};

/// `fence.acq_rel.gpu`: ordering is acq_rel or sc.
struct Fence {
    Ordering ordering = Ordering::acq_rel;
    Scope scope = Scope::gpu;
    auto operator<=>(const Fence&) const = default;
};

/// `fence.proxy.async`: between generic accesses and bulk copies.
struct ProxyFence {
    auto operator<=>(const ProxyFence&) const = default;
};

/// `ld.weak x -> seen`, `ld.acquire.gpu x -> seen`, `ld.weak.v2 v -> {a, b}`: ordering is weak, relaxed or acquire. A
/// weak access has no scope (`scope` is then ignored and kept at its default); a cache operator belongs to weak loads
/// only. One result for each lane: 1, 2 or 4, from neighbouring elements, the first a multiple of the lanes.
struct Load {
    Ordering ordering = Ordering::weak;
    Scope scope = Scope::sys;
    CacheOperator cache = CacheOperator::unspecified;
    Element element;
    std::vector<std::string> results;
    auto operator<=>(const Load&) const = default;
};

/// `st.weak x, 1`, `st.release.gpu x, 1`, `st.weak.v2 v, {1, 2}`: ordering is weak, relaxed or release. One value for
/// each lane.
struct Store {
    Ordering ordering = Ordering::weak;
    Scope scope = Scope::sys;
    Element element;
    std::vector<Value> values;
    auto operator<=>(const Store&) const = default;
};

/// `red.relaxed.gpu.add x, 1`, and with a result `atom.acq_rel.gpu.cas x, 0, 1 -> old`: ordering is relaxed, acquire,
/// release or acq_rel; a reduction (no result) is relaxed or release, and neither exch nor cas. Of words only.
struct Atomic {
    Ordering ordering = Ordering::relaxed;
    Scope scope = Scope::gpu;
    AtomicOperation operation = AtomicOperation::add;
    Element element;
    Value operand = 0;
    Value compare = 0; ///< of cas; else 0
    std::optional<std::string> result;
    auto operator<=>(const Atomic&) const = default;
};

/// `await x == 1 -> ready within 50us`: polls with relaxed system-scope loads until the element has the value, or the
/// bound has passed; the result is 1 or 0. Every poll on the device is bounded (model.no-reliance-on-concurrency).
struct Await {
    Element element;
    Value value = 0;
    std::optional<std::string> result;
    std::uint64_t within_nanoseconds = 0;
    auto operator<=>(const Await&) const = default;
};

/// `mbarrier.arrive.release.cta full`, `mbarrier.arrive.release.cluster full@1`,
/// `mbarrier.arrive.expect_tx.release.cta full, 16`: one arrival, which first makes the phase expect so many more bytes
/// from bulk copies. The scope is cta or cluster.
struct MbarrierArrive {
    Scope scope = Scope::cta;
    Element mbarrier; ///< without an index
    std::optional<std::uint32_t> expected_bytes;
    auto operator<=>(const MbarrierArrive&) const = default;
};

/// `mbarrier.wait.acquire.cta full, 0 -> done within 50us`: polls, as `mbarrier.try_wait.parity` does, until the phase
/// of that parity has completed, or the bound has passed; the result is 1 or 0. Of the block's own mbarrier.
struct MbarrierWait {
    Scope scope = Scope::cta;
    std::string mbarrier;
    unsigned parity = 0;
    std::optional<std::string> result;
    std::uint64_t within_nanoseconds = 0;
    auto operator<=>(const MbarrierWait&) const = default;
};

/// `cp.async.bulk.shared.global tile, x, full`: copies the whole of global `x` to the block's shared `tile` and then
/// completes its bytes on the block's mbarrier. `cp.async.bulk.global.shared x, tile`: the other way, completed by
/// bulk groups. Source and destination are arrays of equal type and length, a multiple of 16 bytes. Issued by agents
/// of a single thread.
struct BulkCopy {
    std::string destination;
    std::string source;
    std::optional<std::string> mbarrier; ///< given: into shared memory
    bool into_shared() const { return mbarrier.has_value(); }
    auto operator<=>(const BulkCopy&) const = default;
};

/// `cp.async.bulk.commit_group`
struct BulkCommit {
    auto operator<=>(const BulkCommit&) const = default;
};

/// `cp.async.bulk.wait_group 0`, `cp.async.bulk.wait_group.read 0`: until at most so many of the thread's latest bulk
/// groups are pending; `read`: pending as far as their sources are still to be read.
struct BulkWait {
    unsigned pending = 0;
    bool read = false;
    auto operator<=>(const BulkWait&) const = default;
};

/// `delay 500ns`: means nothing to the abstract machine.
struct Delay {
    std::uint64_t nanoseconds = 0;
    auto operator<=>(const Delay&) const = default;
};

using Instruction =
    std::variant<Trigger, Wait, Exit, Barrier, ClusterArrive, ClusterWait, Fence, ProxyFence, Load, Store, Atomic,
                 Await, MbarrierArrive, MbarrierWait, BulkCopy, BulkCommit, BulkWait, Delay>;

/// The longest `within` and `delay` that the language accepts: a hang must not eat a lease.
inline constexpr std::uint64_t longest_bound_nanoseconds = 1'000'000'000;

// ---- memory ------------------------------------------------------------------------------------------------------

/// The type of a location's elements; every access of an element is of this width, so that no two accesses overlap in
/// part.
enum class Width { u32, u16, u8 };

constexpr unsigned bytes_of(Width width) {
    return width == Width::u32 ? 4 : width == Width::u16 ? 2 : 1;
}

constexpr Value largest_value_of(Width width) {
    return (Value{1} << (8 * bytes_of(width))) - 1;
}

inline constexpr unsigned most_elements = 64;

/// `x = 0`, `v[4] = 0`, `v[4] = {1, 2, 3, 4}`, `b[8]:u8 = 0`: a scalar or an array on cache lines of its own, aligned
/// to 16 bytes at least.
struct Location {
    std::string name;
    std::vector<Value> initial = {0}; ///< one for each element
    Width width = Width::u32;
    bool array = false;
    unsigned elements() const { return static_cast<unsigned>(initial.size()); }
    unsigned bytes() const { return elements() * bytes_of(width); }
    auto operator<=>(const Location&) const = default;
};

/// `mbarrier full = 1` under a grid: one in the shared memory of every block, initialised with this arrival count.
struct Mbarrier {
    std::string name;
    unsigned arrivals = 1; ///< 1 .. 2^20 - 1
    auto operator<=>(const Mbarrier&) const = default;
};

// ---- grids -------------------------------------------------------------------------------------------------------

/// Both ends are included.
struct Range {
    unsigned first = 0;
    unsigned last = 0;
    unsigned size() const { return last - first + 1; }
    bool contains(unsigned index) const { return first <= index && index <= last; }
    auto operator<=>(const Range&) const = default;
};

/// `blocks 0..6 thread 0:`: every thread of these blocks runs the same instructions. Threads of a grid that belong to
/// no agent exit at once.
struct Agent {
    Range blocks;
    Range threads;
    std::vector<Instruction> instructions;
    bool is_class() const { return blocks.size() > 1 || threads.size() > 1; }
    auto operator<=>(const Agent&) const = default;
};

/// The launch attribute cudaLaunchAttributeProgrammaticEvent.
struct ProgrammaticEvent {
    std::string event;
    bool at_block_start = false;
    auto operator<=>(const ProgrammaticEvent&) const = default;
};

/// Memory synchronization domains: cudaLaunchAttributeMemSyncDomain.
enum class Domain { standard, remote };

/// `grid secondary <<<1, 32>>> on t pss`, with its agents.
struct Grid {
    std::string name;
    unsigned blocks = 1;
    unsigned threads = 1;
    std::string stream;
    /// `peer`: its stream is one of a second GPU, which can access the memory of the first.
    bool peer = false;
    /// The value of programmatic stream serialization, if the attribute is given: any value but 0 enables it.
    std::optional<int> pss;
    std::optional<ProgrammaticEvent> programmatic_event;
    std::optional<std::string> launch_completion_event;
    unsigned cluster = 1;                  ///< `cluster 2`: blocks of a cluster; divides the blocks
    std::optional<int> priority;           ///< `priority -1`: cudaLaunchAttributePriority
    std::optional<Domain> domain;          ///< `domain remote`, `domain default`
    std::optional<unsigned> shared_memory; ///< `shared_memory 65536`: bytes of dynamic shared memory
    std::vector<Location> shared;          ///< in the shared memory of every block, initialised before any agent
    std::vector<Mbarrier> mbarriers;
    std::vector<Agent> agents;
    bool has_pss() const { return pss.value_or(0) != 0; }
    auto operator<=>(const Grid&) const = default;
};

/// What a scope of `gpu` holds together: the grids of one GPU and, on it, of one memory synchronization domain
/// (visibility.gpu-fence-cross-domain-insufficient).
struct GpuScope {
    bool peer = false;
    Domain domain = Domain::standard;
    auto operator<=>(const GpuScope&) const = default;
};

inline GpuScope gpu_scope(const Grid& grid) {
    return {grid.peer, grid.domain.value_or(Domain::standard)};
}

// ---- host operations, in host program order ----------------------------------------------------------------------

/// `record e on s`: cudaEventRecord.
struct Record {
    std::string event;
    std::string stream;
    auto operator<=>(const Record&) const = default;
};

/// `wait_event e on t`: cudaStreamWaitEvent.
struct WaitEvent {
    std::string event;
    std::string stream;
    auto operator<=>(const WaitEvent&) const = default;
};

/// `memset x, 7 on s`: cudaMemsetAsync of the whole location; the element read back is the byte repeated.
struct Memset {
    std::string location;
    std::uint8_t byte = 0;
    std::string stream;
    Value element(Width width) const { return Value{byte} * (largest_value_of(width) / 0xff); }
    auto operator<=>(const Memset&) const = default;
};

/// `memcpy y, x on s`: cudaMemcpyAsync of the whole of x; both of one width and length, in global or host memory.
struct Memcpy {
    std::string destination;
    std::string source;
    std::string stream;
    auto operator<=>(const Memcpy&) const = default;
};

/// `read h -> seen`: the host reads a word of host memory (acquire, system scope).
struct HostRead {
    Element element;
    std::string result;
    auto operator<=>(const HostRead&) const = default;
};

/// `write h, 1`: the host writes a word of host memory (release, system scope).
struct HostWrite {
    Element element;
    Value value = 0;
    auto operator<=>(const HostWrite&) const = default;
};

using HostInstruction = std::variant<HostRead, HostWrite>;

/// `host publish on s`, with the lines below it: cudaLaunchHostFunc.
struct HostFunction {
    std::string name;
    std::string stream;
    std::vector<HostInstruction> instructions;
    auto operator<=>(const HostFunction&) const = default;
};

/// `sync stream on s`: cudaStreamSynchronize. The host's thread waits, and so does all that it issues afterwards.
struct SyncStream {
    std::string stream;
    auto operator<=>(const SyncStream&) const = default;
};

/// `sync event e`: cudaEventSynchronize.
struct SyncEvent {
    std::string event;
    auto operator<=>(const SyncEvent&) const = default;
};

/// `sync device`: cudaDeviceSynchronize.
struct SyncDevice {
    auto operator<=>(const SyncDevice&) const = default;
};

/// `read h -> seen` or `write h, 1` among the host's operations: the host's thread does it itself, in program order.
using HostOperation = std::variant<Grid, Record, WaitEvent, Memset, Memcpy, HostFunction, SyncStream, SyncEvent,
                                   SyncDevice, HostRead, HostWrite>;

/// The stream that an operation is issued to; none for what the host's thread does itself.
inline const std::string* stream_of(const HostOperation& operation) {
    return std::visit(
        [](const auto& each) -> const std::string* {
            if constexpr (requires { each.stream; }) {
                return &each.stream;
            } else {
                return nullptr;
            }
        },
        operation);
}

/// The stream of a program that names none. Its operations print no `on`.
inline constexpr const char* only_stream = "";

// ---- claims ------------------------------------------------------------------------------------------------------

/// How a claim reads a register that several threads write. `single` registers are written by one thread; on a
/// register of a class `single` reads as `any`.
enum class Quantifier { single, any, all };

/// `seen == 0`, `all seen != 1`.
struct Comparison {
    Quantifier quantifier = Quantifier::single;
    std::string result;
    bool equal = true;
    Value value = 0;
    auto operator<=>(const Comparison&) const = default;
};

/// A comparison, or operands joined by `&&` or `||`. A junction has at least two operands, none of its own kind.
struct Condition {
    enum class Kind { comparison, conjunction, disjunction };
    Kind kind = Kind::comparison;
    Comparison comparison;
    std::vector<Condition> operands;
    bool operator==(const Condition&) const = default;
};

/// What a program says of its outcomes. At most one of `never` and `sometimes` is given; at least one of `never`,
/// `sometimes` and `ends` is.
struct Claim {
    /// No outcome matches; the control must show one that does.
    std::optional<Condition> never;
    /// Some outcome matches; the control must show none.
    std::optional<Condition> sometimes;
    /// Every execution terminates.
    bool ends = false;
    /// The trials in which the situation that the case is about really arose.
    std::optional<Condition> armed;
    bool operator==(const Claim&) const = default;
};

// ---- programs and files ------------------------------------------------------------------------------------------

struct Program {
    std::vector<Location> memory;      ///< global memory of the device
    std::vector<Location> host_memory; ///< pinned memory of the host, which the device can access
    /// In order of first appearance; `{only_stream}` where the program names none.
    std::vector<std::string> streams;
    std::vector<HostOperation> operations;
    Claim claim;
    bool operator==(const Program&) const = default;
};

/// How a program is launched.
enum class Route { stream, captured, edges, cloned, child, updated, driver };
inline constexpr Route all_routes[] = {Route::stream, Route::captured, Route::edges, Route::cloned,
                                       Route::child,  Route::updated,  Route::driver};
/// Those that make a plan; the others launch what one of them made (conformance/plan/routes.hpp).
inline constexpr Route basic_routes[] = {Route::stream, Route::captured, Route::edges};

/// A public report that a case goes back to: an issue or a pull request of a repository on GitHub.
struct Report {
    enum class Kind { issue, pull };
    std::string repository; ///< `NVIDIA/cccl`
    Kind kind = Kind::issue;
    std::uint32_t number = 0;
    bool operator==(const Report&) const = default;
};

/// One file: a program, and the same program with the operation that gives the guarantee taken away.
struct Litmus {
    /// The comment lines before anything else, without their `#`: what is claimed and why a pass means something.
    std::vector<std::string> description;
    /// Statement ids; the first is the statement that the case tests. Empty in a user's own file.
    std::vector<std::string> checks;
    /// The public reports of what went wrong where somebody relied on the statement, or did not.
    std::vector<Report> because;
    /// `routes stream, captured`: where the claim is made, and what a run takes; `routes all` names every route. Empty:
    /// the claim is made on every route that can express the program, and a run takes the basic ones.
    std::vector<Route> routes;
    /// `load memory`: what the case is about shows itself where other kernels keep memory busy, so they do beside
    /// nearly all of its trials.
    bool memory_load = false;
    Program program;
    std::optional<Program> control;
    bool operator==(const Litmus&) const = default;
};

} // namespace pdlcts
