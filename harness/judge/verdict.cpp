// SPDX-License-Identifier: Apache-2.0
#include "harness/judge/judge.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr std::size_t longest_reason = 1000;

} // namespace

std::string cut_reason(std::string text) {
    if (text.size() > longest_reason) {
        std::size_t end = longest_reason - 4;
        while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) {
            --end;
        }
        text.resize(end);
        text += " ...";
    }
    return text;
}

bool is_negative(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
    case Verdict::unexplained:
    case Verdict::refuted:
    case Verdict::timeout:
    case Verdict::crash:
    case Verdict::device_error:
    case Verdict::harness_error:
    case Verdict::missing:
        return true;
    default:
        return false;
    }
}

StatementVerdict worst(std::span<const Verdict> verdicts) {
    if (verdicts.empty()) {
        return {};
    }
    const Verdict first = *std::min_element(verdicts.begin(), verdicts.end());
    return {first, static_cast<std::size_t>(std::count(verdicts.begin(), verdicts.end(), first)), verdicts.size()};
}

std::string_view name(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
        return "FAIL";
    case Verdict::unexplained:
        return "UNEXPLAINED";
    case Verdict::refuted:
        return "REFUTED";
    case Verdict::timeout:
        return "TIMEOUT";
    case Verdict::crash:
        return "CRASH";
    case Verdict::device_error:
        return "DEVICE ERROR";
    case Verdict::harness_error:
        return "HARNESS ERROR";
    case Verdict::pass:
        return "PASS";
    case Verdict::observed:
        return "OBSERVED";
    case Verdict::proved:
        return "PROVED";
    case Verdict::recorded:
        return "RECORDED";
    case Verdict::vacuous:
        return "VACUOUS";
    case Verdict::not_observed:
        return "NOT OBSERVED";
    case Verdict::not_decided:
        return "NOT DECIDED";
    case Verdict::not_supported:
        return "NOT SUPPORTED";
    case Verdict::missing:
        return "MISSING";
    }
    return "";
}

} // namespace pdlcts
