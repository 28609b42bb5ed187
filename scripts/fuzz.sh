#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Builds every *_fuzz.cc with clang's libFuzzer and runs each for so many seconds. Usage: scripts/fuzz.sh SECONDS
set -euo pipefail
seconds=$1
cmake --preset fuzz >/dev/null
cmake --build --preset fuzz --parallel "$(nproc)"
found=0
for target in build-fuzz/fuzz_bin/*; do
  [ -x "$target" ] || continue
  found=1
  corpus=build-fuzz/corpus/$(basename "$target")
  mkdir -p "$corpus"
  echo "== $target"
  "$target" -max_total_time="$seconds" -timeout=10 "$corpus"
done
[ $found -eq 1 ] || { echo "no fuzz target was built" >&2; exit 1; }
