#!/bin/sh
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# new_project_test.sh CMAKE BUILD_DIR CXX SANITIZERS: what a vendor does in the first hour. Installs npukit into a temporary prefix,
# starts a project there with `npukit new`, builds it against the prefix, and asks the tools about it.
# Exit code 77, a skipped test, where there is no `make`, which cmake calls by default.
set -u
command -v make > /dev/null || { echo "skipped: there is no make"; exit 77; }
cmake=$1
build_dir=$2
cxx=$3
sanitizers=$4
build_type=$(sed -n 's/^CMAKE_BUILD_TYPE:.*=//p' "$build_dir/CMakeCache.txt")
# What the host is built with, its plugins need too.
flags="-Werror${sanitizers:+ -fsanitize=$sanitizers}"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
prefix=$work/prefix

fail() {
  echo "FAILED: $1"
  exit 1
}

# step NAME COMMAND...: runs it, and shows what it printed only if it fails.
step() {
  name=$1
  shift
  "$@" > "$work/log" 2>&1 || {
    cat "$work/log"
    fail "$name: $*"
  }
  echo "ok: $name"
}

step "install npukit" "$cmake" --install "$build_dir" --prefix "$prefix"
for file in include/npukit/plugin.h include/litert/vendors/c/litert_compiler_plugin.h lib/libLiteRt.so bin/npukit-new \
            lib/libnpukit_sdk_compiled.a lib/libnpukit_sdk_compiled_abi2_2.a lib/libnpukit_sdk_compiled_abi2_3.a \
            lib/cmake/npukit/npukitConfig.cmake share/npukit/templates/compiler_plugin/CMakeLists.txt \
            share/npukit/docs/examples/matmul.acm share/npukit/docs/examples/sweep.yaml; do
  [ -e "$prefix/$file" ] || fail "$file is not in the installation"
done

# has_runpath FILE RUNPATH: exactly that, "" for none. An empty element would be the current folder.
has_runpath() {
  found=$(readelf -d "$1" | sed -n 's/.*R[UN]*PATH.*\[\(.*\)\].*/\1/p')
  [ "$found" = "$2" ] || fail "$1 has the RUNPATH '$found', expected '$2'"
}
for file in "$prefix"/lib/lib*.so; do has_runpath "$file" ""; done
for file in "$prefix"/bin/npukit*; do
  case $file in
    # On a device it and libLiteRt.so lie in one folder.
    */npukit-worker) has_runpath "$file" '$ORIGIN/../lib:$ORIGIN' ;;
    *) has_runpath "$file" '$ORIGIN/../lib' ;;
  esac
done
echo "ok: RUNPATH of what is installed"

step "npukit new contoso" "$prefix/bin/npukit-new" contoso -o "$work/contoso"
[ -e "$work/contoso/.github/workflows/ci.yml" ] || fail "hidden files are not copied"
if grep -rIl '@[Nn][Aa][Mm][Ee]@' "$work/contoso"; then fail "placeholders are left"; fi

"$prefix/bin/npukit" new other -o "$work/other" --json > "$work/log" || fail "npukit new --json"
grep -q '"files"' "$work/log" || fail "--json does not list the files"

# Seconds of processor time, of what this script has started so far.
cpu_seconds() {
  times > "$work/times"
  awk 'NR == 2 { for (i = 1; i <= 2; ++i) { split($i, t, /[ms]/); sum += 60 * t[1] + t[2] } printf "%.2f\n", sum }' "$work/times"
}

step "configure" "$cmake" -S "$work/contoso" -B "$work/build" "-DCMAKE_PREFIX_PATH=$prefix" "-DCMAKE_CXX_COMPILER=$cxx" \
     "-DCMAKE_CXX_FLAGS=$flags"
# A vendor waits for one ABI at a time; the bytecode's archive is part of each. How long is printed, and held by
# scripts/package_test.sh alone: the same build took from 7 to 17 s of processor time on one machine, by who else was on it.
for abi in "" _abi2_2 _abi2_3; do
  step "clean" "$cmake" --build "$work/build" --target clean
  cpu_seconds > "$work/before"
  CCACHE_DISABLE=1 step "build${abi:+ $abi}" "$cmake" --build "$work/build" \
    --target "Contoso_compiler_plugin$abi" --target "Contoso_dispatch$abi"
  cpu_seconds > "$work/after"
  took=$(cat "$work/before" "$work/after" | awk 'NR == 1 { before = $1 } NR == 2 { print $1 - before }')
  echo "built in $took s of processor time"
done
step "build" "$cmake" --build "$work/build" -j2

