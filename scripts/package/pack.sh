#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# pack.sh BUILD_DIR: Debian packages, an archive and a wheel of a build of npukit_installable, in BUILD_DIR/packages. The same build
# and SOURCE_DATE_EPOCH give the same bytes, whenever and however often.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(realpath "$1")
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct 2>/dev/null || date +%s)}
# Permissions are part of archives; which were asked for at the clone are not.
umask 022

version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
/usr/bin/python3 -B "$root/scripts/package/write_sbom.py" "$build" "$version" "$build/package_files"
/usr/bin/python3 -B "$root/scripts/package/write_debian_files.py" "$root" "$build/package_files" "$version" "$build/package_files"

rm -rf "$build/packages"
for generator in TGZ DEB; do
  cpack --config "$build/CPackConfig.cmake" -G "$generator" -B "$build/packages" >"$build/cpack.log" 2>&1 ||
    { cat "$build/cpack.log" >&2; exit 1; }
done
rm -rf "$build/packages/_CPack_Packages"
cp "$build/package_files/npukit.spdx.json" "$build/packages/npukit-$version.spdx.json"
if grep -q '^build npukit_wheel:' "$build/build.ninja"; then
  cmake --build "$build" --target npukit_wheel >"$build/wheel.log" 2>&1 || { cat "$build/wheel.log" >&2; exit 1; }
  cp "$build"/wheel/npukit-*.whl "$build/packages"
fi
ls "$build/packages"
