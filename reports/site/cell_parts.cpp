// SPDX-License-Identifier: Apache-2.0
#include "reports/site/cell_parts.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/site/timeline.hpp"

#include <algorithm>

namespace pdlcts::site {
namespace {

void figures(Html& html, std::string_view what, const LatencyFigures& figures, std::int64_t least, std::int64_t most) {
    html << "<td>" << text(what) << "</td><td class=\"number\">" << figures.p5_ns << "</td><td class=\"number\"><b>"
         << figures.median_ns << "</b></td><td class=\"number\">" << figures.p95_ns << "</td><td class=\"number\">"
         << Grouped{figures.trials} << "</td><td>";
    const auto x = [&](std::int64_t time) {
        return most == least ? std::int64_t{0}
                             : static_cast<std::int64_t>(static_cast<long double>(time - least) /
                                                         static_cast<long double>(most - least) * 156) +
                                   2;
    };
    html << "<svg class=\"range\" viewBox=\"0 0 160 14\" width=\"160\" height=\"14\" aria-hidden=\"true\">";
    if (least < 0 && most > 0) {
        html << "<path class=\"zero\" d=\"M" << x(0) << " 0v14\"/>";
    }
    html << "<path class=\"span\" d=\"M" << x(figures.p5_ns) << " 7H" << x(figures.p95_ns) << "\"/><circle cx=\""
         << x(figures.median_ns) << "\" cy=\"7\" r=\"4\"/></svg></td>";
}

} // namespace

void probes_table(Html& html, const NativeCell& cell) {
    if (cell.probes.empty()) {
        return;
    }
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Questions and answers\"><table "
            "class=\"probes\"><caption>What was asked, "
            "and what was answered</caption><thead><tr><th scope=\"col\">question</th><th scope=\"col\">kind</th><th "
            "scope=\"col\">expected</th><th scope=\"col\">found</th></tr></thead><tbody>\n";
    for (std::size_t i = 0; i < std::min(cell.probes.size(), most_rows); ++i) {
        const Probe& probe = cell.probes[i];
        std::string expected;
        for (const std::string& each : probe.expected) {
            expected += (expected.empty() ? "" : " or ") + each;
        }
        html << "<tr><th scope=\"row\">" << text(probe.what, 300) << "</th><td>" << text(name(probe.kind))
             << "</td><td><code>" << text(expected, 200) << "</code></td><td><code>" << text(probe.found, 200)
             << "</code></td></tr>\n";
    }
    html << "</tbody></table></div>\n";
    if (cell.probes.size() > most_rows) {
        html << "<p>" << counted(cell.probes.size() - most_rows, "more is", "more are")
             << " in the results file.</p>\n";
    }
}

void latency_table(Html& html, const std::vector<Latency>& latency) {
    if (latency.empty()) {
        return;
    }
    std::int64_t least = 0;
    std::int64_t most = 1;
    const auto widen = [&](const LatencyFigures& figures) {
        least = std::min(least, figures.p5_ns);
        most = std::max(most, figures.p95_ns);
    };
    for (const Latency& each : latency) {
        widen(each.begin);
        if (each.wait_return) {
            widen(*each.wait_return);
        }
    }
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Latencies\"><table "
            "class=\"latency\"><caption>Nanoseconds from the last instruction of one grid to the next; negative where "
            "they overlap. Dot: median; line: 5th to 95th percentile</caption><thead><tr><th "
            "scope=\"col\">grids</th><th scope=\"col\">to</th><th "
            "scope=\"col\">5 "
            "%</th><th scope=\"col\">median</th><th scope=\"col\">95 %</th><th scope=\"col\">trials</th><th "
            "scope=\"col\"><span "
            "class=\"sr\">range</span></th></tr></thead><tbody>\n";
    for (std::size_t i = 0; i < std::min<std::size_t>(latency.size(), 24); ++i) {
        const Latency& each = latency[i];
        const auto head = [&] {
            html << "<tr><th scope=\"row\">" << text(each.primary, 60) << " \u2192 " << text(each.secondary, 60)
                 << " <span class=\"of\">" << text(each.dependency, 80);
            for (const std::string& between : each.between) {
                html << ", behind " << text(between, 40);
            }
            html << "</span></th>";
        };
        head();
        figures(html, "its begin", each.begin, least, most);
        html << "</tr>\n";
        if (each.wait_return) {
            head();
            figures(html, "the return of its wait", *each.wait_return, least, most);
            html << "</tr>\n";
        }
    }
    html << "</tbody></table></div>\n";
}

void structure_list(Html& html, const Structure& structure, std::string_view of) {
    const auto lines = [&](const std::vector<std::string>& list) {
        html << "<ul>";
        for (std::size_t i = 0; i < std::min(list.size(), most_rows); ++i) {
            html << "<li><code>" << text(list[i], 300) << "</code></li>";
        }
        if (list.empty()) {
            html << "<li>none</li>";
        }
        html << "</ul>";
    };
    html << "<div class=\"structure\"><p>" << text(of) << ", dependencies expected:</p>";
    lines(structure.expected);
    if (structure.read_back && structure.built == structure.expected) {
        html << "<p>The driver reads back the same.</p>";
    } else if (structure.read_back) {
        html << "<p>As the driver reads them back:</p>";
        lines(structure.built);
    }
    html << "</div>\n";
}

void pictures(Html& html, const Cell& cell, std::string_view name) {
    if (!cell.pictures) {
        html << "<p>No pictures were taken.</p>\n";
        return;
    }
    const Pictures& pictures = *cell.pictures;
    if (!pictures.median) {
        html << "<p>No picture: " << text(pictures.note, 400) << "</p>\n";
        return;
    }
    html << "<p>Of " << Grouped{pictures.trials} << " stamped trials, " << Grouped{pictures.armed}
         << " armed; the clock's step is " << pictures.resolution_ns << " ns. Stamped trials decide no verdict.</p>\n";
    const auto one = [&](const TrialPicture& trial, std::string_view which) {
        const std::string title =
            concat("The ", which, " trial: ", pictures.measure == PictureMeasure::gap ? "gap " : "duration ",
                   trial.measured, " ns");
        html << "<figure>\n<figcaption><b>" << text(title) << "</b>, outcome <code>" << text(trial.outcome, 200)
             << "</code>";
        for (const NodePicture& node : trial.nodes) {
            if (node.shown.size() < node.stamped) {
                html << "; " << Grouped{node.shown.size()} << " of " << Grouped{node.stamped} << " blocks of "
                     << text(node.node, 60) << " shown";
            }
        }
        html << "</figcaption>\n";
        timeline(html, trial, title, concat(name, "-", which));
        html << "<details><summary>The same as a table</summary><p>" << text(timeline_words(trial), 2000)
             << "</p>\n<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Times of the " << text(which)
             << " trial\">\n";
        timeline_table(html, trial);
        html << "</div></details>\n</figure>\n";
    };
    one(*pictures.median, "median");
    if (pictures.worst) {
        one(*pictures.worst, "worst");
    }
}

} // namespace pdlcts::site
