#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Whether what `npukit new --upstream` wrote fits a LiteRT checkout, as far as that can be told without Bazel.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/check_upstream.sh [--include DIR ...] TREE LITERT_CHECKOUT

TREE is what `npukit new NAME --upstream` wrote, or a checkout that it was written into. Compiles (-fsyntax-only) its sources with the
checkout's own C headers, and with no other header of LiteRT's; looks for every label and file of LiteRT's that the BUILD files name.

  --include DIR   a folder of further headers, abseil's for one; may be given several times
Environment: CXX (default g++).
Exit code: 0 if all fits, else 1.
TEXT
}

fail() { echo "error: $*" >&2; exit 2; }

includes=() places=()
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --include)
      [ $# -ge 2 ] || fail "$1 needs a value"
      [ -d "$2" ] || fail "$2 is not a folder"
      includes+=("-isystem" "$2")
      shift 2 ;;
    -*) fail "unknown option $1" ;;
    *) places+=("$1"); shift ;;
  esac
done
[ ${#places[@]} -eq 2 ] || { usage >&2; exit 2; }
tree=$(cd "${places[0]}" && pwd) || fail "${places[0]} is not a folder"
checkout=$(cd "${places[1]}" && pwd) || fail "${places[1]} is not a folder"
[ -f "$checkout/litert/c/litert_common.h" ] || fail "$checkout has no litert/c/litert_common.h: give a checkout of LiteRT"
vendors=()
for sdk in "$tree"/litert/vendors/*/npukit; do [ -d "$sdk" ] && vendors+=("$(dirname "$sdk")"); done
[ ${#vendors[@]} -gt 0 ] || fail "$tree/litert/vendors has no folder with npukit in it: give what npukit new --upstream wrote"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# LiteRT's C headers and what they include, and no C++ wrapper of LiteRT's: those are not among the labels.
mkdir -p "$work/litert/vendors" "$work/litert/build_common"
for folder in c core; do [ ! -d "$checkout/litert/$folder" ] || ln -s "$checkout/litert/$folder" "$work/litert/$folder"; done
[ ! -d "$checkout/litert/vendors/c" ] || ln -s "$checkout/litert/vendors/c" "$work/litert/vendors/c"
[ ! -d "$checkout/tflite" ] || ln -s "$checkout/tflite" "$work/tflite"
# LiteRT's build makes this one.
for config in "$checkout/litert/build_common/build_config.h" "$checkout/litert/build_common/config/build_config_gpu_npu.h"; do
  [ ! -f "$config" ] || { ln -s "$config" "$work/litert/build_common/build_config.h"; break; }
done

status=0 sources=0 labels=0
for vendor in "${vendors[@]}"; do
  while IFS= read -r source; do
    sources=$((sources + 1))
    "${CXX:-g++}" -std=c++20 -fsyntax-only -w -DNPUKIT_ABI_2_2 "-I$tree" "-I$vendor/npukit/include" "-I$work" \
      "${includes[@]+"${includes[@]}"}" "$source" || { echo "does not compile: ${source#"$tree/"}"; status=1; }
  done < <(find "$vendor" -name '*.cc' | sort)
  while IFS= read -r label; do
    labels=$((labels + 1))
    package=${label#//} name=${label##*:}
    package=${package%:*}
    [ -e "$checkout/$package/$name" ] && continue
    # A macro makes NAME_header of NAME.
    grep -qE "name = \"(${name}|${name%_header})\"" "$checkout/$package/BUILD" 2>/dev/null ||
      { echo "the checkout has no $label"; status=1; }
  done < <(find "$vendor" -name BUILD -exec grep -ohE '"//litert/(c|c/internal|c/options|vendors/c|test|build_common):[^"]+"' {} + | tr -d '"' | sort -u)
done
echo "$sources sources, $labels labels of LiteRT's"
exit $status
