# SPDX-License-Identifier: Apache-2.0
# The matrix of the README, from the published results. MODE is `write`, or `check`: then a README that says otherwise
# is an error.
file(GLOB results ${SOURCE_DIR}/reports/published/*.json)
list(SORT results)
if(NOT results)
    message(FATAL_ERROR "reports/published holds no results file; expected at least one of a real run")
endif()
execute_process(COMMAND ${PROGRAM} report ${results} --markdown - OUTPUT_VARIABLE matrix COMMAND_ERROR_IS_FATAL ANY)

# The README has a heading of its own above the matrix.
string(REGEX REPLACE "^# [^\n]*\n\n" "" matrix "${matrix}")

set(begin "<!-- matrix: written by the target `readme_matrix` from reports/published -->\n")
set(end "<!-- end of matrix -->")
file(READ ${SOURCE_DIR}/README.md readme)
string(FIND "${readme}" "${begin}" begin_at)
string(FIND "${readme}" "${end}" end_at)
if(begin_at EQUAL -1 OR end_at EQUAL -1)
    message(FATAL_ERROR "README.md: the two comments around the matrix are missing")
endif()
string(LENGTH "${begin}" begin_length)
math(EXPR begin_at "${begin_at} + ${begin_length}")
string(SUBSTRING "${readme}" 0 ${begin_at} before)
string(SUBSTRING "${readme}" ${end_at} -1 behind)
set(written "${before}\n${matrix}\n${behind}")

if(MODE STREQUAL write)
    file(WRITE ${SOURCE_DIR}/README.md "${written}")
elseif(NOT written STREQUAL readme)
    message(FATAL_ERROR "README.md: the matrix is not what reports/published says; build the target readme_matrix")
endif()
