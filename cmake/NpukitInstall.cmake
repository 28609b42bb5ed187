# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What `cmake --install` puts where:
#
#   include/                    the public headers
#   lib/                        libLiteRt.so, libnpukit_graph.so, libnpukit_tokenizer.so, the reference plugin and its claims; libnpukit_sdk_*.a
#   lib/cmake/npukit/           find_package(npukit)
#   bin/                        npukit and its verbs
#   share/npukit/               templates, suites, SoC models, documentation (`npukit help TOPIC`)
#   share/man, share/...        man pages, completions for bash, zsh and fish
#
# npukit_installable builds what is installed, and neither tests nor benchmarks.

include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# All targets of a folder and those below it.
function(npukit_collect_targets folder result)
  get_property(targets DIRECTORY "${folder}" PROPERTY BUILDSYSTEM_TARGETS)
  get_property(subfolders DIRECTORY "${folder}" PROPERTY SUBDIRECTORIES)
  foreach(subfolder IN LISTS subfolders)
    npukit_collect_targets("${subfolder}" below)
    list(APPEND targets ${below})
  endforeach()
  set(${result} "${targets}" PARENT_SCOPE)
endfunction()

npukit_collect_targets("${PROJECT_SOURCE_DIR}" npukit_targets)
foreach(target IN LISTS npukit_targets)
  get_target_property(type ${target} TYPE)
  get_target_property(output_name ${target} OUTPUT_NAME)
  if(NOT output_name)
    set(output_name ${target})
  endif()
  if(type STREQUAL "EXECUTABLE")
    # Tools are those in build/bin; tests and benchmarks lie elsewhere.
    get_target_property(folder ${target} RUNTIME_OUTPUT_DIRECTORY)
    if(folder STREQUAL "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}" AND output_name MATCHES "^npukit")
      install(TARGETS ${target} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT tools)
      list(APPEND npukit_tools ${target})
      list(APPEND npukit_installed ${target})
    endif()
  elseif(type MATCHES "SHARED_LIBRARY|MODULE_LIBRARY")
    get_target_property(folder ${target} LIBRARY_OUTPUT_DIRECTORY)
    if(folder STREQUAL "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}" AND output_name MATCHES "^(LiteRt|npukit_graph$|npukit_tokenizer$)")
      install(TARGETS ${target} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
      list(APPEND npukit_installed ${target})
    endif()
  endif()
endforeach()

set(npukit_archives npukit_sdk_support npukit_sdk_context npukit_sdk_context_2_3
    npukit_sdk_compiled npukit_sdk_compiled_abi2_2 npukit_sdk_compiled_abi2_3)
install(TARGETS ${npukit_archives} ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/sdk/include/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT dev
        FILES_MATCHING PATTERN "*.h" PATTERN "*.def")
# Sources of those of context, for `npukit new --upstream`.
install(FILES "${PROJECT_SOURCE_DIR}/sdk/host/c_api/support/context_functions.cc"
              "${PROJECT_SOURCE_DIR}/sdk/host/c_api/support/host_table.cc"
              "${PROJECT_SOURCE_DIR}/sdk/host/c_api/support/host_table.h"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit/context" COMPONENT dev)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/templates/" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit/templates" COMPONENT tools
        USE_SOURCE_PERMISSIONS)
foreach(data IN ITEMS suites)
  if(EXISTS "${PROJECT_SOURCE_DIR}/conformance/${data}")
    install(DIRECTORY "${PROJECT_SOURCE_DIR}/conformance/${data}/" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit/${data}" COMPONENT tools
            FILES_MATCHING PATTERN "*.yaml" PATTERN "*.md")
  endif()
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/simulator/hw/soc/" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit/soc" COMPONENT tools
        FILES_MATCHING PATTERN "*.yaml")
