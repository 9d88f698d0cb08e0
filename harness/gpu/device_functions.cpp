// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/device_functions.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

std::string_view ptx(Ordering ordering) {
    switch (ordering) {
    case Ordering::weak:
        return "weak";
    case Ordering::relaxed:
        return "relaxed";
    case Ordering::acquire:
        return "acquire";
    case Ordering::release:
        return "release";
    case Ordering::acq_rel:
        return "acq_rel";
    case Ordering::sc:
        return "sc";
    }
    return "?";
}

std::string_view ptx(Scope scope) {
    switch (scope) {
    case Scope::cta:
        return "cta";
    case Scope::gpu:
        return "gpu";
    case Scope::sys:
        return "sys";
    }
    return "?";
}

/// The operation with its type: an exchange is of untyped bits.
std::string_view ptx(AtomicOperation operation) {
    switch (operation) {
    case AtomicOperation::add:
        return "add.u32";
    case AtomicOperation::exch:
        return "exch.b32";
    case AtomicOperation::min:
        return "min.u32";
    case AtomicOperation::max:
        return "max.u32";
    }
    return "?";
}

std::string_view ptx(CacheOperator cache) {
    switch (cache) {
    case CacheOperator::unspecified:
        return "";
    case CacheOperator::ca:
        return ".ca";
    case CacheOperator::cg:
        return ".cg";
    case CacheOperator::nc:
        return ".nc";
    }
    return "?";
}

/// A PTX mnemonic up to its state space, as a function's name.
std::string function_name(std::string mnemonic) {
    std::replace(mnemonic.begin(), mnemonic.end(), '.', '_');
    return mnemonic;
}

std::string without_type(std::string_view operation) {
    return std::string(operation.substr(0, operation.find('.')));
}

std::string qualified(std::string_view instruction, Ordering ordering, Scope scope) {
    if (ordering == Ordering::weak) {
        return std::string(instruction) + ".weak";
    }
    return std::string(instruction).append(".").append(ptx(ordering)).append(".").append(ptx(scope));
}

std::string define(const std::string& result, const std::string& signature, const std::string& body) {
    return "static __device__ __forceinline__ " + result + " " + signature + " {\n" + body + "}\n";
}

/// One statement of a body: PTX that reads and writes memory, with its operands.
std::string statement(const std::string& instruction, const std::string& operands) {
    return "    asm volatile(\"" + instruction + "\" " + operands + " : \"memory\");\n";
}

std::string define_plain(const std::string& function, const std::string& instruction) {
    return define("void", function + "()", statement(instruction + ";", "::"));
}

} // namespace

std::string DeviceFunctions::use(const std::string& name, const std::string& definition) {
    const bool known = std::any_of(functions_.begin(), functions_.end(),
                                   [&](const Function& function) { return function.name == name; });
    if (!known) {
        functions_.push_back({name, definition});
    }
    return name;
}

std::string DeviceFunctions::load(const Load& load) {
    const std::string mnemonic = qualified("ld", load.ordering, load.scope);
    const std::string function = function_name(mnemonic + std::string(ptx(load.cache)));
    // ld.global.nc is weak by definition and does not take the qualifier.
    const std::string instruction = load.cache == CacheOperator::nc
                                        ? "ld.global.nc.u32"
                                        : mnemonic + ".global" + std::string(ptx(load.cache)) + ".u32";
    return use(function,
               define("word", function + "(address at)",
                      "    word value;\n" + statement(instruction + " %0, [%1];", ": \"=r\"(value) : \"l\"(at)") +
                          "    return value;\n"));
}

std::string DeviceFunctions::store(const Store& store) {
    const std::string mnemonic = qualified("st", store.ordering, store.scope);
    const std::string function = function_name(mnemonic);
    return use(function, define("void", function + "(address at, word value)",
                                statement(mnemonic + ".global.u32 [%0], %1;", ":: \"l\"(at), \"r\"(value)")));
}

