#!/bin/sh
# Builds the plugin for this machine and for the board, and holds the board to @Name@.claims.yaml:
#
#   NPUKIT=/opt/npukit NPUKIT_BOARD=/opt/npukit-aarch64 board/judge.sh ssh:me@board:npukit
#   NPUKIT=/opt/npukit NPUKIT_BOARD=/opt/npukit-aarch64 board/judge.sh "exec:qemu-aarch64 -L /usr/aarch64-linux-gnu build-board/lib/npukit-worker"
#
# NPUKIT and NPUKIT_BOARD: where npukit is installed, as built for this machine and for the board. The compiler plugin runs here,
# the dispatch library there. Further arguments go to `npukit conform`; several boards: more of --device.
set -eu
: "${NPUKIT:?where npukit is installed}" "${NPUKIT_BOARD:?where npukit for the board is installed}"
[ $# -gt 0 ] || { echo "usage: board/judge.sh DEVICE [ARGUMENT of npukit conform ...]" >&2; exit 2; }
device=$1
shift
cd "$(dirname "$0")/.."

cmake -B build -DCMAKE_PREFIX_PATH="$NPUKIT"
cmake --build build
cmake -B build-board -DCMAKE_TOOLCHAIN_FILE=board/toolchain.cmake -DCMAKE_PREFIX_PATH="$NPUKIT_BOARD"
cmake --build build-board --target @Name@_dispatch
# What goes to the board lies in one folder: worker, host library, dispatch library.
cp "$NPUKIT_BOARD/bin/npukit-worker" "$NPUKIT_BOARD/lib/libLiteRt.so" build-board/lib/

"$NPUKIT/bin/npukit" info --device "$device" --device-dir build-board/lib
"$NPUKIT/bin/npukit" conform --plugin-dir build/lib --device "$device" --device-dir build-board/lib --report build-board/report "$@"
