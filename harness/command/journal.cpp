// SPDX-License-Identifier: Apache-2.0
#include "harness/command/journal.hpp"

#include "conformance/support/concat.hpp"
#include "harness/worker/protocol.hpp"
#include "reports/results/clean.hpp"
#include "reports/results/json.hpp"
#include "reports/results/place.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace pdlcts {
namespace {

using Object = Json::Object;

/// To wait for the disk takes at most this part of a run...
constexpr int longest_part = 100;
/// ...but so long a run is never at risk: a machine that dies takes what was not on its disk.
constexpr std::chrono::seconds longest_unsynchronised{1};
/// Lines that others have replaced make room when there is so much of them, and more than of the others.
constexpr std::uint64_t worthwhile = std::uint64_t{32} << 20;
constexpr std::size_t longest_line = std::size_t{16} << 20;

Error failure(const std::string& name, const char* what) {
    return Error{concat(name, ": cannot ", what, ": ", std::strerror(errno))};
}

std::string text_of(const Place& place) {
    return print(to_json(place.node()), JsonLayout::compact);
}

template <typename Value>
Value value_or_refuse(const Place& place, Result<Value> value) {
    if (!value) {
        place.refuse(value.error().message);
    }
    return *std::move(value);
}

void read_head(const Place& place, std::string_view name, JournalContents& contents) {
    if (place["journal"].integer() != 1) {
        place["journal"].expect("1, the journals that this program reads");
    }
    place.object({"journal", "options", "head"});
    contents.options = place["options"].dictionary([](const Place& value) { return value.text(); });
    contents.head = value_or_refuse(place["head"], read_json(text_of(place["head"]), name));
}

void read_line(const Place& place, std::string_view name, JournalContents& contents) {
    place.object();
    if (place.has("about")) {
        place.object({"about", "reproduce"});
        contents.in_flight = place["about"].text();
        contents.reproduce = place["reproduce"].text();
        return;
    }
    const char* const kind = place.has("cell") ? "cell" : place.has("native") ? "native" : "pictures";
    place.object({kind, "is"});
    const auto number = static_cast<std::size_t>(place[kind].whole(most_results_cells));
    const std::string text = text_of(place["is"]);
    if (kind == std::string_view("native")) {
        contents.native.insert_or_assign(number, value_or_refuse(place["is"], read_native_cell_json(text, name)));
    } else {
        auto& cells = kind == std::string_view("cell") ? contents.cells : contents.pictures;
        cells.insert_or_assign(number, value_or_refuse(place["is"], read_cell_json(text, name)));
    }
    contents.in_flight.clear();
    contents.reproduce.clear();
}

/// A whole write, or the reason why not.
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

std::string head_line(const std::map<std::string, std::string>& options, const Results& head) {
    Object given;
    for (const auto& [name, value] : options) {
        given.emplace_back(name, clean_text(value));
    }
    return concat("{\"journal\":1,\"options\":", print(Json(std::move(given)), JsonLayout::compact),
                  ",\"head\":", write_head(head), "}\n");
}

Result<int> open_locked(const std::string& name, int flags) {
    const int file = open(name.c_str(), flags | O_RDWR | O_CLOEXEC, 0666);
    if (file < 0) {
        return failure(name, "write the journal; check that its folder exists and may be written");
    }
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        static_cast<void>(close(file));
        return Error{name + ": another run is writing this journal; wait for it, or name another output"};
    }
    return file;
}

} // namespace

Result<JournalContents> read_journal(const std::string& name) {
    std::ifstream stream(name, std::ios::binary);
    if (!stream) {
        return Error{name + ": cannot open the journal"};
    }
    JournalContents contents;
    std::string line;
    for (std::size_t number = 1; std::getline(stream, line); ++number) {
        if (stream.eof()) {
            contents.half_a_line = true; // no newline ended it
            break;
        }
        const std::string place_name = concat(name, ":", number);
        if (line.size() > longest_line) {
            return Error{concat(place_name, ": a line of ", line.size(), " bytes, at most ", longest_line)};
        }
        const Result<JsonDocument> json = parse_document(line, place_name);
        if (!json) {
            return json.error();
        }
        try {
            const Place place(json->root(), place_name);
            place.object();
            number == 1 ? read_head(place, place_name, contents) : read_line(place, place_name, contents);
        } catch (const MalformedResults& refusal) {
            return Error{refusal.message};
        }
    }
    if (contents.options.empty()) {
        return Error{name + ": the journal holds nothing yet; run without --resume"};
    }
    return contents;
}

