// SPDX-License-Identifier: Apache-2.0
#include "conformance/litmus/printer.hpp"

#include "conformance/litmus/parser.hpp"

#include <doctest/doctest.h>

using namespace pdlcts;

namespace {

Litmus parsed(std::string_view text) {
    const auto litmus = parse_litmus(text, "test");
    REQUIRE_MESSAGE(litmus, litmus.error().message);
    return *litmus;
}

} // namespace

TEST_CASE("a file in canonical form is printed as it was written") {
    const std::string text = R"(# What the primary stores after its trigger is visible after the wait.
#
# The second paragraph.
checks  visibility.after-wait.post-trigger-writes, trigger.is-not-completion
routes  stream, captured

memory  x = 0, started = 0

grid primary <<<1, 32>>>
  thread 0:
      trigger
      await started == 1 -> overlapped within 50us
      delay 500ns
      st.weak x, 1

grid secondary <<<1, 32>>> pss
  thread 0:
      st.relaxed.sys started, 1
-     wait
      ld.weak x -> seen

never   seen == 0
armed   overlapped == 1
)";
    CHECK(print(parsed(text)) == text);
}
