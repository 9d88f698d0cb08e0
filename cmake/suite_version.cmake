# SPDX-License-Identifier: Apache-2.0
# Run by every build: writes the version and the commit as a header, and touches it only when they have changed.
execute_process(COMMAND git -C ${SOURCE_DIR} rev-parse HEAD
    OUTPUT_VARIABLE git_hash OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed ERROR_QUIET)
if(failed)
    set(git_hash unknown)
    set(dirty false)
else()
    execute_process(COMMAND git -C ${SOURCE_DIR} status --porcelain OUTPUT_VARIABLE changes ERROR_QUIET)
    if(changes STREQUAL "")
        set(dirty false)
    else()
        set(dirty true)
    endif()
endif()
file(CONFIGURE OUTPUT ${OUTPUT} @ONLY CONTENT [[
// Written by the build.
#pragma once
#include <string_view>
namespace pdlcts::suite_version {
inline constexpr std::string_view version = "@VERSION@";
inline constexpr std::string_view git_hash = "@git_hash@";
inline constexpr bool dirty = @dirty@;
} // namespace pdlcts::suite_version
]])
