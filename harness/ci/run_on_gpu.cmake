# SPDX-License-Identifier: Apache-2.0
# cmake -DPROGRAM=pdlcts -DRESULTS=file -P run_on_gpu.cmake
# Succeeds where the suite ran. That a cell fails, which is exit code 1, is the gate's business.
file(REMOVE ${RESULTS})
execute_process(COMMAND ${PROGRAM} run --on gpu -o ${RESULTS} RESULT_VARIABLE code)
if(NOT code MATCHES "^[01]$")
    message(FATAL_ERROR "pdlcts run ended with ${code}")
endif()
if(NOT EXISTS ${RESULTS})
    message(FATAL_ERROR "pdlcts run wrote no results")
endif()
