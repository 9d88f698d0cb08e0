// SPDX-License-Identifier: Apache-2.0
#include "reports/site/cell_parts.hpp"
#include "reports/site/highlight.hpp"
#include "reports/site/histogram_table.hpp"
#include "reports/site/pages.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts::site {
namespace {

void description(Html& html, const SuiteCase& tested) {
    html << "<p class=\"lead\">";
    for (const std::string& line : tested.description) {
        html << text(line, 400) << " ";
    }
    html << "</p>\n";
}

void statement(Html& html, const SuiteIndex& index, const SuiteCase& tested) {
    const auto place = index.find_statement(tested.statement);
    if (!place) {
        return;
    }
    const Statement& tests = *index.statements()[*place];
    html << "<blockquote class=\"statement\"><p>" << text(tests.text, 4000) << "</p><footer>";
    statement_link(html, index, tests.id);
    html << " <span class=\"tag\">" << text(name(tests.strength)) << "</span></footer></blockquote>\n";
    if (tested.checks.size() > 1) {
        html << "<p>It touches on";
        for (std::size_t i = 1; i < tested.checks.size(); ++i) {
            html << (i == 1 ? Markup(" ") : Markup(", "));
            statement_link(html, index, tested.checks[i]);
        }
        html << ".</p>\n";
    }
}

/// Routes of which there is the same to say are told of together.
std::vector<std::vector<const SuiteRoute*>> alike(const SuiteCase& tested) {
    std::vector<std::vector<const SuiteRoute*>> groups;
    const auto same = [](const SuiteRoute& one, const SuiteRoute& other) {
        return one.answer == other.answer && one.plan == other.plan && one.control_plan == other.control_plan &&
               one.allowed == other.allowed && one.control_allowed == other.control_allowed &&
               one.undocumented == other.undocumented;
    };
    for (const SuiteRoute& route : tested.routes) {
        const auto group =
            std::find_if(groups.begin(), groups.end(), [&](const auto& each) { return same(*each.front(), route); });
        if (group == groups.end()) {
            groups.push_back({&route});
        } else {
            group->push_back(&route);
        }
    }
    return groups;
}

void code_list(Html& html, std::string_view title, const std::vector<std::string>& lines) {
    html << "<dt>" << text(title) << "</dt><dd><ul class=\"codes\">";
    for (const std::string& line : lines) {
        html << "<li><code>" << text(line, 400) << "</code></li>";
    }
    html << (lines.empty() ? Markup("<li>none</li></ul></dd>") : Markup("</ul></dd>"));
}

void machine(Html& html, const SuiteCase& tested) {
    heading(html, "machine", "What the specification allows");
    html << "<p>The abstract machine explores every execution; nothing here is taken from a results file.</p>\n";
    for (const auto& group : alike(tested)) {
        const SuiteRoute& route = *group.front();
        html << "<h3>";
        for (const SuiteRoute* each : group) {
            html << (each == group.front() ? Markup("") : Markup(", ")) << text(name(each->route));
        }
        html << ": " << text(route.answer) << "</h3>\n<p>" << text(route.reason, 600) << "</p>\n<dl class=\"facts\">";
        code_list(html, "Dependencies", route.plan);
        if (route.control_plan != route.plan) {
            code_list(html, "Of the control", route.control_plan);
        }
        if (!route.undocumented.empty()) {
            code_list(html, "What no document says", route.undocumented);
        }
        if (route.decided) {
            code_list(html, "Outcomes allowed", route.allowed);
            code_list(html, "Of the control", route.control_allowed);
        }
        html << "</dl>\n";
        if (!route.trace.empty()) {
            html << "<details><summary>" << text(route.trace_heading) << "</summary><pre tabindex=\"0\">";
            for (const std::string& step : route.trace) {
                html << verbatim(step) << "\n";
            }
            html << "</pre></details>\n";
        }
    }
}

const Shown* find_shown(const Gathered& gathered, CellKey key) {
    const auto found = gathered.shown.find(key);
    return found == gathered.shown.end() ? nullptr : &found->second;
}

void seen(Html& html, const Gathered& gathered, const Shown& shown, CellKey key) {
    const Cell& cell = *shown.cell;
    const Judgement judgement = judge(cell);
    const std::string route(route_name(key));
    html << "<section class=\"route\">\n<h3 id=\"" << text(slug(route)) << "\">" << text(route) << ": ";
    named_chip(html, judgement.verdict, shown.currency == Currency::stale);
    html << "</h3>\n<p>On <a href=\"" << to(column_page(shown.rank.column)) << "\">" << text(shown.title, 160)
         << "</a>, image <code>" << text(cell.image.empty() ? "none" : cell.image, 80) << "</code>.";
    if (!judgement.reason.empty()) {
        html << " " << text(judgement.reason, 1000) << ".";
    }
    html << "</p>\n";
    if (shown.currency == Currency::stale) {
        html << "<p class=\"warning\">This cell is of another version of the case than the one on this page.</p>\n";
    } else if (shown.currency == Currency::unknown) {
        html << "<p class=\"warning\">Nothing shows whether this cell is of the case as it is on this page.</p>\n";
    }
    const auto sums = gathered.histograms.find(key);
    histogram_table(html, cell.form, cell.claim, sums == gathered.histograms.end() ? nullptr : &sums->second);
    if (cell.form.program.structure.read_back &&
        cell.form.program.structure.built != cell.form.program.structure.expected) {
        structure_list(html, cell.form.program.structure, "Program");
    }
    if (!cell.latency.empty()) {
        html << "<h4>Latencies</h4>\n";
        latency_table(html, cell.latency);
    }
    if (cell.pictures && cell.pictures->median) {
        html << "<h4>Timeline</h4>\n";
        pictures(html, cell, route);
    } else if (cell.pictures && !cell.pictures->note.empty()) {
        html << "<p>No timeline: " << text(cell.pictures->note, 400) << ".</p>\n";
    }
    html << "</section>\n";
}

void sources(Html& html, const SuiteCase& tested, const std::vector<const Shown*>& shown) {
    if (tested.source.empty()) {
        return;
    }
    heading(html, "source", "The CUDA source");
    const bool all_current = !shown.empty() && std::all_of(shown.begin(), shown.end(), [](const Shown* each) {
        return each->currency == Currency::current;
    });
    const bool none_current =
        std::none_of(shown.begin(), shown.end(), [](const Shown* each) { return each->currency == Currency::current; });
    if (shown.empty()) {
        html << "<p>As this suite gives it to the compiler. No results file has run it.</p>\n";
    } else if (all_current) {
        html << "<p>The source that ran: made again from the case, it has the digest that the cells above carry. Where "
                "their image is spelled "
                "with intrinsics, trigger and wait stand there in that spelling.</p>\n";
    } else {
        html << "<p class=\"warning\">As this suite gives it to the compiler. "
             << (none_current ? Markup("None of the cells above is known to have run it.</p>\n")
                              : Markup("Not all of the cells above are known to have run it; the others are "
                                       "marked.</p>\n"));
    }
    html << "<details><summary>Kernels of program and control</summary><pre class=\"code\" tabindex=\"0\">";
    highlight(html, tested.source, Language::cuda);
    html << "</pre></details>\n";
}

void replay(Html& html, const SuiteCase& tested) {
    heading(html, "reproduce", "Reproduce it");
    html << "<p>With the suite:</p>\n";
    if (tested.native) {
        html << "<pre tabindex=\"0\">pdlcts run --on gpu --case " << text(tested.id) << "</pre>\n";
        return;
    }
    html << "<pre tabindex=\"0\">";
    for (const SuiteRoute& route : tested.routes) {
        html << "pdlcts run --on gpu --case " << text(tested.id) << " --route " << text(name(route.route)) << "\n";
    }
    html << "</pre>\n";
    std::string reason;
    bool any = false;
    for (const SuiteRoute& route : tested.routes) {
        any = any || !route.reproducer.empty();
        reason = reason.empty() ? route.no_reproducer : reason;
    }
    if (any) {
        html << "<p>Without it, as one CUDA file that needs the runtime and nothing else:</p>\n<ul class=\"plain\">";
        for (const SuiteRoute& route : tested.routes) {
            if (!route.reproducer.empty()) {
                const Address file = reproducer_file(tested.id, route.route);
                const std::string_view path = file.path();
                html << "<li><a href=\"" << to(file) << "\" download>reproducer for route " << text(name(route.route))
                     << "</a>: <code>nvcc -arch=sm_90 -o repro " << text(path.substr(path.rfind('/') + 1), 200)
                     << " &amp;&amp; ./repro</code></li>\n";
            }
        }
        html << "</ul>\n";
    }
    if (!reason.empty()) {
        html << "<p>" << (any ? Markup("For other routes: ") : Markup("There is no reproducer: ")) << text(reason, 600)
             << "</p>\n";
    }
}

void reports(Html& html, const SuiteIndex& index, const SuiteCase& tested) {
    std::vector<const FieldReport*> fields;
    for (const FieldReport& field : index.view().field_reports) {
        if (std::find(field.cases.begin(), field.cases.end(), tested.id) != field.cases.end()) {
            fields.push_back(&field);
        }
    }
    if (tested.reports.empty() && fields.empty()) {
        return;
    }
    heading(html, "reports", "Public reports behind it");
    if (!tested.reports.empty()) {
        html << "<ul>";
        for (const SuiteReport& report : tested.reports) {
            html << "<li><a rel=\"noreferrer\" href=\"" << text(report.address, 300) << "\">" << text(report.name)
                 << "</a></li>";
        }
        html << "</ul>\n";
    }
    for (const FieldReport* field : fields) {
        html << "<p>" << text(field->about, 600) << ".";
        if (!field->beyond.empty()) {
            html << " <span class=\"of\">Beyond this case: " << text(field->beyond, 1000) << "</span>";
        }
        html << "</p>\n";
    }
}

/// Lines are broken anywhere in a sentence.
std::string first_sentence(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) {
        text += (text.empty() ? "" : " ") + line;
        if (const std::size_t end = text.find(". "); end != std::string::npos) {
            return text.substr(0, end + 1);
        }
    }
    return text;
}

} // namespace

