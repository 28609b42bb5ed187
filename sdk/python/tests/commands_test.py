# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What npukit's commands do: models, compiling, measuring, judging."""

import os
import pathlib
import stat

import numpy as np
import pytest

import npukit


def test_a_model_tells_its_ops_and_tensors(models):
  model = npukit.load(models / "dense.tflite")
  assert [op["op"] for op in model.ops] == ["FULLY_CONNECTED"]
  assert {tensor["name"] for tensor in model.tensors} == {"x", "w", "b", "y"}
  assert model.signatures == ["serving_default"] and not model.is_compiled
  assert npukit.inspect(model.to_bytes())["subgraphs"] == model.report["subgraphs"]
  assert "1 ops" in repr(model)


def test_compiling_gives_a_model_that_runs_the_same(models, plugin_dir, tmp_path):
  plain = npukit.load(models / "dense.tflite")
  for source in (plain, plain.to_bytes(), plain.path):
    compiled = npukit.apply(source, tmp_path / "out.tflite", plugin_dir=plugin_dir, soc="acme_a2", require_npu=True)
    assert (compiled.npu_ops, compiled.cpu_ops, compiled.partitions) == (1, 0, 1)
    assert compiled.model.is_compiled
    inputs = {"x": np.arange(64, dtype=np.int8).reshape(4, 16)}
    np.testing.assert_array_equal(compiled.model.run(inputs, plugin_dir=plugin_dir)["y"], plain.run(inputs)["y"])


def test_compiling_names_what_is_wrong(models, plugin_dir, tmp_path):
  target = tmp_path / "out.tflite"
  with pytest.raises(npukit.UsageError, match="nope"):
    npukit.apply(models / "dense.tflite", target, plugin_dir=plugin_dir, soc="nope")
  with pytest.raises(npukit.LoadError, match="absent.tflite"):
    npukit.apply(tmp_path / "absent.tflite", target, plugin_dir=plugin_dir)
  with pytest.raises(npukit.UsageError, match="no.such"):
    npukit.apply(models / "dense.tflite", target, plugin_dir=plugin_dir, no_such=1)
  with pytest.raises(npukit.RunError, match="0 of 1"):
    npukit.apply(models / "add.tflite", target, plugin_dir=plugin_dir, require_npu=True,
                 placement=_everything_on_the_cpu(tmp_path))
  assert not target.exists()


def _everything_on_the_cpu(folder):
  path = folder / "placement.yaml"
  path.write_text("otherwise: cpu\n")
  return path


def test_explaining_says_why(models, plugin_dir):
  report = npukit.explain(models / "dense.tflite", plugin_dir=plugin_dir)
  assert [op["op"] for op in report["ops"]] == ["FULLY_CONNECTED"]
  assert report["ops"][0]["target"] != "cpu"


def test_info_lists_plugins(plugin_dir):
  found = npukit.info(plugin_dir)
  assert "AcmeCorp" in [plugin["manufacturer"] for plugin in found["plugins"]]
  assert "acme_a1" in found["plugins"][0]["socs"]


def test_bench_gives_rows(models, plugin_dir):
  rows = npukit.bench(models / "dense.tflite", plugin_dir=plugin_dir, runs=2)
  assert len(rows) >= 1 and all(isinstance(row, dict) for row in rows)
  assert rows.report["cycles"] > 0 and rows.report["placement"]["npu_ops"] == 1
  assert sum(row["cycles"] for row in rows if row.get("cycles")) > 0
  pandas = pytest.importorskip("pandas", reason="python3-pandas is not installed")
  assert len(pandas.DataFrame(rows)) == len(rows)


def test_sweep_gives_a_row_a_point(models, plugin_dir, tmp_path):
  grid = tmp_path / "grid.yaml"
  grid.write_text("base: acme_a1\naxes:\n  - array.rows: [16, 32]\n    array.cols: [16, 32]\n"
                  "cost:\n  - [array.rows, array.cols]\n")
  rows = npukit.sweep(models / "dense.tflite", grid, plugin_dir=plugin_dir)
  assert [row["array.rows"] for row in rows] == [16, 32]
  assert all(row["cycles"] > 0 for row in rows) and any(row["front"] for row in rows)
  with pytest.raises(npukit.UsageError, match="absent.yaml"):
    npukit.sweep(models / "dense.tflite", tmp_path / "absent.yaml", plugin_dir=plugin_dir)


def test_a_verdict_is_an_object(plugin_dir, tmp_path):
  verdict = npukit.conform(plugin_dir, suite="smoke", filter="abi", report=tmp_path / "report")
  assert verdict and verdict.verdict == "conformant" and verdict.passed > 0 and not verdict.failures
  assert verdict.passed == sum(case.result == "passed" for case in verdict.cases)
  assert {"name", "kind", "result", "detail"} <= set(verdict.rows()[0])
  assert (tmp_path / "report" / "results.json").is_file()


def test_a_verdict_against_the_plugin_is_no_exception(plugin_dir, tmp_path):
  claims = pathlib.Path(plugin_dir, "AcmeCorp.claims.yaml").read_text()
  wrong = tmp_path / "claims.yaml"
  wrong.write_text(claims.replace("acme_a0", "acme_x9"))
  verdict = npukit.conform(plugin_dir, suite="smoke", claims=wrong, filter="abi")
  assert not verdict and verdict.failures and verdict.failures[0].detail


def test_judging_names_what_is_wrong(plugin_dir, tmp_path):
  with pytest.raises(npukit.UsageError, match="no_suite"):
    npukit.conform(plugin_dir, suite="no_suite")
  with pytest.raises(npukit.LoadError):
    npukit.conform(tmp_path)


