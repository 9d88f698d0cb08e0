// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/statements/ledger.hpp"
#include "conformance/support/embed.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Native checks, as a reader of the suite meets them: a page of text a check, in cases/<section>/<name>.check. The
/// code that does what the page says stands beside it (cases/native_checks.hpp).
///
///     # What is asked, what must be answered, and which other question must have another answer.
///     checks  graph.query.get-edges-lossy
///     because pytorch/pytorch pull 168305
namespace pdlcts {

struct NativeCase {
    std::string id;        ///< the file's path below cases/, without its ending: `graph-query/get-edges-lossy`
    std::string statement; ///< the first of `checks`: the statement that the check tests
    std::vector<std::string> checks;
    std::vector<Report> because;          ///< the public reports behind it
    std::vector<std::string> description; ///< the comment, without its `#`
    std::string file;                     ///< for errors
    std::string text;
};

/// Errors name file and line: a line that is no comment, no `checks` and no `because`, a report that
/// is not `OWNER/NAME issue N` or `OWNER/NAME pull N`, a statement that the ledger does
/// not have, a folder that is not the statement's section, a description that is missing, more than 40 lines.
Result<NativeCase> read_native_case(const EmbeddedFile& file, const Ledger& ledger);

/// The native checks that were built into this program, in the order of the ledger's sections. They are described here
/// even where the program was built without the CUDA Toolkit, and none can be called.
const std::vector<NativeCase>& embedded_native_cases();

/// As is_selected of a case.
bool is_selected(const NativeCase& selected, std::string_view pattern);

/// SHA-256 over the ids and texts of the list.
std::string digest_of(std::span<const NativeCase> cases);

} // namespace pdlcts
