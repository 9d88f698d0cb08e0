// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"
#include "harness/export/trials_text.hpp"
#include "harness/gpu/requirements.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr const char* attribute_text = R"(
static int attribute(cudaDeviceAttr which) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, which, 0), "asking the GPU what it can do");
    return value;
}

[[noreturn]] static void not_supported(const char* why) {
    std::printf("verdict: NOT SUPPORTED: %s\n", why);
    std::exit(0);
}

)";

/// A question to the GPU and the reason that a no is.
void require(CppText& out, const std::string& missing, const std::string& why) {
    out.line(1, concat("if (", missing, ") not_supported(", string_literal(why), ");"));
}

struct Needs {
    bool clusters = false;
    bool domains = false;
    std::optional<int> least;
    std::optional<int> greatest;
    std::size_t shared_memory = 0;
};

Needs needs_of(const Reproduced& reproduced) {
    Needs needs;
    for (const Side* side : reproduced.roles()) {
        for (const Grid* grid : grids_of(*side->program)) {
            needs.clusters |= grid->cluster > 1;
            needs.domains |= grid->domain == Domain::remote;
            if (grid->priority) {
                needs.least = std::max(needs.least.value_or(*grid->priority), *grid->priority);
                needs.greatest = std::min(needs.greatest.value_or(*grid->priority), *grid->priority);
            }
            needs.shared_memory =
                std::max(needs.shared_memory, declared_shared_memory(*grid) + grid->shared_memory.value_or(0));
        }
    }
    return needs;
}

/// Memory that every GPU gives a block without being asked.
constexpr std::size_t shared_memory_of_any_gpu = 49152;

void write_kernel(CppText& out, const Side& side, const Grid& grid) {
    const std::string kernel = kernel_name(side.role, grid);
    const std::string function = concat("reinterpret_cast<const void*>(", kernel, ")");
    out.line(1, concat("check(cudaFuncGetAttributes(&attributes, ", function, "), \"loading ", kernel, "\");"));
    if (grid.shared_memory.value_or(0) != 0) {
        out.line(1, concat("check(cudaFuncSetAttribute(", function, ", cudaFuncAttributeMaxDynamicSharedMemorySize, ",
                           *grid.shared_memory, "),"));
        out.line(1, "      \"allowing dynamic shared memory\");");
    }
    if (grid.cluster > largest_portable_cluster) {
        out.line(1, concat("check(cudaFuncSetAttribute(", function,
                           ", cudaFuncAttributeNonPortableClusterSizeAllowed, 1),"));
        out.line(1, "      \"allowing large clusters\");");
    }
    if (grid.cluster > 1) {
        out.line(1, concat("require_cluster(", function, ", ", grid.blocks, ", ", grid.threads, ", ",
                           grid.shared_memory.value_or(0), ", ", grid.cluster, ");"));
    }
}

constexpr const char* require_cluster = R"(
static void require_cluster(const void* kernel, unsigned blocks, unsigned threads, size_t shared_memory,
                            unsigned cluster) {
    cudaLaunchAttribute attribute = {};
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = cluster;
    attribute.val.clusterDim.y = 1;
    attribute.val.clusterDim.z = 1;
    cudaLaunchConfig_t launch = {};
    launch.gridDim = dim3(blocks);
    launch.blockDim = dim3(threads);
    launch.dynamicSmemBytes = shared_memory;
    launch.attrs = &attribute;
    launch.numAttrs = 1;
    int clusters = 0;
    check(cudaOccupancyMaxActiveClusters(&clusters, kernel, &launch), "asking how many clusters fit the GPU");
    if (clusters == 0) not_supported("no cluster of this size fits this GPU");
}

)";

} // namespace

void write_requirements(CppText& out, const Reproduced& reproduced) {
    const Needs needs = needs_of(reproduced);
    out.block(attribute_text);
    if (needs.clusters) {
        out.block(require_cluster);
    }
    out.line(0, "static void require_support() {");
    require(out, "attribute(cudaDevAttrComputeCapabilityMajor) < 9", "the GPU is below compute capability 9.0");
    if (needs.clusters) {
        require(out, "attribute(cudaDevAttrClusterLaunch) == 0", "this GPU does not launch clusters");
    }
    if (needs.domains) {
        require(out, "attribute(cudaDevAttrMemSyncDomainCount) < 2", "this GPU has one memory synchronization domain");
    }
    if (needs.shared_memory > shared_memory_of_any_gpu) {
        require(out, concat("attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin) < ", needs.shared_memory),
                concat("a block needs ", needs.shared_memory, " bytes of shared memory, which this GPU does not have"));
    }
    if (needs.least) {
        out.line(1, "int least = 0;");
        out.line(1, "int greatest = 0; // priorities count downwards: the greatest is the smallest number");
        out.line(1, "check(cudaDeviceGetStreamPriorityRange(&least, &greatest), \"asking for priorities\");");
        require(out, concat("greatest > ", *needs.greatest, " || least < ", *needs.least),
                "this GPU does not have these priorities");
    }
    if (uses_host_memory(reproduced)) {
        require(out, "attribute(cudaDevAttrCanMapHostMemory) == 0", "this GPU cannot access memory of the host");
    }
    if (mixes_host_writes_and_atomics(reproduced.litmus)) {
        require(out, "attribute(cudaDevAttrHostNativeAtomicSupported) == 0",
                "the atomics of this GPU are not atomic to the host, which writes the same word");
    }
    out.line(0, "}");
    out.blank();
    out.line(0,
             "// Kernels are loaded now: where that is left to the first launch, the first launch does not overlap.");
    out.line(0, "static void load_kernels() {");
    out.line(1, "cudaFuncAttributes attributes;");
    for (const Side* side : reproduced.roles()) {
        for (const Grid* grid : grids_of(*side->program)) {
            write_kernel(out, *side, *grid);
        }
    }
    out.line(0, "}");
}

} // namespace pdlcts
