# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""A plugin as a vendor of LiteRT's ahead-of-time compiler, which stand_in/ stands in for."""

import importlib.util
import pathlib
import sys

import numpy as np
import pytest

import npukit
from npukit import litert_aot

if importlib.util.find_spec("ai_edge_litert") is None:
  sys.path.insert(0, str(pathlib.Path(__file__).parent / "stand_in"))
aot_compile = importlib.import_module("ai_edge_litert.aot.aot_compile")
aot_types = importlib.import_module("ai_edge_litert.aot.core.aot_types")


@pytest.fixture(scope="module")
def acme(plugin_dir):
  return litert_aot.register(plugin_dir)


def test_a_plugin_becomes_a_back_end(acme):
  assert acme.backend_id == "acmecorp" and acme.manufacturer == "AcmeCorp" and "acme_a1" in acme.socs
  assert acme.target("acme_a1") == acme.target("acme_a1") != acme.target()
  assert acme.target("acme_a1").flatten() == {"backend_id": "acmecorp", "soc_manufacturer": "AcmeCorp", "soc_model": "acme_a1"}


def test_a_target_of_an_unknown_soc_is_named(acme):
  with pytest.raises(npukit.UsageError, match="no SoC model 'x'; there are acme_a1, "):
    acme.target("x")


@pytest.mark.parametrize("in_memory", [False, True])
def test_each_soc_gets_a_model_that_runs(acme, models, plugin_dir, tmp_path, in_memory):
  done, failed = aot_compile.aot_compile(models / "dense.tflite", tmp_path, [aot_types.CompilationConfig(acme.target())], in_memory)
  assert not failed and [backend.soc_model for backend, _ in done] == list(acme.socs)
  inputs = {"x": np.arange(64, dtype=np.int8).reshape(4, 16)}
  expected = npukit.run(models / "dense.tflite", inputs)["y"]
  for _, model in done:
    assert model.in_memory == in_memory
    stats = model.partition_stats.subgraph_stats
    assert [(s.subgraph_index, s.num_ops_offloaded, s.num_total_ops, s.num_partitions_offloaded) for s in stats] == [(0, 1, 1, 1)]
    compiled = model.model_bytes if in_memory else model.path
    np.testing.assert_array_equal(npukit.run(compiled, inputs, plugin_dir=plugin_dir)["y"], expected)


def test_a_failing_back_end_does_not_end_the_others(acme, models, tmp_path):
  configs = [aot_types.CompilationConfig(acme.target("acme_a0"), soc_file="absent.yaml"),
             aot_types.CompilationConfig(acme.target("acme_a1"))]
  done, failed = aot_compile.aot_compile(models / "dense.tflite", tmp_path, configs)
  assert [backend.soc_model for backend, _ in done] == ["acme_a1"]
  assert [backend.soc_model for backend, _ in failed] == ["acme_a0"] and "absent.yaml" in failed[0][1]


def test_an_unknown_option_is_named(acme, models, tmp_path):
  config = aot_types.CompilationConfig(acme.target("acme_a0"), fast=True)
  _, failed = aot_compile.aot_compile(models / "dense.tflite", tmp_path, [config])
  assert "no option fast" in failed[0][1]


def test_a_folder_without_a_plugin_is_named(tmp_path):
  with pytest.raises(npukit.LoadError, match=str(tmp_path)):
    litert_aot.register(tmp_path)


def test_an_absent_litert_is_named(plugin_dir):
  with pytest.raises(npukit.LoadError, match="not installed: no module absent.aot"):
    litert_aot.register(plugin_dir, litert_root="absent.aot")
