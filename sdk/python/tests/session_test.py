# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Sessions: arrays in and out, and what speaks against them."""

import threading

import numpy as np
import pytest

import npukit


def test_runs_with_arrays_by_name(models):
  x = np.arange(6, dtype=np.float32).reshape(2, 3)
  outputs = npukit.run(models / "add.tflite", {"y": 10 * x, "x": x})
  assert list(outputs) == ["sum"]
  assert outputs["sum"].dtype == np.float32
  np.testing.assert_array_equal(outputs["sum"], 11 * x)


def test_runs_of_bytes_and_of_files_are_the_same(models):
  inputs = {"x": np.ones((2, 3), np.float32), "y": np.ones((2, 3), np.float32)}
  content = (models / "add.tflite").read_bytes()
  for model in (content, bytearray(content), memoryview(content), str(models / "add.tflite")):
    np.testing.assert_array_equal(npukit.run(model, inputs)["sum"], 2)


def test_ports_say_names_types_and_quantisation(models):
  with npukit.Session(models / "dense.tflite") as session:
    assert session.signatures == ["serving_default"]
    assert session.inputs() == [npukit.Port("x", "int8", "int8", (4, 16), 0.5, -3)]
    assert session.outputs() == [npukit.Port("y", "int8", "int8", (4, 8), 8.0, 4)]


def test_arrays_in_any_order_of_memory_are_taken(models):
  x = np.arange(6, dtype=np.float32).reshape(2, 3)
  for same in (np.asfortranarray(x), x.astype(">f4"), np.repeat(x, 2, axis=1)[:, ::2], x.astype(np.float64), x.tolist()):
    np.testing.assert_array_equal(npukit.run(models / "add.tflite", {"x": same, "y": x})["sum"], 2 * x)


def test_floats_are_quantised_for_a_quantised_input(models):
  with npukit.Session(models / "dense.tflite") as session:
    stored = np.arange(64, dtype=np.int8).reshape(4, 16) - 32
    real = (stored.astype(np.float32) + 3) * 0.5
    np.testing.assert_array_equal(session.run({"x": real})["y"], session.run({"x": stored})["y"])


@pytest.mark.parametrize("inputs, told", [
    ({"x": np.zeros((2, 3), np.float32)}, r"without an array: 'y'"),
    ({"z": 1}, r"no input 'z'; the model's are 'x', 'y'"),
    ({"x": np.zeros((3, 3), np.float32), "y": 0}, r"'x' float32\[2,3\].*found float32\[3,3\]"),
    ({"x": np.array([["a"] * 3] * 2), "y": 0}, r"'x' float32\[2,3\]: found <U1\[2,3\]"),
    ({"x": np.array([[object()] * 3] * 2), "y": 0}, r"'x' float32\[2,3\]: found object\[2,3\]"),
    ({3: 1}, r"names are str, found 3"),
    ([1, 2], r"expected a dict of arrays by name, found list"),
    (None, r"expected a dict of arrays by name, found NoneType"),
])
def test_bad_inputs_are_named(models, inputs, told):
  with npukit.Session(models / "add.tflite") as session:
    with pytest.raises(npukit.UsageError, match=told):
      session.run(inputs)
    x = np.ones((2, 3), np.float32)
    np.testing.assert_array_equal(session.run({"x": x, "y": x})["sum"], 2)  # it runs all the same


def test_a_number_that_the_type_does_not_hold_is_named(models):
  bad = np.zeros((4, 16), np.int32)
  bad[1, 2] = 300
  with pytest.raises(npukit.UsageError, match=r"'x' int8.*300"):
    npukit.run(models / "dense.tflite", {"x": bad})


@pytest.mark.parametrize("content", [b"", b"no model", b"\0" * 64])
def test_bytes_that_are_no_model(content):
  with pytest.raises(npukit.LoadError, match="model"):
    npukit.Session(content)


def test_every_cut_of_a_model_is_an_error(models):
  content = (models / "dense.tflite").read_bytes()
  for size in range(0, len(content) - 16, 37):
    with pytest.raises(npukit.LoadError):
      npukit.Session(content[:size])


def test_what_cannot_be_loaded_is_named(models, tmp_path):
  with pytest.raises(npukit.LoadError, match="absent.tflite"):
    npukit.Session(tmp_path / "absent.tflite")
  with pytest.raises(npukit.LoadError, match="nowhere is not a folder"):
    npukit.Session(models / "add.tflite", plugin_dir="nowhere")
  with pytest.raises(npukit.UsageError, match="expected a path, found int"):
    npukit.Session(3)


@pytest.mark.parametrize("options, told", [
    ({"threads": 0}, "threads: found 0"),
    ({"threads": 1000}, "threads: found 1000"),
    ({"resize": {"x": [-1, 3]}}, "negative"),
    ({"resize": {"none": [1, 3]}}, "there is no input .none. to resize"),
    ({"resize": {"x": "no"}}, "resize 'x'"),
    ({"require_npu": "half"}, "half"),
    ({"specs": "no value"}, "no value"),
    ({"soc_file": "x.yaml"}, "without jit"),
    ({"plugins": 3}, "plugins: expected text"),
    ({"soc": "acme_a1"}, "add.tflite: soc without jit: the model is not compiled"),
    ({"plugins": "AcmeCorp"}, "plugins without jit: the model is not compiled"),
    ({"fold_constants": True}, "fold_constants without jit: the model is not compiled"),
])
def test_bad_options_are_named(models, options, told):
  with pytest.raises(npukit.UsageError, match=told):
    npukit.Session(models / "add.tflite", **options)


