// SPDX-License-Identifier: Apache-2.0
#include "reports/diff/diff.hpp"

#include "harness/command/commands.hpp"
#include "harness/command/results_file.hpp"
#include "harness/command/terminal.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace pdlcts {
namespace {

/// A file that contradicts itself is compared by its evidence, and not passed over in silence.
bool holds(const ResultsFile& file, const std::string& name) {
    const auto differences = verify(file.text, name);
    if (!differences.empty()) {
        complain(
            fmt::format("{}: does not hold ({} differences); `pdlcts verify` lists them", name, differences.size()));
    }
    return differences.empty();
}

} // namespace

ExitCode diff(const DiffOptions& options) {
    std::vector<ResultsFile> files;
    bool hold = true;
    for (const std::string& name : {options.old_file, options.new_file}) {
        auto read = read_results_file(name);
        if (const auto* refusal = std::get_if<Refusal>(&read)) {
            complain(refusal->message);
            return refusal->code;
        }
        files.push_back(std::get<ResultsFile>(std::move(read)));
        hold = holds(files.back(), name) && hold;
    }
    const ResultsDifference changed = difference(files[0].results, files[1].results);
    if (!options.markdown.empty() && !write_output(options.markdown, difference_markdown(changed))) {
        return ExitCode::unwritable_output;
    }
    if (options.json) {
        fmt::print("{}", difference_json(changed));
    } else if (options.markdown.empty()) {
        fmt::print("{}", difference_text(changed));
    }
    const bool differ = std::any_of(changed.cells.begin(), changed.cells.end(), [](const CellDifference& cell) {
        return cell.appeared() || cell.gone() || cell.stale() || cell.verdict_changed();
    });
    return !hold || (options.exit_code && differ) ? ExitCode::negative : ExitCode::success;
}

} // namespace pdlcts
