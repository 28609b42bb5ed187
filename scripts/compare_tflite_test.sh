#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# compare_tflite.sh on programs that print what the real ones print.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/models"
touch "$work/models/tiny.tflite"

# Without medians, as older releases are; the warm-up has an average of its own.
cat >"$work/benchmark_model" <<'TEXT'
#!/bin/sh
[ "$2" = --num_threads=1 ] || exit 1
echo "count=1 curr=900" >&2
echo "count=50 first=120 curr=99 min=97 max=120 avg=100.5 std=3$EXTRA" >&2
echo "Inference timings in us: Init: 4711, First inference: 900, Warmup (avg): 300, Inference (avg): 100.5" >&2
TEXT
cat >"$work/npukit_benchmark" <<'TEXT'
#!/bin/sh
echo name,iterations,real_time,cpu_time,time_unit,bytes_per_second,items_per_second,label,error_occurred,error_message
echo "\"Model/tiny/1/real_time\",10,50.25,50,us,,,,,"
TEXT
chmod +x "$work/benchmark_model" "$work/npukit_benchmark"

expect() {
  local what=$1 wanted=$2 got
  shift 2
  got=$("$@" 2>&1 || echo "exit code $?")
  grep -qE "$wanted" <<<"$got" || { echo "$what: expected $wanted, found:" && echo "$got" && exit 1; }
}
export NPUKIT_BENCHMARK="$work/npukit_benchmark" NPUKIT_MODELS="$work/models" ROUNDS=3 EXTRA=
compare=$here/compare_tflite.sh
expect 'average' '^tiny +100\.5 +50\.2 +0\.50$' "$compare" "$work/benchmark_model" tiny
EXTRA=' p5=97 median=201 p95=119' expect 'median' '^tiny +201\.0 +50\.2 +0\.25$' "$compare" "$work/benchmark_model" tiny
expect 'prefix' '^tiny +100\.5 ' env PREFIX='env LC_ALL=C' "$compare" "$work/benchmark_model" tiny
expect 'unknown model' 'none\.tflite is not there' "$compare" "$work/benchmark_model" none
expect 'no time' 'printed neither' "$compare" /bin/true tiny
expect 'no program' 'is not a program' "$compare" "$work/absent" tiny
expect 'failing program' 'failed on tiny' "$compare" /bin/false tiny
expect 'exit code' 'exit code 1$' "$compare" /bin/false tiny
expect 'usage' 'exit code 2$' "$compare"
