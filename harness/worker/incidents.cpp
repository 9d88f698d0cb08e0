// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/incidents.hpp"

#include "conformance/support/concat.hpp"
#include "harness/gpu/incident_checks.hpp"

#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include <unistd.h>

namespace pdlcts {
namespace {

constexpr std::array<std::string_view, 5> names = {"hang", "fault", "abort", "exit", "silence"};
constexpr std::chrono::milliseconds deadline{3000};

void tell(std::string_view what) {
    static_cast<void>(std::fprintf(stderr, "incident: %.*s\n", static_cast<int>(what.size()), what.data()));
    static_cast<void>(std::fflush(stderr));
}

} // namespace

std::span<const std::string_view> all_incidents() {
    return names;
}

NativeCell make_incident(Gpu& gpu, std::string_view name) {
    tell(name);
    if (name == "abort") {
        // By the signal itself: a handler of a sanitizer would make an exit code of it.
        static_cast<void>(std::signal(SIGABRT, SIG_DFL));
        static_cast<void>(raise(SIGABRT));
    } else if (name == "exit") {
        _exit(3);
    } else if (name == "silence") {
        while (true) {
            std::this_thread::sleep_for(std::chrono::hours(1));
        }
    }
    NativeCell cell;
    cell.case_id = concat("incidents/", name);
    const NativeFunction check = find_incident_check(name);
    if (check == nullptr) {
        cell.incident = Incident::not_supported;
        cell.incident_detail = "there is no such incident, or it takes a GPU";
        return cell;
    }
    NativeRun run = gpu.probe(check, deadline);
    cell.probes = std::move(run.probes);
    cell.incident = run.incident;
    cell.incident_detail = std::move(run.incident_detail);
    return cell;
}

} // namespace pdlcts
