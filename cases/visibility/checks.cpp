// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"
#include "conformance/support/concat.hpp"
#include "harness/gpu/native_pair.hpp"

/// Amounts and paths of memory that no litmus program has: several MiB, a persisting part of the L2 cache, textures,
/// surfaces and constants, and the memory domain that nobody chose.
namespace pdlcts {
namespace {

constexpr unsigned blocks = 128;
constexpr unsigned threads = 256;
constexpr std::size_t array_words = std::size_t{1} << 21; ///< 8 MiB

/// Every block triggers before it has stored anything, and stores once a block of the secondary has begun. The third
/// parameter of the secondary says whether it waits; the second is the trial's value.
constexpr const char* array_source = R"(
constexpr u32 words_of_array = 1u << 21;
extern "C" __global__ void primary(u32* words, u32 value) {
    trigger();
    if (threadIdx.x == 0) {
        const u32 seen = poll(words + started, 20000);
        if (blockIdx.x == 0) {
            add(words + overlapped, seen);
        }
    }
    __syncthreads();
    for (u32 word = blockIdx.x * blockDim.x + threadIdx.x; word < words_of_array; word += gridDim.x * blockDim.x) {
        store(words + 1024 + word, value + word);
    }
}
extern "C" __global__ void secondary(u32* words, u32 value, u32 waits) {
    if (threadIdx.x == 0) {
        raise(words + started);
    }
    if (waits) {
        wait();
    }
    u32 wrong = 0;
    for (u32 word = blockIdx.x * blockDim.x + threadIdx.x; word < words_of_array; word += gridDim.x * blockDim.x) {
        wrong += load(words + 1024 + word) != value + word;
    }
    if (wrong != 0) {
        add(words + old, wrong);
    }
}
)";

class BigArray {
public:
    explicit BigArray(const NativeDevice& device)
        : device_(device), library_(device.compile(pair_source(array_source))), stream_(create_stream()),
          words_(allocate_device_words(1024 + array_words)) {}

    cudaStream_t stream() const { return stream_.get(); }
    std::uint32_t* array() const { return words_.get() + 1024; }

    /// Whether any word of the array was read as it was before, in one of some trials.
    std::string run(bool waits) {
        constexpr unsigned trials = 20;
        clear_lines(words_.get(), 4, stream_.get());
        for (unsigned trial = 0; trial < trials; ++trial) {
            clear_lines(words_.get(), 1, stream_.get());
            KernelArguments arguments;
            arguments.record = words_.get();
            arguments.blocks_before = value_ += 0x01000001;
            arguments.starts_late = waits ? 1 : 0;
            cudaLaunchAttribute pss = pss_attribute(1);
            launch(library_.kernel("primary"), {blocks, threads, 0}, stream_.get(), arguments, {});
            launch(library_.kernel("secondary"), {blocks, threads, 0}, stream_.get(), arguments, std::span(&pss, 1));
        }
        const auto words = read_lines(device_, words_.get(), 4, stream_.get(), "secondaries that read some MiB");
        return words[3] == 0 ? "every word is new" : "old words";
    }

private:
    const NativeDevice& device_;
    KernelLibrary library_;
    Stream stream_;
    DeviceWords words_;
    std::uint32_t value_ = 1;
};

const std::vector<std::string> all_new = {"every word is new"};

void every_word_of_some_mib(const NativeDevice& device, Probes& probes) {
    BigArray array(device);
    static_cast<void>(array.run(true));
    probes.holds("8 MiB stored after the trigger, read behind the wait", all_new, array.run(true));
    probes.differs("the same without the wait", all_new, array.run(false));
}

int device_attribute(const NativeDevice& device, cudaDeviceAttr attribute) {
    int value = 0;
    check(cudaDeviceGetAttribute(&value, attribute, device.device()), "asking for an attribute of the device");
    return value;
}

void persisting_window(const NativeDevice& device, Probes& probes) {
    const int window = device_attribute(device, cudaDevAttrMaxAccessPolicyWindowSize);
    const int persisting = device_attribute(device, cudaDevAttrMaxPersistingL2CacheSize);
    if (window == 0 || persisting == 0) {
        throw NativeUnsupported("the GPU keeps no part of its L2 cache for persisting accesses");
    }
    BigArray array(device);
    std::size_t before = 0;
    check(cudaDeviceGetLimit(&before, cudaLimitPersistingL2CacheSize), "reading the size of the persisting L2 cache");
    const auto set_window = [&](cudaAccessProperty property) {
        cudaLaunchAttributeValue value{};
        value.accessPolicyWindow.base_ptr = array.array();
        value.accessPolicyWindow.num_bytes =
            std::min<std::size_t>(array_words * sizeof(std::uint32_t), static_cast<std::size_t>(window));
        value.accessPolicyWindow.hitRatio = 1.0f;
        value.accessPolicyWindow.hitProp = property;
        value.accessPolicyWindow.missProp = cudaAccessPropertyNormal;
        check(cudaStreamSetAttribute(array.stream(), cudaLaunchAttributeAccessPolicyWindow, &value),
              "giving a stream its window of accesses");
    };
    check(
        cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, std::min<std::size_t>(array_words * sizeof(std::uint32_t),
                                                                                 static_cast<std::size_t>(persisting))),
        "setting the size of the persisting L2 cache");
    for (const auto& [property, name] :
         {std::pair(cudaAccessPropertyPersisting, "persisting"), std::pair(cudaAccessPropertyStreaming, "streaming")}) {
        set_window(property);
        static_cast<void>(array.run(true));
        probes.holds(concat("8 MiB in a window of ", name, " accesses, read behind the wait"), all_new,
                     array.run(true));
        probes.differs(concat("8 MiB in a window of ", name, " accesses, read without the wait"), all_new,
                       array.run(false));
    }
    set_window(cudaAccessPropertyNormal);
    check(cudaCtxResetPersistingL2Cache(), "giving back the persisting L2 cache");
    check(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, before), "setting the persisting L2 cache back");
}

