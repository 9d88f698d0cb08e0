// SPDX-License-Identifier: Apache-2.0
#include "harness/selftest/mutant.hpp"

#include "conformance/litmus/parser.hpp"
#include "conformance/litmus/printer.hpp"

#include <doctest/doctest.h>

#include <set>
#include <string>

using namespace pdlcts;

namespace {

/// A case around two agents; `-` and `+` mark lines of program and control, as in any file.
Litmus litmus(const std::string& primary, const std::string& secondary, const std::string& attributes = "pss") {
    const std::string text = "memory  x = 0, started = 0\n"
                             "grid primary <<<1, 32>>>\n"
                             "  thread 0:\n" +
                             primary + "grid secondary <<<1, 32>>> " + attributes + "\n  thread 0:\n" + secondary +
                             "never seen == 0\narmed overlapped == 1\n";
    const Result<Litmus> parsed = parse_litmus(text, "test.litmus");
    REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
    return *parsed;
}

const std::string shake = "      trigger\n"
                          "      await started == 1 -> overlapped within 50us\n"
                          "      delay 500ns\n"
                          "      st.weak x, 1\n";
const std::string read_after_wait = "      st.relaxed.sys started, 1\n"
                                    "-     wait\n"
                                    "      ld.weak x -> seen\n";

Litmus sound() {
    return litmus(shake, read_after_wait);
}

Litmus mutated(const char* name, const Litmus& from = sound()) {
    const Mutant* mutant = find_mutant(name);
    REQUIRE(mutant != nullptr);
    const std::optional<MutatedCase> changed = mutate(from, *mutant);
    REQUIRE_MESSAGE(changed, name);
    CHECK(changed->emitted.program.claim == from.program.claim);
    return changed->emitted;
}

bool applies(const char* name, const Litmus& to) {
    return mutate(to, *find_mutant(name)).has_value();
}

} // namespace

TEST_CASE("mutants have names of their own, and each says what it breaks") {
    std::set<std::string_view> names;
    for (const Mutant& mutant : all_mutants()) {
        CHECK(names.insert(mutant.name).second);
        CHECK(mutant.breaks.ends_with('.'));
        CHECK((mutant.change != nullptr) == (mutant.defect == TrialDefect::none));
    }
    CHECK(names.size() >= 25);
    CHECK(find_mutant("drop-everything") == nullptr);
}

TEST_CASE("mutants of the two PDL instructions") {
    const std::string unwaited = "      st.relaxed.sys started, 1\n"
                                 "      ld.weak x -> seen\n";
    const Litmus dropped = mutated("drop-wait");
    CHECK(dropped.program.operations == dropped.control->operations);
    CHECK(dropped.program.operations == litmus(shake, unwaited).program.operations);

    CHECK(mutated("drop-trigger") == litmus("      await started == 1 -> overlapped within 50us\n"
                                            "      delay 500ns\n"
                                            "      st.weak x, 1\n",
                                            read_after_wait));
    CHECK(mutated("trigger-at-end") == litmus("      await started == 1 -> overlapped within 50us\n"
                                              "      delay 500ns\n"
                                              "      st.weak x, 1\n"
                                              "      trigger\n",
                                              read_after_wait));
    CHECK(!applies("trigger-at-start", sound())); // it is there already
    const std::string stores = "      st.weak x, 1\n"
                               "      fence.acq_rel.gpu\n";
    const std::string reads = "      await started == 1 -> overlapped within 1us\n"
                              "-     wait\n"
                              "      ld.weak x -> seen\n";
    CHECK(mutated("trigger-at-start", litmus(stores + "      trigger\n      trigger\n", reads)) ==
          litmus("      trigger\n" + stores, reads));
    CHECK(!applies("trigger-at-end", litmus("      trigger\n      exit\n", reads))); // nothing may follow an exit
}

