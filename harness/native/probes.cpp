// SPDX-License-Identifier: Apache-2.0
#include "harness/native/probes.hpp"

#include <utility>

namespace pdlcts {

void Probes::illegal(std::string what, std::vector<std::string> documented, std::string returned) {
    probes_.push_back({ProbeKind::illegal, std::move(what), std::move(documented), std::move(returned)});
}

void Probes::kept(std::string what, std::string before, std::string after) {
    probes_.push_back({ProbeKind::kept, std::move(what), {std::move(before)}, std::move(after)});
}

void Probes::legal(std::string what, std::string returned) {
    probes_.push_back({ProbeKind::legal, std::move(what), {"cudaSuccess"}, std::move(returned)});
}

void Probes::harm(std::string what, std::vector<std::string> harmless, std::string found) {
    probes_.push_back({ProbeKind::harm, std::move(what), std::move(harmless), std::move(found)});
}

void Probes::holds(std::string what, std::vector<std::string> allowed, std::string found) {
    probes_.push_back({ProbeKind::holds, std::move(what), std::move(allowed), std::move(found)});
}

void Probes::differs(std::string what, std::vector<std::string> allowed, std::string found) {
    probes_.push_back({ProbeKind::differs, std::move(what), std::move(allowed), std::move(found)});
}

void Probes::noted(std::string what, std::string found) {
    probes_.push_back({ProbeKind::noted, std::move(what), {}, std::move(found)});
}

} // namespace pdlcts
