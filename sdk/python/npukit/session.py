# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Models that run in this process."""

from __future__ import annotations

import dataclasses
import json
import os
import warnings
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any

import numpy as np
import numpy.typing as npt

from npukit import _npukit, errors
from npukit._commands import PathLike, path_text

Arrays = Mapping[str, npt.ArrayLike]


@dataclasses.dataclass(frozen=True)
class Port:
  """An input or output. `dtype` is the model's name of the type, `array_dtype` that of the arrays; dimensions that only a run
  shows are those of the last run. `scale` and `zero_point`: of quantisation of the whole tensor, real = scale * (q - zero_point)."""

  name: str
  dtype: str
  array_dtype: str
  shape: tuple[int, ...]
  scale: float | None
  zero_point: int | None


@dataclasses.dataclass(frozen=True)
class Placement:
  """Where a session's ops run."""

  npu_ops: int
  cpu_ops: int
  partitions: int
  plugin: str
  dispatch: str
  fallback_reason: str
  """Why nothing runs on the NPU although a plugin was asked for; else empty."""
  ops: list[dict[str, Any]]
  """A row an op: subgraph, index, op, name, target, partition, reason."""


def _texts(value: str | PathLike | Sequence[str | PathLike] | None, what: str) -> list[str]:
  if value is None:
    return []
  if isinstance(value, (str, os.PathLike)):
    value = [value]
  try:
    return [os.fspath(one) for one in value]
  except TypeError as error:
    raise errors.UsageError(f"{what}: expected text or a list of texts, {error}") from error


def _shape(name: str, shape: Sequence[int]) -> list[int]:
  try:
    dims = [int(dim) for dim in shape]
  except (TypeError, ValueError) as error:
    raise errors.UsageError(f"resize '{name}': expected a list of dimensions, found {shape!r}") from error
  if any(dim < 0 or dim > 0x7FFFFFFF for dim in dims):
    raise errors.UsageError(f"resize '{name}': a dimension of {shape!r} is negative or above 2^31 - 1")
  return dims


def _requirement(require_npu: bool | float | str | None) -> str:
  if require_npu is None or require_npu is False:
    return ""
  return "any" if require_npu is True else str(require_npu)