/// Each secondary reads the word on its path before the wait and behind it; the second reading is what counts.
constexpr const char* path_source = R"(
__constant__ u32 constants[64];
using Handle = u64;
__device__ __forceinline__ u32 by_texture(Handle texture) {
    u32 x, y, z, w;
    asm volatile("tex.1d.v4.u32.s32 {%0, %1, %2, %3}, [%4, {%5}];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(texture), "r"(static_cast<int>(data)) : "memory");
    return x;
}
__device__ __forceinline__ u32 by_surface(Handle surface) {
    u32 x;
    asm volatile("suld.b.1d.b32.trap %0, [%1, {%2}];" : "=r"(x) : "l"(surface), "r"(0) : "memory");
    return x;
}
__device__ __forceinline__ u32 by_read_only(const u32* word) {
    u32 x;
    asm volatile("ld.global.nc.u32 %0, [%1];" : "=r"(x) : "l"(word) : "memory");
    return x;
}
__device__ __forceinline__ u32 by_constant() {
    u32 x;
    asm volatile("ld.const.u32 %0, [constants];" : "=r"(x) :: "memory");
    return x;
}
__device__ __forceinline__ void store_by_surface(Handle surface, u32 value) {
    asm volatile("sust.b.1d.b32.trap [%0, {%1}], %2;" :: "l"(surface), "r"(0), "r"(value) : "memory");
}
extern "C" __global__ void touch(u32* out) { out[0] = constants[threadIdx.x]; }
extern "C" __global__ void primary(u32* words, u32 path, Handle texture, Handle surface, u32* constant) {
    trigger();
    const u32 seen = poll(words + started, 20000);
    pause(1000);
    if (path == 2) {
        store_by_surface(surface, 1);
    } else {
        store(path == 3 ? constant : words + data, 1);
    }
    add(words + overlapped, seen);
}
extern "C" __global__ void secondary(u32* words, u32 path, Handle texture, Handle surface, u32*) {
    const auto read = [&] {
        return path == 0   ? by_read_only(words + data)
               : path == 1 ? by_texture(texture)
               : path == 2 ? by_surface(surface)
               : path == 3 ? by_constant()
                           : load(words + data);
    };
    // Both are counted, at the end: the assembler leaves out a load that nobody uses.
    const u32 first = read();
    raise(words + started);
    wait();
    const u32 second = read();
    add(words + old, second == 0);
    add(words + old + 16, first == 0);
}
)";

