// SPDX-License-Identifier: Apache-2.0
#include "reports/results/results.hpp"

#include "conformance/litmus/printer.hpp"
#include "conformance/support/concat.hpp"
#include "reports/results/place.hpp"
#include "reports/results/read_json.hpp"
#include "reports/results/write_json.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

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

/// The file beside the one that its evidence makes, value by value, as that one is written. Both have passed read_json,
/// so their shapes agree, and evidence is copied: only what is derived can differ.
class FileComparison final : public JsonSink {
public:
    FileComparison(const JsonNode& stated, Findings& findings) : stated_(stated), findings_(findings) {}

    void begin_object() override { open(); }
    void end_object() override { close(); }
    void begin_list() override { open(); }
    void end_list() override { close(); }
    void key(std::string_view key) override {
        Container& object = open_.back();
        if (object.next == object.node->end() || object.next->key() != key) {
            object.next = find(object, key);
        }
    }
    void null() override { take(); }
    void boolean(bool value) override {
        const JsonNode& stated = take();
        if (!stated.is(JsonNode::Kind::boolean) || stated.boolean() != value) {
            differs(stated, value ? "true" : "false");
        }
    }
    void whole(std::uint64_t value) override {
        const JsonNode& stated = take();
        if (!(stated.is(JsonNode::Kind::whole) && stated.whole() == value) &&
            !(stated.is(JsonNode::Kind::fraction) && alike(stated.fraction(), static_cast<double>(value)))) {
            differs(stated, std::to_string(value));
        }
    }
    void negative(std::int64_t value) override {
        const JsonNode& stated = take();
        if (!stated.is(JsonNode::Kind::negative) || stated.negative() != value) {
            differs(stated, std::to_string(value));
        }
    }
    void fraction(double value) override {
        const JsonNode& stated = take();
        const double number = stated.is(JsonNode::Kind::whole)      ? static_cast<double>(stated.whole())
                              : stated.is(JsonNode::Kind::fraction) ? stated.fraction()
                                                                    : std::nan("");
        if (!alike(number, value)) {
            differs(stated, print(Json(value), JsonLayout::compact));
        }
    }
    void text(std::string_view value) override {
        const JsonNode& stated = take();
        if (!stated.is(JsonNode::Kind::text) || stated.text() != value) {
            differs(stated, in_quotes(value));
        }
    }

private:
    struct Container {
        const JsonNode* node = nullptr;
        JsonNode::Iterator next; ///< the value that is compared next
        std::size_t compared = 0;
        /// Where keys stand in another order.
        std::unique_ptr<std::map<std::string_view, const JsonNode*>> by_key;
    };

    const JsonNode& stated_;
    Findings& findings_;
    std::vector<Container> open_;

    /// The last digits of an exponential differ between mathematics libraries.
    static bool alike(double stated, double derived) {
        return stated == derived || std::abs(stated - derived) <= 1e-9 * std::abs(derived);
    }
    static JsonNode::Iterator find(Container& object, std::string_view key) {
        if (!object.by_key) {
            object.by_key = std::make_unique<std::map<std::string_view, const JsonNode*>>();
            for (const JsonNode& entry : *object.node) {
                object.by_key->emplace(entry.key(), &entry);
            }
        }
        return JsonNode::Iterator(object.by_key->at(key));
    }
    const JsonNode& take() {
        if (open_.empty()) {
            return stated_;
        }
        ++open_.back().compared;
        return *open_.back().next++;
    }
    void open() {
        const JsonNode& node = take();
        open_.push_back({&node, node.begin(), 0, {}});
    }
    void close() {
        const Container& container = open_.back();
        if (container.compared != container.node->size()) {
            report_left_out(container);
        }
        open_.pop_back();
    }
    /// What may be absent is left out where it is empty.
    void report_left_out(const Container& container) {
        std::size_t left_out = container.node->size() - container.compared;
        for (const JsonNode& entry : *container.node) {
            const bool list = entry.is(JsonNode::Kind::list) || entry.is(JsonNode::Kind::object);
            if (list && entry.size() == 0 && may_be_absent(entry.key())) {
                findings_.add(path() + pointer_step(entry.key()), "an empty list, which the suite leaves out");
                --left_out;
            }
        }
        if (left_out > 0) {
            findings_.add(path().empty() ? "/" : path(), "a key that the suite leaves out, as its value is empty");
        }
    }
    static bool may_be_absent(std::string_view key) {
        return key == "variations" || key == "windows" || key == "latency" || key == "native" || key == "tries" ||
               key == "tools";
    }
    std::string path() const {
        std::string path;
        for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
            path += step(*open_[i].node, *open_[i + 1].node, open_[i].compared);
        }
        return path;
    }
    static std::string step(const JsonNode& container, const JsonNode& entry, std::size_t compared) {
        return container.is(JsonNode::Kind::list) ? '/' + std::to_string(compared - 1) : pointer_step(entry.key());
    }
    void differs(const JsonNode& stated, const std::string& derived) {
        const std::string where = open_.empty() ? "" : path() + step(*open_.back().node, stated, open_.back().compared);
        const char* why = where == "/digest" ? "; the evidence was changed after the run" : "";
        findings_.add(where, concat("the file says ", found_instead(stated), ", its evidence says ", derived, why));
    }
};

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
    std::map<std::string_view, std::uint64_t> outcomes;
    std::uint64_t unwritten = 0;
    for (const auto& [variation, tally] : observation.variations) {
        for (const auto& [outcome, count] : tally.outcomes) {
            outcomes[outcome] += count;
        }
        unwritten += tally.unwritten;
    }
    const Tally& tally = observation.tally;
    const auto same = [](const auto& one, const auto& other) {
        return one.first == other.first && one.second == other.second;
    };
    if (unwritten != tally.unwritten ||
        !std::equal(outcomes.begin(), outcomes.end(), tally.outcomes.begin(), tally.outcomes.end(), same)) {
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

Result<VerifiedResults> read_and_verify(std::string_view text, std::string_view file_name, const Ledger& ledger) {
    const Result<JsonDocument> document = parse_document(text, file_name);
    if (!document) {
        return document.error();
    }
    Result<Results> results = read_document(*document, file_name);
    if (!results) {
        return results.error();
    }
    Findings findings{file_name, {}};
    FileComparison comparison(document->root(), findings);
    JudgedResults verdicts = judged(*results);
    write(comparison, *results, Fields::all, &verdicts);

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
    return VerifiedResults{*std::move(results), std::move(verdicts), std::move(findings.lines)};
}

std::vector<std::string> verify(std::string_view text, std::string_view file_name, const Ledger& ledger) {
    Result<VerifiedResults> read = read_and_verify(text, file_name, ledger);
    return read ? std::move(read->differences) : std::vector{read.error().message};
}

std::vector<std::string> verify(std::string_view text, std::string_view file_name) {
    return verify(text, file_name, embedded_ledger());
}

} // namespace pdlcts
