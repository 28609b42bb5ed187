# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Each type of element, as an array in and out."""

import numpy as np
import pytest

import npukit


def _identity(path, dtype, shape=(2, 3)):
  graph = npukit.Graph()
  x = graph.input("x", dtype, shape)
  return graph.build(path, [graph.op("RESHAPE", [x, graph.constant("s", np.array(shape[::-1], np.int32))], "y",
                                     dtype=dtype, shape=shape[::-1])])


@pytest.mark.parametrize("dtype, array", [
    (dtype, dtype) for dtype in ("float32", "float16", "int8", "uint8", "int16", "int32", "int64", "bool")
])
def test_a_type_goes_in_and_out_unchanged(tmp_path, dtype, array):
  model = _identity(tmp_path / "m.tflite", dtype)
  values = np.array([[0, 1, 2], [3, 4, 5]]).astype(array)
  found = model.run({"x": values})["y"]
  assert found.dtype == np.dtype(array) and found.shape == (3, 2)
  np.testing.assert_array_equal(found.ravel(), values.ravel())


def test_bfloat16_is_float32_in_numpy(tmp_path):
  model = _identity(tmp_path / "m.tflite", "bfloat16")
  values = np.array([[0.5, -1, 2], [3, 4, 5]], np.float32)
  found = model.run({"x": values})["y"]
  assert found.dtype == np.float32
  np.testing.assert_array_equal(found.ravel(), values.ravel())


def test_int4_is_int8_in_numpy(tmp_path):
  model = _identity(tmp_path / "m.tflite", "int4", (1, 5))
  values = np.array([[-8, -1, 0, 3, 7]], np.int8)
  found = model.run({"x": values})["y"]
  assert found.dtype == np.int8
  np.testing.assert_array_equal(found.ravel(), values.ravel())
  with pytest.raises(npukit.UsageError, match="found 8 at element 1, expected -8 to 7"):
    model.run({"x": np.array([[0, 8, 0, 0, 0]])})


def test_strings_are_bytes(tmp_path):
  model = _identity(tmp_path / "m.tflite", "string", (1, 3))
  found = model.run({"x": np.array([["a", b"", "ä\0b"]], object)})["y"]
  assert found.ravel().tolist() == [b"a", b"", "ä\0b".encode()]
  with pytest.raises(npukit.UsageError, match="2 strings, expected 3"):
    model.run({"x": np.array([["a", "b"]], object)})
  with pytest.raises(npukit.UsageError, match="element 1 of type int"):
    model.run({"x": np.array([["a", 1, "b"]], object)})
