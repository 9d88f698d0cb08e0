// SPDX-License-Identifier: Apache-2.0
#include "harness/gpu/compile.hpp"

#include "harness/gpu/emit.hpp"
#include "harness/gpu/stamps.hpp"
#include "harness/gpu/translation_unit.hpp"

#include <algorithm>
#include <atomic>
#include <thread>

namespace pdlcts {
namespace {

constexpr unsigned most_compiling_threads = 16;
constexpr unsigned most_threads_beside_trials = 4;

std::vector<std::string> kernels_of(Role role, const Program& program) {
    std::vector<std::string> names;
    for (const HostOperation& operation : program.operations) {
        if (const auto* grid = std::get_if<Grid>(&operation)) {
            names.push_back(kernel_name(role, *grid));
        }
    }
    return names;
}

Result<UnitPart> part_of(const Litmus& litmus, const Result<CaseLayout>& layout, Spelling spelling) {
    if (!layout) {
        return layout.error();
    }
    UnitPart part{emit(litmus, *layout, spelling), kernels_of(Role::program, litmus.program)};
    if (litmus.control) {
        const std::vector<std::string> control = kernels_of(Role::control, *litmus.control);
        part.kernels.insert(part.kernels.end(), control.begin(), control.end());
    }
    return part;
}

Result<std::shared_ptr<const CompiledUnit>> compile_unit(const UnitCompiler& compiler, const std::string& source,
                                                         const CodeCache* cache) {
    const std::string key = compiler.key + "\n" + source;
    auto unit = std::make_shared<CompiledUnit>();
    if (cache != nullptr) {
        if (auto code = find(*cache, key)) {
            unit->code = *std::move(code);
            unit->from_cache = true;
            return std::shared_ptr<const CompiledUnit>(std::move(unit));
        }
    }
    auto code = compiler.compile(source);
    if (!code) {
        return code.error();
    }
    unit->code = *std::move(code);
    if (cache != nullptr) {
        // Without it the next run compiles again, and that is all.
        static_cast<void>(store(*cache, key, unit->code));
    }
    return std::shared_ptr<const CompiledUnit>(std::move(unit));
}

unsigned threads_for(const CompileOptions& options) {
    const unsigned processors = std::max(std::thread::hardware_concurrency(), 1u);
    // Trials are issued by threads too, and whoever takes their processor takes their overlap.
    return options.beside_trials ? std::clamp(processors / 4, 1u, most_threads_beside_trials)
                                 : std::min(processors, most_compiling_threads);
}

/// Does `work(0)` to `work(count - 1)`, until it is asked to stop. The threads have the priority of the caller.
void in_parallel(std::size_t count, std::size_t most_threads, const std::stop_token& stop,
                 const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    const auto work_on = [&] {
        for (std::size_t index = next++; index < count && !stop.stop_requested(); index = next++) {
            work(index);
        }
    };
    std::vector<std::jthread> threads;
    for (std::size_t thread = 1; thread < std::min(most_threads, count); ++thread) {
        threads.emplace_back(work_on);
    }
    work_on();
}

/// What is compiled of every case.
struct Compiling {
    std::vector<UnitPart> parts;
    std::vector<std::size_t> case_of;           ///< of each part
    std::vector<Result<CompiledCase>> compiled; ///< of each case
    bool stamped = false;

    Compiling(std::size_t cases, bool with_stamps)
        : compiled(cases, Error{"not compiled: the run ended before"}), stamped(with_stamps) {}

    void add(std::size_t index, Result<UnitPart> part) {
        if (part) {
            parts.push_back(*std::move(part));
            case_of.push_back(index);
        } else {
            compiled[index] = part.error();
        }
    }
};

bool compile_range(const UnitCompiler& compiler, const CodeCache* cache, Compiling& images, UnitRange range) {
    const std::span<const UnitPart> together(images.parts.data() + range.first, range.count);
    auto unit = compile_unit(compiler, join(together), cache);
    for (std::size_t place = 0; place < range.count; ++place) {
        const std::string& source = together[place].source;
        Result<CompiledCase>& result = images.compiled[images.case_of[range.first + place]];
        if (unit) {
            result = CompiledCase{source, compiler.image, kernel_prefix(place, range.count), *unit, images.stamped};
        } else {
            result = Error{unit.error().message + "\n" + source};
        }
    }
    return static_cast<bool>(unit);
}

} // namespace

std::vector<Result<CompiledCase>> compile_cases(const UnitCompiler& compiler, const std::vector<const Litmus*>& cases,
                                                const CompileOptions& options) {
    Compiling images(cases.size(), options.stamps);
    for (std::size_t index = 0; index < cases.size(); ++index) {
        if (options.stamps) {
            const Litmus part = stamped_part(*cases[index]);
            images.add(index, part_of(part, lay_out_stamped(part), compiler.spelling));
        } else {
            images.add(index, part_of(*cases[index], lay_out(*cases[index]), compiler.spelling));
        }
    }
    const std::vector<UnitRange> units = cut_into_units(images.parts.size());
    in_parallel(units.size(), threads_for(options), options.stop, [&](std::size_t index) {
        const UnitRange range = units[index];
        // One case that does not compile must not take its neighbours along.
        if (!compile_range(compiler, options.cache, images, range) && range.count > 1) {
            for (std::size_t place = 0; place < range.count; ++place) {
                compile_range(compiler, options.cache, images, {range.first + place, 1});
            }
        }
    });
    return std::move(images.compiled);
}

} // namespace pdlcts
