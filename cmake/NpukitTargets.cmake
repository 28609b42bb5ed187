# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# One function per kind of target, so that warnings, include roots and output folders stand in one place.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_C_EXTENSIONS OFF)
# Programs, too, so that they share precompiled headers with libraries.
add_compile_options(-fPIC)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/lib")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/archive")
# No CMAKE_INSTALL_RPATH: where the installed RUNPATH is the longer one, CMake fills up the one of the build tree with ":", and
# an empty element means the current folder.
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
# The microkernels ask for -O3 themselves.
string(REPLACE "-O3" "-O2" CMAKE_CXX_FLAGS_RELEASE "${CMAKE_CXX_FLAGS_RELEASE}")
string(REPLACE "-O3" "-O2" CMAKE_C_FLAGS_RELEASE "${CMAKE_C_FLAGS_RELEASE}")

set(NPUKIT_SANITIZE "" CACHE STRING "Sanitizers for every target, e.g. address,undefined or thread")
set(NPUKIT_SHARED_DIR "${PROJECT_SOURCE_DIR}/../shared" CACHE PATH
    "Models and golden outputs that some tests read; tests say so when it is absent. The environment's NPUKIT_SHARED_DIR wins")
option(NPUKIT_BENCHMARKS "Build the *_benchmark binaries" ON)

option(NPUKIT_MAP_PATHS "Let binaries name sources from the project's folder on, wherever that lies" OFF)
if(NPUKIT_MAP_PATHS)
  # The second is for ccache, which makes paths below the project's folder relative to the build's: bytes are the same without it.
  add_compile_options("-ffile-prefix-map=${PROJECT_SOURCE_DIR}/=" "-ffile-prefix-map=../=")
endif()
option(NPUKIT_FUZZ "Build the *_fuzz.cc targets; needs clang's libFuzzer" OFF)
if(NPUKIT_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
  add_custom_target(fuzz_programs)
endif()

# Time limits of tests are for optimised programs without a sanitizer or emulator; others take this many times as long.
set(NPUKIT_TEST_TIME_FACTOR 1)
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  set(NPUKIT_TEST_TIME_FACTOR 5)
endif()
if(NPUKIT_EMULATED)
  set(NPUKIT_TEST_TIME_FACTOR 20)
endif()
if(NPUKIT_SANITIZE)
  set(NPUKIT_TEST_TIME_FACTOR 5)
  add_compile_options(-fsanitize=${NPUKIT_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${NPUKIT_SANITIZE})
  # GCC's flow analysis loses track of std::optional between the sanitizers' checks (GCC bug 80635).
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>)
  # Eigen's thread pool has fences, which the thread sanitizer does not see.
  if(NPUKIT_SANITIZE MATCHES thread)
    add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-tsan>)
    # libtsan watches __tls_get_addr and reads what stands before a library's thread-local block as its header wherever the block
    # begins 16 bytes within a page (GCC 12), and ends the process. By descriptors nobody calls that function.
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64" AND CMAKE_CXX_COMPILER_ID STREQUAL GNU)
      add_compile_options(-mtls-dialect=gnu2)
    endif()
  endif()
endif()

# Sets what a test, or several, may take at most: seconds without a sanitizer or emulator.
function(npukit_time_limit seconds)
  math(EXPR limit "${seconds} * ${NPUKIT_TEST_TIME_FACTOR}")
  set_tests_properties(${ARGN} PROPERTIES TIMEOUT ${limit})
endfunction()

add_library(npukit_warnings INTERFACE)
target_compile_options(npukit_warnings INTERFACE
  -Wall -Wextra -Werror -Wno-missing-field-initializers
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor -Woverloaded-virtual>
  # LiteRT declares its handles as classes, the host defines some as structs: no difference but for Microsoft's ABI.
  $<$<COMPILE_LANG_AND_ID:CXX,Clang>:-Wno-mismatched-tags>
  # GCC 12 sees overlaps in std::string's own code (GCC bug 105651).
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>)

# GCC 12 looks for garbage all through a precompiled header, over and over: a tenth of the time, for some 100 MB.
add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=400000>)

# Headers parsed once for all: the standard library's and, for tests, GoogleTest's. Sources include what they use all the same;
# the presets other than release, and `./dev lint`, build without.
option(NPUKIT_PRECOMPILED_HEADERS "Precompile the headers of the standard library and GoogleTest" OFF)
# Clang refuses a precompiled header that was made with another default visibility, and plugins hide their symbols.
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(NPUKIT_PRECOMPILED_HEADERS OFF)
endif()

