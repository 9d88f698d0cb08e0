// SPDX-License-Identifier: Apache-2.0
#include "harness/command/results_file.hpp"

#include "harness/command/terminal.hpp"

#include <fmt/format.h>

#include <cstdio>

namespace pdlcts {

std::variant<ResultsFile, Refusal> read_results_file(const std::string& name) {
    auto text = read_text_file(name, largest_results_file);
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

bool write_output(const std::string& output, const std::string& text) {
    if (output == "-") {
        fmt::print("{}", text);
        return true;
    }
    const auto written = write_file(output, text);
    if (!written) {
        complain(written.error().message);
    }
    return bool(written);
}

} // namespace pdlcts