std::string case_page_html(const SuiteIndex& index, const Gathered& gathered, std::size_t case_index) {
    const SuiteCase& tested = index.view().cases[case_index];
    Html html = open_page(case_page(tested.id), tested.id, Tab::cases);
    description(html, tested);
    statement(html, index, tested);
    std::vector<const Shown*> shown;
    if (tested.native) {
        if (const Shown* each = find_shown(gathered, native_key(case_index)); each != nullptr && each->native) {
            heading(html, "seen", "What was answered");
            html << "<p>";
            named_chip(html, judge(*each->native).verdict, each->currency == Currency::stale);
            html << " on <a href=\"" << to(column_page(each->rank.column)) << "\">" << text(each->title, 160)
                 << "</a>. " << text(judge(*each->native).reason, 1000) << "</p>\n";
            probes_table(html, *each->native);
        }
    } else {
        heading(html, "program", "Program and control");
        side_by_side(html, tested.text);
        std::vector<CellKey> keys;
        for (const Route route : all_routes) {
            if (const Shown* each = find_shown(gathered, key_of(case_index, route)); each != nullptr && each->cell) {
                keys.push_back(key_of(case_index, route));
                shown.push_back(each);
            }
        }
        if (!keys.empty()) {
            heading(html, "seen", "What was seen");
            html << "<p>Of each route one run in full: the newest on a GPU, if possible of the case as it is here, and "
                    "with a timeline. All runs are in the table below.</p>\n";
        }
        for (std::size_t i = 0; i < keys.size(); ++i) {
            seen(html, gathered, *shown[i], keys[i]);
        }
    }
    heading(html, "cells", "Every column");
    cells_table(html, index, gathered.columns, case_index);
    if (!tested.notes.empty()) {
        heading(html, "notes", "Notes");
        for (const auto& [routes, note] : tested.notes) {
            html << "<p>" << (routes.empty() ? Markup("") : Markup("On ")) << text(routes)
                 << (routes.empty() ? Markup("") : Markup(": ")) << text(note, 4000) << "</p>\n";
        }
    }
    if (!tested.native) {
        machine(html, tested);
    }
    sources(html, tested, shown);
    replay(html, tested);
    reports(html, index, tested);
    return close_page(std::move(html), index.view());
}

std::string cases_page_html(const SuiteIndex& index) {
    Html html = open_page(cases_page(), "Cases", Tab::cases);
    html << "<p class=\"lead\">What was run: litmus programs, each with a control, and native checks, which ask the "
            "driver, the compiler or the "
            "device.</p>\n";
    std::string section;
    for (const SuiteCase& each : index.view().cases) {
        const std::string of = each.id.substr(0, each.id.find('/'));
        if (of != section) {
            html << (section.empty() ? Markup("") : Markup("</ul>\n"));
            section = of;
            heading(html, section, section);
            html << "<ul class=\"plain\">\n";
        }
        html << "<li>";
        case_link(html, index, each.id);
        html << " <span class=\"tag\">" << (each.native ? Markup("native check") : Markup("litmus")) << "</span> "
             << text(first_sentence(each.description), 300) << "</li>\n";
    }
    html << (section.empty() ? Markup("") : Markup("</ul>\n"));
    return close_page(std::move(html), index.view());
}

} // namespace pdlcts::site
