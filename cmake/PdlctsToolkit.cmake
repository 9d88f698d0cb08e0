# SPDX-License-Identifier: Apache-2.0
# The CUDA Toolkit: the installed one, or the one that PDLCTS_TOOLKIT names. Without any the project builds, too.

if(PDLCTS_TOOLKIT)
    execute_process(
        COMMAND ${PROJECT_SOURCE_DIR}/harness/toolkits/fetch ${PDLCTS_TOOLKIT}
        OUTPUT_VARIABLE toolkit OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE failed)
    if(failed)
        message(FATAL_ERROR "PDLCTS_TOOLKIT=${PDLCTS_TOOLKIT}: the toolkit cannot be fetched; the reason is above")
    endif()
    set(CUDAToolkit_ROOT ${toolkit})
elseif(NOT CUDAToolkit_ROOT AND DEFINED ENV{CUDA_HOME})
    set(CUDAToolkit_ROOT $ENV{CUDA_HOME})
endif()
find_package(CUDAToolkit 12.4)
if(PDLCTS_TOOLKIT AND NOT "${CUDAToolkit_VERSION}" MATCHES "^${PDLCTS_TOOLKIT}[.]")
    message(FATAL_ERROR "PDLCTS_TOOLKIT=${PDLCTS_TOOLKIT}, but this build folder was configured with toolkit "
        "'${CUDAToolkit_VERSION}' before; use another folder for each toolkit: cmake -B FOLDER")
endif()

# The runtime, for every target that is linked with it: static, so that the program is one file. The wheels of 12.4 have
# the shared one alone: then it is put beside the program, which looks for it there. CMake is not asked which there are:
# it also finds the runtime of another toolkit, in a folder of the system.
if(PDLCTS_TOOLKIT AND NOT EXISTS ${CUDAToolkit_ROOT}/lib64/libcudart_static.a)
    set(pdlcts_cuda_runtime CUDA::cudart)
else()
    set(pdlcts_cuda_runtime CUDA::cudart_static)
endif()

# pdlcts_put_toolkit_beside(PROGRAM): what the program loads of a fetched toolkit, in its own folder.
function(pdlcts_put_toolkit_beside program)
    if(NOT PDLCTS_TOOLKIT)
        return()
    endif()
    set(patterns libnvrtc.so.* libnvrtc-builtins.so.*)
    if(pdlcts_cuda_runtime STREQUAL CUDA::cudart)
        list(APPEND patterns libcudart.so.*)
        set_target_properties(${program} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
    endif()
    list(TRANSFORM patterns PREPEND ${CUDAToolkit_ROOT}/lib64/)
    file(GLOB libraries ${patterns})
    add_custom_command(TARGET ${program} POST_BUILD
        COMMAND ${CMAKE_COMMAND} -E copy_if_different ${libraries} $<TARGET_FILE_DIR:${program}> VERBATIM)
endfunction()
