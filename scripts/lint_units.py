#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Prints what `./dev lint` reads, a file a line, and writes the compile commands for it.

usage: lint_units.py BINARY_DIR

clang-tidy reads a file once for each command that compiles it, and the same sources are compiled for several ABIs and, with other
definitions, for dozens of test plugins. BINARY_DIR/lint_units/compile_commands.json has each text once, by the first command that compiles it;
what generators wrote is left out.
"""

import json
import pathlib
import sys


def is_linted(name, binary_dir):
    """Sources of the tree, and those that CMake writes to compile several as one."""
    return name.endswith(".cxx") and "/Unity/" in name or name.endswith(".cc") and binary_dir not in pathlib.PurePath(name).parents


def units(commands, binary_dir, read):
    """Those of the commands whose file says what no file before it says; read(name) gives a file's text."""
    seen = {}
    for command in sorted(commands, key=lambda command: command["file"]):
        if is_linted(command["file"], binary_dir):
            seen.setdefault(read(command["file"]), command)
    return list(seen.values())


def main(binary_dir):
    binary_dir = binary_dir.resolve()
    commands = json.loads((binary_dir / "compile_commands.json").read_text())
    chosen = units(commands, binary_dir, lambda name: pathlib.Path(name).read_text())
    folder = binary_dir / "lint_units"
    folder.mkdir(exist_ok=True)
    (folder / "compile_commands.json").write_text(json.dumps(chosen))
    print("\n".join(command["file"] for command in chosen))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))
