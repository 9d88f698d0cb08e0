// SPDX-License-Identifier: Apache-2.0
#include "conformance/machine/view.hpp"

#include <algorithm>
#include <iterator>

namespace pdlcts::machine {

void join(View& view, const View& other) {
    if (other.empty() || &view == &other) {
        return;
    }
    if (view.empty()) {
        view = other;
        return;
    }
    View joined;
    joined.reserve(view.size() + other.size());
    std::set_union(view.begin(), view.end(), other.begin(), other.end(), std::back_inserter(joined));
    view = std::move(joined);
}

void add(View& view, Entry entry) {
    const auto place = std::lower_bound(view.begin(), view.end(), entry);
    if (place == view.end() || *place != entry) {
        view.insert(place, entry);
    }
}

} // namespace pdlcts::machine
