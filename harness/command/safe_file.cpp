// SPDX-License-Identifier: Apache-2.0
#include "harness/command/safe_file.hpp"

#include "conformance/support/concat.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pdlcts {
namespace {

namespace files = std::filesystem;

Error failure(const std::string& name, const char* what) {
    return Error{concat(name, ": cannot ", what, ": ", std::strerror(errno))};
}

/// Through a link the file behind it is replaced.
files::path target_of(const std::string& name) {
    std::error_code error;
    files::path target = files::is_symlink(name, error) ? files::canonical(name, error) : files::path(name);
    return error || target.empty() ? files::path(name) : target;
}

files::path folder_of(const files::path& file) {
    return file.has_parent_path() ? file.parent_path() : files::path(".");
}

bool write_all(int file, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = write(file, text.data(), text.size());
        if (count < 0 && errno != EINTR) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count < 0 ? 0 : count));
    }
    return true;
}

} // namespace

bool is_replaceable(const std::string& name) {
    std::error_code error;
    const files::file_status status = files::status(target_of(name), error);
    return !files::exists(status) || files::is_regular_file(status);
}

Result<std::monostate> replace_file(const std::string& name, std::string_view text) {
    const files::path target = target_of(name);
    if (!is_replaceable(name)) {
        const int file = open(target.c_str(), O_WRONLY | O_CLOEXEC);
        if (file < 0) {
            return failure(name, "write the file");
        }
        const bool written = write_all(file, text);
        const Error error = failure(name, "write the file");
        static_cast<void>(close(file));
        return written ? Result<std::monostate>(std::monostate{}) : error;
    }
    std::string aside = target.string() + ".new-XXXXXX";
    const int file = mkostemp(aside.data(), O_CLOEXEC);
    if (file < 0) {
        return failure(name, "write the file; check that its folder exists and may be written");
    }
    // As any new file, less what the user's mask takes away.
    const mode_t mask = umask(0);
    static_cast<void>(umask(mask));
    const bool written = write_all(file, text) && fchmod(file, 0666 & ~mask) == 0 && fsync(file) == 0;
    Error error = failure(name, "write the file, and what stood there is as it was");
    if (close(file) != 0 || !written) {
        static_cast<void>(unlink(aside.c_str()));
        return error;
    }
    if (rename(aside.c_str(), target.c_str()) != 0) {
        error = failure(name, "put the file in its place, and what stood there is as it was");
        static_cast<void>(unlink(aside.c_str()));
        return error;
    }
    if (const int folder = open(folder_of(target).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        static_cast<void>(fsync(folder));
        static_cast<void>(close(folder));
    }
    return std::monostate{};
}

Result<std::monostate> can_replace(const std::string& name) {
    const files::path target = target_of(name);
    std::error_code error;
    if (files::is_directory(target, error)) {
        return Error{name + ": cannot write the file: it is a folder"};
    }
    if (!is_replaceable(name)) {
        return access(target.c_str(), W_OK) == 0 ? Result<std::monostate>(std::monostate{})
                                                 : failure(name, "write the file");
    }
    std::string aside = target.string() + ".new-XXXXXX";
    const int file = mkostemp(aside.data(), O_CLOEXEC);
    if (file < 0) {
        return failure(name, "write the file; check that its folder exists and may be written");
    }
    static_cast<void>(close(file));
    static_cast<void>(unlink(aside.c_str()));
    return std::monostate{};
}

} // namespace pdlcts
