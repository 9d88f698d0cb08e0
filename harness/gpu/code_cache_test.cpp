// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/code_cache.hpp"

#include "conformance/support/sha256.hpp"
#include "conformance/support/temporary_folder.hpp"

#include <chrono>
#include <doctest/doctest.h>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace pdlcts;

namespace {

namespace fs = std::filesystem;

std::vector<char> code(std::string_view text) {
    return {text.begin(), text.end()};
}

CodeCache open(const TemporaryFolder& folder) {
    const auto cache = open_code_cache(folder.path);
    REQUIRE(cache);
    return *cache;
}

std::vector<fs::path> files(const CodeCache& cache) {
    std::vector<fs::path> found;
    for (const auto& each : fs::directory_iterator(cache.folder)) {
        found.push_back(each.path());
    }
    return found;
}

std::string text_of(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

void write(const fs::path& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

/// Large enough that a half of it would be noticed, and different for each writer, all of one length.
std::vector<char> large_code(int writer) {
    return std::vector<char>(50'000, static_cast<char>('a' + writer));
}

void set(const char* name, const char* value) {
    value == nullptr ? ::unsetenv(name) : ::setenv(name, value, 1);
}

} // namespace

TEST_CASE("code comes back byte by byte under its key, and under no other") {
    const TemporaryFolder folder;
    const CodeCache cache = open(folder);
    const std::vector<char> binary{'\0', '\n', '\x7f', '\xff', 'E'};
    CHECK_FALSE(find(cache, "key"));
    REQUIRE(store(cache, "key", binary));
    REQUIRE(store(cache, "empty", {}));
    CHECK(find(cache, "key") == binary);
    CHECK(find(cache, "empty") == std::vector<char>{});
    CHECK_FALSE(find(cache, "another key"));
    CHECK_FALSE(find(cache, ""));
    REQUIRE(store(cache, "key", code("newer")));
    CHECK(find(cache, "key") == code("newer"));
    CHECK(files(cache).size() == 2);
    CHECK(files(cache)[0].filename().native().find("key") == std::string::npos);
}

TEST_CASE("a file that lost its end, or any of its bits, is as good as absent, and is replaced") {
    const TemporaryFolder folder;
    const CodeCache cache = open(folder);
    REQUIRE(store(cache, "key", code("some code")));
    const fs::path path = files(cache).at(0);
    const std::string whole = text_of(path);
    for (std::size_t length = 0; length < whole.size(); ++length) {
        write(path, whole.substr(0, length));
        CHECK_FALSE_MESSAGE(find(cache, "key"), length);
    }
    for (std::size_t bit = 0; bit < whole.size() * 8; ++bit) {
        std::string flipped = whole;
        flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << bit % 8));
        write(path, flipped);
        CHECK_FALSE_MESSAGE(find(cache, "key"), bit);
    }
    write(path, whole + "x");
    CHECK_FALSE(find(cache, "key"));
    REQUIRE(store(cache, "key", code("some code")));
    CHECK(find(cache, "key") == code("some code"));
    CHECK(text_of(path) == whole);
}

TEST_CASE("a whole file of another key or of another form is not taken") {
    const TemporaryFolder folder;
    const CodeCache cache = open(folder);
    REQUIRE(store(cache, "one", code("code of one")));
    const fs::path one = files(cache).at(0);
    const fs::path two = cache.folder / (sha256("two") + ".code");
    fs::copy_file(one, two);
    CHECK_FALSE(find(cache, "two"));
    std::string other_form = text_of(one);
    const std::size_t version = other_form.find(" 1\n");
    REQUIRE(version != std::string::npos);
    other_form[version + 1] = '2';
    write(one, other_form);
    CHECK_FALSE(find(cache, "one"));
    REQUIRE(store(cache, "two", code("code of two")));
    CHECK(find(cache, "two") == code("code of two"));
}

TEST_CASE("what stands where an entry should be, and is no file, is not read") {
    const TemporaryFolder folder;
    const CodeCache cache = open(folder);
    REQUIRE(store(cache, "key", code("some code")));
    const fs::path path = files(cache).at(0);
    const fs::path elsewhere = cache.folder / "elsewhere";
    fs::rename(path, elsewhere);
    fs::create_symlink(elsewhere, path);
    CHECK_FALSE(find(cache, "key"));
    fs::remove(path);
    REQUIRE(::mkfifo(path.c_str(), 0600) == 0);
    CHECK_FALSE(find(cache, "key"));
    fs::remove(path);
    fs::create_directory(path);
    CHECK_FALSE(find(cache, "key"));
    const auto refused = store(cache, "key", code("some code"));
    REQUIRE_FALSE(refused);
    CHECK(refused.error().message.find('\n') == std::string::npos);
    CHECK(files(cache).size() == 2); // nothing unfinished is left
}

TEST_CASE("several processes, each with several threads, write and read one key: every reader gets one of the codes") {
    const TemporaryFolder folder;
    const CodeCache cache = open(folder);
    std::vector<pid_t> children;
    for (int writer = 0; writer < 4; ++writer) {
        const pid_t child = ::fork();
        REQUIRE(child >= 0);
        if (child == 0) {
            std::atomic<bool> good = true;
            {
                std::vector<std::jthread> threads;
                for (int thread = 0; thread < 2; ++thread) {
                    threads.emplace_back([&] {
                        const std::vector<char> own = large_code(writer);
                        for (int turn = 0; turn < 6; ++turn) {
                            good = good && static_cast<bool>(store(cache, "key", own));
                            const auto found = find(cache, "key");
                            good = good && found && found->size() == own.size() &&
                                   std::set<char>(found->begin(), found->end()).size() == 1;
                        }
                    });
                }
            }
            ::_exit(good ? 0 : 1);
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        CHECK(WIFEXITED(status));
        CHECK(WEXITSTATUS(status) == 0);
    }
    CHECK(files(cache).size() == 1);
}

TEST_CASE("the oldest make room, and files that are none of the cache's stay") {
    const TemporaryFolder folder;
    CodeCache cache = open(folder);
    write(cache.folder / "notes.txt", std::string(5000, 'n'));
    write(cache.folder / "mine.code", "m");
    const auto age = [&](const char* key, int hours) {
        fs::last_write_time(cache.folder / (sha256(key) + ".code"),
                            fs::file_time_type::clock::now() - std::chrono::hours(hours));
    };
    cache.most_bytes = 4000;
    for (const char* key : {"a", "b", "c"}) {
        REQUIRE(store(cache, key, std::vector<char>(1000, 'x')));
    }
    age("a", 3);
    age("b", 2);
    age("c", 1);
    REQUIRE(find(cache, "a")); // and so the latest used
    REQUIRE(store(cache, "d", std::vector<char>(1500, 'x')));
    CHECK(find(cache, "a"));
    CHECK_FALSE(find(cache, "b"));
    CHECK(find(cache, "c"));
    CHECK(find(cache, "d"));
    CHECK(fs::exists(cache.folder / "notes.txt"));
    CHECK(fs::exists(cache.folder / "mine.code"));
}

TEST_CASE("what a writer left unfinished is removed once nobody can be writing it") {
    const TemporaryFolder folder;
    const CodeCache cache = open(folder);
    const std::string entry = sha256("key") + ".code";
    const fs::path old = cache.folder / (entry + ".12-34-56.unfinished");
    const fs::path fresh = cache.folder / (entry + ".12-34-57.unfinished");
    write(old, "x");
    write(fresh, "x");
    fs::last_write_time(old, fs::file_time_type::clock::now() - std::chrono::hours(2));
    REQUIRE(store(cache, "another", code("c")));
    CHECK_FALSE(fs::exists(old));
    CHECK(fs::exists(fresh));
}

TEST_CASE("a folder that cannot be used gives one line that names it and says what to do") {
    const TemporaryFolder folder;
    write(folder.path + "/file", "");
    for (const std::string& unusable :
         {folder.path + "/file", folder.path + "/file/below", std::string("/proc/pdlcts"), std::string()}) {
        const auto cache = open_code_cache(unusable);
        REQUIRE_FALSE(cache);
        CHECK(cache.error().message.find(unusable) != std::string::npos);
        CHECK(cache.error().message.find("PDLCTS_CACHE") != std::string::npos);
        CHECK(cache.error().message.find('\n') == std::string::npos);
    }
}

TEST_CASE("a folder that goes away, or is taken away, only keeps nothing") {
    const TemporaryFolder folder;
    const auto cache = open_code_cache(folder.path + "/new/cache");
    REQUIRE(cache);
    REQUIRE(store(*cache, "key", code("c")));
    fs::remove_all(cache->folder);
    CHECK_FALSE(find(*cache, "key"));
    CHECK_FALSE(store(*cache, "key", code("c")));
}

TEST_CASE("the folder is the suite's own variable, the desktop's, or in the home") {
    struct Saved {
        std::string name;
        std::optional<std::string> value;
    };
    std::vector<Saved> saved;
    for (const char* name : {"PDLCTS_CACHE", "XDG_CACHE_HOME", "HOME"}) {
        const char* value = std::getenv(name);
        saved.push_back({name, value == nullptr ? std::nullopt : std::optional<std::string>(value)});
    }
    set("PDLCTS_CACHE", "/own");
    set("XDG_CACHE_HOME", "/caches");
    set("HOME", "/home/of");
    CHECK(default_cache_folder() == "/own");
    set("PDLCTS_CACHE", "");
    CHECK(default_cache_folder() == "/caches/pdlcts");
    set("XDG_CACHE_HOME", "relative");
    CHECK(default_cache_folder() == "/home/of/.cache/pdlcts");
    set("HOME", nullptr);
    CHECK(default_cache_folder().empty());
    for (const Saved& each : saved) {
        set(each.name.c_str(), each.value ? each.value->c_str() : nullptr);
    }
}
