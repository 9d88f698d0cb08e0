# SPDX-License-Identifier: Apache-2.0
# cmake -DLOG=Testing/Temporary/LastTest.log -P counts.cmake
# Prints what the tests of the last run have counted (conformance/support/counted.hpp), also where all of them passed.
file(STRINGS "${LOG}" lines REGEX "^counted: ")
if(NOT lines)
    message(FATAL_ERROR "${LOG}: no test has counted anything; run all tests first")
endif()
list(SORT lines)
message(NOTICE "What was compared:")
foreach(line IN LISTS lines)
    string(REGEX REPLACE "^counted: " "  " line "${line}")
    message(NOTICE "${line}")
    if(NOT line MATCHES " 0 disagreements")
        set(disagreement TRUE)
    endif()
endforeach()
if(disagreement)
    message(FATAL_ERROR "Not every comparison came out with 0 disagreements.")
endif()
