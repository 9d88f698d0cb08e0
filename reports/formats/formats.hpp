// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "reports/results/judged.hpp"

#include <span>
#include <string>

/// Results for other programs: spreadsheets, dashboards, scripts. Texts in them come from strangers and are plain
/// (reports/matrix/plain_text.hpp) in all of them.
namespace pdlcts {

/// Comma-separated values (RFC 4180): a line of names, then a line for each cell of each file; lines end in CR LF,
/// UTF-8. No field can become a formula in a spreadsheet: one that begins as a formula would has an apostrophe before
/// it.
std::string results_csv(std::span<const JudgedResults> files);

/// One JSON object of all files:
///
///     {
///       "merged_schema": 1,
///       "columns": [{"gpu", "driver", "toolkit", "started", "suite": {...}, "environment": {...}, "every_case",
///       "seed",
///                    "seconds", "verdicts": {"PASS": cells...}}...],         a column a file, in their order
///       "statements": [{"statement", "section", "strength", "basis",
///                       "columns": [{"verdict", "sharing", "of"} or null...]}...],   statements that have a cell
///       "cells": [{"column": index, "case", "statement", "strength", "basis", "route", "image", "digest", "quick",
///                  "verdict", "reason", "trials", "armed", "violations", "control_trials", "control_armed",
///                  "control_violations", "control_armed_violations", "upper_bound"}...]
///     }
///
/// A statement of a column has the first of its cells' verdicts in the published order, which `sharing` of its `of`
/// cells have, as in the matrix.
std::string merged_json(std::span<const JudgedResults> files, const Ledger& ledger);

/// OpenMetrics 1.0 text, for what scrapes or collects text files: of each file (label `run`, from 1) what ran where,
/// and how many cells and statements have which verdict; of each cell its verdict, trials, violations and their upper
/// bound.
std::string open_metrics(std::span<const JudgedResults> files, const Ledger& ledger);

} // namespace pdlcts
