#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# What npukit does, on a network that it makes itself: compile for the simulated NPU, run on CPU and NPU, compare, measure,
# judge the plugin. Usage: scripts/demo.sh BUILD_DIR
set -euo pipefail
build=$1
npukit=$build/bin/npukit
plugins=$build/lib
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

bold='' plain=''
if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then bold=$'\033[1m' plain=$'\033[0m'; fi
step() { printf '\n%s$ npukit %s%s\n' "$bold" "$*" "$plain"; "$npukit" "$@"; }

step sample autoencoder_int8 -o "$work/autoencoder.tflite"
step apply "$work/autoencoder.tflite" -o "$work/autoencoder_npu.tflite" --plugin-dir "$plugins"
step run "$work/autoencoder.tflite" --seed 7 --out-prefix "$work/cpu_"
step run "$work/autoencoder_npu.tflite" --plugin-dir "$plugins" --seed 7 --out-prefix "$work/npu_"
if cmp "$work/cpu_0.bin" "$work/npu_0.bin"; then
  echo "CPU and NPU outputs are equal byte for byte."
else
  echo "CPU and NPU outputs DIFFER" >&2
  exit 1
fi
step bench "$work/autoencoder_npu.tflite" --plugin-dir "$plugins" --runs 20

step sample gated_classifier_int8 -o "$work/classifier.tflite"
step explain "$work/classifier.tflite" --plugin-dir "$plugins"
step diff "$work/classifier.tflite" --plugin-dir "$plugins"

step conform --plugin-dir "$plugins" --suite smoke --suite core --jobs "$(nproc)"
