# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""The package's types hold, and users' checkers see them."""

import pathlib
import subprocess
import sys

import pytest

import npukit

_FOLDER = pathlib.Path(npukit.__file__).resolve().parent


def _mypy(*arguments):
  pytest.importorskip("mypy", reason="python3-mypy is not installed")
  return subprocess.run([sys.executable, "-m", "mypy", "--cache-dir=/dev/null", *arguments], capture_output=True, text=True,
                        check=False)


def test_types_are_strict():
  done = _mypy("--strict", "--no-warn-unused-ignores", "-p", "npukit")
  assert done.returncode == 0, done.stdout


def test_a_wrong_use_is_seen(tmp_path):
  source = tmp_path / "use.py"
  source.write_text("import npukit\nverdict = npukit.conform('lib')\nverdict.pased\nport: npukit.Port\nport.shape.append(1)\n")
  done = _mypy("--strict", str(source))
  assert '"Conformance" has no attribute "pased"' in done.stdout and '"append"' in done.stdout


def test_all_that_is_public_is_documented():
  undocumented = [name for name in npukit.__all__ if not getattr(npukit, name).__doc__]
  assert not undocumented
  text = (pathlib.Path(__file__).parents[3] / "docs" / "python.md").read_text(encoding="utf-8")
  assert [name for name in npukit.__all__ if f"`{name}" not in text and f".{name}(" not in text] == []
