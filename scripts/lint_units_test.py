#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What scripts/lint_units.py leaves out. Nothing is compiled here."""

import pathlib
import sys
import unittest

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import lint_units  # noqa: E402

TEXTS = {
    "/tree/b.cc": "b",
    "/tree/a.cc": "a",
    "/tree/build/one/Unity/unity_0_cxx.cxx": "#include a, b",
    "/tree/build/two/Unity/unity_0_cxx.cxx": "#include a, b",
    "/tree/build/two/Unity/unity_1_cxx.cxx": "#include c",
    "/tree/build/two/generated.cc": "generated",
    "/tree/build/two/pch.hxx.cxx": "headers",
    "/tree/c.c": "C",
}


class LintUnitsTest(unittest.TestCase):

    def chosen(self, *names):
        commands = [{"file": name, "command": str(number)} for number, name in enumerate(names)]
        return [(unit["file"], unit["command"]) for unit in lint_units.units(commands, pathlib.Path("/tree/build"), TEXTS.__getitem__)]

    def test_a_text_that_several_commands_compile_is_read_by_the_first(self):
        self.assertEqual(self.chosen("/tree/b.cc", "/tree/a.cc", "/tree/b.cc"), [("/tree/a.cc", "1"), ("/tree/b.cc", "0")])

    def test_the_same_sources_of_two_targets_are_read_once(self):
        self.assertEqual(
            self.chosen("/tree/build/two/Unity/unity_0_cxx.cxx", "/tree/build/one/Unity/unity_0_cxx.cxx", "/tree/build/two/Unity/unity_1_cxx.cxx"),
            [("/tree/build/one/Unity/unity_0_cxx.cxx", "1"), ("/tree/build/two/Unity/unity_1_cxx.cxx", "2")])

    def test_what_generators_wrote_and_what_is_no_cxx_is_not_read(self):
        self.assertEqual(self.chosen("/tree/build/two/generated.cc", "/tree/build/two/pch.hxx.cxx", "/tree/c.c"), [])


if __name__ == "__main__":
    unittest.main()
