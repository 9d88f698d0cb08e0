// SPDX-License-Identifier: Apache-2.0
#include "reports/results/judged.hpp"

#include "conformance/litmus/printer.hpp"

#include <array>

namespace pdlcts {
namespace {

const std::string no_text;

/// The texts of a cell, in the order of the members of JudgedCell.
std::array<const std::string*, 4> texts_of(const Cell& cell) {
    return {&cell.case_id, &cell.statement, &cell.image, &cell.digest};
}
std::array<const std::string*, 4> texts_of(const NativeCell& cell) {
    return {&cell.case_id, &cell.statement, &no_text, &cell.digest};
}

template <typename AnyCell>
std::size_t size_of_texts(const std::vector<AnyCell>& cells) {
    std::size_t size = 0;
    for (const AnyCell& cell : cells) {
        for (const std::string* text : texts_of(cell)) {
            size += text->size();
        }
    }
    return size;
}

/// `texts` has room for all that is put in.
template <typename AnyCell>
JudgedCell judged_cell(const AnyCell& cell, std::string_view route, bool quick, std::string& texts) {
    std::array<std::string_view, 4> views;
    std::size_t i = 0;
    for (const std::string* text : texts_of(cell)) {
        const std::size_t begin = texts.size();
        texts += *text;
        views[i++] = std::string_view(texts).substr(begin);
    }
    return {views[0], views[1], cell.strength, cell.basis, route, views[2], views[3], quick, judge(cell)};
}

} // namespace

JudgedResults judged(const Results& results) {
    JudgedResults judged{
        results.suite, results.environment, results.every_case, results.seed, results.started, results.seconds, {},
        nullptr};
    const auto texts = std::make_shared<std::string>();
    texts->reserve(size_of_texts(results.cells) + size_of_texts(results.native));
    judged.cells.reserve(results.cells.size() + results.native.size());
    for (const Cell& cell : results.cells) {
        judged.cells.push_back(judged_cell(cell, name(cell.form.route), cell.thresholds.quick, *texts));
    }
    for (const NativeCell& cell : results.native) {
        judged.cells.push_back(judged_cell(cell, "native", false, *texts));
    }
    judged.texts = texts;
    return judged;
}

std::vector<JudgedResults> judged(std::span<const Results> files) {
    std::vector<JudgedResults> all;
    all.reserve(files.size());
    for (const Results& results : files) {
        all.push_back(judged(results));
    }
    return all;
}

} // namespace pdlcts
