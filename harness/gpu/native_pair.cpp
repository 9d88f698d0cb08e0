// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/native_pair.hpp"

#include "conformance/support/concat.hpp"

#include <utility>
#include <vector>

namespace pdlcts {
namespace {

constexpr unsigned lines = 8;

} // namespace

std::string PairCounts::values() const {
    return !refused.empty() ? refused : old > 0 ? "old values" : "new values only";
}

std::string PairCounts::counts() const {
    return !refused.empty() ? refused
                            : concat("overlap in ", overlapped, " of ", trials, " trials, ", old, " old values");
}

std::string pair_source(const std::string& kernels) {
    return std::string(native_prelude) + pair_words + kernels;
}

void clear_lines(std::uint32_t* words, std::size_t lines, cudaStream_t stream) {
    check(cudaMemsetAsync(words, 0, lines * pair_line * sizeof(std::uint32_t), stream),
          "clearing the words of a check");
}

std::vector<std::uint32_t> read_lines(const NativeDevice& device, const std::uint32_t* words, std::size_t lines,
                                      cudaStream_t stream, const std::string& after) {
    std::vector<std::uint32_t> read(lines * pair_line);
    check(cudaMemcpyAsync(read.data(), words, read.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost, stream),
          "reading the words of a check");
    device.wait(stream, after);
    std::vector<std::uint32_t> first(lines);
    for (std::size_t line = 0; line < lines; ++line) {
        first[line] = read[line * pair_line];
    }
    return first;
}

NativePair::NativePair(const NativeDevice& device, const std::string& kernels, const HandShakeFunction& warm_up)
    : NativePair(device, device.compile(pair_source(kernels)), std::nullopt, warm_up) {}

NativePair::NativePair(const NativeDevice& device, KernelLibrary of_primary, std::optional<KernelLibrary> of_secondary,
                       const HandShakeFunction& warm_up)
    : device_(device), of_primary_(std::move(of_primary)), of_secondary_(std::move(of_secondary)),
      primary_(of_primary_.kernel("primary")),
      secondary_((of_secondary_ ? *of_secondary_ : of_primary_).kernel("secondary")), stream_(create_stream()),
      words_(allocate_device_words(lines * pair_line)) {
    // The first launch of a kernel does not overlap.
    static_cast<void>(run(HandShake::plain(), warm_up, 2));
}

PairCounts NativePair::run(const HandShakeFunction& primary, const HandShakeFunction& secondary,
                           unsigned trials) const {
    PairCounts counts;
    counts.trials = trials;
    KernelArguments arguments;
    arguments.record = words_.get();
    clear_lines(words_.get(), lines, stream_.get());
    for (unsigned trial = 0; trial < trials; ++trial) {
        // Behind a memset pss changes nothing, so that each pair begins when all before it has ended.
        clear_lines(words_.get(), 2, stream_.get());
        for (const auto& [function, kernel] : {std::pair(&primary, primary_), std::pair(&secondary, secondary_)}) {
            if (const cudaError_t status = (*function)({kernel, arguments, stream_.get()}); status != cudaSuccess) {
                device_.wait(stream_.get(), "a pair before a launch that was refused");
                counts.refused = returned(status);
                return counts;
            }
        }
    }
    const auto words = read_lines(device_, words_.get(), lines, stream_.get(), "pairs of kernels");
    counts.overlapped = words[2];
    counts.old = words[3];
    return counts;
}

} // namespace pdlcts
