// SPDX-License-Identifier: Apache-2.0
#include "harness/supervisor/child.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace pdlcts {
namespace {

using std::chrono::milliseconds;

/// A process may end and leave its end of the channel to a child of its own: so often somebody looks.
constexpr milliseconds longest_poll{100};
/// To reap what SIGKILL has ended: the driver first takes the kernels that still run off the GPU.
constexpr milliseconds longest_reaping{10'000};

milliseconds left(Deadline deadline) {
    return std::max(std::chrono::duration_cast<milliseconds>(deadline - std::chrono::steady_clock::now()),
                    milliseconds{0});
}

Error failure(const char* what) {
    return Error{concat("cannot start a process: ", what, ": ", std::strerror(errno))};
}

void close_if_open(int& descriptor) {
    if (descriptor >= 0) {
        static_cast<void>(close(descriptor));
        descriptor = -1;
    }
}

/// Between fork and exec, of a process that may have threads: only what is safe in a signal handler.
[[noreturn]] void become(const char* program, char* const* arguments, int channel, int output, pid_t parent) {
    constexpr int failed = 127;
    static_cast<void>(setpgid(0, 0));
    // The parent may have died before the request; then init is asked for, and never dies.
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || getppid() != parent) {
        _exit(failed);
    }
    const int nothing = open("/dev/null", O_RDONLY);
    // Both are at least 10: none stands where another is put.
    const int from = fcntl(channel, F_DUPFD, 10);
    const int to = fcntl(output, F_DUPFD, 10);
    if (nothing < 0 || from < 0 || to < 0 || dup2(nothing, STDIN_FILENO) < 0 || dup2(to, STDOUT_FILENO) < 0 ||
        dup2(to, STDERR_FILENO) < 0 || dup2(from, Child::worker_channel) < 0) {
        _exit(failed);
    }
    static_cast<void>(close(from));
    static_cast<void>(close(to));
    if (nothing > Child::worker_channel) {
        static_cast<void>(close(nothing));
    }
    sigset_t none;
    sigemptyset(&none);
    static_cast<void>(sigprocmask(SIG_SETMASK, &none, nullptr));
    static_cast<void>(execv(program, arguments));
    _exit(failed);
}

} // namespace

std::string describe(const Ending& ending) {
    switch (ending.kind) {
    case Ending::Kind::exited:
        return concat("exit code ", ending.number);
    case Ending::Kind::signalled:
        return concat("signal ", ending.number, " (", strsignal(ending.number), ")");
    case Ending::Kind::stuck:
        break;
    }
    return "no answer even to SIGKILL";
}

Result<Child> Child::start(const std::string& program, const std::vector<std::string>& arguments) {
    std::array<int, 2> channel{};
    std::array<int, 2> output{};
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, channel.data()) != 0) {
        return failure("socketpair");
    }
    if (pipe2(output.data(), O_CLOEXEC) != 0) {
        const Error error = failure("pipe");
        close_if_open(channel[0]);
        close_if_open(channel[1]);
        return error;
    }
    std::vector<std::string> texts{"pdlcts"};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& text : texts) {
        pointers.push_back(text.data());
    }
    pointers.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t process = fork();
    if (process == 0) {
        become(program.c_str(), pointers.data(), channel[1], output[1], parent);
    }
    const Error error = failure("fork");
    close_if_open(channel[1]);
    close_if_open(output[1]);
    if (process < 0) {
        close_if_open(channel[0]);
        close_if_open(output[0]);
        return error;
    }
    // Whichever of the two comes first: the group has to be there when it is ended.
    static_cast<void>(setpgid(process, process));
    for (const int descriptor : {channel[0], output[0]}) {
        static_cast<void>(fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK));
    }
    return Child(process, channel[0], output[0]);
}

Child::Child(Child&& other) noexcept
    : process_(std::exchange(other.process_, -1)), channel_(std::exchange(other.channel_, -1)),
      output_(std::exchange(other.output_, -1)), heard_(std::move(other.heard_)), looked_at_(other.looked_at_),
      kept_(std::move(other.kept_)), ended_(other.ended_), ending_(other.ending_) {}

Child& Child::operator=(Child&& other) noexcept {
    std::swap(process_, other.process_);
    std::swap(channel_, other.channel_);
    std::swap(output_, other.output_);
    std::swap(heard_, other.heard_);
    std::swap(looked_at_, other.looked_at_);
    std::swap(kept_, other.kept_);
    std::swap(ended_, other.ended_);
    std::swap(ending_, other.ending_);
    return *this;
}

Child::~Child() {
    if (process_ > 0) {
        static_cast<void>(kill());
    }
    close_if_open(output_);
}

void Child::read_output() {
    std::array<char, 4096> buffer;
    // Bounded: what floods must not keep anybody from looking at the clock.
    for (int round = 0; round < 64 && output_ >= 0; ++round) {
        const ssize_t count = read(output_, buffer.data(), buffer.size());
        if (count > 0) {
            kept_.append(buffer.data(), static_cast<std::size_t>(count));
            if (kept_.size() > 2 * kept_output) {
                kept_.erase(0, kept_.size() - kept_output);
            }
        } else if (count == 0) {
            close_if_open(output_);
        } else if (errno != EINTR) {
            return;
        }
    }
}

