// SPDX-License-Identifier: Apache-2.0
#include "harness/command/report_site.hpp"
#include "harness/command/commands.hpp"
#include "harness/command/report_files.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/site_suite.hpp"
#include "harness/command/terminal.hpp"
#include "reports/site/site.hpp"

#include "conformance/support/sha256.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <thread>

namespace pdlcts {
namespace {

/// Two are enough for a disk, and each holds one results file.
unsigned threads_of_a_site() {
    return std::clamp(std::thread::hardware_concurrency(), 1U, 4U);
}

} // namespace

ExitCode report_site(const std::vector<std::string>& files, const std::string& folder, bool strict) {
    if (strict) {
        if (const ReportFiles files_read = read_report_files(files, Keep::verdicts);
            files_read.code != ExitCode::success) {
            return files_read.code;
        }
    }
    auto opened = site::Folder::open(folder);
    if (!opened) {
        complain(opened.error().message);
        return ExitCode::unwritable_output;
    }
    const unsigned threads = threads_of_a_site();
    const site::SuiteView suite = site_suite(threads);
    site::Site written(suite, *std::move(opened), files.size());
    std::mutex mutex; // of the complaints, and of the code
    ExitCode code = ExitCode::success;
    const auto complain_of = [&](const std::string& message, ExitCode because) {
        const std::lock_guard lock(mutex);
        complain(message);
        // A file that cannot be read is worse than one that contradicts itself.
        code = code == ExitCode::bad_input ? code : because;
    };
    const auto add = [&](std::size_t i) -> Result<std::monostate> {
        const auto refuse = [&](const std::string& message, ExitCode because) {
            complain_of(message, because);
            return Result<std::monostate>(std::monostate{});
        };
        const auto text = read_results_text(files[i]);
        if (const auto* refusal = std::get_if<Refusal>(&text)) {
            return refuse(refusal->message, refusal->code);
        }
        const std::string& read = std::get<std::string>(text);
        Result<VerifiedResults> verified = read_and_verify(read, files[i], embedded_ledger());
        if (!verified) {
            return refuse(verified.error().message, ExitCode::bad_input);
        }
        if (const std::size_t differences = verified->differences.size(); differences != 0) {
            complain_of(
                fmt::format("{}: does not hold ({} differences); `pdlcts verify` lists them", files[i], differences),
                ExitCode::negative);
        }
        return written.add(*std::move(verified), sha256(read));
    };
    if (const auto added = site::in_parallel(files.size(), threads, add); !added) {
        complain(added.error().message);
        return ExitCode::unwritable_output;
    }
    const auto totals = written.finish(threads);
    if (!totals) {
        complain(totals.error().message);
        return ExitCode::unwritable_output;
    }
    fmt::print("{}: {} pages of {} columns{}; open {}/index.html\n", folder, totals->pages, totals->columns,
               totals->duplicates == 0 ? "" : fmt::format(" ({} files hold what another holds)", totals->duplicates),
               folder);
    return code;
}

} // namespace pdlcts
