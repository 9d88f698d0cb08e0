// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/driver_functions.hpp"
#include "harness/gpu/native_pair.hpp"

#include <array>

/// A tensor map that the primary writes, and that the secondary's bulk copy reads.
namespace pdlcts {
namespace {

/// The map stands in `maps[0]`, its new state in `maps[1]`, the old one in `maps[2]`. `way`: bit 0, the secondary
/// waits; bit 1, it executes the acquiring fence of the tensor map's proxy.
constexpr const char* source = R"(
struct alignas(128) Map { u64 part[16]; };
extern "C" __global__ void primary(u32* words, Map* maps, u32) {
    trigger();
    const u32 seen = poll(words + started, 20000);
    pause(1000);
    for (u32 part = 0; part < 16; ++part) {
        asm volatile("st.weak.global.u64 [%0], %1;" :: "l"(maps[0].part + part), "l"(maps[1].part[part]) : "memory");
    }
    asm volatile("fence.proxy.tensormap::generic.release.gpu;" ::: "memory");
    add(words + overlapped, seen);
}
extern "C" __global__ void secondary(u32* words, Map* maps, u32 way) {
    __shared__ alignas(128) u32 tile[32];
    __shared__ alignas(8) u64 full;
    const u32 at_tile = static_cast<u32>(__cvta_generic_to_shared(tile));
    const u32 at_full = static_cast<u32>(__cvta_generic_to_shared(&full));
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;" :: "r"(at_full) : "memory");
    asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    raise(words + started);
    if (way & 1) {
        wait();
    }
    if (way & 2) {
        asm volatile("fence.proxy.tensormap::generic.acquire.gpu [%0], 128;" :: "l"(maps) : "memory");
    }
    u64 state;
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 128;" : "=l"(state) : "r"(at_full) : "memory");
    asm volatile("cp.async.bulk.tensor.1d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2}], [%3];"
                 :: "r"(at_tile), "l"(maps), "r"(0), "r"(at_full) : "memory");
    u32 done = 0;
    for (u32 step = 0; step < 1000000 && done == 0; ++step) {
        asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                     : "=r"(done) : "r"(at_full) : "memory");
    }
    // The old map leads to zeros, the new one to ones.
    add(words + old, done == 0 || tile[31] == 0);
}
)";

class TensorMaps {
public:
    explicit TensorMaps(const NativeDevice& device)
        : device_(device), library_(device.compile(pair_source(source))), stream_(create_stream()),
          words_(allocate_device_words(4 * pair_line)), tiles_(allocate_device_words(2 * pair_line)),
          maps_(allocate_device_words(3 * pair_line)) {
        const std::vector<std::uint32_t> ones(pair_line, 1);
        check(cudaMemset(tiles_.get(), 0, pair_line * sizeof(std::uint32_t)), "clearing a tile");
        check(cudaMemcpy(tiles_.get() + pair_line, ones.data(), pair_line * sizeof(std::uint32_t),
                         cudaMemcpyHostToDevice),
              "filling a tile");
        for (const auto& [map, tile] : {std::pair(1, 1), std::pair(2, 0)}) {
            const CUtensorMap encoded = map_of(tiles_.get() + tile * pair_line);
            check(cudaMemcpy(maps_.get() + map * pair_line, &encoded, sizeof encoded, cudaMemcpyHostToDevice),
                  "writing a tensor map");
        }
    }

    /// In how many of 100 trials the copy read by the old map.
    std::uint32_t run(std::uint32_t way) const {
        clear_lines(words_.get(), 4, stream_.get());
        for (unsigned trial = 0; trial < trials; ++trial) {
            clear_lines(words_.get(), 1, stream_.get());
            check(cudaMemcpyAsync(maps_.get(), maps_.get() + 2 * pair_line, sizeof(CUtensorMap),
                                  cudaMemcpyDeviceToDevice, stream_.get()),
                  "setting a tensor map back");
            void* words = words_.get();
            void* maps = maps_.get();
            std::array<void*, 3> pointers = {&words, &maps, &way};
            cudaLaunchAttribute pss = pss_attribute(1);
            launch_with(library_.kernel("primary"), {}, stream_.get(), pointers, {});
            launch_with(library_.kernel("secondary"), {}, stream_.get(), pointers, std::span(&pss, 1));
        }
        return read_lines(device_, words_.get(), 4, stream_.get(), "copies by a tensor map")[3];
    }

    static constexpr unsigned trials = 100;

private:
    static CUtensorMap map_of(std::uint32_t* tile) {
        auto* const encode = require_driver_function<decltype(cuTensorMapEncodeTiled)>("cuTensorMapEncodeTiled");
        CUtensorMap map{};
        const cuuint64_t size = pair_line;
        const cuuint32_t box = pair_line;
        const cuuint32_t step = 1;
        // Of one dimension there are no strides; the function wants a place for them all the same.
        const cuuint64_t no_stride = 0;
        check(as_runtime_error(encode(&map, CU_TENSOR_MAP_DATA_TYPE_UINT32, 1, tile, &size, &no_stride, &box, &step,
                                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                                      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE)),
              "encoding a tensor map");
        return map;
    }

    const NativeDevice& device_;
    KernelLibrary library_;
    Stream stream_;
    DeviceWords words_;
    DeviceWords tiles_;
    DeviceWords maps_;
};

void tensor_map(const NativeDevice& device, Probes& probes) {
    const TensorMaps maps(device);
    static_cast<void>(maps.run(3));
    const std::vector<std::string> fresh = {"by the new map"};
    const auto print = [](std::uint32_t old) { return old == 0 ? "by the new map" : "by the old map, in some trials"; };
    probes.holds("a copy by the primary's tensor map, behind the wait and the acquiring fence", fresh,
                 print(maps.run(3)));
    const std::uint32_t without_wait = maps.run(2);
    probes.differs("the same without the wait", fresh, print(without_wait));
    probes.noted("old maps behind the wait, without the fence", concat(maps.run(1), " of ", TensorMaps::trials));
    probes.noted("old maps without the wait, behind the fence", concat(without_wait, " of ", TensorMaps::trials));
}

} // namespace

std::vector<NativeCheck> tensor_map_checks() {
    return {{"visibility/tensor-map-of-the-primary", tensor_map}};
}

} // namespace pdlcts
