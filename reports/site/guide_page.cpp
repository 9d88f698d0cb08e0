// SPDX-License-Identifier: Apache-2.0
#include "reports/site/pages.hpp"

#include "reports/matrix/table.hpp"

namespace pdlcts::site {
namespace {

void verdict(Html& html, Verdict verdict, Markup says) {
    html << "<dt id=\"" << text(slug(name(verdict))) << "\">";
    named_chip(html, verdict);
    html << "</dt><dd>" << says << "</dd>\n";
}

void taxonomy(Html& html) {
    heading(html, "verdicts", "The verdicts");
    html << "<dl class=\"verdicts\">\n";
    verdict(html, Verdict::pass,
            "No trial violated the guarantee, in at least 1,000 armed trials (100 in a quick run, and marked). In the "
            "same run the control, which lacks what "
            "gives the guarantee, was violated in at least 21 armed trials: had the program behaved like it, the "
            "chance to have missed that is below one in a "
            "billion.");
    verdict(html, Verdict::fail,
            "At least one trial violated the guarantee, or a definition or a refusal that the documents name does not "
            "hold. For a race the "
            "one bad trial is the finding: a second run never takes it back.");
    verdict(html, Verdict::vacuous,
            "Nothing was violated, and that proves nothing: the situation did not arise, the control was not violated, "
            "or there were too "
            "few trials. The cell says which.");
    verdict(html, Verdict::unexplained,
            "An outcome that the abstract machine does not allow: the machine, the suite or the device is wrong. It is "
            "never "
            "explained away.");
    verdict(html, Verdict::observed,
            "A permission, or a hazard, showed itself in the program and never in its control. It may happen; nobody "
            "promises that it does.");
    verdict(html, Verdict::not_observed, "It did not show itself. That is no failure: nobody promises overlap.");
    verdict(html, Verdict::recorded,
            "No document settles the question. What was seen is written down and judged by nobody. The next driver may "
            "do otherwise.");
    verdict(html, Verdict::proved,
            "The abstract machine's answer where no GPU ran: the claim follows from the specification. It says nothing "
            "of a device.");
    verdict(html, Verdict::refuted, "The same: the claim does not follow.");
    verdict(html, Verdict::not_decided, "The same: the search met a limit.");
    verdict(html, Verdict::timeout, "A deadline was missed, where termination was not itself the claim.");
    verdict(html, Verdict::crash, "The process that ran the cell died.");
    verdict(html, Verdict::device_error, "The device or the driver reported an error.");
    verdict(html, Verdict::harness_error, "The suite itself is at fault: its own checks of a trial failed.");
    verdict(html, Verdict::not_supported,
            "This GPU, driver or toolkit does not offer it. Found out by a query, before anything is launched.");
    verdict(html, Verdict::missing, "There is no evidence. An empty set is never a pass.");
    html << "</dl>\n";
}

} // namespace

std::string guide_page_html(const SuiteIndex& index) {
    Html html = open_page(guide_page(), "What a pass means, and what not", Tab::guide);
    html << "<p class=\"lead\">Programmatic Dependent Launch lets a kernel start before the kernel it depends on has "
            "ended. What a program may rely on in that time "
            "is written in several documents, some of which disagree. This site holds what they say against what "
            "devices do.</p>\n";
    heading(html, "means", "A pass means");
    html << "<ul><li>The sentence is a promise of the specification: read in a document, or derived from what "
            "documents say, which is then marked <span "
            "class=\"derived\">*</span>.</li><li>A small program that rests on it ran at least 1,000 times in the "
            "situation that the sentence is about "
            "(<em>armed</em> trials), and no trial violated it.</li><li>Its control - the same program without the one "
            "line that gives the guarantee - ran beside it, "
            "trial by trial, and was violated. So a violation could be seen, and would have been.</li><li>The abstract "
            "machine has proved the claim and refuted the "
            "control, from the specification alone.</li></ul>\n";
    heading(html, "means-not", "It does not mean");
    html << "<ul><li>That the guarantee holds in every program. Trials never prove; they bound: with n clean armed "
            "trials a rate of violations above 1 - 0.05"
            "<sup>1/n</sup> is ruled out with 95 % confidence, and each cell says that bound.</li><li>That it holds on "
            "another GPU, driver or toolkit: look at that "
            "column.</li><li>That kernels overlap. Overlap is always a permission. A program has to be right when "
            "kernels overlap, and when they do not.</li><li>That "
            "what is RECORDED may be relied on. Nobody has promised it.</li></ul>\n";
    heading(html, "statement", "From cells to a statement");
    html << "<p>A cell is one case on one route: <code>stream</code> (launches into streams), <code>captured</code> "
            "(the same under stream capture, replayed as a "
            "graph), <code>edges</code> (a graph built by hand), and for some cases <code>cloned</code>, "
            "<code>child</code>, <code>updated</code> and "
            "<code>driver</code>. A statement shows the worst verdict of its cells, in this order: FAIL, UNEXPLAINED, "
            "REFUTED, TIMEOUT, CRASH, DEVICE ERROR, HARNESS "
            "ERROR, PASS, OBSERVED, PROVED, RECORDED, VACUOUS, NOT OBSERVED, NOT DECIDED, NOT SUPPORTED, MISSING. 2/3 "
            "beside it: two of its three cells share "
            "it.</p>\n<p>A cell marked <span class=\"stale\">\u2020</span> ran an earlier version of its case: the "
            "digest in the results file is not the one "
            "that this suite gives the case. It speaks of that earlier version and is no evidence for this one.</p>\n";
    taxonomy(html);
    heading(html, "strengths", "The strengths of a statement");
    html << "<dl class=\"facts\"><dt>guarantee</dt><dd>promised. PASS, FAIL, VACUOUS or "
            "UNEXPLAINED.</dd><dt>equivalence</dt><dd>two forms mean the same, such as "
            "a captured launch and a graph edge. PASS or FAIL.</dd><dt>definition</dt><dd>what something is; asked of "
            "the driver or the compiler.</dd><dt>requirement</dt><dd>"
            "what the program has to see to. Where the interface refuses the illegal call: PASS. Where nothing refuses "
            "it: OBSERVED when the hazard was shown.</dd>"
            "<dt>permission</dt><dd>may happen. OBSERVED or NOT OBSERVED.</dd><dt>unspecified</dt><dd>settled by no "
            "document. RECORDED.</dd></dl>\n";
    heading(html, "check", "Check it yourself");
    html << "<p>The page of a litmus program has a reproducer, if it can have one: a CUDA file without dependencies. "
            "<code>pdlcts verify "
            "results.json</code> derives every verdict of a results file "
            "again from the outcomes in it; it shows that a file is consistent, not who wrote it. Results files come "
            "from anybody: this site shows them as they are, "
            "and a file that contradicts itself says so on its page.</p>\n";
    return close_page(std::move(html), index.view());
}

} // namespace pdlcts::site
