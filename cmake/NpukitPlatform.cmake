# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Which machines npukit is built for, and what each needs to compute the same.

if(NOT CMAKE_SIZEOF_VOID_P EQUAL 8)
  math(EXPR npukit_bits "${CMAKE_SIZEOF_VOID_P} * 8")
  message(FATAL_ERROR "npukit needs a 64-bit target: the compiler ${CMAKE_CXX_COMPILER} makes ${npukit_bits}-bit programs, "
                      "in which the structures that LiteRT shares with plugins have another layout.")
endif()
if(NOT CMAKE_CXX_BYTE_ORDER STREQUAL "LITTLE_ENDIAN")
  message(FATAL_ERROR "npukit needs a little-endian target: the compiler ${CMAKE_CXX_COMPILER} makes programs of the byte order "
                      "'${CMAKE_CXX_BYTE_ORDER}', and models, tensors and bytecode are little-endian in memory.")
endif()
if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64|aarch64|arm64|ARM64)$")
  message(FATAL_ERROR "npukit is built for x86-64 and aarch64, not for '${CMAKE_SYSTEM_PROCESSOR}'.")
endif()

if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64|ARM64)$")
  set(NPUKIT_AARCH64 TRUE)
  # Results are those of baseline x86-64, which has no fused multiply-add: GCC makes one of a product and a sum wherever it sees
  # them. Kernels that may fuse say so.
  add_compile_options(-ffp-contract=off)
endif()

# Tests run by an emulator that the kernel does not know, so that they can't start programs of this build.
set(NPUKIT_EMULATED FALSE)
if(CMAKE_CROSSCOMPILING AND CMAKE_CROSSCOMPILING_EMULATOR AND NOT EXISTS "/proc/sys/fs/binfmt_misc/qemu-aarch64")
  set(NPUKIT_EMULATED TRUE)
endif()
