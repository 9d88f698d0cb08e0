// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/device_functions.hpp"

#include "harness/gpu/ptx_text.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// The operation with its type: what does not count is of untyped bits.
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
    case AtomicOperation::bit_and:
        return "and.b32";
    case AtomicOperation::bit_or:
        return "or.b32";
    case AtomicOperation::bit_xor:
        return "xor.b32";
    case AtomicOperation::cas:
        return "cas.b32";
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

std::string_view ptx(StateSpace space) {
    switch (space) {
    case StateSpace::global:
        return ".global";
    case StateSpace::shared:
        return ".shared::cta";
    case StateSpace::cluster:
        return ".shared::cluster";
    }
    return "?";
}

/// What a function's name says of a type; nothing for a word of global memory.
std::string suffix(AccessType type) {
    std::string text;
    if (type.space != StateSpace::global) {
        text += type.space == StateSpace::shared ? ".shared" : ".cluster";
    }
    if (type.lanes > 1) {
        text += ".v" + std::to_string(type.lanes);
    }
    return text + (type.width == Width::u32 ? "" : std::string(ptx_type(type.width)));
}

/// `.v2.u32`
std::string type_of(AccessType type) {
    return (type.lanes > 1 ? ".v" + std::to_string(type.lanes) : "") + std::string(ptx_type(type.width));
}

const char* address_type(StateSpace space) {
    return space == StateSpace::global ? "address" : "shared_address";
}

/// The constraint of an address among the operands of an `asm`.
std::string address_operand(StateSpace space) {
    return space == StateSpace::global ? "\"l\"(at)" : "\"r\"(at)";
}

/// `lane0, lane1`, each put between two texts.
std::string lanes(unsigned count, const std::string& before, const std::string& after) {
    std::string text;
    for (unsigned lane = 0; lane < count; ++lane) {
        text.append(lane == 0 ? "" : ", ").append(before).append(std::to_string(lane)).append(after);
    }
    return text;
}

