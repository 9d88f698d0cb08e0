// SPDX-License-Identifier: Apache-2.0
#include "reports/site/gathered.hpp"

namespace pdlcts::site {
namespace {

void add_up(Histogram& sum, const Tally& tally) {
    sum.trials += tally.trials();
    ++sum.columns;
    for (const auto& [outcome, count] : tally.outcomes) {
        const auto known = sum.outcomes.find(outcome);
        if (known == sum.outcomes.end() && sum.outcomes.size() == most_outcomes) {
            continue; // the sum of trials tells that there are others
        }
        SeenOutcome& seen = known == sum.outcomes.end() ? sum.outcomes[outcome] : known->second;
        seen.trials += count;
        ++seen.columns;
    }
}

/// Whether it is the evidence to be shown from now on.
bool takes_over(Gathered& gathered, CellKey key, const Rank& rank, Shown*& shown) {
    shown = &gathered.shown[key];
    return !(shown->cell || shown->native) || shown->rank < rank;
}

} // namespace

void gather(Gathered& gathered, Column column, Results results, const SuiteIndex& index) {
    const std::string title = title_of(column);
    const auto show = [&](CellKey key, bool pictures) -> Shown* {
        const ColumnCell* summary = find_cell(column, key);
        if (summary == nullptr) {
            return nullptr;
        }
        const Rank rank{column.on_gpu, summary->currency == Currency::current, pictures, column.started, column.name};
        Shown* shown = nullptr;
        if (!takes_over(gathered, key, rank, shown)) {
            return nullptr;
        }
        *shown = {rank, title, summary->currency, std::nullopt, std::nullopt};
        return shown;
    };
    for (Cell& cell : results.cells) {
        const auto place = index.find_case(cell.case_id);
        if (!place || index.view().cases[*place].native || cell.statement.empty()) {
            continue;
        }
        const CellKey key = key_of(*place, cell.form.route);
        const ColumnCell* summary = find_cell(column, key);
        if (column.on_gpu && summary != nullptr && summary->currency == Currency::current) {
            CellHistograms& histograms = gathered.histograms[key];
            add_up(histograms.program, cell.form.program.tally);
            if (cell.form.control) {
                add_up(histograms.control, cell.form.control->tally);
            }
        }
        if (Shown* shown = show(key, cell.pictures && cell.pictures->median)) {
            shown->cell = std::move(cell);
        }
    }
    for (NativeCell& cell : results.native) {
        const auto place = index.find_case(cell.case_id);
        if (place && index.view().cases[*place].native) {
            if (Shown* shown = show(native_key(*place), false)) {
                shown->native = std::move(cell);
            }
        }
    }
    gathered.columns.push_back(std::move(column));
}

} // namespace pdlcts::site
