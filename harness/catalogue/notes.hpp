// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/embed.hpp"
#include "conformance/support/result.hpp"

#include <string>
#include <string_view>
#include <vector>

/// Written notes of cells that show nothing (cases/notes.toml): why a fence's absence never shows on this hardware,
/// say. They are for readers, and decide no verdict.
namespace pdlcts {

struct CaseNote {
    std::string case_id;
    std::vector<std::string> routes; ///< names of the routes it is about; empty: all, and native checks
    std::string text;                ///< one paragraph, without line breaks
};

/// Errors name the file, and line and column where TOML is wrong: an unknown key, a route that does not exist, a note
/// without case or text, two notes for one cell.
Result<std::vector<CaseNote>> read_notes(const EmbeddedFile& file);

/// The notes that were built into this program.
const std::vector<CaseNote>& embedded_notes();

/// The note of a cell, by its case and route (`native` for a native check); empty where there is none.
std::string note_of(std::string_view case_id, std::string_view route);

} // namespace pdlcts
