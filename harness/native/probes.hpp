// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/native_cell.hpp"

#include <stdexcept>
#include <string>
#include <vector>

/// What a native check writes down: its questions and the answers. No type of CUDA appears here.
namespace pdlcts {

class Probes {
public:
    /// A call that the statement forbids, the error codes that its documentation lists (none: no document does), and
    /// the name of what it returned.
    void illegal(std::string what, std::vector<std::string> documented, std::string returned);
    /// What the illegal call must leave as it was.
    void kept(std::string what, std::string before, std::string after);
    /// The nearest legal call. Without it a refusal says nothing.
    void legal(std::string what, std::string returned);
    /// After an illegal call that was accepted: what is no harm, and what was found.
    void harm(std::string what, std::vector<std::string> harmless, std::string found);
    /// What the statement says: one of `allowed` has to be found.
    void holds(std::string what, std::vector<std::string> allowed, std::string found);
    /// The same question where the statement does not hold: none of `allowed` may be found.
    void differs(std::string what, std::vector<std::string> allowed, std::string found);
    /// Something to be read, and judged by nobody.
    void noted(std::string what, std::string found);

    const std::vector<Probe>& all() const { return probes_; }

private:
    std::vector<Probe> probes_;
};

/// Thrown by a check before it has asked anything: the GPU, the driver or the toolkit lacks what it is about.
struct NativeUnsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// What a check may use of a GPU: harness/gpu/native_device.hpp.
class NativeDevice;

using NativeFunction = void (*)(const NativeDevice&, Probes&);

/// A check by the id of its description in cases/.
struct NativeCheck {
    std::string id; ///< `graph-query/get-edges-lossy`
    NativeFunction function = nullptr;
};

} // namespace pdlcts
