// SPDX-License-Identifier: Apache-2.0
#include "harness/command/results_file.hpp"

#include "harness/command/terminal.hpp"
#include "reports/results/gzip.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace pdlcts {

std::variant<std::string, Refusal> read_results_text(const std::string& name) {
    auto text = read_text_file(name, largest_results_file);
    if (const auto* bytes = std::get_if<std::string>(&text); bytes != nullptr && is_gzip(*bytes)) {
        Result<std::string> unpacked = gunzip(*bytes, name, largest_results_file);
        if (!unpacked) {
            return Refusal{ExitCode::bad_input, unpacked.error().message};
        }
        return *std::move(unpacked);
    }
    return text;
}

std::variant<ResultsFile, Refusal> read_results_file(const std::string& name) {
    auto text = read_results_text(name);
    if (const auto* refusal = std::get_if<Refusal>(&text)) {
        return *refusal;
    }
    Result<Results> results = read_json(std::get<std::string>(text), name);
    if (!results) {
        return Refusal{ExitCode::bad_input, results.error().message};
    }
    return ResultsFile{std::get<std::string>(std::move(text)), *std::move(results)};
}

std::optional<Refusal> refuse_unwritable(const std::string& output) {
    if (output.empty()) {
        return std::nullopt;
    }
    std::FILE* const file = std::fopen(output.c_str(), "ab");
    if (file == nullptr) {
        return Refusal{ExitCode::unwritable_output,
                       output + ": cannot write the file; check that its folder exists and may be written"};
    }
    (void)std::fclose(file);
    return std::nullopt;
}

std::string as_named(const std::string& output, const std::string& text) {
    return output.ends_with(".gz") ? gzip(text) : text;
}

bool write_output(const std::string& output, const std::string& text) {
    if (output == "-") {
        fmt::print("{}", text);
        return true;
    }
    const auto written = write_file(output, as_named(output, text));
    if (!written) {
        complain(written.error().message);
    }
    return bool(written);
}

} // namespace pdlcts
