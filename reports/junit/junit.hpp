// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "reports/gate/gate.hpp"

#include <string>
#include <string_view>

/// What the gate says of a results file, as JUnit XML, which every CI server reads.
///
/// A suite a section of the specification, in the ledger's order, and one named `gate` for what is wrong with the run
/// as a whole, its baseline and its waivers. Each has the machine, driver and toolkit as properties. A test case is a
/// cell. It is green where it is PASS or OBSERVED, and a failure where the gate fails it - an error where it was not
/// observed at all: TIMEOUT, CRASH, DEVICE ERROR, HARNESS ERROR, MISSING - with its evidence and the command that runs
/// it again. Every other cell is skipped, with the reason: waived, RECORDED, NOT OBSERVED, NOT SUPPORTED, or VACUOUS as
/// in the baseline; green would say more than was shown.
namespace pdlcts {

/// `report` is the gate's of `results`.
std::string junit_xml(const Results& results, const GateReport& report, const Ledger& ledger);

/// Text between tags or in an attribute: markup escaped, line breaks and tabs as references, and what XML 1.0 cannot
/// hold (control characters, U+FFFE, U+FFFF, bytes that are not UTF-8) as U+FFFD.
std::string xml_text(std::string_view text);

} // namespace pdlcts