class Session:
  """A model made ready to run, on the CPU and, with a plugin, on the NPU.

  A vendor's dispatch library runs in this process. A session belongs to one thread at a time (another gets a UsageError);
  several sessions run side by side. Runs release Python's lock. Closed by close(), or by leaving a `with`.

  Args:
    model: a .tflite file, or its bytes.
    plugin_dir: folder with compiler plugins and dispatch libraries. DIR/** includes all folders below.
    jit: compile a plain model at load; what no plugin takes runs on the CPU. Default: where there is a plugin_dir.
    soc: SoC model to compile for; default: the plugin's choice. As plugins, specs and placement it needs jit, unless the model
      is compiled.
    plugins: manufacturers, in order; default: the first whose plugin takes something.
    specs: compile specs, as --spec takes them: [PLUGIN][#PARTITION]:KEY=VALUE or KEY=VALUE; of equal keys the last counts.
    placement: YAML file that places ops.
    soc_file: description of the SoC in the vendor's format; excludes soc.
    fold_constants: compute ops of constants before plugins see the model.
    op_package_dirs: folders with operator packages.
    require_npu: RunError unless ops run on the NPU (True), or so many percent of them (90, "ops 90", "macs 90").
    threads: of the CPU kernels, 1 to 64.
    exact_hybrid: float activations meet 8-bit weights unrounded.
    shared_ports: names of inputs and outputs that lie once in memory for all signatures, as KV caches do.
    resize: new shapes of inputs by name.

  Raises:
    LoadError: the file, a plugin or a dispatch library can't be loaded, or an op is known to nobody.
    RunError: the plugin fails to compile the model, or less runs on the NPU than required.
    UsageError: an argument makes no sense.
  """

  def __init__(self, model: PathLike | bytes, *, plugin_dir: PathLike | None = None, jit: bool | None = None, soc: str | None = None,
               plugins: str | Sequence[str] | None = None, specs: str | Sequence[str] | None = None,
               placement: PathLike | None = None, soc_file: PathLike | None = None, fold_constants: bool = False,
               op_package_dirs: PathLike | Sequence[PathLike] | None = None, require_npu: bool | float | str | None = None,
               threads: int = 1, exact_hybrid: bool = False, shared_ports: Sequence[str] = (),
               resize: Mapping[str, Sequence[int]] | None = None) -> None:
    content = bytes(model) if isinstance(model, (bytes, bytearray, memoryview)) else None
    path = "model" if content is not None else path_text(model, "model")  # type: ignore[arg-type]
    self._native = _npukit.Session(
        path, content, plugin_dir="" if plugin_dir is None else path_text(plugin_dir, "plugin_dir"),
        jit=plugin_dir is not None if jit is None else bool(jit), soc=soc or "", plugins=_texts(plugins, "plugins"),
        specs=_texts(specs, "specs"), placement="" if placement is None else path_text(placement, "placement"),
        soc_file="" if soc_file is None else path_text(soc_file, "soc_file"), fold_constants=bool(fold_constants),
        op_package_dirs=_texts(op_package_dirs, "op_package_dirs"), require_npu=_requirement(require_npu), threads=threads,
        exact_hybrid=bool(exact_hybrid), shared_ports=_texts(shared_ports, "shared_ports"),
        resizes=[(name, _shape(name, shape)) for name, shape in (resize or {}).items()])
    for message in self._native.warnings():
      warnings.warn(message, errors.NpukitWarning, stacklevel=2)

  @property
  def signatures(self) -> list[str]:
    """Keys in the order of the file; none for a model without signatures."""
    return self._native.signatures()

  def inputs(self, signature: str | None = None) -> list[Port]:
    """Of the first signature if none is named."""
    return [Port(**port) for port in self._native.inputs(signature)]

  def outputs(self, signature: str | None = None) -> list[Port]:
    """Of the first signature if none is named."""
    return [Port(**port) for port in self._native.outputs(signature)]

  def run(self, inputs: Arrays, signature: str | None = None) -> dict[str, npt.NDArray[Any]]:
    """One inference: an array for each input by name, in; one for each output, out.

    An array has the input's shape, dimensions of 1 aside. One of another type is converted as `npukit run` does it with .npy
    files: floats for a quantised input are quantised by its scale; a number that the type does not hold is a UsageError.
    """
    if not isinstance(inputs, Mapping):
      raise errors.UsageError(f"inputs: expected a dict of arrays by name, found {type(inputs).__name__}")
    return self._native.run(dict(inputs), signature)

  def random_inputs(self, seed: int = 1, signature: str | None = None) -> dict[str, npt.NDArray[Any]]:
    """The inputs of `npukit run --seed`, the same on every machine."""
    if not 0 <= seed < 1 << 64:
      raise errors.UsageError(f"seed: found {seed}, expected 0 to 2^64 - 1")
    return self._native.random_inputs(seed, signature)

  @property
  def placement(self) -> Placement:
    """Where the ops run, and why not on the NPU."""
    found: dict[str, Any] = json.loads(self._native.placement_json())
    return Placement(npu_ops=found["npu_ops"], cpu_ops=found["cpu_ops"], partitions=found["partitions"],
                     plugin=found.get("plugin") or "", dispatch=found.get("dispatch") or "",
                     fallback_reason=found.get("fallback_reason") or "", ops=found.get("ops") or [])

  def reset_state(self) -> None:
    """Variables and states are as before the first run."""
    self._native.reset_state()

  def close(self) -> None:
    """Gives the dispatch library all back; RunError with what it reports. Closing twice is nothing."""
    self._native.close()

  def __enter__(self) -> Session:
    return self

  def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
    self.close()


def run(model: PathLike | bytes, inputs: Arrays | None = None, *, signature: str | None = None, seed: int = 1,
        **options: Any) -> dict[str, np.ndarray[Any, Any]]:
  """Opens a session with `options`, runs once and closes it. Without inputs: random ones, by the seed."""
  with Session(model, **options) as session:
    return session.run(session.random_inputs(seed, signature) if inputs is None else inputs, signature)