TEST_CASE("mutants of launches") {
    CHECK(mutated("drop-pss") == litmus(shake, read_after_wait, ""));
    CHECK(!applies("drop-pss", litmus(shake, read_after_wait, "pss = 0")));
    CHECK(!applies("drop-event", sound()));
    CHECK(mutated("serialise") == litmus(shake, read_after_wait, ""));

    const auto with_event = [](const char* primary, const char* behind) {
        const Result<Litmus> parsed =
            parse_litmus(std::string("memory started = 0\nstream s, t\n") + primary +
                             "  thread 0:\n      await started == 1 -> seen within 1us\n" + behind +
                             "wait_event e on t\n"
                             "grid secondary <<<1, 32>>> on t\n"
                             "  thread 0:\n      st.relaxed.sys started, 1\n"
                             "sometimes seen == 1\n",
                         "event.litmus");
        REQUIRE_MESSAGE(parsed, (parsed ? "" : parsed.error().message));
        return *parsed;
    };
    CHECK(mutated("drop-event", with_event("grid primary <<<1, 32>>> on s programmatic_event e\n", "")) ==
          with_event("grid primary <<<1, 32>>> on s\n", "record e on s\n"));
    const Litmus serialised =
        mutated("serialise", with_event("grid primary <<<1, 32>>> on s launch_completion_event e\n", ""));
    for (const HostOperation& operation : serialised.program.operations) {
        CHECK(*stream_of(operation) == "s");
    }
    CHECK(serialised.program.streams == std::vector<std::string>{"s"});

    const Litmus swapped = mutated("program-is-control");
    CHECK(swapped.program.operations == sound().control->operations);
    CHECK(swapped.control == sound().control);
    CHECK(mutated("control-is-program").control->operations == sound().program.operations);
    CHECK(!applies("control-is-program", litmus(shake, "      wait\n      ld.weak x -> seen\n")));
}

TEST_CASE("mutants of memory") {
    const std::string ordered = "      st.weak x, 1\n"
                                "      fence.acq_rel.gpu\n"
                                "      st.release.gpu started, 1\n";
    const std::string acquires = "      await started == 1 -> overlapped within 1us\n"
                                 "      fence.acq_rel.gpu\n"
                                 "-     wait\n"
                                 "      ld.acquire.sys x -> seen\n";
    CHECK(mutated("drop-fence", litmus(ordered, acquires)) ==
          litmus("      st.weak x, 1\n"
                 "      st.relaxed.gpu started, 1\n",
                 "      await started == 1 -> overlapped within 1us\n"
                 "-     wait\n"
                 "      ld.relaxed.sys x -> seen\n"));
    CHECK(mutated("narrow-scope", litmus(ordered, acquires)) ==
          litmus("      st.weak x, 1\n"
                 "      fence.acq_rel.cta\n"
                 "      st.release.cta started, 1\n",
                 "      await started == 1 -> overlapped within 1us\n"
                 "      fence.acq_rel.cta\n"
                 "-     wait\n"
                 "      ld.acquire.cta x -> seen\n"));
    CHECK(!applies("drop-fence", sound()));
    // In the control nothing waits, so that its load may stay where it is.
    const Litmus hoisted = mutated("hoist-loads");
    CHECK(hoisted.control == sound().control);
    CHECK(hoisted.program.operations == litmus(shake, "      st.relaxed.sys started, 1\n"
                                                      "      ld.weak x -> seen\n"
                                                      "      wait\n")
                                            .program.operations);
    CHECK(mutated("hoist-stores") == litmus("      st.weak x, 1\n"
                                            "      trigger\n"
                                            "      await started == 1 -> overlapped within 50us\n"
                                            "      delay 500ns\n",
                                            read_after_wait));
    CHECK(mutated("drop-flag") == litmus(shake, "-     wait\n      ld.weak x -> seen\n"));
    CHECK(mutated("drop-payload") == litmus("      trigger\n"
                                            "      await started == 1 -> overlapped within 50us\n"
                                            "      delay 500ns\n",
                                            read_after_wait));
}

TEST_CASE("mutants of evidence") {
    CHECK(mutated("impatient") == litmus("      trigger\n"
                                         "      await started == 1 -> overlapped within 1ns\n"
                                         "      st.weak x, 1\n",
                                         read_after_wait));
    CHECK(mutated("false-arming") == litmus("      trigger\n"
                                            "      await started == 0 -> overlapped within 50us\n"
                                            "      delay 500ns\n"
                                            "      st.weak x, 1\n",
                                            read_after_wait, ""));
    const std::optional<MutatedCase> forgetful = mutate(sound(), *find_mutant("drop-result"));
    REQUIRE(forgetful);
    CHECK(forgetful->launched == sound());
    const auto& secondary = std::get<Grid>(forgetful->emitted.program.operations.back());
    CHECK(print(secondary.agents.front().instructions.back()) == "wait"); // and the load behind it is gone
    const std::optional<MutatedCase> unread = mutate(sound(), *find_mutant("no-read-back"));
    REQUIRE(unread);
    CHECK(unread->emitted == sound());
    CHECK(unread->defect == TrialDefect::no_read_back);
    CHECK(occurs_on(*find_mutant("no-read-back"), Route::edges));
    CHECK(!occurs_on(*find_mutant("no-read-back"), Route::stream));
}
