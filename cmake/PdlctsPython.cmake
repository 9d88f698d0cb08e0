# SPDX-License-Identifier: Apache-2.0
# Tests that hold what the program writes against validators of others: Python packages, pinned (python/requirements.txt).

# pdlcts_python_test(NAME SCRIPT argument...): skipped where the packages are not there and no package index answers.
function(pdlcts_python_test name script)
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/cmake/python/run ${PROJECT_BINARY_DIR}/python ${script} ${ARGN})
    set_tests_properties(${name} PROPERTIES LABELS host SKIP_RETURN_CODE 3 TIMEOUT 300)
endfunction()
