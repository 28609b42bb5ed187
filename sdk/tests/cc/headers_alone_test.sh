#!/bin/sh
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# headers_alone_test.sh COMPILER INCLUDE_DIR LIST: compiles each header of LIST by itself as C++17.
compiler=$1
include_dir=$2
list=$3
failures=$(
  xargs -P 2 -n 1 sh -c '
    printf "#include \"%s\"\n" "$2" |
      "$0" -std=c++17 -Wall -Wextra -Werror -fsyntax-only -I"$1" -x c++ - 2>&1 || echo "FAILED: $2"
  ' "$compiler" "$include_dir" < "$list"
)
if [ -n "$failures" ]; then
  echo "$failures"
  exit 1
fi
echo "$(wc -l < "$list") headers compile by themselves"
