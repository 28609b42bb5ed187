# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Third-party packages, all from Debian. Which folder may use which is checked by tests/include_rules_test.cc.

# Debian 12 has no libyaml-cpp-dev for two architectures side by side, so a cross build takes the shared library of the other one
# and the headers, which are the same for all.
function(npukit_find_yaml_cpp)
  if(NOT CMAKE_CROSSCOMPILING)
    find_package(yaml-cpp REQUIRED)
    return()
  endif()
  find_package(yaml-cpp QUIET)
  if(yaml-cpp_FOUND)
    return()
  endif()
  find_path(NPUKIT_YAML_CPP_INCLUDE yaml-cpp/yaml.h REQUIRED)
  find_library(NPUKIT_YAML_CPP_LIBRARY NAMES yaml-cpp libyaml-cpp.so.0.7 REQUIRED)
  add_library(yaml-cpp INTERFACE)
  target_include_directories(yaml-cpp SYSTEM INTERFACE "${NPUKIT_YAML_CPP_INCLUDE}")
  target_link_libraries(yaml-cpp INTERFACE "${NPUKIT_YAML_CPP_LIBRARY}")
endfunction()

# For packages: binaries then need the C and C++ libraries alone, whatever else is installed. Debian's archives are for programs. Of
# what goes into shared libraries, fmt (which has no archive) and FlatBuffers are compiled from their headers, and plugins get
# yaml-cpp's archive with the C++ library's, whose variables it could not reach otherwise.
option(NPUKIT_STATIC_DEPENDENCIES "Link third parties' archives instead of their shared libraries" OFF)
if(NPUKIT_STATIC_DEPENDENCIES)
  set(CMAKE_FIND_LIBRARY_SUFFIXES ".a")
endif()
# What goes to a device must not need more there either: the worker and the host library have fmt and FlatBuffers only.
set(NPUKIT_STATIC_HOST ${NPUKIT_STATIC_DEPENDENCIES})
if(CMAKE_CROSSCOMPILING)
  set(NPUKIT_STATIC_HOST ON)
endif()

find_package(Threads REQUIRED)
find_package(Eigen3 REQUIRED NO_MODULE)
npukit_find_yaml_cpp()
find_package(CLI11 REQUIRED)
if(NPUKIT_STATIC_DEPENDENCIES)
  find_library(NPUKIT_YAML_LIBRARY yaml-cpp REQUIRED)
  set_target_properties(yaml-cpp PROPERTIES IMPORTED_LOCATION_NONE "${NPUKIT_YAML_LIBRARY}" IMPORTED_SONAME_NONE "" IMPORTED_NO_SONAME ON)
