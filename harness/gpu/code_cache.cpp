// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/code_cache.hpp"

#include "conformance/support/concat.hpp"
#include "conformance/support/sha256.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <random>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace pdlcts {
namespace {

namespace fs = std::filesystem;

/// Another form of the files has another first line.
constexpr std::string_view first_line = "pdlcts compiled code 1\n";
constexpr std::string_view entry_ending = ".code";
constexpr std::string_view unfinished_ending = ".unfinished";
constexpr std::size_t digest_length = 64;
constexpr std::size_t largest_entry = std::size_t{64} * 1024 * 1024;
/// No run takes as long to write an entry: who began it is gone.
constexpr auto longest_write = std::chrono::hours(1);

class File {
public:
    explicit File(int descriptor) : descriptor_(descriptor) {}
    File(const File&) = delete;
    File& operator=(const File&) = delete;
    ~File() {
        if (descriptor_ >= 0) {
            static_cast<void>(::close(descriptor_));
        }
    }
    explicit operator bool() const { return descriptor_ >= 0; }
    int get() const { return descriptor_; }
    bool close() { return ::close(std::exchange(descriptor_, -1)) == 0; }

private:
    int descriptor_;
};

fs::path entry_path(const CodeCache& cache, std::string_view key) {
    return cache.folder / concat(sha256(key), entry_ending);
}

/// Everything before the code. It names the key again: a file may have been renamed, or copied.
std::string header(std::string_view key, std::string_view code) {
    return concat(first_line, sha256(key), "\n", sha256(code), "\n", code.size(), "\n");
}

/// Nothing for what is no plain file, or is too large to be an entry.
std::optional<std::string> read_file(const fs::path& path) {
    const File file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    struct stat status {};
    if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        static_cast<std::uintmax_t>(status.st_size) > largest_entry) {
        return std::nullopt;
    }
    std::string text(static_cast<std::size_t>(status.st_size), '\0');
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::read(file.get(), text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return std::nullopt;
        }
        done += static_cast<std::size_t>(count);
    }
    return text;
}

bool write_all(int descriptor, std::string_view text) {
    while (!text.empty()) {
        const ssize_t count = ::write(descriptor, text.data(), text.size());
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return false;
        }
        text.remove_prefix(static_cast<std::size_t>(count));
    }
    return true;
}

/// Names that no other process and no other thread draws.
std::string unfinished_name(const fs::path& entry) {
    std::random_device random;
    return concat(entry.filename().native(), ".", ::getpid(), "-", random(), "-", random(), unfinished_ending);
}

bool is_digest(std::string_view text) {
    return text.size() == digest_length && std::all_of(text.begin(), text.end(), [](char c) {
               return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
           });
}

struct Entry {
    fs::path path;
    fs::file_time_type used;
    std::uintmax_t bytes = 0;
};

/// Removes what writers have left behind, and the oldest entries until the rest fits. Only files with names of the
/// cache: somebody may have named a folder that holds more. Other processes may be at it too, so every error is one
/// that they have caused.
void make_room(const CodeCache& cache) {
    std::vector<Entry> entries;
    std::uintmax_t bytes = 0;
    const auto now = fs::file_time_type::clock::now();
    std::error_code error;
    for (fs::directory_iterator each(cache.folder, error), end; !error && each != end; each.increment(error)) {
        const std::string name = each->path().filename().native();
        std::error_code gone;
        if (!is_digest(name.substr(0, digest_length)) || each->symlink_status(gone).type() != fs::file_type::regular) {
            continue;
        }
        const Entry entry{each->path(), each->last_write_time(gone), each->file_size(gone)};
        if (gone) {
            continue;
        }
        const std::string_view ending = std::string_view(name).substr(digest_length);
        if (ending == entry_ending) {
            entries.push_back(entry);
            bytes += entry.bytes;
        } else if (ending.ends_with(unfinished_ending) && now - entry.used > longest_write) {
            fs::remove(entry.path, gone);
        }
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    for (const Entry& entry : entries) {
        if (bytes <= cache.most_bytes) {
            return;
        }
        std::error_code gone;
        fs::remove(entry.path, gone);
        bytes -= entry.bytes;
    }
}

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

} // namespace

std::string default_cache_folder() {
    if (std::string own = variable("PDLCTS_CACHE"); !own.empty()) {
        return own;
    }
    if (const std::string caches = variable("XDG_CACHE_HOME"); caches.starts_with('/')) {
        return caches + "/pdlcts";
    }
    const std::string home = variable("HOME");
    return home.empty() ? "" : home + "/.cache/pdlcts";
}

Result<CodeCache> open_code_cache(const std::string& folder) {
    constexpr std::string_view what_to_do = "; set PDLCTS_CACHE to a folder that may be written, or use --no-cache";
    if (folder.empty()) {
        return Error{concat("compiled code is not kept: neither PDLCTS_CACHE nor HOME is set", what_to_do)};
    }
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error && !fs::is_directory(folder, error)) {
        error = std::make_error_code(std::errc::not_a_directory);
    }
    if (!error && ::access(folder.c_str(), R_OK | W_OK | X_OK) != 0) {
        error = {errno, std::generic_category()};
    }
    if (error) {
        return Error{concat("compiled code is not kept: ", folder, ": ", error.message(), what_to_do)};
    }
    return CodeCache{folder};
}

std::optional<std::vector<char>> find(const CodeCache& cache, std::string_view key) {
    const fs::path path = entry_path(cache, key);
    const auto file = read_file(path);
    if (!file || !file->starts_with(first_line)) {
        return std::nullopt;
    }
    // The header's length depends on the code's: found by the last of its lines, then compared as a whole.
    const std::size_t size_at = first_line.size() + 2 * (digest_length + 1);
    const std::size_t size_ends = file->find('\n', std::min(size_at, file->size()));
    if (size_ends == std::string::npos) {
        return std::nullopt;
    }
    const std::string_view code = std::string_view(*file).substr(size_ends + 1);
    if (file->substr(0, size_ends + 1) != header(key, code)) {
        return std::nullopt;
    }
    // Used now: the oldest go first. Where that cannot be noted, it is only older than it seems.
    std::error_code ignored;
    fs::last_write_time(path, fs::file_time_type::clock::now(), ignored);
    return std::vector<char>(code.begin(), code.end());
}

Result<std::monostate> store(const CodeCache& cache, std::string_view key, const std::vector<char>& code) {
    const fs::path entry = entry_path(cache, key);
    const fs::path unfinished = cache.folder / unfinished_name(entry);
    const auto failed = [&] {
        const std::string reason = std::strerror(errno);
        std::error_code ignored;
        fs::remove(unfinished, ignored);
        return Error{concat("compiled code was not kept: ", cache.folder.native(), ": ", reason)};
    };
    const std::string_view text(code.data(), code.size());
    const std::string head = header(key, text);
    if (head.size() + text.size() > largest_entry) {
        return Error{concat("compiled code was not kept: ", text.size(), " bytes are too many for one file")};
    }
    File file(::open(unfinished.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (!file || !write_all(file.get(), head) || !write_all(file.get(), text) || !file.close()) {
        return failed();
    }
    if (::rename(unfinished.c_str(), entry.c_str()) != 0) {
        return failed();
    }
    make_room(cache);
    return std::monostate{};
}

} // namespace pdlcts
