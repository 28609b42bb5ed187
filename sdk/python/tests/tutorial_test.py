# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""docs/python.md runs as a reader would run it: its Python blocks one after the other in one session, in an empty folder. A block
whose text is followed by a `text` block prints that."""

import contextlib
import io
import pathlib
import re

import pytest

_PAGE = pathlib.Path(__file__).parents[3] / "docs" / "python.md"
_BLOCK = re.compile(r"(<!-- not run: [^>]*-->\n)?```(\w+)\n(.*?)```", re.DOTALL)


def test_the_tutorial_runs_and_prints_what_it_says(tmp_path, monkeypatch, plugin_dir):
  monkeypatch.chdir(tmp_path)
  (tmp_path / "lib").symlink_to(plugin_dir)
  text = _PAGE.read_text(encoding="utf-8")
  names: dict[str, object] = {"__name__": "tutorial"}
  printed, ran = None, 0
  for skipped, language, block in _BLOCK.findall(text):
    if language == "python" and not skipped:
      output = io.StringIO()
      with contextlib.redirect_stdout(output):
        exec(compile(block, str(_PAGE), "exec"), names)  # pylint: disable=exec-used
      printed, ran = output.getvalue(), ran + 1
    elif language == "text" and not skipped:
      assert printed == block
  assert ran > 5
