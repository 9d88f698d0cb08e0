// SPDX-License-Identifier: Apache-2.0
#include "reports/site/pages.hpp"

#include "conformance/support/concat.hpp"

#include <algorithm>

namespace pdlcts::site {
namespace {

void rules(Html& html, const SuiteIndex& index) {
    heading(html, "rules", "Its rules");
    html << "<div class=\"scroll\" role=\"group\" tabindex=\"0\" aria-label=\"Rules\"><table "
            "class=\"rules\"><caption>Grids: each rule with the statements that it "
            "implements</caption><thead><tr><th scope=\"col\">rule</th><th "
            "scope=\"col\">statements</th></tr></thead><tbody>\n";
    for (const SuiteRule& rule : index.view().rules) {
        html << "<tr><td>" << text(rule.rule, 2000) << "</td><td>";
        for (const std::string& id : rule.statements) {
            html << (&id == &rule.statements.front() ? Markup("") : Markup("<br>"));
            statement_link(html, index, id);
        }
        html << "</td></tr>\n";
    }
    html << "</tbody></table></div>\n";
    if (!index.view().memory_rules.empty()) {
        html << "<h3>Memory</h3>\n<p>PTX's memory consistency model, literally. Beside it:</p>\n<ul>";
        for (const std::string& rule : index.view().memory_rules) {
            html << "<li>" << text(rule, 2000) << "</li>\n";
        }
        html << "</ul>\n";
    }
}

void cases_list(Html& html, const SuiteIndex& index, const SuiteFault& fault) {
    html << "<details><summary>" << counted(fault.killed_by.size(), "case", "cases") << ", "
         << Grouped{fault.failed_by.size()} << " by a FAIL</summary><ul class=\"codes\">";
    for (const std::string& id : fault.killed_by) {
        const bool fails = std::find(fault.failed_by.begin(), fault.failed_by.end(), id) != fault.failed_by.end();
        html << "<li>";
        case_link(html, index, id);
        html << (fails ? Markup(" <span class=\"tag\">FAIL</span></li>") : Markup("</li>"));
    }
    html << "</ul></details>";
}

/// Sections across, faults down: how many cases of a section notice the fault.
void kill_matrix(Html& html, const SuiteIndex& index) {
    std::vector<std::string> sections;
    for (const SuiteCase& tested : index.view().cases) {
        const std::string section = tested.id.substr(0, tested.id.find('/'));
        if (!tested.native && std::find(sections.begin(), sections.end(), section) == sections.end()) {
            sections.push_back(section);
        }
    }
    html << "<div class=\"matrix kills\" role=\"region\" tabindex=\"0\" aria-label=\"Kill matrix\"><table><caption>How "
            "many cases of each section notice a "
            "fault; in bold where one of them does by a FAIL</caption><thead><tr class=\"columns\"><th "
            "scope=\"col\">fault</th>";
    for (const std::string& section : sections) {
        html << "<th scope=\"col\">" << text(section) << "</th>";
    }
    html << "</tr></thead><tbody>\n";
    for (const SuiteFault& fault : index.view().faults) {
        html << "<tr><th scope=\"row\"><a class=\"id\" href=\"" << to(machine_page().at("fault-" + fault.name)) << "\">"
             << text(fault.name) << "</a></th>";
        for (const std::string& section : sections) {
            const auto of_section = [&](const std::string& id) { return id.starts_with(section + "/"); };
            const auto killed = std::count_if(fault.killed_by.begin(), fault.killed_by.end(), of_section);
            const auto failed = std::count_if(fault.failed_by.begin(), fault.failed_by.end(), of_section);
            if (killed == 0) {
                html << "<td></td>";
            } else if (failed != 0) {
                html << "<td class=\"number killed\"><b>" << static_cast<std::uint64_t>(killed) << "</b></td>";
            } else {
                html << "<td class=\"number killed\">" << static_cast<std::uint64_t>(killed) << "</td>";
            }
        }
        html << "</tr>\n";
    }
    html << "</tbody></table></div>\n";
}

} // namespace

std::string machine_page_html(const SuiteIndex& index) {
    const SuiteView& view = index.view();
    Html html = open_page(machine_page(), "The abstract machine", Tab::machine);
    html << "<p class=\"lead\">The specification as a program: it explores every execution of a case and says which "
            "outcomes are allowed. It proves each "
            "case's claim and refutes its control before a GPU is asked. It must never be stronger than the "
            "specification, or it would prove what "
            "nobody promises.</p>\n";
    rules(html, index);
    heading(html, "faults", "Its faults");
    html << "<p>To know that the suite notices, each rule is broken, one at a time, and every case is run on the "
            "faulty machine: "
         << Grouped{view.killed_faults} << " of " << Grouped{view.faults_that_count}
         << " faults that anybody could notice are noticed.</p>\n";
    kill_matrix(html, index);
    html << "<h3>Each fault</h3>\n";
    for (const SuiteFault& fault : view.faults) {
        html << "<section class=\"case\" id=\"" << text(slug("fault-" + fault.name)) << "\"><h4><code>"
             << text(fault.name) << "</code></h4><p>" << text(fault.change, 800) << " It breaks ";
        statement_link(html, index, fault.statement);
        html << ".</p><p class=\"of\">" << text(fault.cause, 1200) << "</p>";
        if (!fault.reports.empty()) {
            html << "<p class=\"of\">Suspected or met in " << text(fault.reports, 400) << ".</p>";
        }
        if (!fault.equivalent_because.empty()) {
            html << "<p>Nobody could notice it: " << text(fault.equivalent_because, 800) << "</p>";
        }
        cases_list(html, index, fault);
        html << "</section>\n";
    }
    return close_page(std::move(html), index.view());
}

} // namespace pdlcts::site
