// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/faults/kill_matrix.hpp"

#include <string>

/// The kill matrix, for programs and for people. The JSON:
///
///     {
///       "faults": [{
///         "name", "statement",
///         "killed_by": [case...],       a cell of these has another verdict than on the sound machine
///         "trials_to_kill",             of the case that needs the fewest, median over seeds; 0: nothing kills it
///         "failed_by": [case...],       those of them that FAIL
///         "own_case": bool,             whether a case that names the statement kills it
///         "verdicts": {"FAIL": cells...},
///         "change", "cause", "reports",
///         "takes_permission": bool,     it only allows less than the specification does
///         "equivalent_because"          empty for all that can be noticed
///       }...],
///       "score",                        killed / (all less equivalent), 0 to 1
///       "killed", "of", "equivalent",
///       "guarantees": [{"statement", "broken_by": [fault...]}...],      with which a case of its own FAILs
///       "cases_that_kill_none": [case...],
///       "weak_cells": [{"case", "route", "verdict", "reason"}...],      of the sound machine: nothing to take away
///       "cells", "trials", "seed"
///     }
namespace pdlcts {

std::string kills_json(const KillMatrix& matrix);

/// `mutation score 75/75 (100 %)`
std::string score_line(const KillMatrix& matrix);

/// The table for a terminal; its last line is the score.
std::string kills_text(const KillMatrix& matrix);

/// A page: what each fault changes, how it could arise, and which cases notice it.
std::string kills_markdown(const KillMatrix& matrix);

/// A few lines of Markdown for the README: the faults by the rule that they break.
std::string kills_summary(const KillMatrix& matrix);

} // namespace pdlcts
