# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# One generated .c file per public C header, which includes that header alone and twice over, in an object library
# compiled as strict C11: the build fails if a header needs another one included first, or anything that is not C.

file(GLOB_RECURSE npukit_c_headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/sdk/include"
     "${PROJECT_SOURCE_DIR}/sdk/include/litert/c/*.h" "${PROJECT_SOURCE_DIR}/sdk/include/litert/vendors/c/*.h")

set(npukit_c11_sources "")
foreach(header IN LISTS npukit_c_headers)
  string(MAKE_C_IDENTIFIER "${header}" identifier)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/c11/${identifier}.c")
  file(CONFIGURE OUTPUT "${source}" CONTENT
"#include \"${header}\"
#include \"${header}\"  // Guarded.
typedef int ${identifier}_is_no_empty_translation_unit;
")
  list(APPEND npukit_c11_sources "${source}")
endforeach()

add_library(npukit_c_api_c11_headers OBJECT ${npukit_c11_sources})
target_include_directories(npukit_c_api_c11_headers PRIVATE "${PROJECT_SOURCE_DIR}/sdk/include")
target_compile_options(npukit_c_api_c11_headers PRIVATE -std=c11 -Wall -Wextra -pedantic -Werror)
