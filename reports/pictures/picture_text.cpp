// SPDX-License-Identifier: Apache-2.0
#include "reports/pictures/pictures.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/pictures/aligned.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr std::int64_t columns = 72;

std::string time_or_dash(const std::optional<std::int64_t>& time) {
    return time ? std::to_string(*time) : "-";
}

std::string table_of(const TrialPicture& picture) {
    std::vector<std::vector<std::string>> rows{
        {"node", "block", "SM", "begin", "trigger", "wait entered", "wait returned", "end"}};
    for (const NodePicture& node : picture.nodes) {
        const std::string name = plain_text(node.node);
        if (node.shown.empty()) {
            rows.push_back({name, "-", "-", "-", "-", "-", "-", "-"}); // nothing more is known of it
            continue;
        }
        for (const BlockPicture& block : node.shown) {
            rows.push_back({&block == &node.shown.front() ? name : "", std::to_string(block.block),
                            std::to_string(block.multiprocessor), std::to_string(block.begin),
                            time_or_dash(block.trigger), time_or_dash(block.wait_entered),
                            time_or_dash(block.wait_returned), std::to_string(block.end)});
        }
        if (node.shown.size() < node.stamped) {
            rows.push_back({concat("  all ", node.stamped), "", "", std::to_string(node.begin), "", "", "",
                            std::to_string(node.end)});
        }
    }
    return aligned(rows, 1);
}

struct Scale {
    std::int64_t first = 0;
    std::int64_t last = 0;

    /// Nothing can lie outside; what a stranger wrote is put to the edge.
    std::size_t column(std::int64_t time) const {
        const std::int64_t inside = std::clamp(time, first, last) - first;
        const std::int64_t span = std::max<std::int64_t>(last - first, 1);
        return static_cast<std::size_t>(inside * (columns - 1) / span);
    }
};

Scale scale_of(const TrialPicture& picture) {
    std::optional<Scale> scale;
    for (const NodePicture& node : picture.nodes) {
        for (const BlockPicture& block : node.shown) {
            scale = scale.value_or(Scale{block.begin, block.end});
            scale->first = std::min(scale->first, block.begin);
            scale->last = std::max(scale->last, block.end);
        }
    }
    return scale.value_or(Scale{});
}

/// `[==T====]`, `[=w.......r=]`
std::string bar_of(const BlockPicture& block, const Scale& scale) {
    std::string bar(static_cast<std::size_t>(columns), ' ');
    const auto fill = [&](std::int64_t from, std::int64_t to, char with) {
        for (std::size_t column = scale.column(from); column <= scale.column(to); ++column) {
            bar[column] = with;
        }
    };
    fill(block.begin, block.end, '=');
    if (block.wait_entered && block.wait_returned) {
        fill(*block.wait_entered, *block.wait_returned, '.');
    }
    bar[scale.column(block.begin)] = '[';
    bar[scale.column(block.end)] = ']';
    if (block.wait_entered && block.wait_returned) {
        bar[scale.column(*block.wait_entered)] = 'w';
        bar[scale.column(*block.wait_returned)] = 'r';
    }
    if (block.trigger) {
        bar[scale.column(*block.trigger)] = 'T';
    }
    bar.erase(bar.find_last_not_of(' ') + 1);
    return bar;
}

std::string bars_of(const TrialPicture& picture) {
    const Scale scale = scale_of(picture);
    const std::string from = concat(scale.first, " ns");
    const std::string to = concat(scale.last, " ns");
    const std::size_t used = from.size() + to.size();
    const std::size_t between = used < static_cast<std::size_t>(columns) ? columns - used : 1;
    std::vector<std::vector<std::string>> rows{{"", "", from + std::string(between, ' ') + to}};
    for (const NodePicture& node : picture.nodes) {
        for (const BlockPicture& block : node.shown) {
            rows.push_back({&block == &node.shown.front() ? plain_text(node.node) : "",
                            concat("SM ", block.multiprocessor, " block ", block.block), bar_of(block, scale)});
        }
    }
    return aligned(rows, 3);
}

std::string trial_text(const Cell& cell, const char* which, const TrialPicture& picture) {
    const Pictures& pictures = *cell.pictures;
    const std::string measured =
        concat(pictures.measure == PictureMeasure::gap ? "gap " : "duration ", picture.measured, " ns");
    return concat("The ", which, " trial: ", measured, ", outcome ", plain_text(picture.outcome),
                  picture.armed ? "" : ", not armed", "\n\n", table_of(picture), "\n", bars_of(picture), "\n");
}

const char* chosen_by(PictureMeasure measure) {
    return measure == PictureMeasure::gap
               ? "gap: from the last instruction of a grid to the return of the next one's wait, or to its begin where "
                 "it does not wait; the longest of the trial"
               : "duration: from the first begin to the last end";
}

} // namespace

std::string picture_text(const Cell& cell) {
    std::string text = concat(plain_text(cell.case_id), " on ", name(cell.form.route));
    if (!cell.pictures) {
        return text + ": no picture; `pdlcts run` takes them on a GPU, without --quick and --no-pictures.\n";
    }
    const Pictures& pictures = *cell.pictures;
    if (!pictures.note.empty()) {
        return text + ": no picture: " + plain_text(pictures.note) + "\n";
    }
    text += concat(": ", pictures.trials, " stamped trials, ", pictures.armed,
                   " of them armed. They count for no verdict.\n");
    std::string how = "Times in nanoseconds since the first grid's begin";
    how += pictures.resolution_ns > 0 ? concat(", in steps of ", pictures.resolution_ns) : "";
    for (const std::string& line : wrap(concat(how, ". Chosen by the ", chosen_by(pictures.measure), "."), 100)) {
        text += line + "\n";
    }
    text += "[ begin   T trigger   w wait entered   r wait returned   ] end\n\n";
    if (pictures.median) {
        text += trial_text(cell, "median", *pictures.median);
    }
    if (pictures.worst) {
        text += trial_text(cell, "worst", *pictures.worst);
    }
    return text;
}

} // namespace pdlcts
