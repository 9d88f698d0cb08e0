# SPDX-License-Identifier: Apache-2.0
# Mutants of the suite's own code: the tests have to fail with each of them.

# pdlcts_mutants(PREFIX FOLDER folder TESTS target LINK target...)
#
# For every file of FOLDER a test PREFIX/NAME. The file says in its first line why the mutant would be bad, and then
# which text of which source becomes what (cmake/mutate.cmake). The mutated source is linked before the library that has
# the sound one, with the tests of TESTS, an object library; the test succeeds where these fail, and say so.
function(pdlcts_mutants prefix)
    cmake_parse_arguments(ARG "" "FOLDER;TESTS" "LINK" ${ARGN})
    file(GLOB mutants CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${ARG_FOLDER}/*)
    foreach(mutant IN LISTS mutants)
        get_filename_component(name ${mutant} NAME)
        string(REPLACE "/" "_" target ${prefix}_${name})
        file(STRINGS ${mutant} heading REGEX "^==== [^ ]+[.]cpp$")
        string(REPLACE "==== " "" source "${heading}")
        set(mutated ${CMAKE_CURRENT_BINARY_DIR}/${target}.cpp)
        add_custom_command(OUTPUT ${mutated}
            COMMAND ${CMAKE_COMMAND} -DMUTANT=${mutant} -DSOURCE_DIR=${PROJECT_SOURCE_DIR} -DOUTPUT=${mutated}
                -P ${PROJECT_SOURCE_DIR}/cmake/mutate.cmake
            DEPENDS ${mutant} ${PROJECT_SOURCE_DIR}/${source} ${PROJECT_SOURCE_DIR}/cmake/mutate.cmake
            COMMENT "Mutating ${source}: ${name}" VERBATIM)
        add_executable(${target} ${mutated} $<TARGET_OBJECTS:${ARG_TESTS}>)
        target_link_libraries(${target} PRIVATE pdlcts_doctest_main ${ARG_LINK})
        add_test(NAME ${prefix}/${name} COMMAND ${target} --no-colors)
        set_tests_properties(${prefix}/${name} PROPERTIES LABELS "host;mutants" TIMEOUT 300
            PASS_REGULAR_EXPRESSION "Status: FAILURE!")
    endforeach()
endfunction()
