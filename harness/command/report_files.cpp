// SPDX-License-Identifier: Apache-2.0
#include "harness/command/report_files.hpp"

#include "conformance/support/parallel.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/terminal.hpp"
#include "reports/selftest/selftest_report.hpp"

#include <fmt/format.h>

#include <optional>

namespace pdlcts {
namespace {

struct Reading {
    std::string name;
    std::string complaint;
    bool of_selftest = false;
    std::optional<JudgedResults> judged;
    std::optional<Results> results;
};

void read(Reading& reading, Keep keep) {
    const auto text = read_results_text(reading.name);
    if (const auto* refusal = std::get_if<Refusal>(&text)) {
        reading.complaint = refusal->message;
        return;
    }
    reading.of_selftest = is_selftest_file(std::get<std::string>(text));
    if (reading.of_selftest) {
        return;
    }
    Result<VerifiedResults> verified = read_and_verify(std::get<std::string>(text), reading.name, embedded_ledger());
    if (!verified) {
        reading.complaint = verified.error().message;
        return;
    }
    if (!verified->differences.empty()) {
        reading.complaint = fmt::format("{}: does not hold ({} differences); `pdlcts verify` lists them", reading.name,
                                        verified->differences.size());
    }
    reading.judged = std::move(verified->judged);
    if (keep == Keep::everything) {
        reading.results = std::move(verified->results);
    }
}

} // namespace

ReportFiles read_report_files(const std::vector<std::string>& names, Keep keep) {
    std::vector<Reading> readings(names.size());
    for (std::size_t i = 0; i < names.size(); ++i) {
        readings[i].name = names[i];
    }
    static_cast<void>(embedded_ledger()); // made before the threads ask for it
    for_each_in_parallel(readings, [&](Reading& reading) { read(reading, keep); });

    ReportFiles files;
    if (std::any_of(readings.begin(), readings.end(), [](const Reading& reading) { return reading.of_selftest; })) {
        files.of_selftest = true;
        return files;
    }
    for (Reading& reading : readings) {
        if (!reading.complaint.empty()) {
            complain(reading.complaint);
        }
        if (!reading.judged) {
            files.code = ExitCode::bad_input;
            continue;
        }
        if (!reading.complaint.empty() && files.code == ExitCode::success) {
            files.code = ExitCode::negative;
        }
        files.names.push_back(std::move(reading.name));
        files.judged.push_back(*std::move(reading.judged));
        if (reading.results) {
            files.results.push_back(*std::move(reading.results));
        }
    }
    return files;
}

} // namespace pdlcts
