// SPDX-License-Identifier: Apache-2.0
// A worker for tests: it stands between a supervisor and a worker that does its work, hands every line on, and at one
// line does something that no worker should. What and where stand in the environment:
//
//     PDLCTS_REAL_WORKER   the program whose worker does the work
//     PDLCTS_MISCHIEF      hang, crash, exit, garbage, half-line, flood, stall, other-job, other-cell, twice
//     PDLCTS_AT            the line of the worker, from 1 on, at which it happens; earlier ones are handed on
//     PDLCTS_ONCE          a file that is made when it has happened: every later worker is a sound one
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

namespace {

constexpr int channel = 3;

std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

void say(int to, const std::string& text) {
    for (std::size_t said = 0; said < text.size();) {
        const ssize_t count = send(to, text.data() + said, text.size() - said, MSG_NOSIGNAL);
        if (count <= 0 && errno != EINTR) {
            _exit(0);
        }
        said += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
}

[[noreturn]] void sleep_for_ever() {
    while (true) {
        static_cast<void>(pause());
    }
}

/// The first number behind a key becomes another one.
std::string with_other_number(std::string line, const std::string& key) {
    const std::size_t at = line.find(key);
    return at == std::string::npos ? line : line.insert(at + key.size(), "7");
}

std::string with_other_case(std::string line) {
    const std::string key = "\"case\":\"";
    const std::size_t at = line.find(key);
    return at == std::string::npos ? line : line.insert(at + key.size(), "other-");
}

/// Whether the line was one at which this mischief can be made.
bool make_mischief(const std::string& what, const std::string& line) {
    static_cast<void>(std::fprintf(stderr, "mischief: %s\n", what.c_str()));
    if (what == "hang") {
        // Not even a request to end does anything, and it has a child that holds the channel.
        static_cast<void>(std::signal(SIGTERM, SIG_IGN));
        static_cast<void>(fork());
        sleep_for_ever();
    } else if (what == "crash") {
        static_cast<void>(std::signal(SIGSEGV, SIG_DFL));
        static_cast<void>(raise(SIGSEGV));
    } else if (what == "crash-compiling") {
        const std::string idle = "\"compiling\":false";
        const std::size_t key = line.find(idle);
        say(channel,
            key == std::string::npos ? line : std::string(line).replace(key, idle.size(), "\"compiling\":true"));
        static_cast<void>(usleep(100'000)); // until it is heard
        _exit(6);
    } else if (what == "exit") {
        _exit(5);
    } else if (what == "garbage") {
        say(channel, "\x01\xff{]\n");
        sleep_for_ever();
    } else if (what == "half-line") {
        say(channel, line.substr(0, line.size() / 2));
        _exit(0);
    } else if (what == "flood") {
        const std::string flood(1 << 20, 'x');
        while (true) {
            say(channel, flood);
        }
    } else if (what == "stall") {
        // Byte by byte: always something, and never a line.
        for (const char c : line) {
            say(channel, std::string(1, c));
            static_cast<void>(usleep(50'000));
        }
        sleep_for_ever();
    } else if (what == "other-job") {
        say(channel, with_other_number(line, "\"job\":"));
        return line.find("\"job\":") != std::string::npos;
    } else if (what == "other-cell") {
        say(channel, with_other_case(line));
        return line.find("\"case\":\"") != std::string::npos;
    } else if (what == "twice") {
        say(channel, line);
        say(channel, line);
    }
    return true;
}

bool exists(const std::string& file) {
    return access(file.c_str(), F_OK) == 0;
}

} // namespace

int main() {
    std::array<int, 2> pair{};
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair.data()) != 0) {
        return 1;
    }
    const std::string program = variable("PDLCTS_REAL_WORKER");
    const pid_t real = fork();
    if (real == 0) {
        static_cast<void>(prctl(PR_SET_PDEATHSIG, SIGKILL));
        static_cast<void>(dup2(pair[1], channel));
        static_cast<void>(close(pair[0]));
        static_cast<void>(execl(program.c_str(), "pdlcts", "worker", nullptr));
        _exit(127);
    }
    static_cast<void>(close(pair[1]));
    const std::string what = variable("PDLCTS_MISCHIEF");
    const std::string once = variable("PDLCTS_ONCE");
    const unsigned long at = std::strtoul(variable("PDLCTS_AT").c_str(), nullptr, 10);
    unsigned long lines = 0;
    std::string heard;
    while (true) {
        std::array<pollfd, 2> watched{pollfd{channel, POLLIN, 0}, pollfd{pair[0], POLLIN, 0}};
        static_cast<void>(poll(watched.data(), watched.size(), -1));
        std::array<char, 65536> buffer{};
        if (watched[0].revents != 0) {
            const ssize_t count = recv(channel, buffer.data(), buffer.size(), 0);
            if (count <= 0) {
                return 0;
            }
            const std::string asked(buffer.data(), static_cast<std::size_t>(count));
            if (asked.find("\"compile_first\":true") != std::string::npos) {
                static_cast<void>(close(open((once + ".first").c_str(), O_CREAT | O_WRONLY, 0666)));
            }
            say(pair[0], asked);
        }
        if (watched[1].revents != 0) {
            const ssize_t count = recv(pair[0], buffer.data(), buffer.size(), 0);
            if (count <= 0) {
                return 0;
            }
            heard.append(buffer.data(), static_cast<std::size_t>(count));
            for (std::size_t newline = heard.find('\n'); newline != std::string::npos; newline = heard.find('\n')) {
                const std::string line = heard.substr(0, newline + 1);
                heard.erase(0, newline + 1);
                if (++lines >= at && at != 0 && !exists(once)) {
                    static_cast<void>(close(open(once.c_str(), O_CREAT | O_WRONLY, 0666)));
                    static_cast<void>(make_mischief(what, line));
                } else {
                    say(channel, line);
                }
            }
        }
    }
}