# Several sources of a target compiled as one, which halves the time: what their headers instantiate is instantiated once.
# Sources include what they use all the same, and the other presets compile each by itself. What may be compiled together is
# found out from the sources (NpukitUnity.cmake), which are written as if there were no such thing.
option(NPUKIT_UNITY "Compile several sources as one" OFF)

function(npukit_use_unity target batch_size)
  if(NPUKIT_UNITY)
    npukit_group_sources(${target} ${batch_size})
  endif()
endfunction()

# npukit_precompiled(NAME HEADER [OPTIONS ...] [DEPS ...])
function(npukit_precompiled target header)
  cmake_parse_arguments(ARG "" "" "OPTIONS;DEPS" ${ARGN})
  if(NPUKIT_PRECOMPILED_HEADERS)
    add_library(${target} OBJECT "${PROJECT_SOURCE_DIR}/cmake/precompiled/precompiled.cc")
    target_link_libraries(${target} PRIVATE npukit_warnings ${ARG_DEPS})
    target_compile_options(${target} PRIVATE ${ARG_OPTIONS})
    target_precompile_headers(${target} PRIVATE
      "$<$<COMPILE_LANGUAGE:CXX>:${PROJECT_SOURCE_DIR}/cmake/precompiled/${header}>")
  endif()
endfunction()

# Tests are compiled more often than they run, and their time goes into the libraries.
set(NPUKIT_TEST_OPTIONS $<$<CONFIG:Release>:-O0>)

# npukit_use_precompiled(TARGET FROM ...): FROM is a target of npukit_precompiled, or more headers for this
# target alone.
function(npukit_use_precompiled target)
  set(from ${ARGN})
  get_target_property(sources ${target} SOURCES)
  get_target_property(dependencies ${target} LINK_LIBRARIES)
  if("${dependencies}" MATCHES "fmt::fmt" AND "${from}" STREQUAL npukit_precompiled_standard)
    set(from npukit_precompiled_tool)
  endif()
  # CMake cannot share a header with targets that hold C as well.
  if(NPUKIT_PRECOMPILED_HEADERS AND NOT "${sources}" MATCHES "\\.c(;|$)")
    if(from MATCHES "\\.h(;|$)")
      foreach(header IN ITEMS "${PROJECT_SOURCE_DIR}/cmake/precompiled/standard.h" LISTS from)
        target_precompile_headers(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${header}>")
      endforeach()
    else()
      target_precompile_headers(${target} REUSE_FROM ${from})
    endif()
    # ccache needs the first. Out of a precompiled header GCC 12 reports overruns in std::string's own code, which it does not
    # otherwise; the other presets, without, have these warnings on.
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess -Wno-array-bounds
      -Wno-stringop-overflow -Wno-stringop-overread>)
  endif()
endfunction()

function(npukit_target_defaults target)
  target_include_directories(${target} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PRIVATE npukit_warnings)
endfunction()

# Static library that takes part in a shared one or in a tool. NO_UNITY: those who link it need not bring what its other
# sources depend on.
function(npukit_library target)
  cmake_parse_arguments(ARG "NO_UNITY" "" "SRCS;HDRS;DEPS;PRECOMPILED" ${ARGN})
  add_library(${target} STATIC ${ARG_SRCS} ${ARG_HDRS})
  if(NOT ARG_PRECOMPILED)
    set(ARG_PRECOMPILED npukit_precompiled_standard)
  endif()
  npukit_target_defaults(${target})
  target_include_directories(${target} PUBLIC "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${target} PUBLIC ${ARG_DEPS})
  npukit_use_precompiled(${target} ${ARG_PRECOMPILED})
  if(NOT ARG_NO_UNITY)
    npukit_use_unity(${target} 20)
  endif()
endfunction()

# Program beside the others in build/bin. MAIN_ONLY: its source calls a library and includes nothing large, so that the
# precompiled header would take far longer to load than the source to compile.
function(npukit_tool target)
  cmake_parse_arguments(ARG "MAIN_ONLY" "" "SRCS;DEPS" ${ARGN})
  add_executable(${target} ${ARG_SRCS})
  npukit_target_defaults(${target})
  target_link_libraries(${target} PRIVATE ${ARG_DEPS})
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN/../lib" INSTALL_RPATH_USE_LINK_PATH OFF)
  if(NOT ARG_MAIN_ONLY)
    npukit_use_precompiled(${target} npukit_precompiled_standard)
  endif()
  npukit_use_unity(${target} 20)
endfunction()

# No RUNPATH: a plugin's host is in the process already. A program with a host of its own, linked in, would be given ours.
function(npukit_without_runpath target)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "" INSTALL_RPATH_USE_LINK_PATH OFF)
endfunction()

