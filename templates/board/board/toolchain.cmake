# Toolchain file for the board: aarch64 Linux by Debian's cross compiler (crossbuild-essential-arm64). Put your SDK's compiler and
# sysroot in its place.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR aarch64)
set(CMAKE_C_COMPILER aarch64-linux-gnu-gcc)
set(CMAKE_CXX_COMPILER aarch64-linux-gnu-g++)
# Headers and libraries are the board's, programs this machine's. npukit lies where -DCMAKE_PREFIX_PATH says.
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
