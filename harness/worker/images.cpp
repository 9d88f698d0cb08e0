// SPDX-License-Identifier: Apache-2.0
#include "harness/worker/images.hpp"

#include "conformance/support/concat.hpp"
#include "conformance/support/give_way.hpp"
#include "conformance/support/stopwatch.hpp"
#include "harness/gpu/translation_unit.hpp"

#include <algorithm>
#include <set>

namespace pdlcts {
namespace {

/// The cells of so many cases take some seconds.
constexpr std::size_t fewest_before_trials = 8 * most_parts_a_unit;
/// Few threads compile beside trials, so more than this takes longer than those seconds.
constexpr std::size_t most_beside_trials = 24 * most_parts_a_unit;

const Result<CompiledCase> without_stamps = Error{"compiled without stamps"};

/// Tells now and then that nothing is wrong, for about as long as to compile so many cases may take anybody.
template <typename Future>
const auto& wait_for(const Future& images, std::size_t cases, const Announce& announce) {
    for (std::size_t second = 0; second < 60 + 2 * cases; ++second) {
        if (images.wait_for(std::chrono::seconds(1)) == std::future_status::ready) {
            break;
        }
        announce("waiting for the compiler");
    }
    return images.get();
}

CompiledUnits counted(const std::vector<Result<CompiledCase>>& compiled, double seconds) {
    std::set<const CompiledUnit*> units;
    for (const Result<CompiledCase>& each : compiled) {
        if (each) {
            units.insert(each->unit.get());
        }
    }
    const auto from_cache =
        std::count_if(units.begin(), units.end(), [](const CompiledUnit* unit) { return unit->from_cache; });
    return {seconds, units.size(), static_cast<std::uint64_t>(from_cache)};
}

} // namespace

std::size_t compiled_before_trials(std::size_t cases) {
    if (cases <= fewest_before_trials + most_beside_trials) {
        return std::min(cases, fewest_before_trials);
    }
    const std::size_t before = cases - most_beside_trials;
    return (before + most_parts_a_unit - 1) / most_parts_a_unit * most_parts_a_unit;
}

Images::Compiled Images::compiled(std::span<const Case> cases, const CompileOptions& options) const {
    if (none_) {
        return Compiled(cases.size(), Error{*none_});
    }
    std::vector<const Litmus*> programs;
    programs.reserve(cases.size());
    for (const Case& listed : cases) {
        programs.push_back(&listed.litmus);
    }
    return gpu_.compile(programs, options);
}

CompiledUnits Images::compile(const Announce& announce) {
    const Stopwatch stopwatch;
    none_ = gpu_.why_no_image(setup_.image);
    const std::size_t first = setup_.compile_first ? cases_.size() : compiled_before_trials(cases_.size());
    announce(concat("compiling ", first, " cases"));
    first_ = compiled(cases_.first(first), {.image = setup_.image, .cache = cache_});
    CompileOptions options{setup_.image, cache_, false, !setup_.compile_first, stop_.get_token()};
    if (first < cases_.size()) {
        others_ = std::async(std::launch::async, [this, first, options] {
                      give_way();
                      return compiled(cases_.subspan(first), options);
                  }).share();
    }
    if (setup_.stamps) {
        options.stamps = true;
        stamped_ = std::async(std::launch::async, [this, options] {
                       give_way();
                       if (others_.valid()) {
                           others_.wait(); // the trials need these sooner
                       }
                       return compiled(cases_, options);
                   }).share();
        if (setup_.compile_first) {
            stamped_.wait();
        }
    }
    return counted(first_, stopwatch.seconds());
}

bool Images::is_compiling() const {
    const auto runs = [](const std::shared_future<Compiled>& images) {
        return images.valid() && images.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
    };
    return runs(others_) || runs(stamped_);
}

const Result<CompiledCase>& Images::of(std::size_t listed, const Announce& announce) const {
    return listed < first_.size() || !others_.valid()
               ? first_.at(listed)
               : wait_for(others_, cases_.size(), announce).at(listed - first_.size());
}

const Result<CompiledCase>& Images::stamped(std::size_t listed, const Announce& announce) const {
    return stamped_.valid() ? wait_for(stamped_, cases_.size(), announce).at(listed) : without_stamps;
}

} // namespace pdlcts
