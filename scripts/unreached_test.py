#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What scripts/unreached.py counts. Nothing is built here."""

import collections
import contextlib
import io
import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutate  # noqa: E402
import unreached  # noqa: E402

FILE = "simulator/units/example.cc"
TEXT = "int F(int a) {\n  if (a < 0) return Error(ErrorCode::kBad);\n  if (a == 1)\n    a *= 2;\n  return a;\n}\n"


def report(name, counts):
    return {"files": [{"file": str(mutate.ROOT / name), "lines": [{"line_number": n, "count": c} for n, c in counts.items()]}]}


class Unreached(unittest.TestCase):
    def found(self, reports, only=""):
        counts = collections.defaultdict(collections.Counter)
        for each in reports:
            unreached.counts_of(each, counts)
        return unreached.unreached(counts, only, lambda name: TEXT)

    def test_lines_that_no_report_counts(self):
        one = report(FILE, {1: 1, 2: 0, 3: 1, 4: 0, 5: 1, 6: 0})
        # Not the refusal in line 2, nor the bracket in line 6.
        self.assertEqual(self.found([one]), {FILE: ([4], 6)})
        # Another library has the same source.
        self.assertEqual(self.found([one, report(FILE, {4: 3})]), {FILE: ([], 6)})

    def test_only_what_is_changed_by_mutants(self):
        self.assertEqual(self.found([report("sdk/host/example.cc", {4: 0})]), {})
        self.assertEqual(self.found([report("simulator/units/example_test.cc", {4: 0})]), {})
        self.assertEqual(self.found([report(FILE, {4: 0})], only="compiler"), {})

    def test_wrong_usage_is_2(self):
        for arguments in (["--only", "("], ["--kit", "/nonexistent"], ["--unknown"]):
            with self.subTest(arguments), contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as ended:
                unreached.parse(arguments)
            self.assertEqual(ended.exception.code, 2)


if __name__ == "__main__":
    unittest.main()
