// SPDX-License-Identifier: Apache-2.0
#include "harness/export/header_text.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "harness/export/claim_text.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

/// A paragraph of the comment, indented by blanks behind the slashes.
void paragraph(CppText& out, std::string_view indentation, std::string_view words) {
    for (const std::string& line : wrapped(words, 115 - indentation.size())) {
        out.line(0, comment_line(std::string(indentation) + line));
    }
}

void section(CppText& out, std::string_view title) {
    out.line(0, "//");
    out.line(0, comment_line(title));
}

std::string title_of(const Ledger& ledger, const std::string& document) {
    const auto found = std::find_if(ledger.documents.begin(), ledger.documents.end(),
                                    [&](const Document& known) { return known.key == document; });
    return found == ledger.documents.end() ? document : found->title;
}

void write_statement(CppText& out, const Statement& statement, const Ledger& ledger) {
    section(out, "THE STATEMENT");
    paragraph(out, "  ", concat(statement.id, " (", name(statement.strength), ", ", name(statement.basis), ")"));
    paragraph(out, "  ", statement.text);
    for (const Source& source : statement.sources) {
        paragraph(out, "  ", concat("Source: ", title_of(ledger, source.document), ": ", source.section));
    }
    if (statement.basis == Basis::derived) {
        paragraph(out, "  ", "No document says this in one sentence; it is derived from what they say.");
    }
}

void write_case(CppText& out, const Reproduced& reproduced) {
    section(out, reproduced.control_alone ? "THE PROGRAM: the control of the case" : "THE CASE");
    for (const std::string& line : reproduced.listed->litmus.description) {
        out.line(0, comment_line("  " + line));
    }
    for (const Report& report : reproduced.listed->litmus.because) {
        out.line(0, comment_line("  Because of " + address(report)));
    }
    Litmus shown = reproduced.litmus;
    shown.description.clear();
    shown.checks.clear();
    shown.because.clear();
    shown.routes.clear();
    const std::string text = print(shown);
    out.line(0, "//");
    std::size_t at = 0;
    while (at < text.size()) {
        const std::size_t end = std::min(text.find('\n', at), text.size());
        out.line(0, comment_line("    " + text.substr(at, end - at)));
        at = end + 1;
    }
    if (reproduced.litmus.control) {
        out.line(0, "//");
        paragraph(
            out, "  ",
            "Lines that begin with - are left out of the control, lines that begin with + are in the control alone. "
            "Each instruction is the PTX instruction of its name; trigger is griddepcontrol.launch_dependents and "
            "wait is griddepcontrol.wait.");
    }
}

void write_never(CppText& out, const Reproduced& reproduced, const std::string& condition) {
    const bool control = reproduced.litmus.control.has_value();
    paragraph(out, "  ", concat("No trial of the program may end with: ", condition));
    if (control) {
        paragraph(out, "  ",
                  "The control, which lacks what the guarantee comes from, must show that: else the absence of "
                  "violations in the program proves nothing.");
    }
    if (!is_judged(reproduced) || is_undocumented(reproduced)) {
        paragraph(out, "  ", "RECORDED: no document settles this, so that no verdict is drawn.");
        return;
    }
    paragraph(out, "  ", "FAIL: at least one trial of the program ended so. Another run does not take that back.");
    paragraph(out, "  ", "PASS: none did, in at least 1000 armed trials, and the control did in at least 21.");
    paragraph(out, "  ", "VACUOUS: none did, but that proves nothing; the reason follows.");
}

void write_sometimes(CppText& out, const std::string& condition) {
    paragraph(out, "  ", concat("Some trial of the program may end with: ", condition));
    paragraph(out, "  ", "The control, which lacks the cause, must never.");
    paragraph(out, "  ", "OBSERVED: it was seen in the program, and never in the control.");
    paragraph(out, "  ", "NOT OBSERVED: it was not seen, or in the control too. That is no failure.");
}

void write_expectation(CppText& out, const Reproduced& reproduced) {
    const Claim& claim = reproduced.litmus.program.claim;
    section(out, "WHAT IS CLAIMED, AND HOW TO READ THE VERDICT");
    if (reproduced.control_alone) {
        paragraph(out, "  ",
                  concat("The control is expected to ", claim.sometimes ? "never show: " : "show: ",
                         claim.never       ? print(*claim.never)
                         : claim.sometimes ? print(*claim.sometimes)
                                           : "-"));
        paragraph(out, "  ",
                  claim.sometimes ? "CONTROL DOES NOT SHOW IT, or CONTROL SHOWS IT TOO: then the case has "
                                    "another cause than it names."
                                  : "CONTROL VIOLATED: in at least 21 armed trials, so that the case can tell the "
                                    "two apart; else CONTROL NOT VIOLATED.");
    } else if (reproduced.two_forms()) {
        paragraph(out, "  ",
                  "A capture and the graph that is built by hand from the documented edges are the same: PASS if "
                  "the driver has the documented edges, other ones for the control, and both forms come to the "
                  "same verdict on:");
        paragraph(out, "  ", claim.never ? "never " + print(*claim.never) : "sometimes " + print(*claim.sometimes));
        paragraph(out, "  ",
                  "FAIL: the driver has other edges. VACUOUS: the two forms cannot be told from the control.");
    } else if (claim.never) {
        write_never(out, reproduced, print(*claim.never));
    } else if (claim.sometimes) {
        write_sometimes(out, print(*claim.sometimes));
    }
    if (claim.ends && !reproduced.control_alone) {
        paragraph(out, "  ", "Every trial ends: a missed deadline is a FAIL.");
    }
    if (claim.armed) {
        paragraph(out, "  ",
                  concat("A trial is armed if it ends with: ", print(*claim.armed),
                         " - then the situation that the case is about really arose in it."));
    }
    paragraph(out, "  ",
              "UNEXPLAINED: an outcome that the specification does not allow of program or control. All that it "
              "allows was computed by the suite's abstract machine and is a list in this file.");
}

} // namespace

void write_header(CppText& out, const Reproduced& reproduced, const Ledger& ledger) {
    const std::string& id = reproduced.listed->id;
    out.line(0, "// SPDX-License-Identifier: Apache-2.0");
    out.line(0, "//");
    paragraph(out, "",
              concat(id, reproduced.control_alone ? ", its control," : "", " on route ", name(reproduced.route()),
                     reproduced.two_forms() ? ", compared with edges" : ""));
    paragraph(out, "",
              concat("A reproducer written by ", reproduced.suite,
                     ", the conformance suite for Programmatic "
                     "Dependent Launch (PDL). It needs the CUDA runtime and nothing else."));
    section(out, "BUILD AND RUN (CUDA Toolkit 12.4 or newer; a GPU of compute capability 9.0 or higher)");
    out.line(0, "//   nvcc -arch=sm_90 -o reproducer THIS_FILE.cu && ./reproducer [trials]");
    paragraph(out, "  ", "For a GPU that is not of compute capability 9.0, name its own architecture instead.");
    paragraph(out, "  ",
              "Exit code 0: the verdict does not speak against the device. 1: it does. 2: the command line is "
              "wrong. 3: a call failed, and there is no verdict.");
    if (!reproduced.listed->statement.empty()) {
        write_statement(out, reproduced.statement, ledger);
    }
    write_case(out, reproduced);
    write_expectation(out, reproduced);
}

} // namespace pdlcts
