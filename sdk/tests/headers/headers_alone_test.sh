#!/bin/sh
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# headers_alone_test.sh COMPILE INCLUDE_DIR LIST: compiles each header of LIST by itself and included twice. COMPILE is the
# compiler with its flags.
failures=$(
  xargs -P 2 -n 1 sh -c '
    printf "#include \"%s\"\n#include \"%s\"\ntypedef int NotEmpty;\n" "$2" "$2" |
      $0 -Wall -Wextra -Werror -fsyntax-only -I"$1" - 2>&1 || echo "FAILED: $2"
  ' "$1" "$2" < "$3"
)
if [ -n "$failures" ]; then
  echo "$failures"
  exit 1
fi
echo "$(wc -l < "$3") headers compile by themselves"
