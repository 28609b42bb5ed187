# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Functions for plugin projects.

set(NPUKIT_PLUGIN_MAP "${CMAKE_CURRENT_LIST_DIR}/npukitPlugin.map")

function(npukit_add_plugin_library target)
  cmake_parse_arguments(ARG "" "OUTPUT_NAME" "SOURCES;LIBRARIES" ${ARGN})
  add_library(${target} SHARED ${ARG_SOURCES})
  target_link_libraries(${target} PRIVATE ${ARG_LIBRARIES} npukit::sdk npukit::LiteRt)
  # Hosts take only libraries that name libLiteRt.so among what they need, also where the linker drops what looks unused.
  target_link_options(${target} PRIVATE "LINKER:--no-as-needed" "LINKER:--version-script=${NPUKIT_PLUGIN_MAP}")
  set_target_properties(${target} PROPERTIES
    OUTPUT_NAME "${ARG_OUTPUT_NAME}" LINK_DEPENDS "${NPUKIT_PLUGIN_MAP}"
    CXX_VISIBILITY_PRESET hidden VISIBILITY_INLINES_HIDDEN ON)
endfunction()

# npukit_add_compiler_plugin(Contoso SOURCES ... [LIBRARIES ...]): libLiteRtCompilerPlugin_Contoso.so, the target
# Contoso_compiler_plugin.
function(npukit_add_compiler_plugin name)
  npukit_add_plugin_library(${name}_compiler_plugin OUTPUT_NAME LiteRtCompilerPlugin_${name} ${ARGN})
endfunction()

# npukit_add_dispatch_library(Contoso SOURCES ... [LIBRARIES ...]): libLiteRtDispatch_Contoso.so, the target
# Contoso_dispatch.
function(npukit_add_dispatch_library name)
  npukit_add_plugin_library(${name}_dispatch OUTPUT_NAME LiteRtDispatch_${name} ${ARGN})
endfunction()
