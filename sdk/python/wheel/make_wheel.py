# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes npukit's wheel: the package, with an installation of the libraries and commands in npukit/_native.

The wheel is made by setuptools' build back end, as Debian has it, with nothing fetched. The same build and SOURCE_DATE_EPOCH give
the same bytes.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

_HERE = pathlib.Path(__file__).resolve().parent


def _install(arguments: argparse.Namespace, native: pathlib.Path) -> None:
  for component in ("runtime", "tools"):
    subprocess.run([arguments.cmake, "--install", arguments.build, "--component", component, "--prefix", str(native), "--strip"],
                   check=True, stdout=subprocess.DEVNULL)
  # What a shell reads is of no use in there.
  for folder in ("man", "bash-completion", "zsh", "fish", "doc"):
    shutil.rmtree(native / "share" / folder, ignore_errors=True)
  # Debian's folder of libraries is named after the architecture; the module looks in lib.
  for library in (native / "lib").glob("*/libLiteRt.so"):
    for file in library.parent.iterdir():
      file.rename(native / "lib" / file.name)
    library.parent.rmdir()


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__)
  for name in ("version", "cmake", "build", "module", "output"):
    parser.add_argument(f"--{name}", required=True)
  arguments = parser.parse_args()
  output = pathlib.Path(arguments.output).resolve()
  output.mkdir(parents=True, exist_ok=True)
  for old in output.glob("npukit-*.whl"):
    old.unlink()
  with tempfile.TemporaryDirectory() as folder:
    stage = pathlib.Path(folder)
    for name in ("pyproject.toml", "setup.py"):
      text = (_HERE / name).read_text(encoding="utf-8").replace("@VERSION@", arguments.version)
      (stage / name).write_text(text, encoding="utf-8")
    shutil.copy(_HERE.parents[2] / "LICENSE", stage)
    package = stage / "npukit"
    shutil.copytree(_HERE.parent / "npukit", package, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(arguments.module, package)
    subprocess.run(["strip", "--strip-unneeded", str(package / pathlib.Path(arguments.module).name)], check=True)
    _install(arguments, package / "_native")
    if not (package / "_native" / "lib" / "libLiteRt.so").is_file():
      print("error: the build has no installation to pack; build npukit_installable first", file=sys.stderr)
      return 1
    environment = {**os.environ, "SOURCE_DATE_EPOCH": os.environ.get("SOURCE_DATE_EPOCH", "1700000000")}
    program = f"from setuptools import build_meta; print(build_meta.build_wheel({str(output)!r}))"
    done = subprocess.run([sys.executable, "-B", "-c", program], cwd=stage, env=environment, check=False, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
      print(done.stdout, file=sys.stderr)
      return 1
  print(output / done.stdout.splitlines()[-1])
  return 0


if __name__ == "__main__":
  sys.exit(main())