# Shared library that is found by its name: libNAME.so in build/lib, or in OUTPUT_DIR.
function(npukit_plugin target)
  cmake_parse_arguments(ARG "" "OUTPUT_DIR" "SRCS;DEPS" ${ARGN})
  add_library(${target} SHARED ${ARG_SRCS})
  npukit_target_defaults(${target})
  target_link_libraries(${target} PRIVATE ${ARG_DEPS})
  # The exported functions carry their own attribute; everything else stays inside, so that two plugins in a process
  # never see each other's C++.
  set_target_properties(${target} PROPERTIES CXX_VISIBILITY_PRESET hidden C_VISIBILITY_PRESET hidden
                        VISIBILITY_INLINES_HIDDEN ON)
  target_link_options(${target} PRIVATE -Wl,--exclude-libs,ALL)
  if(NPUKIT_STATIC_DEPENDENCIES)  # see NpukitDependencies.cmake
    target_link_options(${target} PRIVATE -static-libstdc++)
    target_link_libraries(${target} PRIVATE npukit_single_threaded)
  endif()
  npukit_without_runpath(${target})
  if(ARG_OUTPUT_DIR)
    set_target_properties(${target} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${ARG_OUTPUT_DIR}")
  endif()
  npukit_use_precompiled(${target} npukit_precompiled_standard)
  npukit_use_unity(${target} 20)
endfunction()

# NPUKIT_VERSION, the project's version as a text, for sources of this folder.
function(npukit_define_version)
  set_property(SOURCE ${ARGN} APPEND PROPERTY COMPILE_DEFINITIONS NPUKIT_VERSION="${PROJECT_VERSION}")
endfunction()

# NPUKIT_{SHARED,SOURCE,BUILD}_DIR for a target whose sources use them; the others compile to the same objects in every
# clone.
function(npukit_define_folders target)
  foreach(source IN LISTS ARGN)
    file(STRINGS "${source}" uses REGEX "NPUKIT_(SHARED|SOURCE|BUILD)_DIR|/(acme_plugin|goldens|remote_script|shared_dir|shared_models)\\.h" LIMIT_COUNT 1)
    if(uses)
      target_compile_definitions(${target} PRIVATE
        NPUKIT_SHARED_DIR="${NPUKIT_SHARED_DIR}"
        NPUKIT_SOURCE_DIR="${PROJECT_SOURCE_DIR}"
        NPUKIT_BUILD_DIR="${PROJECT_BINARY_DIR}")
      return()
    endif()
  endforeach()
endfunction()

# The same plugin for each of LiteRT's plugin ABIs, from one source (npukit/abi.h): libNAME.so in build/lib, build/lib-abi2.2 and
# build/lib-abi2.3, the targets NAME, NAME_abi2_2 and NAME_abi2_3. DEPS are linked by all and must not depend on LiteRt.
function(npukit_plugin_for_all_abis target)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  npukit_plugin(${target} SRCS ${ARG_SRCS} DEPS ${ARG_DEPS} npukit_sdk_compiled LiteRt)
  foreach(abi IN ITEMS 2_2 2_3)
    set(library ${target}_abi${abi})
    string(REPLACE _ . folder ${abi})
    npukit_plugin(${library} SRCS ${ARG_SRCS} DEPS npukit_sdk_compiled_abi${abi} npukit_sdk_abi${abi} ${ARG_DEPS}
      OUTPUT_DIR "${CMAKE_LIBRARY_OUTPUT_DIRECTORY}-abi${folder}")
    set_target_properties(${library} PROPERTIES OUTPUT_NAME ${target})
    add_dependencies(${library} npukit_sdk_context npukit_sdk_context_2_3)
    target_link_options(${library} PRIVATE "LINKER:--version-script=${PROJECT_SOURCE_DIR}/cmake/npukitPlugin.map")
    if(NOT NPUKIT_SANITIZE)
      target_link_options(${library} PRIVATE "LINKER:-z,defs")
    endif()
  endforeach()
endfunction()

# Objects for tests, not in an archive: for sources to which nothing refers.
function(npukit_test_objects target)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  add_library(${target} OBJECT ${ARG_SRCS})
  npukit_target_defaults(${target})
  target_link_libraries(${target} PUBLIC ${ARG_DEPS})
  npukit_use_precompiled(${target} npukit_precompiled_standard)
endfunction()

# Of a source, what is to run where the folder is out of reach, as patterns of --gtest_filter: the tests that call SharedDir, or,
# where something that its tests share does, all suites.
function(npukit_tests_that_read_shared source result)
  set(${result} "" PARENT_SCOPE)
  file(STRINGS "${source}" reads REGEX "/(goldens|shared_dir|shared_models)\\.h\"" LIMIT_COUNT 1)
  if(NOT reads)
    return()
  endif()
  set(suites "")
  set(readers "")
  set(current "")
  string(FIND "${reads}" "shared_dir.h" by_tests)
  file(STRINGS "${source}" lines REGEX "^TEST(_F|_P)?\\(|^}|SharedDir\\(\\)")
  foreach(line IN LISTS lines)
    if(line MATCHES "^TEST[_FP]*\\(([A-Za-z0-9_]+), *([A-Za-z0-9_]*)")
      set(current "*${CMAKE_MATCH_1}.${CMAKE_MATCH_2}*")
      list(APPEND suites "*${CMAKE_MATCH_1}.*")
    elseif(line MATCHES "^}")
      set(current "")
    elseif(current)
      list(APPEND readers "${current}")
    else()
      set(by_tests -1)
    endif()
  endforeach()
  if(by_tests EQUAL -1 OR NOT readers)
    set(readers "${suites}")
  endif()
  set(${result} "${readers}" PARENT_SCOPE)
endfunction()

# What reads the folder of NPUKIT_SHARED_DIR (tests/support/shared_dir.h) must be skipped where that folder is absent, and say
# so: the ctest entry TARGET_without_shared runs it with the folder out of reach, but for the suites LEFT_OUT.
function(npukit_test_without_shared target)
  cmake_parse_arguments(ARG "" "" "SRCS;LEFT_OUT" ${ARGN})
  set(filter "")
  foreach(source IN LISTS ARG_SRCS)
    npukit_tests_that_read_shared("${source}" readers)
    list(APPEND filter ${readers})
  endforeach()
  if(filter)
    list(REMOVE_DUPLICATES filter)
    list(JOIN filter ":" filter)
    if(ARG_LEFT_OUT)
      list(JOIN ARG_LEFT_OUT ":" left_out)
      string(APPEND filter "-${left_out}")
    endif()
    add_test(NAME ${target}_without_shared COMMAND ${target} "--gtest_filter=${filter}")
    npukit_temporary_folder(${target}_without_shared environment)
    npukit_time_limit(300 ${target}_without_shared)
    set_tests_properties(${target}_without_shared PROPERTIES
      ENVIRONMENT "NPUKIT_SHARED_DIR=${PROJECT_BINARY_DIR}/absent;${environment}")
  endif()
endfunction()

# Suites of a source that starts programs of its own, which the emulator of a cross build cannot: the kernel would have to know it
# (binfmt_misc).
function(npukit_suites_that_start_programs source result)
  set(suites "")
  file(STRINGS "${source}" starts LIMIT_COUNT 1 REGEX
       "popen\\(|std::system\\(|posix_spawn|execv|/(run_verb|output_of|kit_tool|exported_symbols|sim_run|shell_test)\\.h\"|Link::Start")
  if(starts)
    file(STRINGS "${source}" lines REGEX "^TEST(_F|_P)?\\(")
    foreach(line IN LISTS lines)
      if(line MATCHES "^TEST[_FP]*\\(([A-Za-z0-9_]+)")
        list(APPEND suites "*${CMAKE_MATCH_1}.*")
      endif()
    endforeach()
    list(REMOVE_DUPLICATES suites)
  endif()
  set(${result} "${suites}" PARENT_SCOPE)
endfunction()

# Entries of ctest that run at once write files of the same names, as do tests of two clones on one machine: each has a folder for
# temporary files of its own. result: the environment that says so.
function(npukit_temporary_folder entry result)
  set(folder "${PROJECT_BINARY_DIR}/test_tmp/${entry}")
  file(MAKE_DIRECTORY "${folder}")
  set(${result} "TEST_TMPDIR=${folder}/" PARENT_SCOPE)
endfunction()

# GoogleTest binary, one ctest entry, or several, which may run at once: SHARDS. What may take long (TIMEOUT) begins first, so
# that no processor idles at the end. ONE_THREAD: suites, as patterns of --gtest_filter, that take minutes and have no threads which
# others have not as well: without them, the thread sanitizer's run is whole in an hour.
function(npukit_test target)
  cmake_parse_arguments(ARG "" "SHARDS;TIMEOUT" "SRCS;DEPS;LABELS;ONE_THREAD" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 300)
  endif()
  if(NOT ARG_SHARDS)
    set(ARG_SHARDS 1)
  endif()
  add_executable(${target} ${ARG_SRCS})
  npukit_target_defaults(${target})
  target_link_libraries(${target} PRIVATE ${ARG_DEPS} GTest::gmock GTest::gtest_main)
  npukit_define_folders(${target} ${ARG_SRCS})
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test_bin"
                        BUILD_RPATH "${PROJECT_BINARY_DIR}/lib")
  target_compile_options(${target} PRIVATE ${NPUKIT_TEST_OPTIONS})
  npukit_use_precompiled(${target} npukit_precompiled_test)
  npukit_use_unity(${target} 20)
  set(left_out "")
  set(why "")
  if(NPUKIT_EMULATED)
    list(APPEND ARG_LABELS emulated)
    set(why "under emulation, since they start programs")
    foreach(source IN LISTS ARG_SRCS)
      npukit_suites_that_start_programs("${source}" suites)
      list(APPEND left_out ${suites})
    endforeach()
  elseif(NPUKIT_SANITIZE MATCHES thread)
    set(why "with the thread sanitizer, since they have one thread, or those of others")
    set(left_out "${ARG_ONE_THREAD}")
  endif()
  npukit_test_without_shared(${target} SRCS ${ARG_SRCS} LEFT_OUT ${left_out})
  set(arguments "")
  if(left_out)
    list(JOIN left_out ":" left_out)
    message(STATUS "${target}: not ${why}: ${left_out}")
    set(arguments "--gtest_filter=-${left_out}")
  endif()
  foreach(number RANGE 1 ${ARG_SHARDS})
    set(name ${target})
    if(ARG_SHARDS GREATER 1)
      set(name "${target}_${number}_of_${ARG_SHARDS}")
    endif()
    math(EXPR index "${number} - 1")
    add_test(NAME ${name} COMMAND ${target} ${arguments})
    npukit_temporary_folder(${name} environment)
    npukit_time_limit(${ARG_TIMEOUT} ${name})
    set_tests_properties(${name} PROPERTIES COST ${ARG_TIMEOUT} LABELS "${ARG_LABELS}"
                         ENVIRONMENT "GTEST_TOTAL_SHARDS=${ARG_SHARDS};GTEST_SHARD_INDEX=${index};${environment}")
  endforeach()
