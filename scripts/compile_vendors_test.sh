#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# compile_vendors.sh on a checkout made for it: a vendor that compiles, one that lacks its SDK, one that includes what is not there.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
vendors=$work/litert/vendors
mkdir -p "$vendors"/{c,whole,lacking,failing} "$work/vendor_sdk"
echo '#error LiteRT has this header, and npukit must take its place' >"$vendors/c/litert_compiler_plugin.h"
cat >"$vendors/whole/plugin.cc" <<'TEXT'
#include "litert/vendors/c/litert_compiler_plugin.h"
#include "litert/vendors/whole/plugin.h"
LiteRtStatus Answer() { return kOwn; }
TEXT
printf '#include "litert/c/litert_common.h"\nconstexpr LiteRtStatus kOwn = kLiteRtStatusOk;\n' >"$vendors/whole/plugin.h"
echo 'not looked at' >"$vendors/whole/plugin_test.cc"
printf '\043include "vendor_driver.h"\n' >"$vendors/lacking/plugin.cc"
printf '\043include "litert/no/such.h"\n' >"$vendors/failing/plugin.cc"
echo 'int x = y;' >"$vendors/failing/wrong.cc"

# What each generation of headers brings.
cat >"$vendors/whole/generation.cc" <<'TEXT'
#if defined(NPUKIT_ABI_2_3)
#error abi 2.3
#elif defined(NPUKIT_ABI_2_2)
#error abi 2.2
#endif
TEXT

expect() {
  local what=$1 wanted=$2 got
  shift 2
  got=$("$@" 2>&1 || echo "exit code $?")
  grep -qE "$wanted" <<<"$got" || { echo "$what: expected $wanted, found:" && echo "$got" && exit 1; }
}
compile=$here/compile_vendors.sh
expect 'whole' '^\| whole \| 2 \| 2 \| 0 \| 0 \|$' "$compile" --vendor whole "$work"
echo '#error of LiteRtCompilerContext' >"$vendors/c/litert_compiler_plugin.h"
expect 'tables' '^whole/generation.cc: .*abi 2.2$' "$compile" --vendor whole "$work"
mkdir -p "$work/litert/c/internal" && echo '(*build_tensor)' >"$work/litert/c/internal/litert_compiler_context.h"
expect 'longer tables' '^whole/generation.cc: .*abi 2.3$' "$compile" --vendor whole "$work"
rm -r "$work/litert/c"
echo 'LiteRtDispatchQueryInterface' >"$vendors/c/litert_dispatch_api.h"
expect 'queried tables' '^whole/generation.cc: .*abi 2.3$' "$compile" --vendor whole "$work"
expect 'lacking' '^\| lacking \| 1 \| 0 \| 1 \| 0 \|$' "$compile" --vendor lacking "$work"
expect 'what is lacking' '^lacking/plugin.cc: lacks vendor_driver.h$' "$compile" --vendor lacking "$work"
touch "$work/vendor_sdk/vendor_driver.h"
expect 'with the SDK' '^\| lacking \| 1 \| 1 ' "$compile" --vendor lacking --include "$work/vendor_sdk" "$work"
expect 'failing' '^\| failing \| 2 \| 0 \| 0 \| 2 \|$' "$compile" --vendor failing "$work"
expect 'exit code' '^exit code 1$' "$compile" --vendor failing "$work"
expect 'no header' '^failing/plugin.cc: no header litert/no/such.h$' "$compile" --vendor failing "$work"
expect 'error' '^failing/wrong.cc: .*error' "$compile" --vendor failing "$work"
expect 'no checkout' 'no folder litert/vendors' "$compile" "$work/vendor_sdk"
expect 'no vendor' 'has no nobody' "$compile" --vendor nobody "$work"
