// SPDX-License-Identifier: Apache-2.0
// The device functions of barriers, mbarriers, bulk copies and the two PDL instructions.
#include "harness/gpu/device_functions.hpp"

#include "harness/gpu/ptx_text.hpp"

namespace pdlcts {

std::string DeviceFunctions::trigger() {
    if (spelling_ == Spelling::intrinsics) {
        return use("trigger_by_intrinsic",
                   define("void", "trigger_by_intrinsic()", "    ::cudaTriggerProgrammaticLaunchCompletion();\n"));
    }
    return use("griddepcontrol_launch_dependents",
               define_plain("griddepcontrol_launch_dependents", "griddepcontrol.launch_dependents"));
}

std::string DeviceFunctions::wait() {
    if (spelling_ == Spelling::intrinsics) {
        return use("wait_by_intrinsic",
                   define("void", "wait_by_intrinsic()", "    ::cudaGridDependencySynchronize();\n"));
    }
    return use("griddepcontrol_wait", define_plain("griddepcontrol_wait", "griddepcontrol.wait"));
}

std::string DeviceFunctions::barrier(const Barrier& barrier) {
    // Not the aligned bar.sync: the roles of a block diverge within a warp.
    if (barrier.number == 0) {
        return use("barrier_sync", define_plain("barrier_sync", "barrier.sync 0"));
    }
    const std::string mnemonic = barrier.arrive ? "barrier.arrive" : "barrier.sync";
    const std::string number = std::to_string(barrier.number);
    const std::string threads = std::to_string(barrier.threads);
    const std::string function = function_name(mnemonic + "." + number + "." + threads);
    return use(function, define_plain(function, mnemonic + " " + number + ", " + threads));
}

std::string DeviceFunctions::cluster_arrive(const ClusterArrive& arrive) {
    const std::string instruction = "barrier.cluster.arrive." + std::string(ptx(arrive.ordering));
    const std::string function = function_name(instruction);
    return use(function, define_plain(function, instruction));
}

std::string DeviceFunctions::cluster_wait() {
    return use("barrier_cluster_wait_acquire",
               define_plain("barrier_cluster_wait_acquire", "barrier.cluster.wait.acquire"));
}

std::string DeviceFunctions::mbarrier_initialise() {
    return use("mbarrier_init",
               define("void", "mbarrier_init(shared_address at, word arrivals)",
                      statement("mbarrier.init.shared::cta.b64 [%0], %1;", ":: \"r\"(at), \"r\"(arrivals)")));
}

std::string DeviceFunctions::mbarrier_initialisation_fence() {
    return use("fence_mbarrier_init", define_plain("fence_mbarrier_init", "fence.mbarrier_init.release.cluster"));
}

std::string DeviceFunctions::mbarrier_arrive(const MbarrierArrive& arrive, StateSpace space) {
    const std::string mnemonic = std::string("mbarrier.arrive") + (arrive.expected_bytes ? ".expect_tx" : "") +
                                 ".release." + std::string(ptx(arrive.scope));
    const bool own = space == StateSpace::shared;
    const std::string function = function_name(mnemonic + (own ? "" : ".remote"));
    const std::string instruction = mnemonic + (own ? ".shared::cta" : ".shared::cluster") + ".b64 _, [%0]";
    if (!arrive.expected_bytes) {
        return use(function,
                   define("void", function + "(shared_address at)", statement(instruction + ";", ":: \"r\"(at)")));
    }
    return use(function, define("void", function + "(shared_address at, word bytes)",
                                statement(instruction + ", %1;", ":: \"r\"(at), \"r\"(bytes)")));
}

std::string DeviceFunctions::mbarrier_wait(const MbarrierWait& wait) {
    const std::string timer = global_timer();
    const std::string instruction = "mbarrier.try_wait.parity.acquire." + std::string(ptx(wait.scope));
    const std::string once = function_name(instruction);
    // The last operand is the longest, in nanoseconds, that one try may suspend the thread.
    const std::string tried = "{ .reg .pred complete; " + instruction +
                              ".shared::cta.b64 complete, [%1], %2, 1000; selp.u32 %0, 1, 0, complete; }";
    use(once, define("word", once + "(shared_address at, word parity)",
                     "    word complete;\n" + statement(tried, ": \"=r\"(complete) : \"r\"(at), \"r\"(parity)") +
                         "    return complete;\n"));
    const std::string function = "mbarrier_wait_acquire_" + std::string(ptx(wait.scope));
    return use(function,
               "// Polls until the phase is complete: bounded by time, and by polls should the timer stand still.\n" +
                   define("word",
                          function + "(shared_address at, word parity, nanoseconds within, nanoseconds& elapsed)",
                          poll_body(once + "(at, parity) != 0", timer)));
}

std::string DeviceFunctions::bulk_copy(const BulkCopy& copy) {
    if (copy.into_shared()) {
        // A shared::cta address is one of the shared::cluster window too, which alone older PTX takes here.
        return use("cp_async_bulk_shared_global",
                   define("void",
                          "cp_async_bulk_shared_global(shared_address to, address from, word bytes, "
                          "shared_address mbarrier)",
                          statement("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes "
                                    "[%0], [%1], %2, [%3];",
                                    ":: \"r\"(to), \"l\"(from), \"r\"(bytes), \"r\"(mbarrier)")));
    }
    return use("cp_async_bulk_global_shared",
               define("void", "cp_async_bulk_global_shared(address to, shared_address from, word bytes)",
                      statement("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;",
                                ":: \"l\"(to), \"r\"(from), \"r\"(bytes)")));
}

std::string DeviceFunctions::bulk_commit() {
    return use("cp_async_bulk_commit_group", define_plain("cp_async_bulk_commit_group", "cp.async.bulk.commit_group"));
}

std::string DeviceFunctions::bulk_wait(const BulkWait& wait) {
    const std::string mnemonic = std::string("cp.async.bulk.wait_group") + (wait.read ? ".read" : "");
    const std::string function = function_name(mnemonic + "." + std::to_string(wait.pending));
    return use(function, define_plain(function, mnemonic + " " + std::to_string(wait.pending)));
}

} // namespace pdlcts