std::string DeviceFunctions::atomic(const Atomic& atomic) {
    const bool reduction = !atomic.result && atomic.operation != AtomicOperation::exch;
    const std::string mnemonic = qualified(reduction ? "red" : "atom", atomic.ordering, atomic.scope);
    const std::string operation(ptx(atomic.operation));
    const std::string function = function_name(mnemonic + "." + without_type(operation));
    if (reduction) {
        return use(function,
                   define("void", function + "(address at, word operand)",
                          statement(mnemonic + ".global." + operation + " [%0], %1;", ":: \"l\"(at), \"r\"(operand)")));
    }
    return use(function, define("word", function + "(address at, word operand)",
                                "    word old;\n" +
                                    statement(mnemonic + ".global." + operation + " %0, [%1], %2;",
                                              ": \"=r\"(old) : \"l\"(at), \"r\"(operand)") +
                                    "    return old;\n"));
}

std::string DeviceFunctions::fence(const Fence& fence) {
    const std::string instruction = qualified("fence", fence.ordering, fence.scope);
    const std::string function = function_name(instruction);
    return use(function, define_plain(function, instruction));
}

std::string DeviceFunctions::trigger() {
    return use("griddepcontrol_launch_dependents",
               define_plain("griddepcontrol_launch_dependents", "griddepcontrol.launch_dependents"));
}

std::string DeviceFunctions::wait() {
    return use("griddepcontrol_wait", define_plain("griddepcontrol_wait", "griddepcontrol.wait"));
}

std::string DeviceFunctions::barrier() {
    // Not the aligned bar.sync: the roles of a block diverge within a warp.
    return use("barrier_sync", define_plain("barrier_sync", "barrier.sync 0"));
}

std::string DeviceFunctions::global_timer() {
    return use("global_timer",
               define("nanoseconds", "global_timer()",
                      "    nanoseconds now;\n" + statement("mov.u64 %0, %%globaltimer;", ": \"=l\"(now) :") +
                          "    return now;\n"));
}

std::string DeviceFunctions::await_equal() {
    const std::string timer = global_timer();
    const std::string look = load({Ordering::relaxed, Scope::sys, CacheOperator::unspecified, "", ""});
    // A poll takes several hundred nanoseconds, so that the number of polls binds only where the timer stands still.
    return use("await_equal",
               "// Polls until the word is as expected: bounded by time, and by polls should the timer stand still.\n" +
                   define("word", "await_equal(address at, word expected, nanoseconds within)",
                          "    const nanoseconds start = " + timer +
                              "();\n"
                              "    const nanoseconds most_polls = within / 64 + 1024;\n"
                              "    for (nanoseconds poll = 0; poll < most_polls; ++poll) {\n"
                              "        if (" +
                              look +
                              "(at) == expected) return 1;\n"
                              "        if (" +
                              timer +
                              "() - start >= within) break;\n"
                              "    }\n"
                              "    return " +
                              look + "(at) == expected ? 1 : 0; // one last look\n"));
}

std::string DeviceFunctions::delay() {
    const std::string timer = global_timer();
    return use("delay", "// Lets time pass: bounded by readings should the timer stand still.\n" +
                            define("void", "delay(nanoseconds time)",
                                   "    const nanoseconds start = " + timer +
                                       "();\n"
                                       "    const nanoseconds most_readings = time / 4 + 1024;\n"
                                       "    for (nanoseconds reading = 0; reading < most_readings; ++reading) {\n"
                                       "        if (" +
                                       timer +
                                       "() - start >= time) return;\n"
                                       "    }\n"));
}

std::string DeviceFunctions::global_address() {
    return use("global_address",
               define("address", "global_address(const void* record)",
                      "    address at;\n"
                      "    asm volatile(\"cvta.to.global.u64 %0, %1;\" : \"=l\"(at) : \"l\"(record));\n"
                      "    return at;\n"));
}

std::string DeviceFunctions::definitions() const {
    std::string text;
    for (const Function& function : functions_) {
        text += function.definition + "\n";
    }
    return text;
}

} // namespace pdlcts
