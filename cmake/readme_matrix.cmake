# SPDX-License-Identifier: Apache-2.0
# The matrix of the published results: with its notes as reports/published/matrix.md, without them in the README. MODE is
# `write`, or `check`: then a page that says otherwise is an error.
file(GLOB results ${SOURCE_DIR}/reports/published/*.json)
list(SORT results)
if(NOT results)
    message(FATAL_ERROR "reports/published holds no results file; expected at least one of a real run")
endif()
execute_process(COMMAND ${PROGRAM} report ${results} --markdown - OUTPUT_VARIABLE matrix COMMAND_ERROR_IS_FATAL ANY)

set(page ${SOURCE_DIR}/reports/published/matrix.md)
if(MODE STREQUAL write)
    file(WRITE ${page} "${matrix}")
else()
    set(published "")
    if(EXISTS ${page})
        file(READ ${page} published)
    endif()
    if(NOT published STREQUAL matrix)
        message(FATAL_ERROR "reports/published/matrix.md is not what the results say; build the target readme_matrix")
    endif()
endif()

# The README has a heading of its own above the matrix.
string(REGEX REPLACE "^# [^\n]*\n\n" "" matrix "${matrix}")
string(FIND "${matrix}" "\n## Notes\n" notes_at)
if(NOT notes_at EQUAL -1)
    string(SUBSTRING "${matrix}" 0 ${notes_at} matrix)
    string(APPEND matrix "\nThe numbers are those of the notes in [the whole matrix](reports/published/matrix.md).\n")
endif()

include(${CMAKE_CURRENT_LIST_DIR}/readme_section.cmake)
readme_section(${MODE} matrix "matrix: written by the target `readme_matrix` from reports/published" "${matrix}"
    readme_matrix)
