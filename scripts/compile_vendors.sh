#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# Which of the vendors' sources in a LiteRT checkout compile against npukit's SDK.
set -euo pipefail

usage() {
  cat <<'TEXT'
usage: scripts/compile_vendors.sh [OPTION ...] LITERT_CHECKOUT

Compiles (-fsyntax-only) every source under litert/vendors of a checkout, but for tests, with the headers of sdk/include in
place of LiteRT's own, and prints a table of vendors and a line for every source that does not compile. A vendor's own headers
come from the checkout; those of its SDK, and abseil, from --include.

  --include DIR   a folder of further headers; may be given several times
  --vendor NAME   only this folder of litert/vendors; may be given several times
  --define NAME   a macro, beside the one of the checkout's generation (npukit/abi.h); may be given several times
  --sdk DIR       npukit's headers (default sdk/include of this tree)
  --logs DIR      keeps what the compiler said of each source there
  --jobs N        compilers at a time (default 1)
Environment: CXX (default g++), FLATC (default flatc; makes headers of the .fbs schemas that a vendor brings).
Exit code: 0 if every source compiles or lacks only a header of a vendor's SDK, else 1.
TEXT
}

fail() { echo "error: $*" >&2; exit 2; }

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
sdk=$root/sdk/include
logs= jobs=1 checkout=
vendors=() includes=() defines=()
while [ $# -gt 0 ]; do
  case "$1" in
    -h | --help) usage; exit 0 ;;
    --include | --vendor | --define | --sdk | --logs | --jobs)
      [ $# -ge 2 ] || fail "$1 needs a value"
      case "$1" in
        --include) includes+=("$2") ;;
        --vendor) vendors+=("$2") ;;
        --define) defines+=("-D$2") ;;
        --sdk) sdk=$2 ;;
        --logs) logs=$2 ;;
        --jobs) jobs=$2 ;;
      esac
      shift 2 ;;
    -*) fail "unknown option $1" ;;
    *)
      [ -z "$checkout" ] || fail "one checkout at a time: $checkout, $1"
      checkout=$1
      shift ;;
  esac
done
[ -n "$checkout" ] || { usage >&2; exit 2; }
[ -d "$checkout/litert/vendors" ] || fail "$checkout has no folder litert/vendors: give a checkout of LiteRT"
[ -f "$sdk/litert/c/litert_common.h" ] || fail "$sdk has no litert/c/litert_common.h: give npukit's sdk/include"
for folder in "${includes[@]+"${includes[@]}"}"; do [ -d "$folder" ] || fail "$folder is not a folder"; done
checkout=$(cd "$checkout" && pwd)

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
[ -n "$logs" ] || logs=$work/logs
mkdir -p "$logs" "$work/overlay/litert/vendors" "$work/generated"

# Only the vendors' folders: what LiteRT itself has in litert/ must come from the SDK.
names=()
for folder in "$checkout"/litert/vendors/*/; do
  name=$(basename "$folder")
  case "$name" in c | cc) continue ;; esac
  ln -s "${folder%/}" "$work/overlay/litert/vendors/$name"
  names+=("$name")
done
[ ${#vendors[@]} -gt 0 ] || vendors=("${names[@]}")
for name in "${vendors[@]}"; do
  [ -d "$work/overlay/litert/vendors/$name" ] || fail "$checkout/litert/vendors has no $name"
done

# Where the host's functions come as a table, the headers must be those of abi 2.2; where the table has the builder's functions too,
# as in main since 14 August 2026, or libraries are queried, those of abi 2.3.
if grep -q LiteRtCompilerContext "$checkout/litert/vendors/c/litert_compiler_plugin.h" 2>/dev/null; then
  defines+=(-DNPUKIT_ABI_2_2)
  if grep -qs build_tensor "$checkout/litert/c/internal/litert_compiler_context.h" ||
    grep -qs QueryInterface "$checkout/litert/vendors/c/litert_dispatch_api.h"; then
    defines+=(-DNPUKIT_ABI_2_3)
  fi
fi

# What a vendor's build makes of its schemas.
flatc=${FLATC:-flatc}
for name in "${vendors[@]}"; do
  while IFS= read -r schema; do
    target=$work/generated/litert/vendors/$name/$(dirname "${schema#"$checkout/litert/vendors/$name/"}")
    mkdir -p "$target"
    "$flatc" --cpp --gen-object-api --gen-mutable -o "$target" "$schema" >"$logs/$name.flatc.log" 2>&1 ||
      echo "note: $flatc failed on $schema: $(head -n 1 "$logs/$name.flatc.log")" >&2
  done < <(find "$checkout/litert/vendors/$name" -name '*.fbs')
done
flags=(-std=c++20 -fsyntax-only -w "${defines[@]+"${defines[@]}"}" "-I$work/overlay" "-I$work/generated" "-I$sdk")
for folder in "${includes[@]+"${includes[@]}"}"; do flags+=("-I$folder"); done

# $1: the source, from litert/vendors on. Leaves its result beside its log: "ok", "sdk HEADER", or "error LINE".
check() {
  local source=$1 log=$logs/${1//\//.}.log result missing
  if "${CXX:-g++}" "${flags[@]}" "$work/overlay/litert/vendors/$source" >"$log" 2>&1; then
    result=ok
  else
    missing=$(sed -nE 's/.*fatal error: ([^ :]+): No such file.*/\1/p; s/.*fatal error: .([^ ]+). file not found.*/\1/p' "$log" | head -n 1)
    case "$missing" in
      "") result="error $(grep -m 1 -E 'error:' "$log" | sed -E "s,^.*/litert/vendors/,,; s,^$sdk/,," || true)" ;;
      # Made by the vendor's build from what is not a FlatBuffers schema, or by nobody outside.
      litert/vendors/* | google/protobuf/*) result="sdk $missing" ;;
      litert/* | tflite/*) result="error no header $missing" ;;
      *) result="sdk $missing" ;;
    esac
  fi
  echo "$result" >"$log.result"
}

for name in "${vendors[@]}"; do
  (cd "$work/overlay/litert/vendors" && find -L "$name" -name '*.cc' ! -name '*_test.cc' | sort)
done >"$work/sources"
running=0
while IFS= read -r source; do
  check "$source" &
  running=$((running + 1))
  [ "$running" -lt "$jobs" ] || { wait -n || true; running=$((running - 1)); }
done <"$work/sources"
wait

echo "| vendor | sources | compile | lack a header of the vendor's SDK | fail |"
echo "| --- | --- | --- | --- | --- |"
for name in "${vendors[@]}"; do
  ok=0 lacking=0 failing=0
  while IFS= read -r source; do
    read -r kind _ <"$logs/${source//\//.}.log.result"
    case "$kind" in ok) ok=$((ok + 1)) ;; sdk) lacking=$((lacking + 1)) ;; *) failing=$((failing + 1)) ;; esac
  done < <(grep "^$name/" "$work/sources")
  echo "| $name | $((ok + lacking + failing)) | $ok | $lacking | $failing |"
done
echo
status=0
while IFS= read -r source; do
  read -r kind rest <"$logs/${source//\//.}.log.result"
  case "$kind" in
    sdk) echo "$source: lacks $rest" ;;
    error) echo "$source: $rest"; status=1 ;;
  esac
done <"$work/sources"
exit $status