def test_a_soc_without_jit_is_for_compiled_models(models, plugin_dir, tmp_path):
  with pytest.raises(npukit.UsageError, match="soc without jit"):
    npukit.Session(models / "dense.tflite", plugin_dir=plugin_dir, jit=False, soc="acme_a1")
  npukit.apply(models / "dense.tflite", tmp_path / "a1.tflite", plugin_dir=plugin_dir, soc="acme_a1")
  with npukit.Session(tmp_path / "a1.tflite", plugin_dir=plugin_dir, jit=False, soc="acme_a1") as session:
    assert session.placement.npu_ops == 1


def test_an_unknown_signature_is_named(models):
  with npukit.Session(models / "add.tflite") as session:
    with pytest.raises(npukit.UsageError, match="train"):
      session.run({}, "train")


def test_a_closed_session_says_so(models):
  session = npukit.Session(models / "add.tflite")
  session.close()
  session.close()
  for use in (session.inputs, session.random_inputs, lambda: session.placement, lambda: session.run({}), session.reset_state):
    with pytest.raises(npukit.UsageError, match="the session is closed"):
      use()


def test_inputs_may_be_resized(models):
  with npukit.Session(models / "add.tflite", resize={"x": [5, 3], "y": [5, 3]}) as session:
    assert session.outputs()[0].shape == (5, 3)
    assert session.run(session.random_inputs())["sum"].shape == (5, 3)


def test_arrays_without_elements_run(models, plugin_dir):
  none = np.zeros((0, 3), np.float32)
  for options in ({}, {"plugin_dir": plugin_dir, "jit": True}):
    outputs = npukit.run(models / "add.tflite", {"x": none, "y": none}, resize={"x": [0, 3], "y": [0, 3]}, **options)
    assert outputs["sum"].shape == (0, 3)
    assert outputs["sum"].dtype == np.float32


def test_random_inputs_are_those_of_the_command(models, tmp_path):
  from npukit import _commands
  with npukit.Session(models / "dense.tflite") as session:
    inputs = session.random_inputs(7)
    outputs = session.run(inputs)
  _commands.run("run", [str(models / "dense.tflite"), "--seed=7", f"--out-prefix={tmp_path}/out"])
  np.testing.assert_array_equal(outputs["y"].ravel(), np.fromfile(tmp_path / "out0.bin", np.int8))


def test_the_npu_gives_what_the_cpu_gives(models, plugin_dir):
  with npukit.Session(models / "dense.tflite") as cpu, \
       npukit.Session(models / "dense.tflite", plugin_dir=plugin_dir, require_npu="ops 100") as npu:
    assert (cpu.placement.npu_ops, npu.placement.npu_ops) == (0, 1)
    assert npu.placement.plugin == "AcmeCorp"
    assert [op["target"] for op in npu.placement.ops] == ["npu"]
    inputs = cpu.random_inputs()
    np.testing.assert_array_equal(cpu.run(inputs)["y"], npu.run(inputs)["y"])


def test_a_required_npu_that_does_not_run_is_an_error(models, plugin_dir, tmp_path):
  with pytest.raises(npukit.RunError, match="0 of 1 ops"):
    npukit.Session(models / "dense.tflite", require_npu=True)
  with pytest.raises(npukit.UsageError, match="nope"):
    npukit.Session(models / "dense.tflite", plugin_dir=plugin_dir, soc="nope")
  with pytest.raises(npukit.LoadError):
    npukit.Session(models / "dense.tflite", plugin_dir=tmp_path)  # no plugin in it


def test_one_session_serves_one_thread_at_a_time(models):
  failures, done = [], []
  with npukit.Session(models / "add.tflite") as session:
    inputs = session.random_inputs()

    def work():
      for _ in range(200):
        try:
          session.run(inputs)
          done.append(1)
        except npukit.UsageError as error:
          failures.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
      thread.start()
    for thread in threads:
      thread.join()
  assert len(done) + len(failures) == 800 and done
  assert all("running in another thread" in failure for failure in failures)


def test_sessions_run_side_by_side(models, plugin_dir):
  wrong = []

  def work(seed):
    with npukit.Session(models / "dense.tflite") as cpu, npukit.Session(models / "dense.tflite", plugin_dir=plugin_dir) as npu:
      inputs = cpu.random_inputs(seed)
      for _ in range(5):
        if not np.array_equal(cpu.run(inputs)["y"], npu.run(inputs)["y"]):
          wrong.append(seed)

  threads = [threading.Thread(target=work, args=(seed,)) for seed in range(4)]
  for thread in threads:
    thread.start()
  for thread in threads:
    thread.join()
  assert not wrong


def test_outputs_outlive_the_session(models):
  with npukit.Session(models / "add.tflite") as session:
    first = session.run({"x": np.zeros((2, 3)), "y": np.zeros((2, 3))})["sum"]
    session.run({"x": np.ones((2, 3)), "y": np.ones((2, 3))})
  np.testing.assert_array_equal(first, 0)
