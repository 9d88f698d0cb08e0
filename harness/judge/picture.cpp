// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/picture.hpp"

#include <algorithm>

namespace pdlcts {

std::string_view name(PictureMeasure measure) {
    switch (measure) {
    case PictureMeasure::gap:
        return "gap";
    case PictureMeasure::duration:
        return "duration";
    }
    return "";
}

std::size_t rank_of(unsigned percent, std::size_t count) {
    const std::size_t rank = (percent * count + 99) / 100;
    return std::clamp<std::size_t>(rank, 1, count) - 1;
}

LatencyFigures figures_of(std::vector<std::int64_t> nanoseconds) {
    std::sort(nanoseconds.begin(), nanoseconds.end());
    const std::size_t count = nanoseconds.size();
    return {count, nanoseconds.at(rank_of(5, count)), nanoseconds.at(rank_of(50, count)),
            nanoseconds.at(rank_of(95, count))};
}

} // namespace pdlcts
