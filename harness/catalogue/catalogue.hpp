// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/litmus/program.hpp"
#include "conformance/statements/ledger.hpp"
#include "conformance/support/embed.hpp"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The case list: one case a file of cases/, or a user's own file.
namespace pdlcts {

struct Case {
    /// The file's path below cases/, without its ending: `trigger/implicit-on-exit`. A user's own file: its name.
    std::string id;
    /// The statement that the case tests. Empty in a user's own file: whatever it names, a pattern that nobody has
    /// reviewed is no evidence for a statement.
    std::string statement;
    std::string file; ///< for errors
    Litmus litmus;
};

/// The longest case file, in lines: a case is a page that can be read aloud.
inline constexpr std::size_t longest_case_lines = 40;

/// A file of cases/, which has to have what every case must have: a description, statement ids that the ledger knows,
/// a folder that is the statement's section, a control, claims that quantify over the registers of a class, and for an
/// equivalence two routes to compare.
Result<Case> read_case(const EmbeddedFile& file, const Ledger& ledger);

/// A user's own file: only the language's rules hold. A statement that it names must be one of the ledger.
Result<Case> read_user_case(const EmbeddedFile& file, const Ledger& ledger);

/// The cases that were built into this program, in the order of the ledger's sections.
const std::vector<Case>& embedded_cases();

/// Shell-like: `*` stands for any characters, `?` for one.
bool matches_glob(std::string_view pattern, std::string_view text);

/// By a pattern for matches_glob. One without `/` is also held against the part behind it, and against statement ids.
bool is_selected(const Case& selected, std::string_view pattern);

/// The statement's own data for a case; a user's own file is judged as an unlisted guarantee, which is judged hardest.
Statement statement_of(const Case& listed, const Ledger& ledger);

/// Whether the case compares two forms of one program.
bool is_equivalence(const Case& listed, const Ledger& ledger);

/// The routes on which a case has a cell when nobody asks for others. An equivalence compares its two routes in one
/// cell, the first one's.
std::vector<Route> cell_routes(const Case& listed, const Ledger& ledger);

/// Whether a cell of the case can be asked for on a route: where its claim is made, and of an equivalence only where
/// the first of its two plans is launched.
bool has_cell_on(const Case& listed, Route route, const Ledger& ledger);

/// The route of the second form that an equivalence compares with; nothing for other cases.
std::optional<Route> other_route(const Case& listed, const Ledger& ledger);

/// `litmus` or `equivalence`.
std::string_view kind_of(const Case& listed, const Ledger& ledger);

/// SHA-256 over the ids and canonical texts of the list: two suites with equal digests have the same cases.
std::string digest_of(std::span<const Case> cases);

} // namespace pdlcts