endfunction()

# libFuzzer binary in build/fuzz_bin; `./dev fuzz` runs them. Only with NPUKIT_FUZZ.
function(npukit_fuzz target)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  if(NOT NPUKIT_FUZZ)
    return()
  endif()
  add_executable(${target} ${ARG_SRCS})
  add_dependencies(fuzz_programs ${target})
  npukit_target_defaults(${target})
  target_link_libraries(${target} PRIVATE ${ARG_DEPS})
  target_link_options(${target} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz_bin"
                        BUILD_RPATH "${PROJECT_BINARY_DIR}/lib")
endfunction()

# Google Benchmark binary in build/benchmark_bin; `./dev bench` runs them.
function(npukit_benchmark target)
  cmake_parse_arguments(ARG "" "" "SRCS;DEPS" ${ARGN})
  if(NOT NPUKIT_BENCHMARKS)
    return()
  endif()
  add_executable(${target} ${ARG_SRCS})
  npukit_target_defaults(${target})
  target_link_libraries(${target} PRIVATE ${ARG_DEPS} benchmark::benchmark benchmark::benchmark_main)
  npukit_define_folders(${target} ${ARG_SRCS})
  npukit_use_precompiled(${target} npukit_precompiled_standard)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/benchmark_bin"
                        BUILD_RPATH "${PROJECT_BINARY_DIR}/lib")
endfunction()

# add_subdirectory for those of the named folders that have a CMakeLists.txt.
function(npukit_add_folders)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${CMAKE_CURRENT_SOURCE_DIR}/${folder}/CMakeLists.txt")
      add_subdirectory(${folder})
    endif()
  endforeach()
endfunction()
