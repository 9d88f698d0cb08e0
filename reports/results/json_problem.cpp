// SPDX-License-Identifier: Apache-2.0
#include "reports/results/json_problem.hpp"

#include "reports/results/message.hpp"
#include "reports/results/results.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <set>

namespace pdlcts {
namespace {

using Json = nlohmann::json;

constexpr std::size_t deepest = 16;
constexpr std::size_t most_values = 8'000'000;

/// Hears the parser's events, keeps the path, and stops at the first problem.
class Watch final : public nlohmann::json_sax<Json> {
public:
    Watch(std::string_view text, std::string_view file_name) : text_(text), file_name_(file_name) {}

    const std::string& problem() const { return problem_; }

    bool null() override { return value(); }
    bool boolean(bool /*value*/) override { return value(); }
    bool number_integer(number_integer_t /*value*/) override { return value(); }
    bool number_unsigned(number_unsigned_t /*value*/) override { return value(); }
    bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return value(); }
    bool string(string_t& /*value*/) override { return value(); }
    bool binary(binary_t& /*value*/) override { return value(); }
    bool start_object(std::size_t /*size*/) override { return open(false); }
    bool start_array(std::size_t /*size*/) override { return open(true); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }

    bool key(string_t& key) override {
        Container& object = open_.back();
        object.key = key;
        return object.keys.insert(key).second || refuse("the key stands twice");
    }

    bool parse_error(std::size_t position, const std::string& /*token*/, const Json::exception& error) override {
        // The library's text: "[json.exception...] parse error at line 1, column 2: what". Only the end is of use.
        std::string_view what = error.what();
        if (const std::size_t at = what.find(": "); at != std::string_view::npos) {
            what.remove_prefix(at + 2);
        }
        const std::size_t byte = position > 0 ? position - 1 : 0;
        problem_ = fmt::format("{}:{}: not JSON: {}", file_name_, line_and_column(text_, byte), what);
        return false;
    }

private:
    struct Container {
        bool array = false;
        std::set<std::string> keys = {};
        std::string key = {};
        std::size_t entries = 0;
    };

    std::string_view text_;
    std::string_view file_name_;
    std::vector<Container> open_;
    std::size_t values_ = 0;
    std::string problem_;

    bool value() {
        if (!open_.empty()) {
            ++open_.back().entries;
        }
        return ++values_ <= most_values || refuse(fmt::format("more than {} values", most_values));
    }
    bool open(bool array) {
        if (!value()) {
            return false;
        }
        if (open_.size() == deepest) {
            return refuse(fmt::format("nested too deeply, at most {} levels", deepest));
        }
        open_.push_back({.array = array});
        return true;
    }
    bool close() {
        open_.pop_back();
        return true;
    }
    bool refuse(const std::string& what) {
        std::string path;
        for (const Container& container : open_) {
            path += container.array ? '/' + std::to_string(container.entries - 1) : pointer_step(container.key);
        }
        problem_ = fmt::format("{}: {}: {}", file_name_, path.empty() ? "/" : path, what);
        return false;
    }
};

} // namespace

std::string json_problem(std::string_view text, std::string_view file_name) {
    if (text.size() > largest_results_file) {
        return fmt::format("{}: {} bytes, a results file has at most {}", file_name, text.size(), largest_results_file);
    }
    Watch watch(text, file_name);
    Json::sax_parse(text, &watch);
    return watch.problem();
}

} // namespace pdlcts