endif()
if(NPUKIT_STATIC_HOST)
  # Debian has fmt as a shared library only: its functions are compiled from its headers. FMT_SHARED as with that library, so
  # that objects are the same.
  add_library(npukit_fmt STATIC "${PROJECT_SOURCE_DIR}/cmake/static/fmt.cc")
  target_compile_definitions(npukit_fmt PUBLIC FMT_SHARED)
  set_target_properties(npukit_fmt PROPERTIES ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/archive")
  add_library(fmt::fmt ALIAS npukit_fmt)
else()
  find_package(fmt REQUIRED)
endif()
find_package(nlohmann_json REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
# What inputs come in (sdk/tools/tensors).
find_package(JPEG REQUIRED)
find_package(PNG REQUIRED)
find_package(ZLIB REQUIRED)

# Debian 12's FlatBuffers CMake package lists a static library that its -dev package does not ship with the flatc
# target, so the three parts are found by name.
find_program(NPUKIT_FLATC flatc REQUIRED)
find_path(NPUKIT_FLATBUFFERS_INCLUDE flatbuffers/flatbuffers.h REQUIRED)
find_library(NPUKIT_FLATBUFFERS_LIBRARY flatbuffers REQUIRED)
add_library(npukit_flatbuffers INTERFACE)
target_include_directories(npukit_flatbuffers SYSTEM INTERFACE "${NPUKIT_FLATBUFFERS_INCLUDE}")
if(NPUKIT_STATIC_HOST)
  add_library(npukit_flatbuffers_locale STATIC "${PROJECT_SOURCE_DIR}/cmake/static/flatbuffers.cc")
  target_include_directories(npukit_flatbuffers_locale SYSTEM PRIVATE "${NPUKIT_FLATBUFFERS_INCLUDE}")
  target_link_libraries(npukit_flatbuffers INTERFACE npukit_flatbuffers_locale)
else()
  target_link_libraries(npukit_flatbuffers INTERFACE "${NPUKIT_FLATBUFFERS_LIBRARY}")
endif()
if(NPUKIT_STATIC_DEPENDENCIES)
  add_library(npukit_single_threaded OBJECT "${PROJECT_SOURCE_DIR}/cmake/static/single_threaded.c")
endif()

# npukit_flatbuffers_schema(TARGET SCHEMA x.fbs): x_generated.h (mini-reflection) as an INTERFACE target.
# The generated header is included as "<folder of the .fbs>/x_generated.h".
function(npukit_flatbuffers_schema target)
  cmake_parse_arguments(ARG "" "SCHEMA" "" ${ARGN})
  get_filename_component(schema "${ARG_SCHEMA}" ABSOLUTE)
  get_filename_component(name "${schema}" NAME_WE)
  get_filename_component(folder "${schema}" DIRECTORY)
  file(RELATIVE_PATH relative "${PROJECT_SOURCE_DIR}" "${folder}")
  set(out_dir "${PROJECT_BINARY_DIR}/generated/${relative}")
  set(header "${out_dir}/${name}_generated.h")
  file(MAKE_DIRECTORY "${out_dir}")
  add_custom_command(
    OUTPUT "${header}"
    COMMAND "${NPUKIT_FLATC}" --cpp --cpp-std c++17 --reflect-names --scoped-enums
            -o "${out_dir}" "${schema}"
    DEPENDS "${schema}"
    COMMENT "flatc ${relative}/${name}.fbs")
  add_custom_target(${target}_header DEPENDS "${header}")
  add_library(${target} INTERFACE)
  add_dependencies(${target} ${target}_header)
  target_include_directories(${target} SYSTEM INTERFACE "${PROJECT_BINARY_DIR}/generated")
  target_link_libraries(${target} INTERFACE npukit_flatbuffers)
endfunction()

# Debian 12's RE2 has no CMake package either.
find_path(NPUKIT_RE2_INCLUDE re2/re2.h REQUIRED)
find_library(NPUKIT_RE2_LIBRARY re2 REQUIRED)
add_library(npukit_re2 INTERFACE)
target_include_directories(npukit_re2 SYSTEM INTERFACE "${NPUKIT_RE2_INCLUDE}")
target_link_libraries(npukit_re2 INTERFACE "${NPUKIT_RE2_LIBRARY}")

# Tokenizers of language models (sdk/tokenizer). Debian has no archive of it, and a board runs no `npukit generate`.
if(NOT NPUKIT_STATIC_DEPENDENCIES AND NOT CMAKE_CROSSCOMPILING)
  find_path(NPUKIT_SENTENCEPIECE_INCLUDE sentencepiece_processor.h REQUIRED)
  find_library(NPUKIT_SENTENCEPIECE_LIBRARY sentencepiece REQUIRED)
  find_library(NPUKIT_SENTENCEPIECE_TRAIN_LIBRARY sentencepiece_train REQUIRED)
  add_library(npukit_sentencepiece INTERFACE)
  target_include_directories(npukit_sentencepiece SYSTEM INTERFACE "${NPUKIT_SENTENCEPIECE_INCLUDE}")
  target_link_libraries(npukit_sentencepiece INTERFACE "${NPUKIT_SENTENCEPIECE_LIBRARY}")
endif()