std::vector<std::string> differences(const JournalContents& left, const std::map<std::string, std::string>& options,
                                     const Results& head) {
    std::vector<std::string> all;
    const auto compare = [&](const std::string& what, const std::string& then, const std::string& now) {
        if (then != now) {
            all.push_back(concat(what, ": `", then, "` then, `", now, "` now"));
        }
    };
    for (const auto& [name, value] : options) {
        const auto then = left.options.find(name);
        compare(name, then == left.options.end() ? "" : then->second, clean_text(value));
    }
    const Results ours = clean(head);
    const auto suite = [](const Suite& suite) {
        return concat(suite.version, " (git ", suite.git_hash, suite.dirty ? ", modified" : "", "), cases ",
                      suite.cases_digest);
    };
    compare("the suite", suite(left.head.suite), suite(ours.suite));
    const Environment& then = left.head.environment;
    const Environment& now = ours.environment;
    compare("the GPU", then.gpu, now.gpu);
    compare("the GPU's identity", then.gpu_uuid_hash, now.gpu_uuid_hash);
    compare("the driver", then.driver_version, now.driver_version);
    compare("NVRTC", then.nvrtc_version, now.nvrtc_version);
    compare("the fault", then.fault.value_or("none"), now.fault.value_or("none"));
    for (const auto& [what, first, second] :
         {std::tuple{"the driver's CUDA version", then.driver_api_version, now.driver_api_version},
          {"the CUDA runtime", then.runtime_version, now.runtime_version},
          {"the compute capability", then.compute_capability, now.compute_capability}}) {
        compare(what, std::to_string(first), std::to_string(second));
    }
    compare("MIG", then.mig_mode, now.mig_mode);
    compare("MPS", then.mps, now.mps);
    compare("the kernel", then.kernel, now.kernel);
    if (then.variables != now.variables) {
        all.push_back("the environment's variables that change overlap are others now");
    }
    return all;
}

Result<Journal> Journal::begin(const std::string& name, const std::map<std::string, std::string>& options,
                               const Results& head) {
    // The lock is on the old file: whoever still writes it keeps it.
    struct stat old {};
    if (stat(name.c_str(), &old) == 0 && old.st_size > 0) {
        const Result<int> held = open_locked(name, 0);
        if (!held) {
            return held.error();
        }
        const bool moved = rename(name.c_str(), (name + ".old").c_str()) == 0;
        const Error error = failure(name, "move the journal of an earlier run aside");
        static_cast<void>(close(*held));
        if (!moved) {
            return error;
        }
    }
    const Result<int> file = open_locked(name, O_CREAT);
    if (!file) {
        return file.error();
    }
    Journal journal(name, *file);
    if (ftruncate(*file, 0) != 0) {
        return failure(name, "write the journal");
    }
    journal.head_ = head_line(options, head);
    journal.append(journal.head_);
    journal.synchronise();
    if (!journal.problem_.empty()) {
        static_cast<void>(unlink(name.c_str()));
        return Error{journal.problem_};
    }
    return journal;
}

Result<Journal> Journal::go_on(const std::string& name, const JournalContents& contents) {
    const Result<int> held = open_locked(name, 0);
    if (!held) {
        return held.error();
    }
    // All of it once more, in a new file: half a line and what has been replaced stay behind.
    const std::string aside = name + ".new";
    const Result<int> file = open_locked(aside, O_CREAT | O_TRUNC);
    if (!file) {
        static_cast<void>(close(*held));
        return file.error();
    }
    Journal journal(aside, *file);
    journal.head_ = head_line(contents.options, contents.head);
    journal.append(journal.head_);
    for (const auto& [number, cell] : contents.cells) {
        journal.cell(number, cell);
    }
    for (const auto& [number, cell] : contents.native) {
        journal.native(number, cell);
    }
    for (const auto& [number, cell] : contents.pictures) {
        journal.pictures(number, cell);
    }
    journal.synchronise();
    if (journal.problem_.empty() && rename(aside.c_str(), name.c_str()) != 0) {
        journal.problem_ = failure(name, "write the journal").message;
    }
    static_cast<void>(close(*held));
    if (!journal.problem_.empty()) {
        static_cast<void>(unlink(aside.c_str()));
        return Error{journal.problem_};
    }
    journal.name_ = name;
    return journal;
}

