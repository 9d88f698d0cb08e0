// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

/// What a person sees: colours and a progress line, only where a terminal is.
namespace pdlcts {

bool is_terminal(std::FILE* stream);

/// Whether to colour a stream: a terminal, TERM is not `dumb`, and NO_COLOR is not set.
bool wants_colour(std::FILE* stream);

/// One line on standard error that is written over and over; nothing where that is no terminal.
class ProgressLine {
public:
    ProgressLine();
    ~ProgressLine();
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;
    void show(std::string_view text) const;
    void clear() const;

private:
    bool shown_;
};

/// Prints `pdlcts: message` on standard error.
void complain(std::string_view message);

} // namespace pdlcts
