// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "harness/gpu/requirements.hpp"

#include <optional>
#include <set>
#include <string>
#include <string_view>

/// Grids of a second GPU (`peer`): which GPU that is, and how calls are made for it.
namespace pdlcts {

/// The two GPUs of a run, as the runtime numbers them.
struct GpuPair {
    int first = 0;
    std::optional<int> second; ///< none where the program has no grid of a second GPU

    /// Whether calls have to select a GPU at all.
    bool differ() const { return second && *second != first; }
    int of(bool peer) const { return peer ? second.value_or(first) : first; }
};

/// The GPU that can be the second beside the current one: the first other of the same compute capability, so that it
/// runs the same image, that can access the current one's memory.
struct FoundPeer {
    std::optional<int> device;
    bool has_atomics = false;  ///< its atomics are atomic on the first one's memory
    std::string_view why_none; ///< where there is none; a literal
};
FoundPeer find_peer();

/// Lets one GPU access the memory of another. Throws CudaError.
void enable_access(int from, int to);

/// The name of a GPU. Throws CudaError.
std::string name_of_gpu(int device);

/// Selects a GPU for the calling thread, and the one before again at the end. Nothing is called where none is given.
class OnGpu {
public:
    explicit OnGpu(std::optional<int> device);
    OnGpu(const OnGpu&) = delete;
    OnGpu& operator=(const OnGpu&) = delete;
    ~OnGpu();

private:
    std::optional<int> before_;
};

} // namespace pdlcts