# What is the same for every vendor comes compiled (a sanitizer does without).
for abi in "" _abi2_2 _abi2_3; do
  for object in dispatch:DispatchQueue compiler_plugin:LendTransformations; do
    file=$(find "$work/build/CMakeFiles/Contoso_${object%:*}$abi.dir" -name "${object%:*}.cc.o")
    [ -e "$file" ] || fail "no object of ${object%:*}$abi"
    [ -n "$sanitizers" ] || ! nm "$file" | grep -q "${object#*:}" || fail "$file has ${object#*:}"
  done
done

for library in libLiteRtCompilerPlugin_Contoso.so libLiteRtDispatch_Contoso.so; do
  readelf -d "$work/build/lib/$library" | grep -q 'NEEDED.*libLiteRt.so' || fail "$library does not need libLiteRt.so"
done
for file in "$work"/build/lib*/libLiteRt*.so; do has_runpath "$file" ""; done
exported=$(nm -D --defined-only "$work/build/lib/libLiteRtCompilerPlugin_Contoso.so" | grep -c ' T LiteRt')
[ "$exported" -eq 16 ] || fail "the plugin exports $exported of LiteRt's 16 functions"

# The same sources for abi 2.2 and for queried interfaces, which do not link the host.
for folder in lib-abi2.2 lib-abi2.3; do
  for library in libLiteRtCompilerPlugin_Contoso.so libLiteRtDispatch_Contoso.so; do
    if readelf -d "$work/build/$folder/$library" | grep -q 'NEEDED.*libLiteRt.so'; then
      fail "$folder/$library needs libLiteRt.so"
    fi
  done
  exported=$(nm -D --defined-only "$work/build/$folder/libLiteRtCompilerPlugin_Contoso.so" | grep -c ' T LiteRt')
  case $folder in lib-abi2.2) expected=18 ;; *) expected=19 ;; esac
  [ "$exported" -eq $expected ] || fail "the plugin in $folder exports $exported of LiteRt's $expected functions"
done
nm -D --defined-only "$work/build/lib-abi2.3/libLiteRtDispatch_Contoso.so" | grep -q ' T LiteRtDispatchQueryInterface' ||
  fail "lib-abi2.3's dispatch library is not queried"

if [ -x "$prefix/bin/npukit-info" ]; then
  step "npukit info" "$prefix/bin/npukit" info --plugin-dir "$work/build/lib" --json
  grep -q '"Contoso"' "$work/log" || { cat "$work/log"; fail "npukit info does not know Contoso"; }
fi
# Under a host without custom events an asynchronous run has ended when the call returns.
if [ -x "$prefix/bin/npukit-apply" ] && [ -x "$build_dir/test_bin/sdk_old_host" ]; then
  step "npukit sample" "$prefix/bin/npukit" sample elementwise_float -o "$work/elementwise.tflite"
  step "npukit apply" "$prefix/bin/npukit" apply "$work/elementwise.tflite" -o "$work/compiled.tflite" --plugin-dir "$work/build/lib"
  step "a host without custom events" "$build_dir/test_bin/sdk_old_host" \
       "$work/build/lib-abi2.3/libLiteRtDispatch_Contoso.so" "$work/compiled.tflite"
fi
# The same sources, linked into a program.
cat > "$work/contoso/linked.cc" <<'END'
#include <cstdio>
#include <initializer_list>

#include "npukit/static_plugin.h"

int main() {
  for (int32_t kind : {kNpukitStaticPluginCompiler, kNpukitStaticPluginDispatch}) {
    char name[32] = "";
    if (NpukitGetStaticPluginName(kind, 0, name, sizeof(name)) != kLiteRtStatusOk) return 1;
    std::puts(name);
  }
}
END
cat >> "$work/contoso/CMakeLists.txt" <<'END'
add_executable(linked EXCLUDE_FROM_ALL linked.cc)
target_link_libraries(linked PRIVATE Contoso_linked)
END
step "configure again" "$cmake" "$work/build"
step "build a program with the plugin in it" "$cmake" --build "$work/build" -j2 --target linked
step "a program with the plugin in it" "$work/build/linked"
[ "$(tr '\n' ' ' < "$work/log")" = "Contoso Contoso " ] || { cat "$work/log"; fail "the plugin has not registered itself"; }

# The same sources as they lie in LiteRT's tree: what the build and the linked program left in the project does not get in the way.
step "npukit new --upstream" "$prefix/bin/npukit" new contoso --upstream --from "$work/contoso" -o "$work/upstream"
step "configure the upstream tree" "$cmake" -S "$work/upstream" -B "$work/upstream_build" "-DCMAKE_PREFIX_PATH=$prefix" \
     "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_CXX_FLAGS=$flags"
