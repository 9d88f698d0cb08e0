// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/machine/benchmarks/spin.hpp"
#include "conformance/support/scratch_folder.hpp"

#include <optional>
#include <string>
#include <vector>

/// One plan, explored by the machine and by SPIN.
namespace pdlcts::spin {

struct Exploring {
    std::set<Outcome> outcomes;
    bool stuck = false;
    std::uint64_t states = 0;
    double seconds = 0;
    double megabytes = 0; ///< the largest resident set of the process
};

/// The program or the control of a file, on a route.
struct Subject {
    std::string file; ///< the litmus file's name
    std::string text; ///< what it says
    Route route = Route::stream;
    bool control = false;
};

/// The subjects that a file has: none where it cannot be parsed.
std::vector<Subject> subjects_of(const std::string& file, const std::string& text);

std::string print(const Subject& subject);

/// A plan spelled out, where it is one on which the translation is exact; the reason where it is not.
Result<SpelledOut> prepare(const Subject& subject);

/// Explores the subject with the machine, in this process. The shortest of some repetitions counts where it is short.
Result<Exploring> explore(const Subject& subject, unsigned repetitions);

/// What the machine and SPIN disagree on, for people; nothing if they agree.
std::optional<std::string> disagreement(const Exploring& machine, const Verification& spin);

/// A folder for one run of SPIN. Throws where none can be made.
class TemporaryFolder {
public:
    TemporaryFolder();
    const std::filesystem::path& path() const { return path_; }

private:
    ScratchFolder folder_;
    std::filesystem::path path_;
};

} // namespace pdlcts::spin
