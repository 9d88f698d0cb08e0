# SPDX-License-Identifier: Apache-2.0
# What every folder uses: a library of the product, the tests that stand beside it, and what tests share.

add_library(pdlcts_options INTERFACE)
target_include_directories(pdlcts_options INTERFACE ${PROJECT_SOURCE_DIR})
target_compile_options(pdlcts_options INTERFACE -Wall -Wextra -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # GCC 12 warns of overlapping copies inside `"text" + std::string` (its bug 105651).
    target_compile_options(pdlcts_options INTERFACE -Wno-restrict)
endif()

# What the product is compiled with where it is tested with sanitizers. Tests are linked with them and compiled without:
# what they test is what has to be watched, and they would take twice as long to build.
add_library(pdlcts_sanitized INTERFACE)
if(PDLCTS_SANITIZE)
    # Less what AddressSanitizer finds anyway where it matters, at the access: these checks stand at every access, and
    # take half of the time to compile.
    set(sanitizers -fsanitize=address,undefined -fno-sanitize=null,alignment,object-size,pointer-overflow,vptr
        -fno-sanitize-recover=all)
    target_compile_options(pdlcts_sanitized INTERFACE ${sanitizers} -fno-omit-frame-pointer)
    # Linked statically, so that the program still needs the C and C++ run time and nothing else.
    target_link_options(pdlcts_options INTERFACE ${sanitizers} $<$<CXX_COMPILER_ID:GNU>:-static-libasan;-static-libubsan>)
endif()

add_library(pdlcts_fmt STATIC ${CMAKE_CURRENT_LIST_DIR}/fmt_implementation.cpp)
target_link_libraries(pdlcts_fmt PUBLIC pdlcts_options)

# pdlcts_library(NAME SOURCES file... [LINK target...])
function(pdlcts_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC pdlcts_options ${ARG_LINK} PRIVATE pdlcts_sanitized)
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
endfunction()

# pdlcts_test_library(NAME SOURCES file... [LINK target...]): what several tests share, and no part of the product.
function(pdlcts_test_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_link_libraries(${name} PUBLIC pdlcts_options ${ARG_LINK})
endfunction()

# doctest's implementation is compiled once for all tests.
function(pdlcts_need_doctest_main)
    if(NOT TARGET pdlcts_doctest_main)
        add_library(pdlcts_doctest_main STATIC ${PROJECT_SOURCE_DIR}/cmake/doctest_main.cpp)
        target_link_libraries(pdlcts_doctest_main PUBLIC pdlcts_options doctest::doctest)
        target_compile_definitions(pdlcts_doctest_main PUBLIC DOCTEST_CONFIG_SUPER_FAST_ASSERTS)
    endif()
endfunction()

# pdlcts_tests(NAME SOURCES file_test.cpp... [LINK target...] [DEFINITIONS definition...])
function(pdlcts_tests name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK;DEFINITIONS" ${ARGN})
    pdlcts_need_doctest_main()
    add_executable(${name} ${ARG_SOURCES})
    target_compile_definitions(${name} PRIVATE PDLCTS_SOURCE_DIR="${PROJECT_SOURCE_DIR}" ${ARG_DEFINITIONS})
    target_link_libraries(${name} PRIVATE pdlcts_doctest_main ${ARG_LINK})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS host TIMEOUT 300)
endfunction()

# The same of tests that mutants of what they test are held against, too (PdlctsMutants): compiled once, as NAME_objects.
function(pdlcts_tests_with_mutants name)
    cmake_parse_arguments(ARG "" "" "SOURCES;LINK" ${ARGN})
    pdlcts_need_doctest_main()
    add_library(${name}_objects OBJECT ${ARG_SOURCES})
    target_compile_definitions(${name}_objects PRIVATE PDLCTS_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    target_link_libraries(${name}_objects PRIVATE pdlcts_doctest_main ${ARG_LINK})
    add_executable(${name} $<TARGET_OBJECTS:${name}_objects>)
    target_link_libraries(${name} PRIVATE pdlcts_doctest_main ${ARG_LINK})
    add_test(NAME ${name} COMMAND ${name})
    set_tests_properties(${name} PROPERTIES LABELS host TIMEOUT 300)
endfunction()
