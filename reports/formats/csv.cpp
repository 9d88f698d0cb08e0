// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/formats.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/json.hpp"

#include "conformance/litmus/printer.hpp"

namespace pdlcts {
namespace {

/// Spreadsheets take what begins so for a formula, in quotes or not.
bool begins_a_formula(std::string_view text) {
    return !text.empty() && std::string_view("=+-@\t\r|%").find(text.front()) != std::string_view::npos;
}

class Row {
public:
    void add(std::string_view text) {
        const std::string plain = plain_text(text);
        const bool formula = begins_a_formula(plain);
        line_ += first_ ? "" : ",";
        first_ = false;
        if (!formula && plain.find_first_of(",\"") == std::string::npos) {
            line_ += plain;
            return;
        }
        line_ += formula ? "\"'" : "\"";
        for (const char c : plain) {
            line_ += c == '"' ? "\"\"" : std::string(1, c);
        }
        line_ += '"';
    }
    void add(const char* text) { add(std::string_view(text)); }
    void add(const std::string& text) { add(std::string_view(text)); }
    void add(bool value) { add(value ? "true" : "false"); }
    void add(std::uint64_t number) { add(std::to_string(number)); }
    void add(int number) { add(std::to_string(number)); }
    void add(double number) { add(print(Json(number), JsonLayout::compact)); }
    void end(std::string& text) {
        text += line_ + "\r\n";
        line_.clear();
        first_ = true;
    }

private:
    std::string line_;
    bool first_ = true;
};

} // namespace

std::string results_csv(std::span<const JudgedResults> files) {
    std::string text;
    Row row;
    for (const char* name : {"run",
                             "started",
                             "gpu",
                             "compute_capability",
                             "driver_version",
                             "runtime_version",
                             "nvrtc_version",
                             "fault",
                             "suite_version",
                             "git_hash",
                             "dirty",
                             "every_case",
                             "statement",
                             "strength",
                             "basis",
                             "case",
                             "route",
                             "image",
                             "digest",
                             "quick",
                             "verdict",
                             "reason",
                             "trials",
                             "armed",
                             "violations",
                             "control_trials",
                             "control_armed",
                             "control_violations",
                             "control_armed_violations",
                             "upper_bound"}) {
        row.add(name);
    }
    row.end(text);
    for (std::size_t i = 0; i < files.size(); ++i) {
        const JudgedResults& file = files[i];
        for (const JudgedCell& cell : file.cells) {
            row.add(std::uint64_t{i + 1});
            row.add(file.started);
            row.add(file.environment.gpu);
            row.add(file.environment.compute_capability);
            row.add(file.environment.driver_version);
            row.add(file.environment.runtime_version);
            row.add(file.environment.nvrtc_version);
            row.add(file.environment.fault.value_or(""));
            row.add(file.suite.version);
            row.add(file.suite.git_hash);
            row.add(file.suite.dirty);
            row.add(file.every_case);
            row.add(cell.statement);
            row.add(name(cell.strength));
            row.add(name(cell.basis));
            row.add(cell.case_id);
            row.add(cell.route);
            row.add(cell.image);
            row.add(cell.digest);
            row.add(cell.quick);
            const Judgement& judgement = cell.judgement;
            row.add(name(judgement.verdict));
            row.add(judgement.reason);
            for (const std::uint64_t count :
                 {judgement.trials, judgement.armed, judgement.violations, judgement.control_trials,
                  judgement.control_armed, judgement.control_violations, judgement.control_armed_violations}) {
                row.add(count);
            }
            row.add(judgement.upper_bound);
            row.end(text);
        }
    }
    return text;
}

} // namespace pdlcts
