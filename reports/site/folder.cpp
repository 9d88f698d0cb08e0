// SPDX-License-Identifier: Apache-2.0
#include "reports/site/folder.hpp"

#include "conformance/support/concat.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace pdlcts::site {
namespace {

/// A folder, and no link to one: a link that somebody left in an earlier site could lead anywhere.
Result<std::monostate> make_folder(const std::string& path) {
    if (::mkdir(path.c_str(), 0777) == 0) {
        return std::monostate{};
    }
    if (errno != EEXIST) {
        return Error{concat(path, ": cannot make the folder: ", std::strerror(errno))};
    }
    struct stat there {};
    if (::lstat(path.c_str(), &there) != 0 || !S_ISDIR(there.st_mode)) {
        return Error{concat(path, ": expected a folder, found something else; remove it or name another folder")};
    }
    return std::monostate{};
}

} // namespace

Result<Folder> Folder::open(const std::string& path) {
    std::error_code failed;
    std::filesystem::create_directories(path, failed);
    if (failed || !std::filesystem::is_directory(path, failed)) {
        return Error{concat(path, ": cannot make the folder; name one that is new, or holds an earlier site")};
    }
    for (const char* each : {"statements", "cases", "columns", "reproducers"}) {
        if (auto made = make_folder(concat(path, "/", each)); !made) {
            return made.error();
        }
    }
    return Folder(path);
}

Result<std::monostate> Folder::make_folder_of(const Address& page) const {
    const std::string path = concat(path_, "/", page.path());
    return make_folder(path.substr(0, path.rfind('/')));
}

Result<std::monostate> Folder::write(const Address& page, std::string_view text) const {
    // Beside its place and then moved there, so that a link of that name is replaced, and a reader never sees half.
    const std::string path = concat(path_, "/", page.path());
    const std::string fresh = path + ".new";
    const auto refuse = [&] {
        Error error{concat(path, ": cannot write the file: ", std::strerror(errno))};
        (void)::unlink(fresh.c_str());
        return error;
    };
    const auto create = [&] {
        return ::open(fresh.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
    };
    int file = create();
    if (file < 0 && errno == EEXIST) {
        (void)::unlink(fresh.c_str());
        file = create();
    }
    if (file < 0) {
        return refuse();
    }
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            const Error error = refuse();
            (void)::close(file);
            return error;
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    if (::close(file) != 0 || std::rename(fresh.c_str(), path.c_str()) != 0) {
        return refuse();
    }
    return std::monostate{};
}

} // namespace pdlcts::site