file(GLOB_RECURSE npukit_claims CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/reference_plugin/*.claims.yaml"
     "${PROJECT_SOURCE_DIR}/reference_plugin/*.baseline.json")
if(npukit_claims)
  install(FILES ${npukit_claims} DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT runtime)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit/docs" COMPONENT doc
        FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.acm" PATTERN "*.yaml")
install(FILES "${PROJECT_SOURCE_DIR}/CHANGELOG.md" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit/docs" COMPONENT doc)

# Man pages and completions, made by the tools from what their --help is made from.
if(NOT CMAKE_CROSSCOMPILING)
  set(npukit_shell_dir "${PROJECT_BINARY_DIR}/CMakeFiles/npukit_shell")
  set(npukit "$<TARGET_FILE:npukit>")
  add_custom_command(
    OUTPUT "${npukit_shell_dir}/made"
    COMMAND "${CMAKE_COMMAND}" -E rm -rf "${npukit_shell_dir}"
    COMMAND "${CMAKE_COMMAND}" -E make_directory "${npukit_shell_dir}"
    COMMAND "${npukit}" man -o "${npukit_shell_dir}/man"
    COMMAND find "${npukit_shell_dir}/man" -name "*.1" -exec gzip -9n {} +  # as Debian wants them
    COMMAND "${npukit}" completion bash > "${npukit_shell_dir}/npukit"
    COMMAND "${npukit}" completion zsh > "${npukit_shell_dir}/_npukit"
    COMMAND "${npukit}" completion fish > "${npukit_shell_dir}/npukit.fish"
    COMMAND "${CMAKE_COMMAND}" -E touch "${npukit_shell_dir}/made"
    DEPENDS ${npukit_tools}
    COMMENT "man pages and completions"
    VERBATIM)
  add_custom_target(npukit_shell ALL DEPENDS "${npukit_shell_dir}/made")
  install(DIRECTORY "${npukit_shell_dir}/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1" COMPONENT tools)
  install(FILES "${npukit_shell_dir}/npukit" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions" COMPONENT tools)
  install(FILES "${npukit_shell_dir}/_npukit" DESTINATION "${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions" COMPONENT tools)
  install(FILES "${npukit_shell_dir}/npukit.fish" DESTINATION "${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d" COMPONENT tools)
endif()

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/npukit" COMPONENT runtime)

set(npukit_package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/npukit")
set(NPUKIT_ARCHIVE_DIR "${CMAKE_INSTALL_LIBDIR}")
configure_package_config_file(
  "${CMAKE_CURRENT_LIST_DIR}/npukitConfig.cmake.in" "${PROJECT_BINARY_DIR}/CMakeFiles/npukit_package/npukitConfig.cmake"
  INSTALL_DESTINATION "${npukit_package_folder}" NO_CHECK_REQUIRED_COMPONENTS_MACRO
  PATH_VARS CMAKE_INSTALL_BINDIR CMAKE_INSTALL_LIBDIR CMAKE_INSTALL_INCLUDEDIR NPUKIT_ARCHIVE_DIR)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/CMakeFiles/npukit_package/npukitConfigVersion.cmake"
                                 COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/CMakeFiles/npukit_package/npukitConfig.cmake" "${PROJECT_BINARY_DIR}/CMakeFiles/npukit_package/npukitConfigVersion.cmake"
              "${CMAKE_CURRENT_LIST_DIR}/npukitPlugin.cmake" "${CMAKE_CURRENT_LIST_DIR}/npukitPlugin.map"
        DESTINATION "${npukit_package_folder}" COMPONENT dev)

add_custom_target(npukit_installable)
add_dependencies(npukit_installable ${npukit_installed} ${npukit_archives})
foreach(target IN ITEMS npukit_profiles npukit_suites npukit_python)
  if(TARGET ${target})
    add_dependencies(npukit_installable ${target})
  endif()
endforeach()
if(TARGET npukit_shell)
  add_dependencies(npukit_installable npukit_shell)
endif()
include(NpukitPackage)

# The same for the build tree, so that -DCMAKE_PREFIX_PATH=<build> works without installing.
set(PACKAGE_INIT "")
set(PACKAGE_CMAKE_INSTALL_BINDIR "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
set(PACKAGE_CMAKE_INSTALL_LIBDIR "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
set(PACKAGE_CMAKE_INSTALL_INCLUDEDIR "${PROJECT_SOURCE_DIR}/sdk/include")
set(PACKAGE_NPUKIT_ARCHIVE_DIR "${CMAKE_ARCHIVE_OUTPUT_DIRECTORY}")
set(npukit_build_package "${PROJECT_BINARY_DIR}/lib/cmake/npukit")
configure_file("${CMAKE_CURRENT_LIST_DIR}/npukitConfig.cmake.in" "${npukit_build_package}/npukitConfig.cmake" @ONLY)
configure_file("${PROJECT_BINARY_DIR}/CMakeFiles/npukit_package/npukitConfigVersion.cmake" "${npukit_build_package}" COPYONLY)
configure_file("${CMAKE_CURRENT_LIST_DIR}/npukitPlugin.cmake" "${npukit_build_package}" COPYONLY)
configure_file("${CMAKE_CURRENT_LIST_DIR}/npukitPlugin.map" "${npukit_build_package}" COPYONLY)
