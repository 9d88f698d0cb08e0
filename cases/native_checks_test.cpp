// SPDX-License-Identifier: Apache-2.0
#include "cases/native_checks.hpp"

#include "harness/catalogue/native_case.hpp"

#include <doctest/doctest.h>

#include <set>

using namespace pdlcts;

TEST_CASE("every page of a native check has its code, and every code its page") {
    std::set<std::string> pages;
    for (const NativeCase& listed : embedded_native_cases()) {
        pages.insert(listed.id);
    }
    std::set<std::string> code;
    for (const NativeCheck& check : native_checks()) {
        CHECK_MESSAGE(code.insert(check.id).second, check.id, " is listed twice");
        CHECK((check.function != nullptr));
        CHECK((find_native_check(check.id) == check.function));
    }
#ifdef PDLCTS_HAS_TOOLKIT
    CHECK(pages == code);
#else
    CHECK(code.empty());
#endif
    CHECK((find_native_check("no/such-check") == nullptr));
}
