#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# two_clones_test.sh [TARGET ...]: the same commit in two folders gives the same bytes: the packages, or what single targets of the
# package's build make (npukit_graph npukit: two minutes). Everything is compiled twice, the second time without ccache, which has
# changed what a file is called; for a quiet machine.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

# Their paths differ in length, too. What is not committed counts.
clones=("$work/one" "$work/another/folder/of_the_same")
launchers=()
for clone in "${clones[@]}"; do
  mkdir -p "$clone"
  (cd "$root" && git ls-files -z --cached --others --exclude-standard | xargs -0 tar -cf - --ignore-failed-read 2>/dev/null) | tar -xf - -C "$clone"
  (cd "$clone" && cmake --preset package "${launchers[@]}" >"$work/log" 2>&1) || { cat "$work/log" >&2; exit 1; }
  launchers=(-DCMAKE_CXX_COMPILER_LAUNCHER= -DCMAKE_C_COMPILER_LAUNCHER=)
  if [ $# -gt 0 ]; then
    cmake --build "$clone/build-package" --parallel "$(nproc)" --target "$@" >"$work/log" 2>&1 || { tail -30 "$work/log" >&2; exit 1; }
  else
    cmake --build "$clone/build-package" --parallel "$(nproc)" --target npukit_installable >"$work/log" 2>&1 || { tail -30 "$work/log" >&2; exit 1; }
    SOURCE_DATE_EPOCH=$(git -C "$root" log -1 --format=%ct) "$clone/scripts/package/pack.sh" "$clone/build-package" >/dev/null
  fi
done

if [ $# -gt 0 ]; then folders=(bin lib); else folders=(packages); fi
count=0
for folder in "${folders[@]}"; do
  [ -d "${clones[0]}/build-package/$folder" ] || continue
  while IFS= read -r file; do
    cmp -s "${clones[0]}/build-package/$file" "${clones[1]}/build-package/$file" || fail "$file has other bytes in another folder"
    count=$((count + 1))
  done < <(cd "${clones[0]}/build-package" && find "$folder" -maxdepth 1 -type f)  # below lie files for builds in that folder
done
[ "$count" -gt 0 ] || fail "nothing was built"
echo "ok: $count files, the same bytes in two folders"
