// SPDX-License-Identifier: Apache-2.0
#include "conformance/plan/routes.hpp"

#include <algorithm>
#include <iterator>

namespace pdlcts {

std::vector<Route> default_routes(const Litmus& litmus) {
    if (!litmus.routes.empty()) {
        return litmus.routes;
    }
    return {std::begin(basic_routes), std::end(basic_routes)};
}

bool claims_on(const Litmus& litmus, Route route) {
    return litmus.routes.empty() || std::any_of(litmus.routes.begin(), litmus.routes.end(), [&](Route named) {
               return named == route || named == lowered_as(route);
           });
}

} // namespace pdlcts
