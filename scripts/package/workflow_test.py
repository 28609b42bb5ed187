#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""That bare_root_test.py runs all of a CI file and all of the tutorial. Nothing is built here."""

import pathlib
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import page_commands  # noqa: E402

try:
  import workflow
except ImportError:  # no yaml
  workflow = None

_SOURCE = pathlib.Path(__file__).resolve().parents[2]


def _job(steps, more="", variables=None):
  text = f"on: [push]\njobs:\n  one:\n    runs-on: x\n    container: debian:12\n{more}    steps:\n{steps}"
  with tempfile.NamedTemporaryFile("w", suffix=".yml", encoding="utf-8") as file:
    file.write(text)
    file.flush()
    return workflow.read_job(pathlib.Path(file.name), variables or {})


@unittest.skipIf(workflow is None, "there is no python3-yaml")
class Workflow(unittest.TestCase):

  def test_reads_the_templates(self):
    files = sorted((_SOURCE / "templates").glob("*/.github/workflows/*.yml"))
    self.assertEqual([file.name for file in files], ["board.yml", "ci.yml"])
    for file in files:
      with self.subTest(file.name):
        job = workflow.read_job(file, {"NPUKIT_URL": "http://there/a.tar.gz"})
        self.assertEqual(job.container, "debian:12")
        self.assertTrue(any(step.is_checkout for step in job.steps))
        self.assertTrue(any(step.artifact for step in job.steps))
        scripts = "\n".join(step.script for step in job.steps)
        self.assertIn("http://there/a.tar.gz", scripts)
        self.assertNotIn("${{", scripts)
        # Each run of the file is one step here, with all its lines.
        self.assertEqual(sum(bool(step.script) for step in job.steps), file.read_text(encoding="utf-8").count("run:"))

  def test_variables(self):
    job = _job("      - env: {A: '${{ vars.B }}'}\n        run: go ${{vars.C}}.\n", variables={"C": "c"})
    self.assertEqual((job.steps[0].script, job.steps[0].env), ("go c.", {"A": ""}))

  def test_refuses_what_it_does_not_know(self):
    rows = [
        ("      - uses: actions/cache@v4\n", ""),
        ("      - run: a\n        continue-on-error: true\n", ""),
        ("      - run: a\n        if: failure()\n", ""),
        ("      - run: echo ${{ secrets.TOKEN }}\n", ""),
        ("      - run: a\n", "    strategy: {matrix: {a: [1, 2]}}\n"),
        ("      - run: a\n  two:\n    runs-on: x\n", ""),
    ]
    for steps, more in rows:
      with self.subTest(steps + more), self.assertRaises(workflow.Unknown):
        _job(steps, more)


class Page(unittest.TestCase):

  def test_all_commands_in_order(self):
    page = "a\n\n```sh\none\ntwo\n```\n\n```console\n$ three\nprinted\n$ four\n```\n```yaml\nno: 1\n```\n"
    self.assertEqual(page_commands.commands(page), ["one\ntwo\n", "three", "four"])

  def test_nothing_is_left_out(self):
    with self.assertRaises(ValueError):
      page_commands.commands("<!-- not run: long -->\n```sh\none\n```\n")

  def test_the_tutorial(self):
    text = (_SOURCE / "docs/tutorial.md").read_text(encoding="utf-8")
    scripts = page_commands.commands(text)
    self.assertEqual(sum(script.count("npukit conform") for script in scripts), 2)
    # Every line that begins with a command of the kit is in them.
    lines = "\n".join(scripts).splitlines()
    for line in text.splitlines():
      line = line.removeprefix("$ ")
      if line.startswith(("npukit ", "cmake ", "sed ", "printf ", "cat ")):
        self.assertIn(line, lines)


if __name__ == "__main__":
  unittest.main()
