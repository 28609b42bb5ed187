# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Functions for plugin projects.

set(NPUKIT_PLUGIN_MAP "${CMAKE_CURRENT_LIST_DIR}/npukitPlugin.map")

# The plugins of one source, one for each ABI (npukit/abi.h): TARGET, TARGET_abi2_2 and TARGET_abi2_3, in folders beside each
# other.
function(npukit_add_plugin_library target)
  cmake_parse_arguments(ARG "" "OUTPUT_NAME" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${target} SHARED ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} npukit::sdk_compiled npukit::LiteRt)
  # Hosts take only libraries that name libLiteRt.so among what they need, also where the linker drops what looks unused.
  target_link_options(${target} PRIVATE "LINKER:--no-as-needed")

  if(CMAKE_LIBRARY_OUTPUT_DIRECTORY)
    set(folder "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}")
  else()
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/lib")
  endif()
  foreach(abi IN ITEMS 2_2 2_3)
    string(REPLACE _ . number ${abi})
    add_library(${target}_abi${abi} SHARED ${ARG_SOURCES})
    target_link_libraries(${target}_abi${abi} PRIVATE ${ARG_LIBRARIES} npukit::sdk_compiled_abi${abi} npukit::sdk_abi${abi})
    target_link_options(${target}_abi${abi} PRIVATE "LINKER:-z,defs")
    set_target_properties(${target}_abi${abi} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${folder}-abi${number}")
  endforeach()

  foreach(library IN ITEMS ${target} ${target}_abi2_2 ${target}_abi2_3)
    target_link_options(${library} PRIVATE "LINKER:--version-script=${NPUKIT_PLUGIN_MAP}")
    set_target_properties(${library} PROPERTIES
      OUTPUT_NAME "${ARG_OUTPUT_NAME}" LINK_DEPENDS "${NPUKIT_PLUGIN_MAP}"
      # No RUNPATH: the host is in the process already, and need not be npukit's.
      BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH OFF
      CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
  endforeach()
endfunction()

# npukit_add_compiler_plugin(Contoso SOURCES ... [LIBRARIES ...]): libLiteRtCompilerPlugin_Contoso.so, for LiteRT
# 2.1.3 and 2.1.4 by the target Contoso_compiler_plugin, for 2.2.0 by Contoso_compiler_plugin_abi2_2, and for all from 2.1.5 on
# by Contoso_compiler_plugin_abi2_3.
function(npukit_add_compiler_plugin name)
  npukit_add_plugin_library(${name}_compiler_plugin OUTPUT_NAME LiteRtCompilerPlugin_${name} ${ARGN})
endfunction()

# npukit_add_linked_plugin(Contoso SOURCES ... [LIBRARIES ...]): the same sources for programs that link the plugin in, in
# place of loading it: target_link_libraries(program PRIVATE Contoso_linked). An object library, since nothing refers to what
# registers itself and the linker would leave it out of an archive. Built when a program needs it.
function(npukit_add_linked_plugin name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${name}_linked OBJECT EXCLUDE_FROM_ALL ${ARG_SOURCES})
  target_compile_definitions(${name}_linked PRIVATE NPUKIT_LINKED_PLUGINS)
  target_link_libraries(${name}_linked PUBLIC ${ARG_LIBRARIES} npukit::sdk_compiled npukit::LiteRt)
endfunction()

# npukit_add_dispatch_library(Contoso SOURCES ... [LIBRARIES ...]): libLiteRtDispatch_Contoso.so, likewise
# by Contoso_dispatch, Contoso_dispatch_abi2_2 and Contoso_dispatch_abi2_3.
function(npukit_add_dispatch_library name)
  npukit_add_plugin_library(${name}_dispatch OUTPUT_NAME LiteRtDispatch_${name} ${ARGN})
endfunction()
