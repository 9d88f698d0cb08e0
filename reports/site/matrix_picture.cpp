// SPDX-License-Identifier: Apache-2.0
#include "reports/site/html.hpp"
#include "reports/site/site.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/table.hpp"

namespace pdlcts::site {
namespace {

constexpr std::int64_t width = 860;
constexpr std::int64_t left = 200;
constexpr std::int64_t mark = 17;
constexpr std::int64_t marks_of_a_row = (width - left - 10) / mark;
constexpr std::int64_t top = 46;

/// Shape, colour and letter, as on the pages, in a square of 15.
void draw_mark(Html& html, Verdict verdict, std::int64_t x, std::int64_t y) {
    const char shown[] = {letter(verdict), '\0'};
    switch (verdict) {
    case Verdict::pass:
    case Verdict::proved:
        html << "<circle class=\"good\" cx=\"" << (x + 7) << "\" cy=\"" << (y + 7)
             << "\" r=\"7\"/><text class=\"inverse\"";
        break;
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::refuted:
        html << "<rect class=\"bad\" x=\"" << x << "\" y=\"" << y
             << "\" width=\"14\" height=\"14\"/><text class=\"inverse\"";
        break;
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::harness_error:
    case Verdict::missing:
        html << "<path class=\"error\" d=\"M" << (x + 7) << " " << (y - 1)
             << "l8 8l-8 8l-8 -8z\"/><text class=\"inverse\"";
        break;
    case Verdict::observed:
        html << "<circle class=\"seen\" cx=\"" << (x + 7) << "\" cy=\"" << (y + 7) << "\" r=\"6.3\"/><text";
        break;
    case Verdict::vacuous:
        html << "<rect class=\"weak\" x=\"" << x << "\" y=\"" << y << "\" width=\"14\" height=\"14\" rx=\"2\"/><text";
        break;
    case Verdict::recorded:
    case Verdict::not_observed:
    case Verdict::not_decided:
    case Verdict::not_supported:
        html << "<rect class=\"none\" x=\"" << x << "\" y=\"" << y << "\" width=\"14\" height=\"14\" rx=\"3\"/><text";
        break;
    }
    html << " x=\"" << (x + 7) << "\" y=\"" << (y + 11) << "\">" << text(shown) << "</text>";
}

} // namespace

std::string matrix_picture(const SuiteIndex& index, const Column& column) {
    Html body;
    std::int64_t y = top;
    std::string words;
    std::size_t place = 0;
    for (const Section& section : index.view().ledger->sections) {
        std::int64_t count = 0;
        std::map<Verdict, std::size_t> totals;
        for (std::size_t i = 0; i < section.statements.size(); ++i, ++place) {
            if (!column.entries[place]) {
                continue;
            }
            if (count == 0) {
                body << "<text class=\"section\" x=\"" << (left - 10) << "\" y=\"" << (y + 11) << "\">"
                     << text(section.title, 30) << "</text>";
            }
            const std::int64_t row = count / marks_of_a_row;
            const Verdict verdict = column.entries[place]->verdict.verdict;
            body << "<g><title>" << text(section.statements[i].id) << ": " << text(name(verdict)) << "</title>";
            draw_mark(body, verdict, left + count % marks_of_a_row * mark, y + row * mark);
            body << "</g>\n";
            ++totals[verdict];
            ++count;
        }
        if (count == 0) {
            continue;
        }
        y += ((count - 1) / marks_of_a_row + 1) * mark + 7;
        words += section.title + ":";
        for (const auto& [verdict, number] : totals) {
            words += concat(" ", number, " ", name(verdict));
        }
        words += ". ";
    }
    Html legend;
    std::int64_t x = left;
    y += 8;
    for (const auto& [verdict, count] : column.totals) {
        draw_mark(legend, verdict, x, y);
        const std::string label = concat(name(verdict), " ", count);
        legend << "<text class=\"key\" x=\"" << (x + 20) << "\" y=\"" << (y + 11) << "\">" << text(label) << "</text>";
        x += 38 + static_cast<std::int64_t>(label.size()) * 7;
    }
    const std::int64_t height = y + 28;
    Html html;
    html << "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " << width << " " << height << "\" width=\""
         << width << "\" height=\"" << height << "\" role=\"img\" aria-labelledby=\"t d\"><title id=\"t\">"
         << text(title_of(column), 200) << "</title><desc id=\"d\">" << text(words, 4000)
         << "</desc><style>text{font:600 10px "
            "system-ui,sans-serif;text-anchor:middle;fill:#1f2933}.inverse{fill:#fff}.section{font-weight:400;font-"
            "size:12.5px;"
            "text-anchor:end}.key{font-weight:400;font-size:12px;text-anchor:start}.heading{font-size:14px;text-anchor:"
            "start}.paper{fill:#fff}.good{fill:#1a7f4b}"
            ".bad{fill:#b3261e}.error{fill:#a04a00}.seen{fill:none;stroke:#1f5fa8;stroke-width:1.5}.weak{fill:none;"
            "stroke:#8a6100;stroke-width:1.5;stroke-dasharray:3 "
            "2}.none{fill:none;stroke:#8a97a5}@media(prefers-color-scheme:dark){text{fill:#dde3ea}.inverse{fill:#"
            "14191f}.paper{fill:#14191f}.good{fill:#63c28f}"
            ".bad{fill:#ff8a80}.error{fill:#f0a05a}.seen{stroke:#82b4f0}.weak{stroke:#e0b850}}</style><rect "
            "class=\"paper\" width=\""
         << width << "\" height=\"" << height << "\"/><text class=\"heading\" x=\"12\" y=\"26\">"
         << text(title_of(column), 90) << "</text>\n"
         << body << legend << "</svg>\n";
    return std::move(html).take();
}

} // namespace pdlcts::site
