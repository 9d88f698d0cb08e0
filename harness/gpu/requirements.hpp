// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

/// Whether a GPU can run a program at all: asked before anything of it is launched.
namespace pdlcts {

/// What a GPU says of itself.
struct DeviceLimits {
    bool launches_clusters = true;
    int memory_sync_domains = 1;
    std::size_t shared_memory_a_block = 49152; ///< static and dynamic, as far as a kernel may opt in
    int greatest_priority = 0;                 ///< priorities count downwards: the greatest is the smallest number
    int least_priority = 0;
    bool maps_host_memory = true;
    bool has_host_atomics = false; ///< the GPU's atomics are atomic to the host too
    unsigned multiprocessors = 1;
    unsigned blocks_a_multiprocessor = 16;
    unsigned threads_a_multiprocessor = 1024;
    std::size_t shared_memory_a_multiprocessor = 65536;
    bool has_peer = false;                                       ///< a second GPU can access the memory of this one
    bool has_peer_atomics = false;                               ///< and its atomics are atomic there
    std::string_view why_no_peer = "this machine shows one GPU"; ///< where there is none
};

/// Blocks of a cluster that every GPU with clusters runs. More need a kernel's leave, and a GPU that has the room.
inline constexpr unsigned largest_portable_cluster = 8;

/// The shared memory that a grid declares, in bytes, without what it asks for at its launch.
std::size_t declared_shared_memory(const Grid& grid);

/// Whether the host writes a word that a grid changes by atomics, which then have to be atomic to the host too.
bool mixes_host_writes_and_atomics(const Litmus& litmus);

/// Whether a grid of the program, or of its control, is on a second GPU.
bool has_peer_grid(const Litmus& litmus);

/// What the GPU lacks, in a sentence; nothing where it can run the program, and the program and its control.
std::optional<std::string> why_unsupported(const Program& program, const DeviceLimits& limits);
std::optional<std::string> why_unsupported(const Litmus& litmus, const DeviceLimits& limits);

} // namespace pdlcts
