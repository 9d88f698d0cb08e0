// SPDX-License-Identifier: Apache-2.0
#include "harness/command/commands.hpp"
#include "harness/command/suite.hpp"

#include "harness/supervisor/child.hpp"
#include "harness/worker/serve.hpp"

namespace pdlcts {

ExitCode worker() {
    serve(Child::worker_channel, this_suite());
}

} // namespace pdlcts
