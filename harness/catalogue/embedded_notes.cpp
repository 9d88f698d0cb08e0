// SPDX-License-Identifier: Apache-2.0
#include "harness/catalogue/notes.hpp"

#include <algorithm>
#include <stdexcept>

namespace pdlcts {

std::vector<EmbeddedFile> embedded_note_files(); // in the source that the build generates

const std::vector<CaseNote>& embedded_notes() {
    static const std::vector<CaseNote> all = [] {
        std::vector<CaseNote> notes;
        for (const EmbeddedFile& file : embedded_note_files()) {
            const auto read = read_notes(file);
            if (!read) {
                throw std::logic_error("a file that was built into this program is broken: " + read.error().message);
            }
            notes.insert(notes.end(), read->begin(), read->end());
        }
        return notes;
    }();
    return all;
}

std::string note_of(std::string_view case_id, std::string_view route) {
    for (const CaseNote& note : embedded_notes()) {
        const bool is_of_route =
            note.routes.empty() || std::find(note.routes.begin(), note.routes.end(), route) != note.routes.end();
        if (note.case_id == case_id && is_of_route) {
            return note.text;
        }
    }
    return "";
}

} // namespace pdlcts
