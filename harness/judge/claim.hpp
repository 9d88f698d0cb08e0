// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "harness/judge/reading.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The second step of judging: what a claim says of one form, or of the two forms of an equivalence, that ran as they
/// should. What can be wrong with a cell before that is judge.cpp's subject.
namespace pdlcts {

struct Finding {
    Verdict verdict = Verdict::missing;
    std::string reason;
};

/// What an incident makes of a cell of any kind; nothing where there was none. `holds` says what the cell has recorded
/// all the same, `trials` or `probes`, and is empty where it is nothing: whether something is supported is decided
/// before anything is launched, and beside a record NOT SUPPORTED would only hide what it showed.
std::optional<Finding> judge_incident(Incident incident, const std::string& detail, std::string_view holds);

/// Whether a verdict may be drawn from this statement at all: not from an inferred or unspecified one.
bool judged(const Cell& cell);

/// No document says what the plan of this program has to be.
bool undocumented(const ObservationReading& reading);

/// A document says what the plan has to be, and the driver built another one. That is an equivalence's business; any
/// other statement is then judged by nothing, as it speaks of a plan that did not run.
bool built_otherwise(const ObservationReading& reading);

/// FAIL where a documented program that ran as documented violates `never`. Nothing that the control or the rest of
/// the record holds can excuse it.
std::optional<Finding> failed(const Cell& cell, const FormReading& form);

/// The claim's rules on one form.
Finding judge_form(const Cell& cell, const FormReading& form);

/// Both forms, judged alone, have to agree on a PASS or an OBSERVED; the control's plan has to differ.
Finding judge_equivalence(const Cell& cell, const FormReading& form, const FormReading& other);

// ---- sentences ---------------------------------------------------------------------------------------------------

std::string of_trials(std::uint64_t count, std::uint64_t trials); ///< `3 of 2000 trials`
std::string some_of(const std::vector<std::string>& outcomes);    ///< `seen=0, seen=other, ...`
std::string both_plans(const Structure& structure);

/// What was seen, where no verdict is drawn from it: `3 violations in 2000 trials, 1998 in 2000 of the control`.
std::string seen(const Cell& cell, const FormReading& form);

} // namespace pdlcts
