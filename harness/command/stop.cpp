// SPDX-License-Identifier: Apache-2.0
#include "harness/command/stop.hpp"

#include <atomic>
#include <csignal>

namespace pdlcts {
namespace {

// What a signal handler may write to has to be there before it is called.
std::atomic<int> asked{0};
static_assert(std::atomic<int>::is_always_lock_free);

} // namespace

void catch_stop_signals() {
    struct sigaction action {};
    action.sa_handler = [](int signal) { asked.store(signal); };
    // The second one has its usual effect.
    action.sa_flags = SA_RESETHAND;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        static_cast<void>(sigaction(signal, &action, nullptr));
    }
    static_cast<void>(std::signal(SIGXFSZ, SIG_IGN));
}

int stop_signal() {
    return asked.load();
}

} // namespace pdlcts
