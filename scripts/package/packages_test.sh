#!/usr/bin/env bash
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
#
# packages_test.sh [BUILD_DIR]: what `./dev package` made keeps what it promises: packing again gives the same bytes; nothing names the clone's
# folder; lintian finds no error; the list of what is linked in names what is; the wheel runs by itself in an environment of its own. Takes a minute or two,
# so ctest does not run it.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=${1:-build-package}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
fail() { echo "FAILED: $1" >&2; exit 1; }

cp -r "$build/packages" "$work/first"
# Later, and by another order of things, but of the same change.
sleep 2
scripts/package/pack.sh "$build" >/dev/null
for file in "$work"/first/*; do
  cmp -s "$file" "$build/packages/$(basename "$file")" || fail "$(basename "$file") has other bytes when it is packed again"
done
echo "ok: the same bytes"

# What two clones would have of their own; two_clones_test.sh builds both.
mkdir "$work/unpacked"
tar -xzf "$build"/packages/npukit-*.tar.gz -C "$work/unpacked"
if grep -rlaF "$PWD/" "$work/unpacked" >"$work/named"; then fail "the clone's folder is named by $(head -3 "$work/named" | xargs)"; fi
echo "ok: no folder of this machine"

for package in "$build"/packages/*.deb; do
  # Where this runs may be root's.
  lintian --fail-on error --tag-display-limit 0 --allow-root "$package" >"$work/lintian" 2>&1 ||
    { grep '^E:' "$work/lintian" >&2 || cat "$work/lintian" >&2; fail "lintian: $(basename "$package")"; }
done
echo "ok: lintian"

/usr/bin/python3 - "$build"/packages/*.spdx.json <<'PY'
import json, sys
sbom = json.load(open(sys.argv[1]))
names = {package["name"] for package in sbom["packages"]}
assert sbom["spdxVersion"] == "SPDX-2.3" and {"npukit", "yaml-cpp", "flatbuffers", "libpng1.6", "libjpeg-turbo", "zlib"} <= names, names
assert all(package["licenseConcluded"] != "NOASSERTION" for package in sbom["packages"])
PY
# Without -q, which ends at the first match and has dpkg-deb killed by its pipe.
for package in "$build"/packages/*.deb; do
  dpkg-deb --contents "$package" | grep '/copyright$' >/dev/null || fail "$package has no copyright"
done
echo "ok: what is linked in"

wheel=$(ls "$build"/packages/*.whl 2>/dev/null || true)
if [ -n "$wheel" ]; then
  /usr/bin/python3 -m venv --system-site-packages --without-pip "$work/venv"
  # What pip would do, without pip.
  site=$("$work/venv/bin/python" -c 'import sysconfig; print(sysconfig.get_path("purelib"))')
  /usr/bin/python3 -m zipfile -e "$wheel" "$site"
  readelf -d "$site"/npukit/_npukit*.so | grep NEEDED | grep -vE 'libc\.so|libm\.so|libstdc\+\+|libgcc_s|libLiteRt|ld-linux' &&
    fail "the wheel needs libraries"
  (cd "$work" && "$work/venv/bin/python" - <<'PY')
import stat, pathlib, npukit
from npukit import _commands
for file in _commands.bin_dir().iterdir():
  file.chmod(file.stat().st_mode | stat.S_IXUSR)
assert "venv" in npukit.__file__ and "venv" in str(_commands.bin_dir())
graph = npukit.Graph()
x = graph.input("x", "float32", [2])
model = graph.build("m.tflite", [graph.op("ABS", [x], "y")])
assert model.run({"x": [-1, 2]})["y"].tolist() == [1, 2]
lib = _commands.bin_dir().parent / "lib"
assert npukit.info(lib)["plugins"]
assert npukit.conform(lib, suite="smoke", filter="abi")
PY
  echo "ok: the wheel"
fi