Journal::Journal(Journal&& other) noexcept
    : name_(std::move(other.name_)), file_(std::exchange(other.file_, -1)), size_(other.size_),
      head_(std::move(other.head_)), live_(std::move(other.live_)), dead_(other.dead_), begun_(other.begun_),
      synchronised_(other.synchronised_), spent_(other.spent_), problem_(std::move(other.problem_)) {}

Journal::~Journal() {
    if (file_ >= 0) {
        static_cast<void>(fdatasync(file_));
        static_cast<void>(close(file_));
    }
}

void Journal::append(std::string_view line) {
    if (!problem_.empty()) {
        return;
    }
    if (!write_all(file_, line)) {
        problem_ = failure(name_, "write the journal").message;
        // Half a line would be read as one that a dead run left; this run is alive, and says so.
        static_cast<void>(ftruncate(file_, static_cast<off_t>(size_)));
        static_cast<void>(lseek(file_, static_cast<off_t>(size_), SEEK_SET));
        return;
    }
    size_ += line.size();
    const auto now = std::chrono::steady_clock::now();
    if (spent_ * longest_part <= now - begun_ || now - synchronised_ >= longest_unsynchronised) {
        synchronise();
    }
}

void Journal::synchronise() {
    const auto start = std::chrono::steady_clock::now();
    if (problem_.empty() && fdatasync(file_) != 0) {
        problem_ = failure(name_, "write the journal to the disk").message;
    }
    synchronised_ = std::chrono::steady_clock::now();
    spent_ += synchronised_ - start;
}

void Journal::about(std::string_view what, std::string_view reproduce) {
    append(print(Object{{"about", clean_text(what)}, {"reproduce", clean_text(reproduce)}}, JsonLayout::compact) +
           "\n");
}

void Journal::append_result(std::string_view kind, std::size_t number, const std::string& text) {
    const std::string line = concat("{\"", kind, "\":", number, ",\"is\":", text, "}\n");
    const std::uint64_t offset = size_;
    append(line);
    if (!problem_.empty()) {
        return;
    }
    auto& [at, size] = live_[{std::string(kind), number}];
    dead_ += size;
    at = offset;
    size = line.size();
    if (dead_ > worthwhile && dead_ > size_ / 2) {
        compact();
    }
}

void Journal::cell(std::size_t number, const Cell& cell) {
    append_result("cell", number, write_json(cell));
}

void Journal::native(std::size_t number, const NativeCell& cell) {
    append_result("native", number, write_json(cell));
}

void Journal::pictures(std::size_t number, const Cell& cell) {
    append_result("pictures", number, write_json(cell));
}

/// Writes what still counts to a new file, and puts that in the place of the old one.
void Journal::compact() {
    const std::string aside = name_ + ".new";
    const Result<int> file = open_locked(aside, O_CREAT | O_TRUNC);
    bool written = bool(file) && write_all(*file, head_);
    std::uint64_t size = head_.size();
    auto live = live_;
    std::string line;
    for (auto& [key, where] : live) {
        line.resize(static_cast<std::size_t>(where.second));
        written = written && pread(file_, line.data(), line.size(), static_cast<off_t>(where.first)) ==
                                 static_cast<ssize_t>(line.size());
        written = written && write_all(*file, line);
        where.first = size;
        size += where.second;
    }
    written = written && fdatasync(*file) == 0 && rename(aside.c_str(), name_.c_str()) == 0;
    if (!written) {
        // Nothing is lost: the old one is whole, and tried again when it has grown as much once more.
        if (file) {
            static_cast<void>(close(*file));
            static_cast<void>(unlink(aside.c_str()));
        }
        dead_ = 0;
        return;
    }
    static_cast<void>(close(file_));
    file_ = *file;
    size_ = size;
    live_ = std::move(live);
    dead_ = 0;
}

void Journal::remove() {
    static_cast<void>(unlink(name_.c_str()));
}

} // namespace pdlcts
