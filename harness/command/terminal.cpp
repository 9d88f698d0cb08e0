// SPDX-License-Identifier: Apache-2.0
#include "harness/command/terminal.hpp"

#include <cstdlib>

#include <unistd.h>

namespace pdlcts {

bool is_terminal(std::FILE* stream) {
    return isatty(fileno(stream)) != 0;
}

bool wants_colour(std::FILE* stream) {
    const char* const terminal = std::getenv("TERM");
    return is_terminal(stream) && std::getenv("NO_COLOR") == nullptr && terminal != nullptr &&
           std::string_view(terminal) != "dumb";
}

ProgressLine::ProgressLine() : shown_(is_terminal(stderr)) {}

ProgressLine::~ProgressLine() {
    clear();
}

void ProgressLine::show(std::string_view text) const {
    if (shown_) {
        static_cast<void>(std::fprintf(stderr, "\r\x1b[K%.*s", static_cast<int>(text.size()), text.data()));
        static_cast<void>(std::fflush(stderr));
    }
}

void ProgressLine::clear() const {
    show("");
}

void complain(std::string_view message) {
    static_cast<void>(std::fprintf(stderr, "pdlcts: %.*s\n", static_cast<int>(message.size()), message.data()));
}

} // namespace pdlcts
