// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/result.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace pdlcts {

using Deadline = std::chrono::steady_clock::time_point;

/// How a process ended.
struct Ending {
    enum class Kind {
        exited,    ///< by itself, with `number` as its exit code
        signalled, ///< by signal `number`
        stuck,     ///< it did not even answer SIGKILL in time, and was left behind
    } kind = Kind::exited;
    int number = 0;
};

/// `exit code 3`, `signal 11 (Segmentation fault)`.
std::string describe(const Ending& ending);

/// A program that is started anew and speaks lines: it has a socket at worker_channel, nothing at its standard input,
/// and its standard output and standard error are kept, the last of it. It leads a process group of its own, and dies
/// with the thread that started it (PR_SET_PDEATHSIG), which therefore has to live as long.
class Child {
public:
    /// The channel's file descriptor in the child.
    static constexpr int worker_channel = 3;
    /// A cell with all its evidence takes some tens of thousands of bytes.
    static constexpr std::size_t longest_line = std::size_t{8} << 20;
    static constexpr std::size_t kept_output = std::size_t{16} << 10;

    /// `program` is a path, not looked for anywhere; `arguments` begin behind the program's own name.
    static Result<Child> start(const std::string& program, const std::vector<std::string>& arguments);
    Child(Child&& other) noexcept;
    Child& operator=(Child&& other) noexcept;
    /// Ends it.
    ~Child();

    enum class Heard {
        line,
        ended,    ///< the process, or its end of the channel
        too_long, ///< a line is longer than longest_line
        deadline,
    };
    /// Waits for a line and writes it without its newline. A line that no newline ended is none.
    Heard hear(std::string& line, Deadline deadline);

    /// False where nobody reads at the other end, or not in time.
    bool say(std::string_view line, Deadline deadline);

    /// The last lines of standard output and standard error, at most so many.
    std::string last_output(std::size_t lines) const;

    /// Closes the channel, which asks the process to end, waits until the deadline, then ends its whole group by
    /// SIGKILL. The first call counts, all later ones give the same answer.
    Ending end(Deadline deadline);
    Ending kill() { return end(std::chrono::steady_clock::now()); }

private:
    Child(pid_t process, int channel, int output) : process_(process), channel_(channel), output_(output) {}

    void read_output();
    bool read_channel();
    std::optional<Ending> reap();
    bool take_line(std::string& line);

    pid_t process_ = -1;
    int channel_ = -1;
    int output_ = -1;
    std::string heard_;
    std::size_t looked_at_ = 0; ///< of heard_: there is no newline in it
    std::string kept_;
    bool ended_ = false; ///< the channel
    std::optional<Ending> ending_;
};

} // namespace pdlcts
