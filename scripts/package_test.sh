#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# package_test.sh [ARCHIVE]: what a vendor does with the archive that `./dev package` makes: unpacks it somewhere, starts a
# project, builds it, and has it judged, without network where the kernel lets a user take it away. Takes some minutes, so
# ctest does not run it. Without an argument: the archive in build-package/packages.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
archive=${1:-$(ls build-package/packages/*.tar.gz | head -1)}
archive=$(realpath "$archive")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

fail() { echo "FAILED: $1" >&2; exit 1; }

without_network=()
if unshare --user --map-root-user --net true 2>/dev/null; then
  without_network=(unshare --user --map-root-user --net)
else
  echo "with network: this kernel lets no user take it away"
fi

start=$SECONDS
mkdir "$work/somewhere else"
prefix="$work/somewhere else"
tar -xzf "$archive" -C "$prefix" --strip-components=1

# Beside the project's own, the C and C++ libraries alone.
for file in "$prefix"/bin/* "$prefix"/lib/*.so "$prefix"/lib/python3/dist-packages/npukit/*.so; do
  [ -e "$file" ] || continue
  readelf -d "$file" | sed -n 's/.*(NEEDED).*\[\(.*\)\].*/\1/p' |
    grep -vxE 'libc\.so\.6|libm\.so\.6|libstdc\+\+\.so\.6|libgcc_s\.so\.1|ld-linux-[a-z0-9-]*\.so\.[0-9]|libLiteRt\.so' >"$work/needed" || true
  [ -s "$work/needed" ] && fail "$file needs $(tr '\n' ' ' <"$work/needed")"
done
echo "ok: libraries that are needed"

export PATH="$prefix/bin:/usr/bin:/bin"
"${without_network[@]}" npukit new contoso -o "$work/contoso" >/dev/null
"${without_network[@]}" cmake -S "$work/contoso" -B "$work/contoso/build" "-DCMAKE_PREFIX_PATH=$prefix" >"$work/log" 2>&1 ||
  { cat "$work/log" >&2; fail "cmake"; }
"${without_network[@]}" cmake --build "$work/contoso/build" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "build"; }
echo "ok: the new plugin is built"
"${without_network[@]}" npukit conform --plugin-dir "$work/contoso/build/lib" >"$work/log" 2>&1 ||
  { tail -40 "$work/log" >&2; fail "conform"; }
tail -3 "$work/log"
took=$((SECONDS - start))
# The promise: below three minutes on two cores that do nothing else.
[ "$took" -lt 180 ] || fail "from the archive to a judged plugin in $took s, expected less than 180"
echo "ok: from the archive to a judged plugin in $took s"

# Seconds of processor time that all finished children have had, in hundredths.
child_time() { awk '{ print $16 + $17 }' "/proc/$$/stat"; }
# And for each ABI alone, from nothing: less than ten seconds of one core.
for abi in '' _abi2_2 _abi2_3; do
  cmake -S "$work/contoso" -B "$work/build$abi.alone" "-DCMAKE_PREFIX_PATH=$prefix" >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "cmake"; }
  before=$(child_time)
  cmake --build "$work/build$abi.alone" --target "Contoso_compiler_plugin$abi" "Contoso_dispatch$abi" >"$work/log" 2>&1 ||
    { cat "$work/log" >&2; fail "build"; }
  took=$(($(child_time) - before))
  [ "$took" -lt 1000 ] || fail "the plugin ${abi#_} takes $((took / 100)) s of processor time, expected less than 10"
  echo "ok: the plugin ${abi#_} takes $((took / 100)).$(printf %02d $((took % 100))) s of processor time"
done
"${without_network[@]}" npukit help conformance >/dev/null || fail "help"
"${without_network[@]}" npukit info --plugin-dir "$prefix/lib" >/dev/null || fail "the reference plugin"
echo "ok: help, the reference plugin"
