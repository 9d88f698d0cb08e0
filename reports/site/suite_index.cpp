// SPDX-License-Identifier: Apache-2.0
#include "reports/site/suite_index.hpp"

#include "conformance/litmus/printer.hpp"

namespace pdlcts::site {

CellKey key_of(std::size_t case_index, Route route) {
    return static_cast<CellKey>(case_index) * keys_of_a_case + static_cast<CellKey>(route);
}
CellKey native_key(std::size_t case_index) {
    return static_cast<CellKey>(case_index) * keys_of_a_case + keys_of_a_case - 1;
}
std::size_t case_of(CellKey key) {
    return key / keys_of_a_case;
}
bool is_native(CellKey key) {
    return key % keys_of_a_case == keys_of_a_case - 1;
}
Route route_of(CellKey key) {
    return static_cast<Route>(key % keys_of_a_case);
}
std::string_view route_name(CellKey key) {
    return is_native(key) ? "native" : name(route_of(key));
}

SuiteIndex::SuiteIndex(const SuiteView& view) : view_(&view) {
    for (std::size_t i = 0; i < view.cases.size(); ++i) {
        cases_.emplace(view.cases[i].id, i);
    }
    for (const Section& section : view.ledger->sections) {
        for (const Statement& statement : section.statements) {
            statement_places_.emplace(statement.id, statements_.size());
            statements_.push_back(&statement);
            sections_.push_back(&section);
        }
    }
    cases_of_.resize(statements_.size());
    for (std::size_t i = 0; i < view.cases.size(); ++i) {
        if (const auto place = find_statement(view.cases[i].statement)) {
            cases_of_[*place].push_back(i);
        }
    }
}

std::optional<std::size_t> SuiteIndex::find_case(std::string_view id) const {
    const auto found = cases_.find(id);
    return found == cases_.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> SuiteIndex::find_statement(std::string_view id) const {
    const auto found = statement_places_.find(id);
    return found == statement_places_.end() ? std::nullopt : std::optional(found->second);
}

std::string SuiteIndex::section_of(std::string_view case_id, std::string_view statement) const {
    const auto known = find_case(case_id);
    const auto place = find_statement(known ? std::string_view(view_->cases[*known].statement) : statement);
    return place ? sections_[*place]->id : "other";
}

} // namespace pdlcts::site
