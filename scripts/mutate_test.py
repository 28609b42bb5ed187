#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What scripts/mutate.py changes, chooses and counts. No mutant is built here."""

import contextlib
import io
import pathlib
import sys
import tempfile
import unittest
from unittest import mock

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import mutate  # noqa: E402


def changes(line):
    """Operator and changed line, of a source of that one line."""
    return {(mutant.operator, mutant.after) for mutant in mutate.mutants_of("a.cc", line)}


class Mutants(unittest.TestCase):
    def test_changes_one_point(self):
        rows = [
            ("  if (a < b) return c;", {("comparison", "  if (a <= b) return c;"), ("logic", "  if (!(a < b)) return c;")}),
            ("  x = a + 1;", {("arithmetic", "  x = a - 1;"), ("off by one", "  x = a;")}),
            ("  x = a * b / c;", {("arithmetic", "  x = a / b / c;"), ("arithmetic", "  x = a * b * c;")}),
            ("  x = std::clamp(a, low, high);", {("clamp", "  x = (a);")}),
            ("  x = std::min<int>(a, b);", {("clamp", "  x = std::max<int>(a, b);")}),
            ("  values.push_back(x);", {("skipped call", "  ;")}),
            ("  x = w.stride_h;", {("axis", "  x = w.stride_w;")}),
            ("  x = in.height;", {("axis", "  x = in.width;")}),
            ("  return true;", {("logic", "  return false;")}),
        ]
        for line, wanted in rows:
            with self.subTest(line):
                self.assertEqual(changes(line), wanted)

    def test_leaves_texts_types_and_comments(self):
        for line in ('  x = "a + b";', "  // a < b", "#include <a < b>", '  return Error("a < b");', "  std::vector<int> x;", "  int* x = y;", "  x = y;  // a + 1"):
            with self.subTest(line):
                self.assertEqual(changes(line), set())

    def test_key_follows_the_text(self):
        first = mutate.mutants_of("a.cc", "  x = a + b;")[0]
        moved = mutate.mutants_of("a.cc", "\n\n  x = a + b;")[0]
        self.assertEqual(first.key, moved.key)
        self.assertEqual((first.line, moved.line), (1, 3))
        self.assertNotEqual(first.key, mutate.mutants_of("b.cc", "  x = a + b;")[0].key)

    def test_choice_is_even_and_repeatable(self):
        text = "\n".join([f"  x{i} = a + {i + 5};" for i in range(50)] + ["  if (a < b) return c;"])
        mutants = mutate.mutants_of("a.cc", text)
        chosen = mutate.choose(mutants, 10, seed=3)
        self.assertEqual(chosen, mutate.choose(list(reversed(mutants)), 10, seed=3))
        self.assertNotEqual(chosen, mutate.choose(mutants, 10, seed=4))
        self.assertEqual({mutant.operator for mutant in chosen}, {"arithmetic", "comparison", "logic"})
        self.assertEqual(len(mutate.choose(mutants, 10_000, seed=3)), len(mutants))

    def test_the_project_has_enough(self):
        mutants = mutate.all_mutants("")
        self.assertGreater(len(mutants), 3000)
        self.assertTrue(all(not mutate.LEFT_OUT.search(mutant.file) for mutant in mutants))
        self.assertEqual(len({mutant.key for mutant in mutants}), len(mutants))


class Copies(unittest.TestCase):
    def test_have_what_is_there_now(self):
        with tempfile.TemporaryDirectory() as folder:
            root, copy = pathlib.Path(folder, "root"), pathlib.Path(folder, "copy")
            (root / "a").mkdir(parents=True)
            (root / "a/kept.cc").write_text("kept")
            (root / "a/moved.cc").write_text("moved")
            mutate.copy_files(root, copy, ["a/kept.cc", "a/moved.cc"])
            time = (copy / "a/kept.cc").stat().st_mtime_ns
            (root / "b").mkdir()
            (root / "a/moved.cc").rename(root / "b/moved.cc")
            mutate.copy_files(root, copy, ["a/kept.cc", "b/moved.cc"])
            self.assertEqual({str(path.relative_to(copy)) for path in copy.rglob("*.cc")}, {"a/kept.cc", "b/moved.cc"})
            self.assertEqual((copy / "a/kept.cc").stat().st_mtime_ns, time)


class Results(unittest.TestCase):
    def test_a_cut_line_is_no_result(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "results.jsonl"
            self.assertEqual(mutate.read_results(path), {})
            path.write_text('{"key": "a", "verdict": "killed"}\n{"key": "b", "verd')
            self.assertEqual(list(mutate.read_results(path)), ["a"])

    def test_the_score(self):
        def score(verdicts, goal):
            results = {str(i): {"key": str(i), "verdict": verdict, "text": f"mutant {i}"} for i, verdict in enumerate(verdicts)}
            output = io.StringIO()
            with contextlib.redirect_stdout(output), mock.patch.object(mutate, "explained", lambda: {"0": "adds zero"}):
                return mutate.summarize(results, goal), output.getvalue()

        code, text = score(["survived", "killed", "killed", "killed", "survived", "equal", "stillborn"], 75)
        self.assertEqual(code, 0)
        self.assertIn("survived: mutant 4", text)
        self.assertNotIn("survived: mutant 0", text)
        self.assertIn("3 killed, 2 survived (1 explained), 1 equal, 1 stillborn; score 75.0%", text)
        self.assertEqual(score(["killed", "killed", "killed", "killed", "survived"], 81)[0], 1)
        self.assertEqual(score(["equal"], 0)[0], 1)

    def test_explanations_have_reasons(self):
        for key, reason in mutate.explained().items():
            self.assertRegex(key, r"^[0-9a-f]{12}$")
            self.assertTrue(reason)


class CommandLine(unittest.TestCase):
    def test_wrong_usage(self):
        for argv in (["--count", "0"], ["--only", "("], ["--kit", "/no/such"], ["--frobnicate"]):
            with self.subTest(argv), contextlib.redirect_stderr(io.StringIO()), self.assertRaises(SystemExit) as end:
                mutate.main(argv)
            self.assertEqual(end.exception.code, 2)
        with contextlib.redirect_stderr(io.StringIO()):
            self.assertEqual(mutate.main(["--only", "no_such_source"]), 2)


if __name__ == "__main__":
    unittest.main()
