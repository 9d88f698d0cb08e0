// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/ptx_text.hpp"

namespace pdlcts {

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
    case Scope::cluster:
        return "cluster";
    case Scope::gpu:
        return "gpu";
    case Scope::sys:
        return "sys";
    }
    return "?";
}

std::string_view ptx_type(Width width) {
    switch (width) {
    case Width::u32:
        return ".u32";
    case Width::u16:
        return ".u16";
    case Width::u8:
        return ".u8";
    }
    return "?";
}

std::string qualified(std::string_view instruction, Ordering ordering, Scope scope) {
    if (ordering == Ordering::weak) {
        return std::string(instruction) + ".weak";
    }
    return std::string(instruction).append(".").append(ptx(ordering)).append(".").append(ptx(scope));
}

std::string function_name(std::string_view mnemonic) {
    std::string name;
    for (const char character : mnemonic) {
        if (character != '.' && character != ':') {
            name += character;
        } else if (!name.empty() && name.back() != '_') {
            name += '_';
        }
    }
    return name;
}

std::string define(const std::string& result, const std::string& signature, const std::string& body) {
    return "static __device__ __forceinline__ " + result + " " + signature + " {\n" + body + "}\n";
}

std::string statement(const std::string& instruction, const std::string& operands) {
    return "    asm volatile(\"" + instruction + "\" " + operands + " : \"memory\");\n";
}

std::string define_plain(const std::string& function, const std::string& instruction) {
    return define("void", function + "()", statement(instruction + ";", "::"));
}

std::string poll_body(const std::string& look, const std::string& timer) {
    // A poll takes several hundred nanoseconds, so that the number of polls binds only where the timer stands still.
    return "    const nanoseconds start = " + timer +
           "();\n"
           "    const nanoseconds most_polls = within / 64 + 1024;\n"
           "    for (nanoseconds poll = 0; poll < most_polls; ++poll) {\n"
           "        if (" +
           look +
           ") return 1;\n"
           "        elapsed = " +
           timer +
           "() - start;\n"
           "        if (elapsed >= within) break;\n"
           "    }\n"
           "    return " +
           look + " ? 1 : 0; // one last look\n";
}

} // namespace pdlcts
