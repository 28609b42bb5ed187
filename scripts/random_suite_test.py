#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""scripts/random_suite.py makes suites that the conformance kit reads, and AcmeCorp's values of them are the CPU's.

    random_suite_test.py NPUKIT_CONFORM PLUGIN_DIR
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.dont_write_bytecode = True
SCRIPT = pathlib.Path(__file__).resolve().parent / "random_suite.py"
sys.path.insert(0, str(SCRIPT.parent))
import random_suite  # noqa: E402

CONFORM, PLUGIN_DIR = "", ""
COUNT = 300


def made(*arguments):
    return subprocess.run([sys.executable, SCRIPT, *arguments], capture_output=True, text=True, check=False)


class RandomSuiteTest(unittest.TestCase):

    def test_a_seed_gives_the_same_bytes(self):
        first, again, other = (made("--count", "20", "--seed", seed).stdout for seed in ("7", "7", "8"))
        self.assertEqual(first, again)
        self.assertNotEqual(first, other)

    def test_every_operator_and_type_comes(self):
        cases = random_suite.random_suite(1, COUNT, 12)
        self.assertEqual(len(cases), COUNT)
        self.assertEqual(len({case["name"] for case in cases}), COUNT)
        self.assertEqual({case["name"].rsplit("_", 1)[1] for case in cases}, {"int8", "uint8", "int16", "int32", "float32"})
        ops = {op["op"] for case in cases for op in case["graph"]["ops"]}
        for op in ("CONV_2D", "DEPTHWISE_CONV_2D", "FULLY_CONNECTED", "BATCH_MATMUL", "SOFTMAX", "GATHER", "PRELU", "STRIDED_SLICE", "SPLIT",
                   "TRANSPOSE_CONV", "QUANTIZE", "CAST", "GREATER", "SELECT_V2", "ARG_MAX", "TOPK_V2", "DYNAMIC_UPDATE_SLICE",
                   "UNIDIRECTIONAL_SEQUENCE_LSTM", "SVDF"):
            self.assertIn(op, ops)
        constants = [constant for case in cases for constant in case["graph"]["constants"].values()]
        self.assertLessEqual({"int4", "float16", "int8", "uint8", "float32"}, {constant["type"] for constant in constants})
        self.assertTrue(any("block_size" in constant.get("quant", {}) for constant in constants))
        axes = {len(out["shape"]) for case in cases for op in case["graph"]["ops"] for out in op["out"].values()}
        self.assertLessEqual(set(range(1, 7)), axes)

    def test_a_count_that_is_none_is_refused(self):
        refused = made("--count", "0")
        self.assertEqual(refused.returncode, 2)
        self.assertIn("--count is at least 1", refused.stderr)

    def test_the_reference_plugin_conforms(self):
        with tempfile.TemporaryDirectory() as folder:
            suite = pathlib.Path(folder) / "random.yaml"
            suite.write_text(made("--count", str(COUNT), "--seed", "2").stdout)
            run = subprocess.run([CONFORM, "--plugin", "AcmeCorp", "--plugin-dir", PLUGIN_DIR, "--suite", suite, "--json"],
                                 capture_output=True, text=True, check=False)
        self.assertTrue(run.stdout, run.stderr)
        results = json.loads(run.stdout)
        failed = [f"{case['name']}: {case['detail']}" for case in results["cases"] if case["result"] == "failed"]
        self.assertEqual(failed, [])
        self.assertEqual(run.returncode, 0, run.stderr)
        # Bounds do not pass through all integer ops: what nobody can judge is skipped.
        self.assertEqual(results["summary"]["failed"], 0)
        self.assertGreater(results["summary"]["passed"], 0.98 * 2 * COUNT)


if __name__ == "__main__":
    PLUGIN_DIR, CONFORM = sys.argv.pop(), sys.argv.pop()
    unittest.main()
