// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/command/run_plan.hpp"

#include <chrono>
#include <optional>
#include <set>

/// The journal of a run: a file beside its output, a line of JSON for everything that has happened, so that whatever
/// ends the run loses at most the cell in flight, and leaves a line that runs that cell again.
///
///     {"journal": 1, "options": {name: value...}, "head": {a results file without cells}}
///     {"about": "trigger/implicit-on-exit on stream", "reproduce": "pdlcts run --on gpu ..."}
///     {"cell": 17, "is": {a cell of a results file}}         numbers count the plan's cells from 1; the last one holds
///     {"native": 3, "is": {a native cell}}
///     {"pictures": 17, "is": {a cell with pictures alone}}
namespace pdlcts {

/// What a journal tells of the run that wrote it.
struct JournalContents {
    std::map<std::string, std::string> options;
    Results head;
    std::map<std::size_t, Cell> cells;
    std::map<std::size_t, NativeCell> native;
    std::map<std::size_t, Cell> pictures;
    std::string in_flight; ///< what was running when it ended; empty where nothing was
    std::string reproduce;
    bool half_a_line = false; ///< the last line was cut off, and does not count
};

/// Errors name file, line and what is wrong. A cut-off last line is none.
Result<JournalContents> read_journal(const std::string& name);

/// Why a run cannot go on with what another one left: each thing that is another one now. Clocks, load and what else
/// changes on one machine from day to day does not count.
std::vector<std::string> differences(const JournalContents& left, const std::map<std::string, std::string>& options,
                                     const Results& head);

class Journal {
public:
    /// Begins one; an older one of that name is kept as NAME.old. An error where it cannot be written, or where
    /// another run is writing it.
    static Result<Journal> begin(const std::string& name, const std::map<std::string, std::string>& options,
                                 const Results& head);
    /// Goes on with one, of which these are the contents.
    static Result<Journal> go_on(const std::string& name, const JournalContents& contents);
    Journal(Journal&& other) noexcept;
    Journal& operator=(Journal&&) = delete;
    ~Journal();

    void about(std::string_view what, std::string_view reproduce);
    void cell(std::size_t number, const Cell& cell);
    void native(std::size_t number, const NativeCell& cell);
    void pictures(std::size_t number, const Cell& cell);

    /// What ended its writing, once something has: the run goes on without it.
    const std::string& problem() const { return problem_; }

    /// Everything is in its place: nothing is to be gone on with.
    void remove();

private:
    Journal(std::string name, int file) : name_(std::move(name)), file_(file) {}

    void append(std::string_view line);
    void append_result(std::string_view kind, std::size_t number, const std::string& text);
    void synchronise();
    void compact();

    std::string name_;
    int file_ = -1;
    std::uint64_t size_ = 0; ///< of whole lines
    std::string head_;
    std::map<std::pair<std::string, std::size_t>, std::pair<std::uint64_t, std::uint64_t>> live_; ///< offset and size
    std::uint64_t dead_ = 0; ///< bytes of lines that later ones have replaced
    std::chrono::steady_clock::time_point begun_ = std::chrono::steady_clock::now();
    std::chrono::steady_clock::time_point synchronised_ = begun_;
    std::chrono::steady_clock::duration spent_{};
    std::string problem_;
};

} // namespace pdlcts
