// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/mutant.hpp"

#include "conformance/plan/routes.hpp"
#include "harness/gpu/layout.hpp"
#include "harness/selftest/edits.hpp"

#include <algorithm>

namespace pdlcts {
namespace {

constexpr Mutant of_program(std::string_view name, std::string_view breaks, Touches touches,
                            std::optional<Litmus> (*change)(const Litmus&), bool kernels_only = false) {
    return {name, breaks, touches, change, kernels_only, TrialDefect::none};
}

constexpr Mutant of_trials(std::string_view name, std::string_view breaks, TrialDefect defect) {
    return {name, breaks, Touches::measurement, nullptr, false, defect};
}

constexpr Mutant mutants[] = {
    of_program("drop-wait", "No kernel waits.", Touches::specification, edits::drop_wait),
    of_program("drop-trigger", "No kernel triggers.", Touches::specification, edits::drop_trigger),
    of_program("trigger-at-start", "A thread that triggers does so before anything else.", Touches::specification,
               edits::trigger_at_start),
    of_program("trigger-at-end", "A thread that triggers does so after everything else.", Touches::specification,
               edits::trigger_at_end),
    of_program("drop-pss", "Programmatic stream serialization is not asked for.", Touches::specification,
               edits::drop_pss),
    of_program("drop-event", "Programmatic and launch-completion events are recorded as ordinary events.",
               Touches::specification, edits::drop_event_attributes),
    of_program("serialise", "All grids are in one stream, and nothing lets them overlap.", Touches::specification,
               edits::serialise),
    of_program("program-is-control", "The control runs in the program's place too.", Touches::specification,
               edits::program_is_control),
    of_program("control-is-program", "The program runs in the control's place too.", Touches::specification,
               edits::control_is_program),
    of_program("drop-fence", "Fences are left out; releases and acquires are relaxed.", Touches::memory_order,
               edits::drop_fences),
    of_program("narrow-scope", "Fences and strong accesses have the scope of a block.", Touches::memory_order,
               edits::narrow_scopes),
    of_program("hoist-loads", "A compiler moves loads above what their thread waits for.", Touches::specification,
               edits::hoist_loads),
    of_program("hoist-stores", "A compiler moves stores to the start of their thread.", Touches::specification,
               edits::hoist_stores),
    of_program("drop-flag", "What threads poll is never stored.", Touches::specification, edits::drop_flags),
    of_program("drop-payload", "What threads read is never stored.", Touches::specification, edits::drop_payload),
    of_program("impatient", "Polls give up at once, and delays take no time.", Touches::patience, edits::impatient),
    of_program("false-arming", "Nothing overlaps, and every poll says that what it polls for has come.",
               Touches::measurement, edits::false_arming),
    of_program("drop-result", "A kernel does not write its last register down.", Touches::measurement,
               edits::drop_result, true),
    of_trials("nothing-launched", "Records are prepared and read again, and no trial runs in between.",
              TrialDefect::nothing_launched),
    of_trials("no-separators", "Trials follow each other without anything in between.", TrialDefect::no_separators),
    of_trials("shared-records", "Two trials use the same record.", TrialDefect::shared_records),
    of_trials("shared-salts", "Two trials use the same record, and the same salt.",
              TrialDefect::shared_records_and_salts),
    of_trials("no-reset", "Records are not reset between batches.", TrialDefect::no_reset),
    of_trials("neighbours-record", "A trial's outcome is read from another trial's record.",
              TrialDefect::neighbours_record),
    of_trials("roles-swapped", "Trials of the program count as the control's, and the other way round.",
              TrialDefect::roles_swapped),
    of_trials("no-read-back", "Nobody asks the driver which graph it has built.", TrialDefect::no_read_back),
};

bool same_words(const Layout& sound, const Layout& mutated) {
    const auto fits = [&](const RegisterSlots& slots) {
        return std::any_of(sound.registers.begin(), sound.registers.end(), [&](const RegisterSlots& own) {
            return own.name == slots.name && own.memory == slots.memory && own.first_word == slots.first_word &&
                   own.slots == slots.slots;
        });
    };
    const auto same_place = [](const PlacedLocation& one, const PlacedLocation& other) {
        return one.name == other.name && one.memory == other.memory && one.word == other.word;
    };
    return sound.encoding.value_bits == mutated.encoding.value_bits &&
           sound.encoding.poison == mutated.encoding.poison &&
           std::equal(sound.locations.begin(), sound.locations.end(), mutated.locations.begin(),
                      mutated.locations.end(), same_place) &&
           std::all_of(mutated.registers.begin(), mutated.registers.end(), fits);
}

/// Kernels of the one find their words where launches of the other have put them.
bool same_words(const Litmus& sound, const Litmus& mutated) {
    const Result<CaseLayout> own = lay_out(sound);
    const Result<CaseLayout> other = lay_out(mutated);
    return own && other && same_words(own->program, other->program) &&
           own->control.has_value() == other->control.has_value() &&
           (!own->control || same_words(*own->control, *other->control));
}

} // namespace

std::span<const Mutant> all_mutants() {
    return mutants;
}

const Mutant* find_mutant(std::string_view name) {
    const auto found =
        std::find_if(std::begin(mutants), std::end(mutants), [&](const Mutant& mutant) { return mutant.name == name; });
    return found == std::end(mutants) ? nullptr : found;
}

std::optional<MutatedCase> mutate(const Litmus& sound, const Mutant& mutant) {
    if (mutant.change == nullptr) {
        const bool applies = mutant.defect != TrialDefect::roles_swapped || sound.control.has_value();
        return applies ? std::optional(MutatedCase{sound, sound, mutant.defect}) : std::nullopt;
    }
    std::optional<Litmus> changed = mutant.change(sound);
    if (!changed || (mutant.kernels_only && !same_words(sound, *changed))) {
        return std::nullopt;
    }
    Litmus launched = mutant.kernels_only ? sound : *changed;
    return MutatedCase{*std::move(changed), std::move(launched), mutant.defect};
}

bool occurs_on(const Mutant& mutant, Route route) {
    return mutant.defect != TrialDefect::no_read_back || launches_graph(route);
}

} // namespace pdlcts