void other_paths(const NativeDevice& device, Probes& probes) {
    constexpr unsigned trials = 100;
    const KernelLibrary library = device.compile(pair_source(path_source));
    const Kernel primary = library.kernel("primary");
    const Kernel secondary = library.kernel("secondary");
    std::uint32_t* const constant = library.variable("constants");
    const Stream stream = create_stream();
    const DeviceWords words = allocate_device_words(4 * pair_line);

    cudaResourceDesc linear{};
    linear.resType = cudaResourceTypeLinear;
    // A texture begins at a coarser alignment than a line.
    linear.res.linear.devPtr = words.get();
    linear.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
    linear.res.linear.sizeInBytes = 4 * pair_line * sizeof(std::uint32_t);
    cudaTextureDesc description{};
    description.readMode = cudaReadModeElementType;
    cudaTextureObject_t texture = 0;
    check(cudaCreateTextureObject(&texture, &linear, &description, nullptr), "making a texture");
    cudaArray_t array = nullptr;
    const cudaChannelFormatDesc format = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
    check(cudaMallocArray(&array, &format, pair_line, 0, cudaArraySurfaceLoadStore), "allocating a surface");
    cudaResourceDesc of_array{};
    of_array.resType = cudaResourceTypeArray;
    of_array.res.array.array = array;
    cudaSurfaceObject_t surface = 0;
    check(cudaCreateSurfaceObject(&surface, &of_array), "making a surface");

    struct Path {
        const char* name;
        std::uint32_t number;
    };
    const std::uint32_t zero = 0;
    for (const Path& path : {Path{"ld.global.nc", 0}, Path{"a texture", 1}, Path{"a surface", 2},
                             Path{"constant memory", 3}, Path{"an ordinary load", 4}}) {
        clear_lines(words.get(), 4, stream.get());
        for (unsigned trial = 0; trial < trials; ++trial) {
            clear_lines(words.get(), 2, stream.get());
            check(cudaMemsetAsync(constant, 0, sizeof(std::uint32_t), stream.get()), "clearing constant memory");
            check(cudaMemcpy2DToArrayAsync(array, 0, 0, &zero, sizeof zero, sizeof zero, 1, cudaMemcpyHostToDevice,
                                           stream.get()),
                  "clearing a surface");
            void* record = words.get();
            std::uint32_t number = path.number;
            std::uint32_t* written = constant;
            std::array<void*, 5> pointers = {&record, &number, &texture, &surface, &written};
            cudaLaunchAttribute pss = pss_attribute(1);
            launch_with(primary, {}, stream.get(), pointers, {});
            launch_with(secondary, {}, stream.get(), pointers, std::span(&pss, 1));
        }
        std::uint32_t read[4 * pair_line] = {};
        check(cudaMemcpyAsync(read, words.get(), sizeof read, cudaMemcpyDeviceToHost, stream.get()),
              "reading the words of a path");
        device.wait(stream.get(), "readings on other paths");
        probes.noted(concat("a word read by ", path.name, " before and behind the wait"),
                     concat("old behind the wait in ", read[3 * pair_line], " of ", trials, " trials, before it in ",
                            read[3 * pair_line + 16], ", overlap in ", read[2 * pair_line]));
    }
    check(cudaDestroySurfaceObject(surface), "destroying a surface");
    check(cudaFreeArray(array), "freeing a surface");
    check(cudaDestroyTextureObject(texture), "destroying a texture");
}

void domain_default(const NativeDevice& device, Probes& probes) {
    const KernelLibrary library = device.compile("extern \"C\" __global__ void nothing() {}\n");
    const auto print = [](const cudaLaunchAttributeValue& domain, const cudaLaunchAttributeValue& map) {
        return concat(domain.memSyncDomain == cudaLaunchMemSyncDomainDefault ? "default" : "remote", ", default is ",
                      static_cast<int>(map.memSyncDomainMap.default_), ", remote is ",
                      static_cast<int>(map.memSyncDomainMap.remote));
    };
    const auto of_stream = [&](bool remote) {
        const Stream stream = create_stream();
        cudaLaunchAttributeValue domain{};
        cudaLaunchAttributeValue map{};
        if (remote) {
            domain.memSyncDomain = cudaLaunchMemSyncDomainRemote;
            check(cudaStreamSetAttribute(stream.get(), cudaLaunchAttributeMemSyncDomain, &domain),
                  "giving a stream its memory domain");
        }
        check(cudaStreamGetAttribute(stream.get(), cudaLaunchAttributeMemSyncDomain, &domain),
              "reading the memory domain of a stream");
        check(cudaStreamGetAttribute(stream.get(), cudaLaunchAttributeMemSyncDomainMap, &map),
              "reading the map of domains of a stream");
        return print(domain, map);
    };
    const auto of_node = [&](bool remote) {
        const Graph graph = create_graph();
        cudaLaunchAttribute attribute{};
        attribute.id = cudaLaunchAttributeMemSyncDomain;
        attribute.val.memSyncDomain = cudaLaunchMemSyncDomainRemote;
        const cudaGraphNode_t node =
            add_kernel_node(graph.get(), library.kernel("nothing"), {}, {}, std::span(&attribute, remote ? 1 : 0));
        cudaLaunchAttributeValue domain{};
        cudaLaunchAttributeValue map{};
        check(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeMemSyncDomain, &domain),
              "reading the memory domain of a node");
        check(cudaGraphKernelNodeGetAttribute(node, cudaLaunchAttributeMemSyncDomainMap, &map),
              "reading the map of domains of a node");
        return print(domain, map);
    };
    int count = 0;
    check(cudaDeviceGetAttribute(&count, cudaDevAttrMemSyncDomainCount, device.device()), "counting memory domains");
    // With one domain there is nothing to tell apart.
    const std::vector<std::string> expected = {count > 1 ? "default, default is 0, remote is 1"
                                                         : "default, default is 0, remote is 0"};
    probes.holds("the memory domain of a stream, and the map of domains", expected, of_stream(false));
    probes.holds("the memory domain of a kernel node, and the map of domains", expected, of_node(false));
    probes.differs("the same of a stream that was given the remote domain", expected, of_stream(true));
    probes.differs("the same of a node that was given the remote domain", expected, of_node(true));
    probes.noted("memory domains of the GPU", std::to_string(count));
}

} // namespace

std::vector<NativeCheck> visibility_checks() {
    return {
        {"visibility/every-word-of-some-mib", every_word_of_some_mib},
        {"visibility/persisting-window", persisting_window},
        {"visibility/textures-and-constants", other_paths},
        {"visibility/domain-default", domain_default},
    };
}

} // namespace pdlcts
