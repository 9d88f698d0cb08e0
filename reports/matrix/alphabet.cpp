// SPDX-License-Identifier: Apache-2.0
#include "conformance/support/concat.hpp"
#include "reports/matrix/table.hpp"

namespace pdlcts {
namespace {

struct Entry {
    char letter;
    std::string_view meaning;
};

Entry entry(Verdict verdict) {
    switch (verdict) {
    case Verdict::fail:
        return {'F', "a trial broke the statement"};
    case Verdict::unexplained:
        return {'U', "seen, though the specification forbids it"};
    case Verdict::refuted:
        return {'X', "no consequence of the specification"};
    case Verdict::timeout:
        return {'T', "a deadline was missed"};
    case Verdict::crash:
        return {'C', "the worker died"};
    case Verdict::device_error:
        return {'D', "the device reported an error"};
    case Verdict::harness_error:
        return {'H', "the suite is at fault"};
    case Verdict::pass:
        return {'P', "holds, and its control does not"};
    case Verdict::observed:
        return {'O', "the effect was seen, not in the control"};
    case Verdict::proved:
        return {'+', "a consequence of the specification"};
    case Verdict::recorded:
        return {'R', "seen and written down, not judged"};
    case Verdict::vacuous:
        return {'V', "the run could not have shown it"};
    case Verdict::not_observed:
        return {'-', "the effect was not seen"};
    case Verdict::not_decided:
        return {'?', "the abstract machine met a limit"};
    case Verdict::not_supported:
        return {'N', "not offered by this column"};
    case Verdict::missing:
        return {'M', "no evidence"};
    }
    return {' ', ""};
}

} // namespace

char letter(Verdict verdict) {
    return entry(verdict).letter;
}

std::string_view meaning(Verdict verdict) {
    return entry(verdict).meaning;
}

std::string print(const StatementVerdict& verdict) {
    return concat(letter(verdict.verdict), " ", verdict.sharing, "/", verdict.of);
}

} // namespace pdlcts
