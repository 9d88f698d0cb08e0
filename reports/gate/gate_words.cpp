// SPDX-License-Identifier: Apache-2.0
#include "reports/gate/gate_report.hpp"

#include "conformance/support/concat.hpp"
#include "reports/matrix/plain_text.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

std::string counted(std::size_t count, const char* one, const char* many) {
    return concat(count, " ", count == 1 ? one : many);
}

/// The text as one word of a POSIX shell.
std::string shell_word(const std::string& text) {
    const std::string plain = plain_text(text);
    const bool harmless =
        !plain.empty() && plain.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                                  "0123456789-_./") == std::string::npos;
    if (harmless) {
        return plain;
    }
    std::string quoted = "'";
    for (const char c : plain) {
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    }
    return quoted + "'";
}

} // namespace

std::string_view name(CellRule rule) {
    switch (rule) {
    case CellRule::holds:
        return "holds";
    case CellRule::not_promised:
        return "not-promised";
    case CellRule::not_supported:
        return "not-supported";
    case CellRule::as_in_baseline:
        return "as-in-baseline";
    case CellRule::against:
        return "against";
    case CellRule::no_evidence:
        return "no-evidence";
    case CellRule::lost_evidence:
        return "lost-evidence";
    case CellRule::gone:
        return "gone";
    case CellRule::no_device:
        return "no-device";
    }
    return "";
}

std::string_view name(GateProblemRule rule) {
    switch (rule) {
    case GateProblemRule::empty:
        return "empty";
    case GateProblemRule::no_device:
        return "no-device";
    case GateProblemRule::sampled:
        return "sampled";
    case GateProblemRule::contradiction:
        return "contradiction";
    case GateProblemRule::partial:
        return "partial";
    case GateProblemRule::quick:
        return "quick";
    case GateProblemRule::dirty:
        return "dirty";
    case GateProblemRule::other_suite:
        return "other-suite";
    case GateProblemRule::list_changed:
        return "list-changed";
    case GateProblemRule::bad_baseline:
        return "bad-baseline";
    case GateProblemRule::waiver_expired:
        return "waiver-expired";
    case GateProblemRule::waiver_unused:
        return "waiver-unused";
    case GateProblemRule::waiver_over_broad:
        return "waiver-over-broad";
    }
    return "";
}

std::string_view name(Disposition disposition) {
    switch (disposition) {
    case Disposition::passes:
        return "passes";
    case Disposition::waived:
        return "waived";
    case Disposition::fails:
        return "fails";
    }
    return "";
}

std::string gate_line(const GateReport& report) {
    const std::size_t passing = report.count(Disposition::passes);
    const std::size_t waived = report.count(Disposition::waived);
    const std::size_t failing = report.count(Disposition::fails);
    const auto wrong_waivers =
        static_cast<std::size_t>(std::count_if(report.problems.begin(), report.problems.end(),
                                               [](const GateProblem& problem) { return bool(problem.waiver); }));
    const std::size_t others = report.problems.size() - wrong_waivers;
    std::string text;
    const auto add = [&](std::size_t count, const char* one, const char* many) {
        text += count == 0 ? "" : concat(text.empty() ? "" : ", ", counted(count, one, many));
    };
    add(failing, "cell fails", "cells fail");
    add(wrong_waivers, "complaint of a waiver", "complaints of waivers");
    add(others, "problem of the run", "problems of the run");
    add(passing, "cell passes", "cells pass");
    add(waived, "cell is waived", "cells are waived");
    return concat(report.open() ? "open: " : "shut: ", text);
}

std::string reproduce_command(const CellKey& key) {
    const std::string route = key.route == "native" ? "" : " --route " + shell_word(key.route);
    return concat("pdlcts run --on gpu --case ", shell_word(key.case_id), route);
}

std::string case_file(const CellKey& key) {
    return concat("cases/", plain_text(key.case_id), key.route == "native" ? ".check" : ".litmus");
}

} // namespace pdlcts
