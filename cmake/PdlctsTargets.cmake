# SPDX-License-Identifier: Apache-2.0
# The two functions that every folder uses: a library of the product, and the tests that stand beside it.

add_library(pdlcts_options INTERFACE)
target_include_directories(pdlcts_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(pdlcts_options INTERFACE -Wall -Wextra -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of overlapping copies inside `"text" + std::string` (its bug 105651).
    target_compile_options(pdlcts_options INTERFACE -Wno-restrict)
endif()

set(pdlcts_sanitizers -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)

# pdlcts_library(NAME SOURCES file... [LINK target...])
#
# Where the tests are sanitized the sources are compiled twice: as NAME for the product, and as NAME_tested for the
# tests. LINK names libraries of this project, or third-party targets; of the former the tests get the tested twin.
function(pdlcts_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC pdlcts_options ${ARG_LINK})
    if(PDLCTS_SANITIZE_TESTS)
        add_library(${name}_tested STATIC EXCLUDE_FROM_ALL ${ARG_SOURCES})
        pdlcts_tested_names(linked ${ARG_LINK})
        target_link_libraries(${name}_tested PUBLIC pdlcts_options ${linked})
        target_compile_options(${name}_tested PRIVATE -O1 ${pdlcts_sanitizers})
    endif()
endfunction()

# pdlcts_embed(NAME TOOL target FILES file... SOURCES file... [LINK target...])
#
# A library that carries data files: TOOL checks them and writes them as a source, so that a bad file stops the build.
# FILES are relative to the project, because their names go into the program and into error messages.
function(pdlcts_embed name)
    cmake_parse_arguments(ARG "" "TOOL" "FILES;SOURCES;LINK" ${ARGN})
    list(SORT ARG_FILES)
    list(TRANSFORM ARG_FILES PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE paths)
    set(generated ${CMAKE_CURRENT_BINARY_DIR}/${name}_files.cpp)
    add_custom_command(
        OUTPUT ${generated}
        COMMAND ${ARG_TOOL} ${generated} ${ARG_FILES}
        DEPENDS ${ARG_TOOL} ${paths}
        WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
        COMMENT "Embedding the files of ${name}"
        VERBATIM
    )
    pdlcts_library(${name} SOURCES ${ARG_SOURCES} ${generated} LINK ${ARG_LINK})
    # Two libraries compile the generated file, and only one command may write it.
    add_custom_target(${name}_files DEPENDS ${generated})
    add_dependencies(${name} ${name}_files)
    if(TARGET ${name}_tested)
        add_dependencies(${name}_tested ${name}_files)
    endif()
endfunction()

# pdlcts_tests(NAME SOURCES file_test.cpp... [LINK target...] [DEFINITIONS definition...])
function(pdlcts_tests name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEFINITIONS" ${ARGN})
    add_executable(${name} ${PROJECT_SOURCE_DIR}/cmake/doctest_main.cpp ${ARG_SOURCES})
    target_compile_definitions(${name} PRIVATE PDLCTS_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ${ARG_DEFINITIONS})
    if(PDLCTS_SANITIZE_TESTS)
        pdlcts_tested_names(linked ${ARG_LINK})
        target_compile_options(${name} PRIVATE -O1 ${pdlcts_sanitizers})
        target_link_options(${name} PRIVATE ${pdlcts_sanitizers})
    else()
        set(linked ${ARG_LINK})
    endif()
    target_link_libraries(${name} PRIVATE pdlcts_options doctest::doctest ${linked})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS host TIMEOUT 120)
endfunction()

function(pdlcts_tested_names out)
    set(names "")
    foreach(target IN LISTS ARGN)
        if(target MATCHES "^pdlcts_")
            list(APPEND names ${target}_tested)
        else()
            list(APPEND names ${target})
        endif()
    endforeach()
    set(${out} ${names} PARENT_SCOPE)
endfunction()
