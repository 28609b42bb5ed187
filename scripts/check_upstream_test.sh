#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# check_upstream_test.sh NPUKIT_NEW: check_upstream.sh on what `npukit new --upstream` writes and on a checkout made for it, of npukit's
# own C headers, which have LiteRT's names. With NPUKIT_LITERT_CHECKOUT, a real one, on that too; NPUKIT_ABSEIL says where abseil is.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" contoso --upstream -o "$work/tree" >"$work/log"

checkout=$work/checkout
mkdir -p "$checkout/litert/"{vendors,build_common,test}
cp -r "$here/../sdk/include/litert/c" "$checkout/litert/c"
cp -r "$here/../sdk/include/litert/vendors/c" "$checkout/litert/vendors/c"
touch "$checkout/litert/build_common/litert_build_defs.bzl" "$checkout/litert/test/"{litert_compiler_plugin_symbol_test,litert_c_api_dependency_test}.sh
# A target for each header.
for package in c c/internal c/options vendors/c; do
  for header in "$checkout/litert/$package"/*.h; do echo "    name = \"$(basename "$header" .h)\"," ; done >"$checkout/litert/$package/BUILD"
done
echo '    name = "litert_dispatch_c_api",' >>"$checkout/litert/vendors/c/BUILD"

expect() {
  local what=$1 wanted=$2 got
  shift 2
  got=$("$@" 2>&1 || echo "exit code $?")
  grep -qE "$wanted" <<<"$got" || { echo "$what: expected $wanted, found:" && echo "$got" && exit 1; }
}
check=$here/check_upstream.sh
"$check" "$work/tree" "$checkout" >"$work/log" 2>&1 || { cat "$work/log"; exit 1; }
expect 'what was looked at' '^5 sources, [1-9][0-9]+ labels' cat "$work/log"
expect 'no checkout' 'give a checkout of LiteRT' "$check" "$work/tree" "$work"
expect 'no tree' 'give what npukit new --upstream wrote' "$check" "$checkout" "$checkout"
sed -i '/"litert_op_options"/d' "$checkout/litert/c/BUILD"
expect 'a label that is gone' '^the checkout has no //litert/c:litert_op_options_header$' "$check" "$work/tree" "$checkout"
rm "$checkout/litert/c/litert_op_options.h"
expect 'a header that is gone' '^does not compile: litert/vendors/contoso/compiler/compiler_plugin.cc$' "$check" "$work/tree" "$checkout"
expect 'exit code' '^exit code 1$' "$check" "$work/tree" "$checkout"

# A rule is a call with keyword arguments in Python too.
if command -v python3 >/dev/null; then
  find "$work/tree" \( -name BUILD -o -name '*.py' \) -print0 |
    xargs -0 -n 1 python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read(), sys.argv[1])'
fi
if [ -n "${NPUKIT_LITERT_CHECKOUT:-}" ]; then
  "$check" ${NPUKIT_ABSEIL:+--include "$NPUKIT_ABSEIL"} "$work/tree" "$NPUKIT_LITERT_CHECKOUT"
fi
