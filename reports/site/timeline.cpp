// SPDX-License-Identifier: Apache-2.0
#include "reports/site/timeline.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"

#include <algorithm>
#include <map>

namespace pdlcts::site {
namespace {

constexpr std::int64_t width = 760;
constexpr std::int64_t left = 96;
constexpr std::int64_t right = 14;
constexpr std::int64_t lane_height = 16;
constexpr std::int64_t gap_of_rows = 6;
constexpr std::int64_t top = 30;

struct Bar {
    const BlockPicture* block = nullptr;
    std::size_t node = 0;
    std::size_t lane = 0;
};
struct Row {
    unsigned multiprocessor = 0;
    std::vector<Bar> bars;
    std::size_t lanes = 1;
    std::int64_t y = 0;
};
struct Overlap {
    std::int64_t begin = 0;
    std::int64_t end = 0;
};

struct Drawing {
    std::vector<const NodePicture*> nodes; ///< those that are stamped
    std::vector<Row> rows;
    std::size_t rows_left_out = 0;
    std::vector<Overlap> overlaps;
    std::int64_t first = 0;
    std::int64_t last = 1;
    std::int64_t height = 0;
};

/// Blocks that share a multiprocessor and a time lie below one another.
void lay_out_lanes(Row& row) {
    std::stable_sort(row.bars.begin(), row.bars.end(),
                     [](const Bar& one, const Bar& other) { return one.block->begin < other.block->begin; });
    std::vector<std::int64_t> ends;
    for (Bar& bar : row.bars) {
        std::size_t lane = 0;
        while (lane < ends.size() && ends[lane] > bar.block->begin) {
            ++lane;
        }
        if (lane == ends.size()) {
            ends.push_back(0);
        }
        ends[lane] = std::max(bar.block->end, bar.block->begin + 1);
        bar.lane = lane;
    }
    row.lanes = std::max<std::size_t>(1, ends.size());
}

Drawing draw(const TrialPicture& picture) {
    Drawing drawing;
    std::map<std::pair<std::int64_t, unsigned>, Row> rows;
    std::map<unsigned, std::int64_t> first_begin;
    for (const NodePicture& node : picture.nodes) {
        if (node.shown.empty()) {
            continue;
        }
        drawing.nodes.push_back(&node);
        for (const BlockPicture& block : node.shown) {
            const auto [known, fresh] =
                first_begin.emplace(block.multiprocessor, static_cast<std::int64_t>(drawing.nodes.size()));
            Row& row = rows[{known->second, block.multiprocessor}]; // multiprocessors of the first grid first
            row.multiprocessor = block.multiprocessor;
            row.bars.push_back({&block, drawing.nodes.size() - 1, 0});
            drawing.first = std::min(drawing.first, block.begin);
            drawing.last = std::max({drawing.last, block.end, node.end});
        }
    }
    for (std::size_t i = 1; i < drawing.nodes.size(); ++i) {
        const Overlap overlap{std::max(drawing.nodes[i - 1]->begin, drawing.nodes[i]->begin),
                              std::min(drawing.nodes[i - 1]->end, drawing.nodes[i]->end)};
        if (overlap.begin < overlap.end) {
            drawing.overlaps.push_back(overlap);
        }
    }
    std::int64_t y = top;
    for (auto& [key, row] : rows) {
        if (drawing.rows.size() == most_timeline_rows) {
            ++drawing.rows_left_out;
            continue;
        }
        lay_out_lanes(row);
        row.y = y;
        y += static_cast<std::int64_t>(row.lanes) * lane_height + gap_of_rows;
        drawing.rows.push_back(row);
    }
    drawing.height = y + 34;
    return drawing;
}

std::int64_t x_of(const Drawing& drawing, std::int64_t time) {
    const long double share =
        static_cast<long double>(time - drawing.first) / static_cast<long double>(drawing.last - drawing.first);
    return left + static_cast<std::int64_t>(share * (width - left - right));
}

/// Five ticks or a few more, at round times.
std::int64_t tick_of(std::int64_t span) {
    std::int64_t tick = 1;
    while (span / tick > 10) {
        tick *= 10;
    }
    if (span / tick > 6) {
        tick *= 2;
    } else if (span / tick < 3 && tick >= 10) {
        tick /= 2;
    }
    return tick;
}

Markup class_of(std::size_t node) {
    switch (node % 4) {
    case 0:
        return "g0";
    case 1:
        return "g1";
    case 2:
        return "g2";
    default:
        return "g3";
    }
}

void bar(Html& html, const Drawing& drawing, const Row& row, const Bar& each) {
    const BlockPicture& block = *each.block;
    const std::int64_t y = row.y + static_cast<std::int64_t>(each.lane) * lane_height;
    const std::int64_t begin = x_of(drawing, block.begin);
    const std::int64_t end = std::max(x_of(drawing, block.end), begin + 2);
    html << "<g><title>" << text(drawing.nodes[each.node]->node, 60) << ", block " << block.block << " on SM "
         << block.multiprocessor << ": " << block.begin << " to " << block.end << " ns</title><rect class=\"bar "
         << class_of(each.node) << "\" x=\"" << begin << "\" y=\"" << y << "\" width=\"" << (end - begin)
         << "\" height=\"" << (lane_height - 3) << "\" rx=\"2\"/>";
    if (block.wait_entered && block.wait_returned) {
        const std::int64_t from = x_of(drawing, *block.wait_entered);
        const std::int64_t until = std::max(x_of(drawing, *block.wait_returned), from + 1);
        html << "<rect class=\"waiting\" x=\"" << from << "\" y=\"" << (y + 3) << "\" width=\"" << (until - from)
             << "\" height=\"" << (lane_height - 9) << "\"/><path class=\"entered\" d=\"M" << from << " " << (y - 1)
             << "v" << (lane_height - 1) << "\"/><circle class=\"returned\" cx=\"" << until << "\" cy=\"" << (y + 6)
             << "\" r=\"4\"/>";
    }
    if (block.trigger) {
        const std::int64_t at = x_of(drawing, *block.trigger);
        html << "<path class=\"trigger\" d=\"M" << (at - 5) << " " << (y - 2) << "h10l-5 9z\"/>";
    }
    html << "</g>";
}

void axis(Html& html, const Drawing& drawing) {
    const std::int64_t bottom = drawing.height - 30;
    const std::int64_t tick = tick_of(drawing.last - drawing.first);
    html << "<g class=\"axis\"><path d=\"M" << left << " " << bottom << "H" << (width - right) << "\"/>";
    for (std::int64_t time = 0; time <= drawing.last; time += tick) {
        const std::int64_t x = x_of(drawing, time);
        html << "<path d=\"M" << x << " " << top - 8 << "V" << (bottom + 4) << "\"/><text x=\"" << x << "\" y=\""
             << (bottom + 18) << "\">" << time << "</text>";
    }
    html << "<text class=\"unit\" x=\"" << (left - 8) << "\" y=\"" << (bottom + 18) << "\">ns</text></g>";
}

void legend(Html& html, const Drawing& drawing) {
    std::int64_t x = left;
    html << "<g class=\"key\">";
    for (std::size_t i = 0; i < drawing.nodes.size() && x < width - 330; ++i) {
        const std::string label = plain_text(drawing.nodes[i]->node, 16);
        html << "<rect class=\"bar " << class_of(i) << "\" x=\"" << x
             << "\" y=\"5\" width=\"14\" height=\"10\" rx=\"2\"/><text x=\"" << (x + 19) << "\" y=\"14\">"
             << text(label) << "</text>";
        x += 32 + static_cast<std::int64_t>(label.size()) * 7;
    }
    html << "<path class=\"trigger\" d=\"M" << x << " 6h10l-5 9z\"/><text x=\"" << (x + 15)
         << "\" y=\"14\">trigger</text><path class=\"entered\" d=\"M" << (x + 74) << " 4v13\"/><text x=\"" << (x + 80)
         << "\" y=\"14\">waits</text><circle class=\"returned\" cx=\"" << (x + 126)
         << "\" cy=\"10\" r=\"4\"/><text x=\"" << (x + 135)
         << "\" y=\"14\">wait returned</text><rect class=\"overlap\" x=\"" << (x + 226)
         << "\" y=\"4\" width=\"14\" height=\"12\"/><text x=\"" << (x + 245) << "\" y=\"14\">overlap</text></g>";
}

void body(Html& html, const Drawing& drawing) {
    for (const Overlap& overlap : drawing.overlaps) {
        const std::int64_t begin = x_of(drawing, overlap.begin);
        html << "<rect class=\"overlap\" x=\"" << begin << "\" y=\"" << (top - 8) << "\" width=\""
             << std::max<std::int64_t>(1, x_of(drawing, overlap.end) - begin) << "\" height=\""
             << (drawing.height - 30 - top + 8) << "\"><title>overlap of " << (overlap.end - overlap.begin)
             << " ns</title></rect>";
    }
    axis(html, drawing);
    for (const Row& row : drawing.rows) {
        html << "<text class=\"sm\" x=\"" << (left - 8) << "\" y=\"" << (row.y + 11) << "\">SM " << row.multiprocessor
             << "</text>";
        for (const Bar& each : row.bars) {
            bar(html, drawing, row, each);
        }
    }
    legend(html, drawing);
}

} // namespace

std::string timeline_words(const TrialPicture& picture) {
    std::string words;
    for (const NodePicture& node : picture.nodes) {
        const std::string label = plain_text(node.node, 60);
        if (node.shown.empty()) {
            words += concat(label, " is not stamped. ");
            continue;
        }
        words += concat(label, ": ", node.blocks, node.blocks == 1 ? " block" : " blocks", ", from ", node.begin,
                        " to ", node.end, " ns");
        words += node.shown.size() < node.stamped ? concat(", ", node.shown.size(), " of them shown. ") : ". ";
    }
    const Drawing drawing = draw(picture);
    for (const Overlap& overlap : drawing.overlaps) {
        words += concat("Two grids overlap for ", overlap.end - overlap.begin, " ns. ");
    }
    if (drawing.overlaps.empty() && drawing.nodes.size() > 1) {
        words += "No two grids overlap. ";
    }
    if (drawing.rows_left_out != 0) {
        words += concat(drawing.rows_left_out, " more multiprocessors are in the table only. ");
    }
    if (!words.empty()) {
        words.pop_back();
    }
    return words;
}

void timeline(Html& html, const TrialPicture& picture, std::string_view title, std::string_view name) {
    const Drawing drawing = draw(picture);
    const std::string id = slug(name, 200);
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"" << text(title, 200)
         << "\"><svg class=\"timeline\" viewBox=\"0 0 " << width << " " << drawing.height << "\" width=\"" << width
         << "\" height=\"" << drawing.height << "\" role=\"img\" aria-labelledby=\"" << text(id) << "-title "
         << text(id) << "-words\"><title id=\"" << text(id) << "-title\">" << text(title, 200) << "</title><desc id=\""
         << text(id) << "-words\">" << text(timeline_words(picture), 2000) << "</desc>";
    body(html, drawing);
    html << "</svg></div>\n";
}

std::string timeline_file_text(const TrialPicture& picture, std::string_view title) {
    const Drawing drawing = draw(picture);
    Html html;
    html
        << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 -26 " << width << " " << (drawing.height + 26)
        << "\" width=\"" << width << "\" height=\"" << (drawing.height + 26)
        << "\" role=\"img\" aria-labelledby=\"t d\"><title id=\"t\">" << text(title, 200) << "</title><desc id=\"d\">"
        << text(timeline_words(picture), 2000)
        << "</desc><style>text{font:12px "
           "system-ui,sans-serif;fill:#1f2933}.paper{fill:#fff}.heading{font-weight:600;font-size:13px}"
           ".sm{text-anchor:end}.axis text{text-anchor:middle}.axis .unit{text-anchor:end}.axis "
           "path{stroke:#8a97a5;stroke-opacity:.45;fill:none}"
           ".g0{fill:#5b7fa6}.g1{fill:#d08a3e}.g2{fill:#6b9d6b}.g3{fill:#9a78b4}.overlap{fill:#0b7285;fill-opacity:.14}"
           ".waiting{fill:#fff;fill-opacity:.6}.entered{stroke:#1f2933;stroke-width:2}.returned{fill:#fff;stroke:#"
           "1f2933;stroke-width:2}"
           ".trigger{fill:#b3261e;stroke:#fff;stroke-width:1}"
           "@media(prefers-color-scheme:dark){text{fill:#dde3ea}.paper{fill:#14191f}.overlap{fill:#4dc4d6;fill-opacity:"
           ".2}.waiting{fill:#14191f}"
           ".entered{stroke:#dde3ea}.returned{fill:#14191f;stroke:#dde3ea}.trigger{fill:#ff8a80;stroke:#14191f}}</"
           "style>"
           "<rect class=\"paper\" y=\"-26\" width=\""
        << width << "\" height=\"" << (drawing.height + 26) << "\"/><text class=\"heading\" x=\"8\" y=\"-9\">"
        << text(title, 110) << "</text>";
    body(html, drawing);
    html << "</svg>\n";
    return std::move(html).take();
}

void timeline_table(Html& html, const TrialPicture& picture) {
    html << "<table class=\"times\"><caption>Times of each shown block in nanoseconds</caption><thead><tr><th "
            "scope=\"col\">Grid</th><th "
            "scope=\"col\">Block</th><th scope=\"col\">SM</th><th scope=\"col\">begin</th><th "
            "scope=\"col\">trigger</th><th "
            "scope=\"col\">wait entered</th><th scope=\"col\">wait returned</th><th "
            "scope=\"col\">end</th></tr></thead><tbody>";
    const auto time = [&](const std::optional<std::int64_t>& value) {
        html << "<td>";
        if (value) {
            html << *value;
        }
        html << "</td>";
    };
    std::size_t rows = 0;
    for (const NodePicture& node : picture.nodes) {
        for (const BlockPicture& block : node.shown) {
            if (++rows > 128) {
                break;
            }
            html << "<tr><th scope=\"row\">" << text(node.node, 60) << "</th><td>" << block.block << "</td><td>"
                 << block.multiprocessor << "</td>";
            time(block.begin);
            time(block.trigger);
            time(block.wait_entered);
            time(block.wait_returned);
            time(block.end);
            html << "</tr>\n";
        }
    }
    html << "</tbody></table>\n";
}

} // namespace pdlcts::site
