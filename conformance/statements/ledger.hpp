// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/support/embed.hpp"
#include "conformance/support/result.hpp"

#include <span>
#include <string>
#include <string_view>
#include <vector>

/// The ledger: every statement of the specification. Written in conformance/statements/*.toml, one file a section.
namespace pdlcts {

enum class Strength { guarantee, permission, requirement, equivalence, definition, unspecified };

/// How a statement is known: read in its source, derived from read statements, or inferred because no document states
/// it. An inferred guarantee is recorded, never judged.
enum class Basis { read, derived, inferred };

/// A place in a document.
struct Source {
    std::string document; ///< a key of the ledger's table of documents, `PG-4.5`
    std::string section;  ///< `4.5.2`, `griddepcontrol`, `attribute 6`
};

struct Statement {
    std::string id; ///< `trigger.implicit-on-exit`
    std::string text;
    Strength strength = Strength::guarantee;
    Basis basis = Basis::read;
    std::vector<Source> sources;
    /// Lowest compute capability on which the statement says anything, major * 10 + minor; 0 means any.
    int minimum_compute_capability = 0;
    /// Lowest CUDA Toolkit, `12.3`; empty means any.
    std::string minimum_toolkit;
    /// Only for an ambiguity, A1..A25: how the machine reads it, and why.
    std::string reading;
    /// Why no case can test it; empty where one does.
    std::string reason;
    std::string file; ///< the TOML file, for errors
    int line = 0;
};

struct Section {
    std::string id;    ///< `trigger`; the label of its cases in CTest
    std::string title; ///< `Trigger`
    std::vector<Statement> statements;
};

struct Document {
    std::string key;   ///< `PG-4.5`
    std::string title; ///< `CUDA Programming Guide, 4.5 Programmatic Dependent Launch and Synchronization`
};

struct Ledger {
    std::vector<Document> documents;
    std::vector<Section> sections;
};

/// Reads and joins the files. Errors, each with file, line and column: text that is not ASCII or not TOML, an unknown
/// or missing key, a malformed or duplicate id, an unknown strength or basis, a missing source, a document that no
/// table names, a malformed version, an ambiguity without a reading. In a string a line break and the indentation
/// behind it count as one space.
Result<Ledger> read_ledger(std::span<const EmbeddedFile> files);

/// The files of the ledger as they were built into this program, in the order of their names.
std::vector<EmbeddedFile> embedded_ledger_files();

/// The ledger that was built into this program.
const Ledger& embedded_ledger();

/// Null when there is no statement of this id.
const Statement* find_statement(const Ledger& ledger, std::string_view id);
const Section* section_of(const Ledger& ledger, std::string_view id);

std::string_view name(Strength strength); ///< `guarantee`, `permission`, ...
std::string_view name(Basis basis);       ///< `read`, `derived`, `inferred`

} // namespace pdlcts