/// `{%0, %1}`, the operands from the `first` on.
std::string vector_operand(unsigned count, unsigned first) {
    std::string text;
    for (unsigned lane = 0; lane < count; ++lane) {
        text += (lane == 0 ? "%" : ", %") + std::to_string(first + lane);
    }
    return "{" + text + "}";
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

std::string DeviceFunctions::load(const Load& load, AccessType type) {
    const std::string mnemonic = qualified("ld", load.ordering, load.scope);
    const std::string function = function_name(mnemonic + std::string(ptx(load.cache)) + suffix(type));
    // ld.global.nc is weak by definition and does not take the qualifier.
    const std::string instruction = (load.cache == CacheOperator::nc ? "ld" : mnemonic) + std::string(ptx(type.space)) +
                                    std::string(ptx(load.cache)) + type_of(type);
    const std::string at = std::string(address_type(type.space)) + " at";
    if (type.lanes == 1) {
        return use(function, define("word", function + "(" + at + ")",
                                    "    word value;\n" +
                                        statement(instruction + " %0, [%1];",
                                                  ": \"=r\"(value) : " + address_operand(type.space)) +
                                        "    return value;\n"));
    }
    const std::string values = vector_operand(type.lanes, 0) + ", [%" + std::to_string(type.lanes) + "];";
    return use(function, define("void", function + "(" + at + ", " + lanes(type.lanes, "word& lane", "") + ")",
                                statement(instruction + " " + values, ": " + lanes(type.lanes, "\"=r\"(lane", ")") +
                                                                          " : " + address_operand(type.space))));
}

std::string DeviceFunctions::store(const Store& store, AccessType type) {
    const std::string mnemonic = qualified("st", store.ordering, store.scope);
    const std::string function = function_name(mnemonic + suffix(type));
    const std::string instruction = mnemonic + std::string(ptx(type.space)) + type_of(type) + " [%0], ";
    const std::string at = std::string(address_type(type.space)) + " at, ";
    if (type.lanes == 1) {
        return use(function,
                   define("void", function + "(" + at + "word value)",
                          statement(instruction + "%1;", ":: " + address_operand(type.space) + ", \"r\"(value)")));
    }
    return use(function,
               define("void", function + "(" + at + lanes(type.lanes, "word lane", "") + ")",
                      statement(instruction + vector_operand(type.lanes, 1) + ";",
                                ":: " + address_operand(type.space) + ", " + lanes(type.lanes, "\"r\"(lane", ")"))));
}

std::string DeviceFunctions::atomic(const Atomic& atomic, StateSpace space) {
    const bool reduction =
        !atomic.result && atomic.operation != AtomicOperation::exch && atomic.operation != AtomicOperation::cas;
    const std::string mnemonic = qualified(reduction ? "red" : "atom", atomic.ordering, atomic.scope);
    const std::string operation(ptx(atomic.operation));
    const std::string name = operation.substr(0, operation.find('.'));
    const std::string function = function_name(mnemonic + "." + name + suffix({space, Width::u32, 1}));
    const std::string instruction = mnemonic + std::string(ptx(space)) + "." + operation;
    const std::string at = std::string(address_type(space)) + " at, ";
    const std::string inputs = address_operand(space);
    if (reduction) {
        return use(function, define("void", function + "(" + at + "word operand)",
                                    statement(instruction + " [%0], %1;", ":: " + inputs + ", \"r\"(operand)")));
    }
    if (atomic.operation == AtomicOperation::cas) {
        return use(function, define("word", function + "(" + at + "word compare, word operand)",
                                    "    word old;\n" +
                                        statement(instruction + " %0, [%1], %2, %3;",
                                                  ": \"=r\"(old) : " + inputs + ", \"r\"(compare), \"r\"(operand)") +
                                        "    return old;\n"));
    }
    return use(function,
               define("word", function + "(" + at + "word operand)",
                      "    word old;\n" +
                          statement(instruction + " %0, [%1], %2;", ": \"=r\"(old) : " + inputs + ", \"r\"(operand)") +
                          "    return old;\n"));
}

std::string DeviceFunctions::fence(const Fence& fence) {
    const std::string instruction = qualified("fence", fence.ordering, fence.scope);
    const std::string function = function_name(instruction);
    return use(function, define_plain(function, instruction));
}

std::string DeviceFunctions::proxy_fence() {
    return use("fence_proxy_async", define_plain("fence_proxy_async", "fence.proxy.async"));
}

std::string DeviceFunctions::await_equal(AccessType type) {
    Load look;
    look.ordering = Ordering::relaxed;
    look.scope = Scope::sys;
    const std::string timer = global_timer();
    const std::string loaded = load(look, type);
    const std::string function = function_name("await_equal" + suffix(type));
    return use(
        function,
        "// Polls until the element is as expected: bounded by time, and by polls should the timer stand still.\n" +
            define("word",
                   function + "(" + address_type(type.space) +
                       " at, word expected, nanoseconds within, nanoseconds& elapsed)",
                   poll_body(loaded + "(at) == expected", timer)));
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

std::string DeviceFunctions::note_latency() {
    return use("note_latency",
               "// One more than the nanoseconds, so that 0 says that no thread came here; all ones: not satisfied.\n" +
                   define("void", "note_latency(address at, word satisfied, nanoseconds elapsed)",
                          "    const word latency = satisfied != 0 ? (word)elapsed + 1u : 4294967295u;\n" +
                              statement("red.relaxed.sys.global.max.u32 [%0], %1;", ":: \"l\"(at), \"r\"(latency)")));
}

std::string DeviceFunctions::global_address() {
    return use("global_address",
               define("address", "global_address(const void* record)",
                      "    address at;\n"
                      "    asm volatile(\"cvta.to.global.u64 %0, %1;\" : \"=l\"(at) : \"l\"(record));\n"
                      "    return at;\n"));
}

std::string DeviceFunctions::shared_address() {
    return use("shared_window",
               define("shared_address", "shared_window(const void* array)",
                      "    shared_address at;\n"
                      "    asm volatile(\"{ .reg .u64 wide; cvta.to.shared.u64 wide, %1; cvt.u32.u64 %0, wide; }\""
                      " : \"=r\"(at) : \"l\"(array));\n"
                      "    return at;\n"));
}

std::string DeviceFunctions::map_to_rank() {
    return use("map_to_rank", define("shared_address", "map_to_rank(shared_address own, word rank)",
                                     "    shared_address at;\n"
                                     "    asm volatile(\"mapa.shared::cluster.u32 %0, %1, %2;\""
                                     " : \"=r\"(at) : \"r\"(own), \"r\"(rank));\n"
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
