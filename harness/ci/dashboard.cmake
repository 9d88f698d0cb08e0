# SPDX-License-Identifier: Apache-2.0
# Configures, builds, tests, and submits to a CDash server: README.md beside this file has examples.
#
#     ctest -S harness/ci/dashboard.cmake -DSUBMIT_URL=https://cdash.example/submit.php?project=PDL
#
# MODEL        Experimental (default), Nightly or Continuous
# SUBMIT_URL   where to; empty: nothing is submitted, and the XML stays in BUILD/Testing/<time>
# GPU          ON: only the suite on this machine's GPU and its gate, with BASELINE and WAIVERS (files)
# BUILD        the build folder; build/dashboard
# TARGET       what to build; the program with GPU, else all
# INCLUDE      the tests whose name matches; all
# NAME         of this build on the server, beside the host name that CTest gives it
cmake_minimum_required(VERSION 3.25)

get_filename_component(CTEST_SOURCE_DIRECTORY ${CTEST_SCRIPT_DIRECTORY}/../.. ABSOLUTE)
set(CTEST_BINARY_DIRECTORY ${CTEST_SOURCE_DIRECTORY}/build/dashboard)
if(BUILD)
    get_filename_component(CTEST_BINARY_DIRECTORY ${BUILD} ABSOLUTE)
endif()
if(NOT MODEL)
    set(MODEL Experimental)
endif()
set(CTEST_CMAKE_GENERATOR Ninja)
set(CTEST_SITE "pdlcts")
set(CTEST_BUILD_NAME "host")
set(options -DCMAKE_BUILD_TYPE=Release)
set(selection)
if(GPU)
    set(CTEST_BUILD_NAME "gpu")
    list(APPEND options -DPDLCTS_GPU_GATE=ON)
    foreach(file BASELINE WAIVERS)
        if(${file})
            get_filename_component(path ${${file}} ABSOLUTE)
            list(APPEND options -DPDLCTS_GPU_${file}=${path})
        endif()
    endforeach()
    set(INCLUDE "^hardware/")
    if(NOT TARGET)
        set(TARGET pdlcts)
    endif()
endif()
if(NAME)
    set(CTEST_BUILD_NAME ${NAME})
endif()
if(INCLUDE)
    set(selection INCLUDE ${INCLUDE})
endif()
if(TARGET)
    set(CTEST_BUILD_TARGET ${TARGET})
endif()

ctest_start(${MODEL})
ctest_configure(OPTIONS "${options}" RETURN_VALUE configured)
if(configured EQUAL 0)
    ctest_build(RETURN_VALUE built NUMBER_ERRORS errors)
    if(built EQUAL 0 AND errors EQUAL 0)
        ctest_test(${selection} RETURN_VALUE tested)
    endif()
endif()
if(SUBMIT_URL)
    set(CTEST_SUBMIT_URL ${SUBMIT_URL})
    ctest_submit(RETRY_COUNT 3 RETRY_DELAY 20 RETURN_VALUE submitted)
    if(NOT submitted EQUAL 0)
        message(SEND_ERROR "the server did not take it")
    endif()
endif()
if(NOT "${tested}" STREQUAL "0")
    message(SEND_ERROR "configuring, building or testing failed; ${CTEST_BINARY_DIRECTORY}/Testing/Temporary has the logs")
endif()
