// SPDX-License-Identifier: Apache-2.0
#include "reports/results/results.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/results/json.hpp"
#include "reports/results/message.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace pdlcts {
namespace {

/// Differences of one file, a line each.
struct Findings {
    std::string_view file_name;
    std::vector<std::string> lines;

    void add(const std::string& path, const std::string& what) {
        lines.push_back(concat(file_name, ": ", path, ": ", what));
    }
};

std::string shown(const Json& json) {
    const auto* text = json.as<std::string>();
    return text != nullptr ? in_quotes(*text) : print(json, JsonLayout::compact);
}

double number(const Json& json) {
    const auto* whole = json.as<std::uint64_t>();
    const auto* fraction = json.as<double>();
    return whole != nullptr ? static_cast<double>(*whole) : fraction != nullptr ? *fraction : std::nan("");
}

/// 0 and 0.0 are one number, and the last digits of an exponential differ between mathematics libraries.
bool same(const Json& stated, const Json& derived) {
    if (stated == derived) {
        return true;
    }
    const bool fractions = stated.as<double>() != nullptr || derived.as<double>() != nullptr;
    return fractions && std::abs(number(stated) - number(derived)) <= 1e-9 * std::abs(number(derived));
}

/// The file beside the one that its evidence makes. Both have passed read_json, so their shapes agree, and evidence
/// is copied: only what is derived can differ.
void compare(const Json& stated, const Json& derived, const std::string& path, Findings& findings) {
    if (const auto* object = stated.as<Json::Object>()) {
        std::map<std::string_view, const Json*> values;
        for (const auto& [key, value] : *derived.as<Json::Object>()) {
            values.emplace(key, &value);
        }
        for (const auto& [key, value] : *object) {
            // A list that may be absent is left out where it is empty.
            if (const auto known = values.find(key); known != values.end()) {
                compare(value, *known->second, path + pointer_step(key), findings);
            } else {
                findings.add(path + pointer_step(key), "an empty list, which the suite leaves out");
            }
        }
    } else if (const auto* list = stated.as<Json::List>()) {
        for (std::size_t i = 0; i < list->size(); ++i) {
            compare((*list)[i], derived.as<Json::List>()->at(i), path + '/' + std::to_string(i), findings);
        }
    } else if (!same(stated, derived)) {
        const char* why = path == "/digest" ? "; the evidence was changed after the run" : "";
        findings.add(path, concat("the file says ", shown(stated), ", its evidence says ", shown(derived), why));
    }
}

template <typename AnyCell>
void compare_statement(const AnyCell& cell, const std::string& path, const Ledger& ledger, Findings& findings) {
    if (cell.statement.empty()) {
        if (cell.strength != Strength::guarantee || cell.basis != Basis::read) {
            findings.add(path, "a case that names no statement is judged as a guarantee (read), the file says " +
                                   concat(name(cell.strength), " (", name(cell.basis), ")"));
        }
        return;
    }
    const Statement* statement = find_statement(ledger, cell.statement);
    if (statement == nullptr) {
        findings.add(path + "/statement", "the ledger has no statement " + in_quotes(cell.statement));
        return;
    }
    if (cell.strength != statement->strength) {
        findings.add(path + "/strength",
                     concat("the file says ", name(cell.strength), ", the ledger says ", name(statement->strength)));
    }
    if (cell.basis != statement->basis) {
        findings.add(path + "/basis",
                     concat("the file says ", name(cell.basis), ", the ledger says ", name(statement->basis)));
    }
}

void compare_time(const RunTime& time, const std::string& path, Findings& findings) {
    if (time.launch_seconds > time.seconds) {
        findings.add(path + "/time", "the launches took longer than everything together");
    }
}

void compare_instances(const Tally& tally, const Instances& instances, const std::string& path, Findings& findings) {
    if (tally.trials() != instances.launches * instances.blocks) {
        findings.add(path, concat(tally.trials(), " instances were counted; ", instances.launches, " launches of ",
                                  instances.blocks, " blocks have ", instances.launches * instances.blocks));
    }
}

/// How a form was run, as far as the file shows it.
void compare_running(const Form& form, const std::string& path, Findings& findings) {
    if (form.branches && *form.branches == 0) {
        findings.add(path + "/branches", "trials ran, and in no branch");
    }
    if (form.time) {
        compare_time(*form.time, path, findings);
    }
    if (!form.instances) {
        return;
    }
    const std::string where = path + "/instances";
    compare_time(form.instances->time, where, findings);
    compare_instances(form.instances->program, *form.instances, where, findings);
    if (form.instances->control) {
        compare_instances(*form.instances->control, *form.instances, where + "/control", findings);
    }
    if (form.instances->control.has_value() != form.control.has_value()) {
        findings.add(where, "instances of the program and trials of a control, or the other way round");
    }
}

/// The trials by variation are those of the tally, each once.
void check_variations(const Observation& observation, const std::string& path, Findings& findings) {
    if (observation.variations.empty()) {
        return;
    }
    Tally sum;
    for (const auto& [variation, tally] : observation.variations) {
        for (const auto& [outcome, count] : tally.outcomes) {
            sum.outcomes[outcome] += count;
        }
        sum.unwritten += tally.unwritten;
    }
    if (sum != observation.tally) {
        findings.add(path + "/variations", "the trials of all variations together are not those of the outcomes");
    }
}

void check_latencies(const PollLatencies& latencies, const std::string& path, Findings& findings) {
    if (latencies.satisfied > latencies.trials) {
        findings.add(path, concat("satisfied in ", latencies.satisfied, " of ", latencies.trials, " trials"));
    }
    if (latencies.median_ns > latencies.high_ns) {
        findings.add(path, "the median is above the quantile of 95 %");
    }
    if (latencies.satisfied == 0 && latencies.high_ns != 0) {
        findings.add(path, "a latency of a poll that was never satisfied");
    }
}

/// What holds of every calibration: no poll waits longer than the case says, nor shorter than it was seen to need, and
/// one that was never satisfied waits as long as the case says.
void check_windows(const Form& form, const std::string& path, Findings& findings) {
    for (std::size_t i = 0; i < form.windows.size(); ++i) {
        const PollWindow& window = form.windows[i];
        const std::string at = concat(path, "/windows/", i);
        std::uint64_t longest = 0;
        std::uint64_t satisfied = 0;
        for (const auto& [key, latencies] : {std::pair{"/program", &window.program}, {"/control", &window.control}}) {
            if (*latencies) {
                check_latencies(**latencies, at + key, findings);
                longest = std::max(longest, (*latencies)->high_ns);
                satisfied += (*latencies)->satisfied;
            }
        }
        if (window.window_ns > window.ceiling_ns) {
            findings.add(at, concat("a window of ", window.window_ns, " ns under a ceiling of ", window.ceiling_ns));
        }
        if (window.window_ns < std::min(longest, window.ceiling_ns) ||
            (satisfied == 0 && window.window_ns != window.ceiling_ns)) {
            findings.add(at, concat("a window of ", window.window_ns, " ns that its pilot does not give"));
        }
    }
}

void check_form(const Form& form, const std::string& path, Findings& findings) {
    check_variations(form.program, path, findings);
    if (form.control) {
        check_variations(*form.control, path + "/control", findings);
    }
    check_windows(form, path, findings);
    compare_running(form, path, findings);
}

/// Sampled executions of the abstract machine and runs of a device are never one file, and every cell says which it is.
void check_origin(const Results& results, Findings& findings) {
    const std::optional<std::string>& fault = results.environment.fault;
    const std::string image = fault ? concat(sampled_image, *fault) : "";
    for (std::size_t i = 0; i < results.cells.size(); ++i) {
        const Cell& cell = results.cells[i];
        const std::string path = concat("/cells/", i, "/image");
        if (fault && !cell.image.empty() && cell.image != image) {
            findings.add(path, concat("the environment says that a machine with the fault ", in_quotes(*fault),
                                      " ran, the cell says ", in_quotes(cell.image)));
        }
        if (!fault && cell.image.starts_with(sampled_image)) {
            findings.add(path, "the cell says that executions were sampled, the environment that a device ran");
        }
    }
    if (fault && !results.native.empty()) {
        findings.add("/native", "native checks in a file of sampled executions, which ask no driver");
    }
}

} // namespace