/// Whether there was something to read.
bool Child::read_channel() {
    std::array<char, 65536> buffer;
    const ssize_t count = channel_ < 0 ? 0 : recv(channel_, buffer.data(), buffer.size(), 0);
    if (count > 0) {
        heard_.append(buffer.data(), static_cast<std::size_t>(count));
        return true;
    }
    if (count == 0 || (errno != EAGAIN && errno != EINTR)) {
        ended_ = true;
    }
    return false;
}

std::optional<Ending> Child::reap() {
    if (ending_ || process_ <= 0) {
        return ending_;
    }
    int status = 0;
    pid_t reaped = 0;
    do {
        reaped = waitpid(process_, &status, WNOHANG);
    } while (reaped < 0 && errno == EINTR);
    if (reaped == process_) {
        ending_ = WIFSIGNALED(status) ? Ending{Ending::Kind::signalled, WTERMSIG(status)}
                                      : Ending{Ending::Kind::exited, WEXITSTATUS(status)};
    }
    return ending_;
}

bool Child::take_line(std::string& line) {
    const std::size_t newline = heard_.find('\n', looked_at_);
    if (newline == std::string::npos) {
        looked_at_ = heard_.size();
        return false;
    }
    line = heard_.substr(0, newline);
    heard_.erase(0, newline + 1);
    looked_at_ = 0;
    return true;
}

Child::Heard Child::hear(std::string& line, Deadline deadline) {
    while (true) {
        if (take_line(line)) {
            return line.size() > longest_line ? Heard::too_long : Heard::line;
        }
        if (heard_.size() > longest_line) {
            return Heard::too_long;
        }
        if (ended_) {
            read_output();
            return Heard::ended;
        }
        const milliseconds remaining = left(deadline);
        if (remaining == milliseconds{0}) {
            return Heard::deadline;
        }
        std::array<pollfd, 2> watched{pollfd{channel_, POLLIN, 0}, pollfd{output_, POLLIN, 0}};
        static_cast<void>(
            poll(watched.data(), watched.size(), static_cast<int>(std::min(remaining, longest_poll).count())));
        read_output();
        if (!read_channel() && reap()) {
            // What it said before it ended is still in the channel.
            while (read_channel() && heard_.size() <= longest_line) {
            }
            ended_ = true;
        }
    }
}

bool Child::say(std::string_view line, Deadline deadline) {
    std::string text(line);
    text += '\n';
    std::size_t said = 0;
    while (said < text.size()) {
        const ssize_t count = send(channel_, text.data() + said, text.size() - said, MSG_NOSIGNAL);
        if (count > 0) {
            said += static_cast<std::size_t>(count);
            continue;
        }
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            return false;
        }
        const milliseconds remaining = left(deadline);
        if (remaining == milliseconds{0} || reap()) {
            return false;
        }
        pollfd watched{channel_, POLLOUT, 0};
        static_cast<void>(poll(&watched, 1, static_cast<int>(std::min(remaining, longest_poll).count())));
        read_output();
    }
    return true;
}

std::string Child::last_output(std::size_t lines) const {
    std::string_view text = kept_;
    while (text.ends_with('\n')) {
        text.remove_suffix(1);
    }
    std::size_t begin = text.size();
    for (std::size_t line = 0; line < lines && begin != 0; ++line) {
        const std::size_t newline = text.rfind('\n', begin - 1);
        begin = newline == std::string_view::npos ? 0 : newline;
    }
    text.remove_prefix(begin);
    if (text.starts_with('\n')) {
        text.remove_prefix(1);
    }
    return std::string(text);
}

Ending Child::end(Deadline deadline) {
    if (channel_ >= 0) {
        static_cast<void>(shutdown(channel_, SHUT_WR));
    }
    while (!reap() && left(deadline) > milliseconds{0}) {
        pollfd watched{output_, POLLIN, 0};
        static_cast<void>(poll(&watched, 1, 1));
        read_output();
        // What it says now, nobody waits for; but it must not wait for a reader.
        while (channel_ >= 0 && read_channel()) {
            heard_.clear();
        }
        looked_at_ = 0;
    }
    close_if_open(channel_);
    ended_ = true;
    if (process_ > 0) {
        // The group, also where its leader has ended: nothing that it started may go on beside the next worker.
        static_cast<void>(::kill(-process_, SIGKILL));
        const Deadline reaped = std::chrono::steady_clock::now() + longest_reaping;
        while (!reap() && left(reaped) > milliseconds{0}) {
            std::this_thread::sleep_for(milliseconds{1});
        }
        if (!ending_) {
            ending_ = Ending{Ending::Kind::stuck, 0};
        }
        read_output();
        process_ = -1;
    }
    return ending_.value_or(Ending{Ending::Kind::stuck, 0});
}

} // namespace pdlcts
