# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Toolchain file for aarch64 Linux by Debian's cross compiler (crossbuild-essential-arm64) and the libraries of its multiarch
# packages (`dpkg --add-architecture arm64`). The preset aarch64 uses it, and `./dev build aarch64` installs what it needs.
# Programs run under qemu-user where CMake or ctest starts them.

set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
set(CMAKE_LIBRARY_ARCHITECTURE aarch64-linux-gnu)

find_program(NPUKIT_QEMU_AARCH64 NAMES qemu-aarch64 qemu-aarch64-static)
if(NPUKIT_QEMU_AARCH64)
  set(CMAKE_CROSSCOMPILING_EMULATOR "${NPUKIT_QEMU_AARCH64}")
endif()

# The other architecture's libraries lie beside this one's and would be found first.
set(CMAKE_IGNORE_PATH /usr/lib/x86_64-linux-gnu /usr/lib/x86_64-linux-gnu/cmake /lib/x86_64-linux-gnu)