step "build the upstream tree" "$cmake" --build "$work/upstream_build" -j2

# Each archive is of one ABI, by the names of its functions; where it does not fit, the headers have all.
for abi in 2_1 2_2 2_3; do
  archive=$prefix/lib/libnpukit_sdk_compiled_abi$abi.a
  [ $abi = 2_1 ] && archive=$prefix/lib/libnpukit_sdk_compiled.a
  [ -n "$sanitizers" ] || [ "$(nm "$archive" | grep -o 'abi2_[0-9]' | sort -u)" = abi$abi ] || fail "$archive is not of abi $abi"
done
has_queue() {
  echo '#include "npukit/dispatch.h"' | "$cxx" -x c++ -std=c++17 -E "-I$prefix/include" "$@" - | grep -q 'class DispatchQueue'
}
has_queue || fail "without an archive the headers lack the queue"
has_queue -DNPUKIT_SDK_ARCHIVE=1 && fail "with an archive the headers have the queue"
for flag in -DNPUKIT_HEADER_ONLY -D_GLIBCXX_USE_CXX11_ABI=0 -D_GLIBCXX_DEBUG -fsanitize=address -fsanitize=thread -DNPUKIT_SDK_ARCHIVE=99; do
  case $flag in
    -DNPUKIT_SDK_ARCHIVE=*) has_queue "$flag" || fail "an archive of a later library is taken" ;;
    *) has_queue -DNPUKIT_SDK_ARCHIVE=1 "$flag" || fail "the archive is taken with $flag" ;;
  esac
done
echo "ok: where the archives fit"

# There the headers alone are compiled: the libraries show and need the same as with what comes compiled.
shows() { nm -D --defined-only "$1" | sed 's/^[^ ]* //' | sort; }
needs() { readelf -d "$1" | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | sort; }
calls() { nm -D --undefined-only "$1" | grep -o 'LiteRt.*\|Npukit.*' | sort; }
for folder in lib lib-abi2.2 lib-abi2.3; do
  for library in libLiteRtCompilerPlugin_Contoso.so libLiteRtDispatch_Contoso.so; do
    for question in shows needs calls; do
      $question "$work/build/$folder/$library" > "$work/compiled"
      $question "$work/upstream_build/$folder/$library" > "$work/headers"
      # Without optimisation the archives also call what nobody needs.
      if [ "$question$build_type" = callsDebug ]; then
        comm -12 "$work/headers" "$work/compiled" > "$work/common" && mv "$work/common" "$work/compiled"
      fi
      diff "$work/headers" "$work/compiled" > "$work/log" || { cat "$work/log"; fail "what $folder/$library $question is another"; }
    done
  done
done
echo "ok: the same as from headers alone"

step "npukit new --template op_package" "$prefix/bin/npukit" new contoso_ops --template op_package -o "$work/ops"
if grep -rIl '@[Nn][Aa][Mm][Ee]@' "$work/ops"; then fail "placeholders are left"; fi
grep -q 'npukit info --op-package-dir' "$work/log" || { cat "$work/log"; fail "how to go on is not said"; }
step "configure the package" "$cmake" -S "$work/ops" -B "$work/ops_build" "-DCMAKE_PREFIX_PATH=$prefix" \
     "-DCMAKE_CXX_COMPILER=$cxx" "-DCMAKE_CXX_FLAGS=$flags"
step "build the package" "$cmake" --build "$work/ops_build" -j2
if [ -x "$prefix/bin/npukit-info" ]; then
  step "npukit info" "$prefix/bin/npukit" info --op-package-dir "$work/ops_build/lib" --json
  grep -q '"contoso_ops.square_root"' "$work/log" || { cat "$work/log"; fail "npukit info does not list the package"; }
fi

if [ -x "$prefix/bin/npukit-conform" ]; then
  step "npukit conform" "$prefix/bin/npukit" conform --plugin-dir "$work/build/lib" --report "$work/report"
  step "npukit conform, abi 2.2" "$prefix/bin/npukit" conform --plugin-dir "$work/build/lib-abi2.2" --report "$work/report2"
  step "npukit conform, abi 2.3" "$prefix/bin/npukit" conform --plugin-dir "$work/build/lib-abi2.3" --report "$work/report3"
  for folder in lib lib-abi2.2 lib-abi2.3; do
    step "npukit conform, upstream tree, $folder" "$prefix/bin/npukit" conform --plugin-dir "$work/upstream_build/$folder" --suite smoke
  done
else
  echo "npukit conform is not built: the project was not held to its claims"
fi
