// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "reports/site/suite_view.hpp"

#include <cstdint>
#include <string_view>
#include <unordered_map>

/// The suite's cases and statements by name: results files name them a few hundred times each.
namespace pdlcts::site {

/// A case on a route, or a native check. Keys follow the order of the cases.
using CellKey = std::uint32_t;
inline constexpr CellKey keys_of_a_case = 8; ///< seven routes, and a native check's
static_assert(std::size(all_routes) < keys_of_a_case);

CellKey key_of(std::size_t case_index, Route route);
CellKey native_key(std::size_t case_index);
std::size_t case_of(CellKey key);
bool is_native(CellKey key);
Route route_of(CellKey key);              ///< of a key that is no native check's
std::string_view route_name(CellKey key); ///< `native` of a native check

/// Holds references to the view and the ledger behind it.
class SuiteIndex {
public:
    explicit SuiteIndex(const SuiteView& view);

    const SuiteView& view() const { return *view_; }
    std::optional<std::size_t> find_case(std::string_view id) const;
    /// A statement's place, counted over all sections.
    std::optional<std::size_t> find_statement(std::string_view id) const;
    /// The section of a case of this suite, else that of a statement that a cell names, else `other`.
    std::string section_of(std::string_view case_id, std::string_view statement) const;
    const std::vector<const Statement*>& statements() const { return statements_; }
    const std::vector<const Section*>& sections() const { return sections_; } ///< by statement
    /// The cases that test a statement, by their places.
    const std::vector<std::size_t>& cases_of(std::size_t statement) const { return cases_of_[statement]; }

private:
    const SuiteView* view_;
    std::unordered_map<std::string_view, std::size_t> cases_;
    std::unordered_map<std::string_view, std::size_t> statement_places_;
    std::vector<const Statement*> statements_;
    std::vector<const Section*> sections_;
    std::vector<std::vector<std::size_t>> cases_of_;
};

} // namespace pdlcts::site
