// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/cursor.hpp"

#include <optional>
#include <string>
#include <vector>

/// The streams of a program. Internal to conformance/litmus.
namespace pdlcts {

/// Either every operation names its stream or none does; with a stream line, they are the declared ones.
class Streams {
public:
    /// `stream s, t`
    void declare(Cursor& cursor);
    /// The name behind `on`.
    std::string read(Cursor& cursor);
    /// `on s` or nothing, up to the end of the line.
    std::string read_on(Cursor& cursor);
    /// Fails where an earlier line did otherwise.
    void check_rule(const Cursor& at, bool names_stream);
    /// In the order of the program's `streams`.
    std::vector<std::string> names() const;

private:
    bool contains(const std::string& stream) const;

    std::vector<std::string> names_;
    bool declared_ = false;
    std::optional<bool> named_; ///< decided by the stream line or the first operation
};

} // namespace pdlcts
