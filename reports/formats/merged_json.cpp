// SPDX-License-Identifier: Apache-2.0
#include "reports/formats/formats.hpp"

#include "conformance/litmus/printer.hpp"
#include "reports/formats/statements.hpp"
#include "reports/matrix/plain_text.hpp"
#include "reports/results/json_sink.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

void put_plain(JsonSink& out, std::string_view key, std::string_view text) {
    put(out, key, plain_text(text));
}

void write_column(JsonSink& out, const JudgedResults& file) {
    const Environment& environment = file.environment;
    out.begin_object();
    put_plain(out, "gpu", environment.gpu);
    put_plain(out, "driver", environment.driver_version);
    put(out, "toolkit", toolkit_version(environment.runtime_version));
    put_plain(out, "started", file.started);
    out.key("suite");
    out.begin_object();
    put_plain(out, "version", file.suite.version);
    put_plain(out, "git_hash", file.suite.git_hash);
    put(out, "dirty", file.suite.dirty);
    put_plain(out, "cases_digest", file.suite.cases_digest);
    out.end_object();
    out.key("environment");
    out.begin_object();
    put_plain(out, "gpu_uuid_hash", environment.gpu_uuid_hash);
    put(out, "compute_capability", environment.compute_capability);
    put(out, "multiprocessors", environment.multiprocessors);
    put(out, "driver_api_version", environment.driver_api_version);
    put(out, "runtime_version", environment.runtime_version);
    put_plain(out, "nvrtc_version", environment.nvrtc_version);
    put_plain(out, "mig_mode", environment.mig_mode);
    put_plain(out, "mps", environment.mps);
    put_plain(out, "ecc", environment.ecc);
    put_plain(out, "compute_mode", environment.compute_mode);
    put_plain(out, "operating_system", environment.operating_system);
    put_plain(out, "kernel", environment.kernel);
    // What becomes the same text is one entry.
    std::map<std::string, std::string> variables;
    for (const auto& [variable, value] : environment.variables) {
        variables[plain_text(variable)] = plain_text(value);
    }
    put(out, "variables", variables);
    if (environment.fault) {
        put_plain(out, "fault", *environment.fault);
    }
    out.end_object();
    put(out, "every_case", file.every_case);
    put(out, "seed", file.seed);
    put(out, "seconds", file.seconds);
    std::map<Verdict, std::uint64_t> verdicts;
    for (const JudgedCell& cell : file.cells) {
        ++verdicts[cell.judgement.verdict];
    }
    out.key("verdicts");
    out.begin_object();
    for (const auto& [verdict, count] : verdicts) {
        put(out, name(verdict), count);
    }
    out.end_object();
    out.end_object();
}

void write_statement(JsonSink& out, const Statement& statement, const Section& section,
                     const std::vector<std::map<std::string, StatementVerdict>>& columns) {
    out.begin_object();
    put(out, "statement", statement.id);
    put(out, "section", section.id);
    put(out, "strength", name(statement.strength));
    put(out, "basis", name(statement.basis));
    out.key("columns");
    put_each(out, columns, [&](const auto& column) {
        const auto found = column.find(statement.id);
        if (found == column.end()) {
            out.null();
            return;
        }
        out.begin_object();
        put(out, "verdict", name(found->second.verdict));
        put(out, "sharing", std::uint64_t{found->second.sharing});
        put(out, "of", std::uint64_t{found->second.of});
        out.end_object();
    });
    out.end_object();
}

void write_cell(JsonSink& out, const JudgedCell& cell, std::size_t column) {
    const Judgement& judgement = cell.judgement;
    out.begin_object();
    put(out, "column", std::uint64_t{column});
    put_plain(out, "case", cell.case_id);
    put_plain(out, "statement", cell.statement);
    put(out, "strength", name(cell.strength));
    put(out, "basis", name(cell.basis));
    put(out, "route", cell.route);
    put_plain(out, "image", cell.image);
    put_plain(out, "digest", cell.digest);
    put(out, "quick", cell.quick);
    put(out, "verdict", name(judgement.verdict));
    put_plain(out, "reason", judgement.reason);
    put(out, "trials", judgement.trials);
    put(out, "armed", judgement.armed);
    put(out, "violations", judgement.violations);
    put(out, "control_trials", judgement.control_trials);
    put(out, "control_armed", judgement.control_armed);
    put(out, "control_violations", judgement.control_violations);
    put(out, "control_armed_violations", judgement.control_armed_violations);
    put(out, "upper_bound", judgement.upper_bound);
    out.end_object();
}

} // namespace

std::string merged_json(std::span<const JudgedResults> files, const Ledger& ledger) {
    JsonPrinter out(JsonLayout::a_line_each_cell);
    out.begin_object();
    put(out, "merged_schema", 1);
    out.key("columns");
    out.begin_list();
    std::vector<std::map<std::string, StatementVerdict>> columns;
    for (const JudgedResults& file : files) {
        write_column(out, file);
        columns.push_back(statement_verdicts(file));
    }
    out.end_list();
    out.key("statements");
    out.begin_list();
    for (const Section& section : ledger.sections) {
        for (const Statement& statement : section.statements) {
            const auto has = [&](const auto& column) { return column.contains(statement.id); };
            if (std::any_of(columns.begin(), columns.end(), has)) {
                write_statement(out, statement, section, columns);
            }
        }
    }
    out.end_list();
    out.key("cells");
    out.begin_list();
    for (std::size_t column = 0; column < files.size(); ++column) {
        for (const JudgedCell& cell : files[column].cells) {
            write_cell(out, cell, column);
        }
    }
    out.end_list();
    out.end_object();
    return std::move(out).take() + "\n";
}

} // namespace pdlcts
