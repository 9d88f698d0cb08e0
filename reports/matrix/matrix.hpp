// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "conformance/statements/ledger.hpp"
#include "reports/results/judged.hpp"

#include <span>
#include <string>

/// The matrix: statements by section down, a column for each GPU x driver x toolkit across, numbered notes, totals.
namespace pdlcts {

struct MatrixStyle {
    bool colour = false;          ///< text only: ANSI colours
    bool every_statement = false; ///< also rows that have no cell in any column
};

std::string matrix_text(std::span<const JudgedResults> columns, const Ledger& ledger, const MatrixStyle& style = {});
std::string matrix_text(std::span<const Results> columns, const Ledger& ledger, const MatrixStyle& style = {});
std::string matrix_markdown(std::span<const JudgedResults> columns, const Ledger& ledger,
                            const MatrixStyle& style = {});
std::string matrix_markdown(std::span<const Results> columns, const Ledger& ledger, const MatrixStyle& style = {});

} // namespace pdlcts