std::vector<std::string> verify(std::string_view text, std::string_view file_name, const Ledger& ledger) {
    const Result<Results> results = read_json(text, file_name);
    if (!results) {
        return {results.error().message};
    }
    Findings findings{file_name, {}};
    compare(*parse_json(text, file_name), *parse_json(write_json(*results), file_name), "", findings);

    std::map<std::pair<std::string, Route>, std::size_t> seen;
    for (std::size_t i = 0; i < results->cells.size(); ++i) {
        const Cell& cell = results->cells[i];
        const std::string path = concat("/cells/", i);
        const auto [first, fresh] = seen.emplace(std::pair{cell.case_id, cell.form.route}, i);
        if (!fresh) {
            findings.add(path, concat("the same case and route as /cells/", first->second, ": ",
                                      in_quotes(cell.case_id), " ", name(cell.form.route)));
        }
        compare_statement(cell, path, ledger, findings);
        check_form(cell.form, path, findings);
        if (cell.other_form) {
            check_form(*cell.other_form, path + "/other_form", findings);
        }
    }
    check_origin(*results, findings);
    std::map<std::string, std::size_t> seen_native;
    for (std::size_t i = 0; i < results->native.size(); ++i) {
        const NativeCell& cell = results->native[i];
        const std::string path = concat("/native/", i);
        const auto [first, fresh] = seen_native.emplace(cell.case_id, i);
        if (!fresh) {
            findings.add(path, concat("the same case as /native/", first->second, ": ", in_quotes(cell.case_id)));
        }
        compare_statement(cell, path, ledger, findings);
    }
    return findings.lines;
}

std::vector<std::string> verify(std::string_view text, std::string_view file_name) {
    return verify(text, file_name, embedded_ledger());
}

} // namespace pdlcts
