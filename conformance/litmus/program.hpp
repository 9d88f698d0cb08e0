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
enum class Scope { cta, gpu, sys };
enum class CacheOperator { unspecified, ca, cg, nc };
enum class AtomicOperation { add, exch, min, max };

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

/// `bar.sync`: all threads of the block that have not exited.
struct Barrier {
    auto operator<=>(const Barrier&) const = default;
};

/// `fence.acq_rel.gpu`: ordering is acq_rel or sc.
struct Fence {
    Ordering ordering = Ordering::acq_rel;
    Scope scope = Scope::gpu;
    auto operator<=>(const Fence&) const = default;
};

/// `ld.weak x -> seen`, `ld.acquire.gpu x -> seen`: ordering is weak, relaxed or acquire. A weak access has no scope
/// (`scope` is then ignored and kept at its default); a cache operator belongs to weak loads only.
struct Load {
    Ordering ordering = Ordering::weak;
    Scope scope = Scope::sys;
    CacheOperator cache = CacheOperator::unspecified;
    std::string location;
    std::string result;
    auto operator<=>(const Load&) const = default;
};

/// `st.weak x, 1`, `st.release.gpu x, 1`: ordering is weak, relaxed or release.
struct Store {
    Ordering ordering = Ordering::weak;
    Scope scope = Scope::sys;
    std::string location;
    Value value = 0;
    auto operator<=>(const Store&) const = default;
};

/// `red.relaxed.gpu.add x, 1`, and with a result `atom.acq_rel.gpu.exch x, 1 -> old`: ordering is relaxed, acquire,
/// release or acq_rel; a reduction (no result) is relaxed or release.
struct Atomic {
    Ordering ordering = Ordering::relaxed;
    Scope scope = Scope::gpu;
    AtomicOperation operation = AtomicOperation::add;
    std::string location;
    Value operand = 0;
    std::optional<std::string> result;
    auto operator<=>(const Atomic&) const = default;
};

/// `await x == 1 -> ready within 50us`: polls with relaxed system-scope loads until the word has the value, or the
/// bound has passed; the result is 1 or 0. Every poll on the device is bounded (model.no-reliance-on-concurrency).
struct Await {
    std::string location;
    Value value = 0;
    std::optional<std::string> result;
    std::uint64_t within_nanoseconds = 0;
    auto operator<=>(const Await&) const = default;
};

/// `delay 500ns`: means nothing to the abstract machine.
struct Delay {
    std::uint64_t nanoseconds = 0;
    auto operator<=>(const Delay&) const = default;
};

using Instruction = std::variant<Trigger, Wait, Exit, Barrier, Fence, Load, Store, Atomic, Await, Delay>;

/// The longest `within` and `delay` that the language accepts: a hang must not eat a lease.
inline constexpr std::uint64_t longest_bound_nanoseconds = 1'000'000'000;

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

/// `grid secondary <<<1, 32>>> on t pss`, with its agents.
struct Grid {
    std::string name;
    unsigned blocks = 1;
    unsigned threads = 1;
    std::string stream;
    /// The value of programmatic stream serialization, if the attribute is given: any value but 0 enables it.
    std::optional<int> pss;
    std::optional<ProgrammaticEvent> programmatic_event;
    std::optional<std::string> launch_completion_event;
    std::vector<Agent> agents;
    bool has_pss() const { return pss.value_or(0) != 0; }
    auto operator<=>(const Grid&) const = default;
};

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

/// `memset x, 7 on s`: cudaMemsetAsync of one word; the word read back is the byte repeated.
struct Memset {
    std::string location;
    std::uint8_t byte = 0;
    std::string stream;
    Value word() const { return Value{byte} * 0x01010101; }
    auto operator<=>(const Memset&) const = default;
};

using HostOperation = std::variant<Grid, Record, WaitEvent, Memset>;

/// The stream that an operation is issued to.
inline const std::string& stream_of(const HostOperation& operation) {
    return std::visit([](const auto& each) -> const std::string& { return each.stream; }, operation);
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

/// `memory x = 0`: a 32-bit word of global memory on a cache line of its own.
struct Location {
    std::string name;
    Value initial = 0;
    auto operator<=>(const Location&) const = default;
};

struct Program {
    std::vector<Location> memory;
    /// In order of first appearance; `{only_stream}` where the program names none.
    std::vector<std::string> streams;
    std::vector<HostOperation> operations;
    Claim claim;
    bool operator==(const Program&) const = default;
};

/// How a program is launched.
enum class Route { stream, captured, edges };
inline constexpr Route all_routes[] = {Route::stream, Route::captured, Route::edges};

/// One file: a program, and the same program with the operation that gives the guarantee taken away.
struct Litmus {
    /// The comment lines before anything else, without their `#`: what is claimed and why a pass means something.
    std::vector<std::string> description;
    /// Statement ids; the first is the statement that the case tests. Empty in a user's own file.
    std::vector<std::string> checks;
    /// `routes stream, captured`: where the claim is made. Empty means every route that can express the program.
    std::vector<Route> routes;
    Program program;
    std::optional<Program> control;
    bool operator==(const Litmus&) const = default;
};

} // namespace pdlcts
