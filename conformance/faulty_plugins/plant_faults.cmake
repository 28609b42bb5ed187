# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# cmake -DOBJCOPY=.. -DSOURCE=.. -DCOMPILER=.. -DCOMPILER_QUERIED=.. -DCOMPILER_QUERY_ONLY=.. -DDISPATCH=.. -DDISPATCH_QUERIED=.. -DFOLDER=.. -P plant_faults.cmake
# FOLDER/NAME/: both libraries of Mimic with the fault NAME, and Mimic's claims; for each fault of faults.def and `healthy`.
# FOLDER/query_only: without a fault, and with libraries whose functions are queried, the compiler plugin with that one export.

set(section_bytes 64)  # kSectionBytes of planted_fault.cc

file(STRINGS "${SOURCE}/faults.def" lines REGEX "^FAULT\\(")
set(names healthy)
foreach(line IN LISTS lines)
  string(REGEX REPLACE "^FAULT\\(([a-z0-9_]+),.*" "\\1" name "${line}")
  list(APPEND names ${name})
endforeach()

file(REMOVE_RECURSE "${FOLDER}")
foreach(name IN LISTS names)
  string(LENGTH "${name}" length)
  math(EXPR padding "${section_bytes} - ${length}")
  if(padding LESS 1)
    message(FATAL_ERROR "faults.def: '${name}' is longer than ${section_bytes} bytes")
  endif()
  string(REPEAT " " ${padding} spaces)
  file(MAKE_DIRECTORY "${FOLDER}/${name}")
  file(WRITE "${FOLDER}/${name}/fault" "${name}${spaces}")
  set(compiler "${COMPILER}")
  set(dispatch "${DISPATCH}")
  if(name MATCHES "^queried_")
    set(compiler "${COMPILER_QUERIED}")
    set(dispatch "${DISPATCH_QUERIED}")
  endif()
  foreach(library IN ITEMS "${compiler}=libLiteRtCompilerPlugin_Mimic.so" "${dispatch}=libLiteRtDispatch_Mimic.so")
    string(REPLACE "=" ";" parts "${library}")
    list(GET parts 0 from)
    list(GET parts 1 to)
    execute_process(COMMAND "${OBJCOPY}" --update-section ".npukit_fault=${FOLDER}/${name}/fault" "${from}" "${FOLDER}/${name}/${to}"
                    RESULT_VARIABLE result)
    if(NOT result EQUAL 0)
      message(FATAL_ERROR "${OBJCOPY} ${from}: ${result}")
    endif()
  endforeach()
  file(REMOVE "${FOLDER}/${name}/fault")
  file(COPY "${SOURCE}/Mimic.claims.yaml" DESTINATION "${FOLDER}/${name}")
endforeach()

file(MAKE_DIRECTORY "${FOLDER}/query_only")
file(COPY_FILE "${COMPILER_QUERY_ONLY}" "${FOLDER}/query_only/libLiteRtCompilerPlugin_Mimic.so")
file(COPY_FILE "${DISPATCH_QUERIED}" "${FOLDER}/query_only/libLiteRtDispatch_Mimic.so")
file(COPY "${SOURCE}/Mimic.claims.yaml" DESTINATION "${FOLDER}/query_only")