def test_graphs_are_built_of_dicts_files_and_calls(tmp_path):
  graph = {"inputs": {"x": {"type": "float32", "shape": [1, 4]}},
           "constants": {"w": {"type": "float32", "shape": [2, 4], "data": np.arange(8, dtype=np.float32).reshape(2, 4)}},
           "ops": [{"op": "FULLY_CONNECTED", "in": ["x", "w", "-"], "out": "y"}], "outputs": ["y"]}
  built = npukit.build(graph, tmp_path / "a.tflite")
  np.testing.assert_array_equal(built.run({"x": [[1, 1, 1, 1]]})["y"], [[6, 22]])
  (tmp_path / "g.yaml").write_text("inputs: {x: {type: float32, shape: [2]}}\nops: [{op: ABS, in: [x], out: y}]\noutputs: [y]\n")
  np.testing.assert_array_equal(npukit.build(tmp_path / "g.yaml", tmp_path / "b.tflite").run({"x": [-1, 2]})["y"], [1, 2])


def test_scales_of_channels(tmp_path):
  graph = npukit.Graph()
  x = graph.input("x", "int8", [1, 4], scale=1.0, zero_point=0)
  w = graph.constant("w", np.full((2, 4), 2, np.int8), scale=[1.0, 2.0], axis=0)
  model = graph.build(tmp_path / "m.tflite", [graph.op("FULLY_CONNECTED", [x, w], "y", dtype="int8", scale=1.0, zero_point=0)])
  np.testing.assert_array_equal(model.run({"x": np.ones((1, 4), np.int8)})["y"], [[8, 16]])


@pytest.mark.parametrize("graph, told", [
    ({"inputs": {"x": {"type": "float33", "shape": [1]}}, "ops": [], "outputs": ["x"]}, "float33"),
    ({"inputs": {}, "ops": [{"op": "NO_SUCH", "in": [], "out": "y"}], "outputs": ["y"]}, "NO_SUCH"),
    ({"data": object()}, "not JSON serializable"),
    (3, "found int"),
])
def test_bad_graphs_are_named(tmp_path, graph, told):
  with pytest.raises(npukit.UsageError, match=told):
    npukit.build(graph, tmp_path / "m.tflite")
  assert not (tmp_path / "m.tflite").exists()


# The files that a dict is written to are gone when the error is read.
@pytest.mark.parametrize("change, told", [
    ({"outputs": ["z"]}, r"^graph:1:1: unknown tensor 'z' among the outputs$"),
    ({"inputs": {"x": {"type": "float33", "shape": [1, 4]}}}, r"(?s)graph:\d+:\d+: .*\nThe graph's line \d+: \"type\": \"float33\""),
    ({"constants": {"w": {"type": "float32", "shape": [3, 4], "data": np.zeros((2, 4), np.float32)}}},
     r"the array at graph\.constants\.w\.data"),
])
def test_errors_of_a_dict_name_its_places(tmp_path, change, told):
  graph = {"inputs": {"x": {"type": "float32", "shape": [1, 4]}},
           "constants": {"w": {"type": "float32", "shape": [2, 4], "data": np.zeros((2, 4), np.float32)}},
           "ops": [{"op": "FULLY_CONNECTED", "in": ["x", "w", "-"], "out": "y"}], "outputs": ["y"]}
  with pytest.raises(npukit.UsageError, match=told) as raised:
    npukit.build(graph | change, tmp_path / "m.tflite")
  assert "npukit_" not in str(raised.value) and ".yaml" not in str(raised.value) and ".npy" not in str(raised.value)


def test_names_of_a_graph_are_checked_at_once():
  graph = npukit.Graph()
  graph.input("x", "float32", [1])
  with pytest.raises(npukit.UsageError, match="two tensors 'x'"):
    graph.input("x", "float32", [1])
  with pytest.raises(npukit.UsageError, match="2 scales without an axis"):
    graph.constant("w", [1, 2], scale=[1.0, 2.0])
  with pytest.raises(npukit.UsageError, match="needs a dtype and a shape"):
    graph.constant("w", "random")
  with pytest.raises(npukit.UsageError, match="expected numbers"):
    graph.constant("w", [None])


def test_a_command_that_crashes_is_an_exception(models, tmp_path, monkeypatch):
  crash = tmp_path / "npukit-apply"
  crash.write_text("#!/bin/sh\necho 'last words' >&2\nkill -SEGV $$\n")
  crash.chmod(crash.stat().st_mode | stat.S_IXUSR)
  monkeypatch.setenv("NPUKIT_BIN_DIR", os.fspath(tmp_path))
  with pytest.raises(npukit.CrashError, match="SIGSEGV; last words"):
    npukit.apply(models / "add.tflite", tmp_path / "out.tflite", plugin_dir=tmp_path)
  with pytest.raises(npukit.LoadError, match="npukit-conform: there is no such command"):
    npukit.conform(tmp_path)


def test_a_command_that_hangs_is_ended(models, tmp_path, monkeypatch):
  hang = tmp_path / "npukit-apply"
  hang.write_text("#!/bin/sh\nexec sleep 100\n")
  hang.chmod(hang.stat().st_mode | stat.S_IXUSR)
  monkeypatch.setenv("NPUKIT_BIN_DIR", os.fspath(tmp_path))
  with pytest.raises(npukit.RunError, match="longer than 0.2 s"):
    npukit.apply(models / "add.tflite", tmp_path / "out.tflite", plugin_dir=tmp_path, timeout=0.2)
