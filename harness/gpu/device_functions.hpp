// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"

#include <string>
#include <vector>

/// The device functions that emitted kernels call, each a wrapper of one PTX instruction or a bounded loop of them.
namespace pdlcts {

/// Collects the functions that a source calls, each once, in an order in which C++ accepts them.
class DeviceFunctions {
public:
    // Each returns the name to call.
    std::string load(const Load& load);
    std::string store(const Store& store);
    std::string atomic(const Atomic& atomic);
    std::string fence(const Fence& fence);
    std::string trigger();
    std::string wait();
    std::string barrier();
    std::string await_equal();
    std::string delay();
    /// The address of a trial's record in global memory, for its kernel's argument.
    std::string global_address();

    /// The definitions of all functions asked for.
    std::string definitions() const;

private:
    std::string use(const std::string& name, const std::string& definition);
    std::string global_timer();

    struct Function {
        std::string name;
        std::string definition;
    };
    std::vector<Function> functions_;
};

} // namespace pdlcts
