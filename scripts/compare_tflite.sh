#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# How fast npukit's CPU kernels are beside TFLite's, in one run on one machine.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/compare_tflite.sh TFLITE_BENCHMARK [MODEL ...]

  TFLITE_BENCHMARK  TFLite's benchmark_model, or any program that takes --graph=FILE --num_threads=1
                    --use_xnnpack=false and prints what benchmark_model prints ("median=", or "Inference (avg):")
  MODEL             names of models, without .tflite; without any, some of the MLPerf Tiny and MobileNet models

Times both programs on each model in turn, one thread, and prints the median of the rounds in microseconds.
Environment:
  NPUKIT_BENCHMARK  npukit's benchmark (default build/benchmark_bin/kernels_models_benchmark)
  NPUKIT_MODELS     folder of the models (default ../shared/models and ../shared/models2, which is where that benchmark looks)
  ROUNDS            how often each program runs on each model (default 5)
  PREFIX            what to start both programs with, such as "chrt -f 50" on a machine that does other work
Exit code: 0, or 1 if a program fails; ratios are for people to judge.
TEXT
}

fail() { echo "error: $*" >&2; exit 1; }

[ $# -ge 1 ] || { usage >&2; exit 2; }
case "$1" in -h | --help) usage; exit 0 ;; esac
tflite=$1
shift
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
ours=${NPUKIT_BENCHMARK:-$root/build/benchmark_bin/kernels_models_benchmark}
folders=("$root/../shared/models" "$root/../shared/models2")
[ -z "${NPUKIT_MODELS:-}" ] || folders=("$NPUKIT_MODELS")
rounds=${ROUNDS:-5}
read -r -a prefix <<<"${PREFIX:-}"
[ -x "$tflite" ] || fail "$tflite is not a program: give the path of TFLite's benchmark_model"
[ -x "$ours" ] || fail "$ours is not there: ./dev build makes it"
[ $# -gt 0 ] || set -- kws_ref_int8 resnet8_int8 vww_96_int8 mobilenet_v1_0.5_160_quant tf2_mobilenet_v2_1.0_224_ptq \
  kws_ref_fp32 resnet8_fp32 vww_96_float

median() { sort -n | awk '{ v[NR] = $1 } END { if (NR) print v[int((NR + 1) / 2)] }'; }

# The path of a model, or nothing.
path_of() {
  local folder
  for folder in "${folders[@]}"; do
    if [ -f "$folder/$1.tflite" ]; then echo "$folder/$1.tflite"; return; fi
  done
}

# Microseconds per inference.
time_tflite() {
  local text
  text=$("${prefix[@]}" "$tflite" "--graph=$(path_of "$1")" --num_threads=1 --use_xnnpack=false 2>&1) ||
    fail "$tflite failed on $1: $(tail -n 1 <<<"$text")"
  # The last of each: warm-up runs come first.
  awk '{
    if (match($0, /median=[0-9.e+]+/)) median = substr($0, RSTART + 7, RLENGTH - 7)
    if (match($0, /Inference \(avg\): [0-9.e+]+/)) mean = substr($0, RSTART + 17, RLENGTH - 17)
  } END { if (median != "") print median; else if (mean != "") print mean }' <<<"$text"
}
time_ours() {
  local text
  text=$("${prefix[@]}" "$ours" "--benchmark_filter=^Model/$1/1/real_time\$" --benchmark_format=csv 2>/dev/null) ||
    fail "$ours failed on $1"
  awk -F, -v name="Model/$1/1/real_time" '{ gsub(/"/, "", $1) } $1 == name && $3 != "" { print $3; exit }' <<<"$text"
}

printf '%-32s %12s %12s %8s\n' model 'TFLite, us' 'npukit, us' ratio
for model in "$@"; do
  [ -n "$(path_of "$model")" ] || fail "$model.tflite is not there: ${folders[*]}"
  theirs_us='' ours_us=''
  for ((round = 0; round < rounds; ++round)); do
    theirs=$(time_tflite "$model")
    [ -n "$theirs" ] || fail "$tflite printed neither median= nor Inference (avg): on $model"
    mine=$(time_ours "$model")
    [ -n "$mine" ] || fail "$ours has no time for $model"
    theirs_us+="$theirs"$'\n' ours_us+="$mine"$'\n'
  done
  awk -v model="$model" -v theirs="$(printf %s "$theirs_us" | median)" -v ours="$(printf %s "$ours_us" | median)" \
    'BEGIN { printf "%-32s %12.1f %12.1f %8.2f\n", model, theirs, ours, ours / theirs }'
done
