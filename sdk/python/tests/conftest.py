# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What the tests have in common. ctest says where the reference plugin lies: NPUKIT_TEST_PLUGIN_DIR."""

import os
import pathlib

import numpy as np
import pytest

import npukit


@pytest.fixture(scope="session")
def plugin_dir() -> str:
  return os.environ["NPUKIT_TEST_PLUGIN_DIR"]


@pytest.fixture(scope="session")
def models(tmp_path_factory) -> pathlib.Path:
  """A folder with small models: add.tflite (float32), dense.tflite (int8, AcmeCorp takes it)."""
  folder = tmp_path_factory.mktemp("models")
  graph = npukit.Graph()
  x = graph.input("x", "float32", [2, 3])
  y = graph.input("y", "float32", [2, 3])
  graph.build(folder / "add.tflite", [graph.op("ADD", [x, y], "sum")])

  graph = npukit.Graph()
  x = graph.input("x", "int8", [4, 16], scale=0.5, zero_point=-3)
  w = graph.constant("w", np.arange(-64, 64, dtype=np.int8).reshape(8, 16), scale=0.25)
  b = graph.constant("b", np.arange(8, dtype=np.int32), scale=0.125)
  graph.build(folder / "dense.tflite",
              [graph.op("FULLY_CONNECTED", [x, w, b], "y", dtype="int8", scale=8.0, zero_point=4)])
  return folder
