# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Making models: the graph language of `npukit build` (docs/models.md), by calls or as a dict."""

from __future__ import annotations

import json
import os
import pathlib
import re
import tempfile
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from npukit import errors
from npukit._commands import PathLike, option, path_text, run
from npukit.model import Model, load, not_bytes

Json = dict[str, Any]


def _quantization(scale: float | Sequence[float] | None, zero_point: int | Sequence[int] | None, axis: int | None) -> Json:
  if scale is None:
    if zero_point is not None or axis is not None:
      raise errors.UsageError("quantisation: a zero_point or an axis without a scale")
    return {}
  scales = np.atleast_1d(np.asarray(scale, np.float64))
  if axis is None and scales.size == 1:
    return {"quant": {"scale": float(scales[0]), **({} if zero_point is None else {"zero_point": int(zero_point)})}}  # type: ignore[arg-type]
  if axis is None:
    raise errors.UsageError(f"quantisation: {scales.size} scales without an axis")
  quant: Json = {"scales": scales.tolist(), "axis": int(axis)}
  if zero_point is not None:
    quant["zero_points"] = [int(one) for one in np.broadcast_to(np.atleast_1d(np.asarray(zero_point)), scales.shape)]
  return {"quant": quant}


class Graph:
  """A graph of one subgraph, written op by op.

  Tensors are named by text; each method gives the name back, or the names.

    graph = npukit.Graph()
    x = graph.input("x", "float32", [1, 4])
    w = graph.constant("w", np.ones((2, 4), np.float32))
    y = graph.op("FULLY_CONNECTED", [x, w], "y")
    model = graph.build("dense.tflite", outputs=[y])

  Names, types and options are checked when the model is built: UsageError tells the place in the graph.
  """

  def __init__(self, signature: str | None = "serving_default") -> None:
    self._signature = signature
    self._inputs: Json = {}
    self._constants: Json = {}
    self._variables: Json = {}
    self._ops: list[Json] = []
    self._names: set[str] = set()

  def _new(self, name: str) -> str:
    if not isinstance(name, str) or not name:
      raise errors.UsageError(f"graph: a tensor's name is text, found {name!r}")
    if name in self._names:
      raise errors.UsageError(f"graph: there are two tensors '{name}'")
    self._names.add(name)
    return name

  def input(self, name: str, dtype: str, shape: Sequence[int], *, scale: float | None = None,
            zero_point: int | None = None) -> str:
    """An input; a dimension of -1 is dynamic."""
    self._inputs[self._new(name)] = {"type": dtype, "shape": list(shape), **_quantization(scale, zero_point, None)}
    return name

  def variable(self, name: str, dtype: str, shape: Sequence[int]) -> str:
    """A tensor that keeps its value from run to run and starts at zero."""
    self._variables[self._new(name)] = {"type": dtype, "shape": list(shape)}
    return name

  def constant(self, name: str, data: npt.ArrayLike | str, *, dtype: str | None = None, shape: Sequence[int] | None = None,
               scale: float | Sequence[float] | None = None, zero_point: int | Sequence[int] | None = None,
               axis: int | None = None) -> str:
    """A constant: an array, or one of the language's words ("random", "zeros", ...) with a dtype and shape. Several scales are
    per channel of `axis`. dtype "int4" or "int2" packs an int8 array."""
    entry: Json = {**_quantization(scale, zero_point, axis)}
    if isinstance(data, str):
      if dtype is None or shape is None:
        raise errors.UsageError(f"constant '{name}': data '{data}' needs a dtype and a shape")
      entry |= {"type": dtype, "shape": list(shape), "data": data}
    else:
      array = np.asarray(data)
      if array.dtype.kind not in "biufc":
        raise errors.UsageError(f"constant '{name}': found an array of {array.dtype}, expected numbers")
      entry |= {"type": dtype or array.dtype.name, "shape": list(array.shape if shape is None else shape), "data": array}
    self._constants[self._new(name)] = entry
    return name

  def op(self, op: str, inputs: Sequence[str], outputs: str | Sequence[str] | Mapping[str, Json], *,
         options: Mapping[str, Any] | None = None, version: int | None = None, dtype: str | None = None,
         shape: Sequence[int] | None = None, scale: float | None = None, zero_point: int | None = None,
         custom_options: bytes | None = None) -> Any:
    """An op. `outputs` is a name, names, or a dict of names to {type, shape, quant}; of a single one dtype, shape and scale may
    be said beside it, and what is not said is inferred. Gives the name back, or the list of names."""
    described: Json = {}
    if isinstance(outputs, Mapping):
      described = {name: dict(tensor) for name, tensor in outputs.items()}
    else:
      described = {name: {} for name in ([outputs] if isinstance(outputs, str) else outputs)}
    extra = _quantization(scale, zero_point, None)
    if dtype is not None:
      extra["type"] = dtype
    if shape is not None:
      extra["shape"] = list(shape)
    if extra:
      if len(described) != 1:
        raise errors.UsageError(f"op {op}: dtype, shape and scale are of a single output, found {len(described)}")
      next(iter(described.values())).update(extra)
    for name in described:
      self._new(name)
    entry: Json = {"op": op, "in": list(inputs), "out": described}
    if options:
      entry["options"] = dict(options)
    if version is not None:
      entry["version"] = version
    if custom_options is not None:
      entry["custom_options"] = custom_options.hex()
    self._ops.append(entry)
    return list(described)[0] if isinstance(outputs, str) else list(described)

  def describe(self, outputs: Sequence[str]) -> Json:
    """The graph in the language of docs/models.md, with arrays as they are."""
    found: Json = {"signature": self._signature} if self._signature else {}
    found |= {"inputs": self._inputs, "constants": self._constants}
    if self._variables:
      found["variables"] = self._variables
    return found | {"ops": self._ops, "outputs": list(outputs)}

  def build(self, output: PathLike, outputs: Sequence[str], *, seed: int | None = None) -> Model:
    """Writes the .tflite file and loads it."""
    return build(self.describe(outputs), output, seed=seed)


def _without_arrays(value: Any, folder: pathlib.Path, places: dict[str, str], place: str = "graph") -> Any:
  """The value with each array replaced by the .npy file that it is written to; the files are entered into `places`."""
  if isinstance(value, np.ndarray):
    path = str(folder / f"array_{len(places)}.npy")
    np.save(path, np.ascontiguousarray(value))
    places[path] = f"the array at {place}"
    return {"file": path}
  if isinstance(value, np.generic):
    return value.item()
  if isinstance(value, Mapping):
    return {str(key): _without_arrays(one, folder, places, f"{place}.{key}") for key, one in value.items()}
  if isinstance(value, (list, tuple)):
    return [_without_arrays(one, folder, places, f"{place}[{index}]") for index, one in enumerate(value)]
  return value


def _in_graph(message: str, places: Mapping[str, str], text: str) -> str:
  """The message with places of the graph for files that are gone, and the line that it names."""
  # The longest first: one path may be the beginning of another.
  for path, place in sorted(places.items(), key=lambda entry: -len(entry[0])):
    message = message.replace(path, place)
  lines = text.splitlines()
  named = re.search(r"\bgraph:(\d+)", message)
  line = lines[int(named[1]) - 1].strip() if named and 0 < int(named[1]) <= len(lines) else ""
  return f"{message}\nThe graph's line {named[1]}: {line}" if named and len(line) > 2 else message  # more than a bracket


def build(graph: PathLike | Mapping[str, Any] | Sequence[Mapping[str, Any]], output: PathLike, *,
          seed: int | None = None) -> Model:
  """Makes a .tflite file of a graph in the language of docs/models.md: a YAML file, a dict, or a list of dicts (subgraphs).
  `data` in a dict may be an array. UsageError names line and column; of a dict, those of its JSON, with the line's text."""
  target = not_bytes(output, "output")
  if isinstance(graph, (str, os.PathLike)):
    run("build", [path_text(graph, "graph"), f"--output={target}", *option("seed", seed)])
    return load(target)
  if not isinstance(graph, (Mapping, Sequence)):
    raise errors.UsageError(f"graph: expected a YAML file, a dict or a list of dicts, found {type(graph).__name__}")
  with tempfile.TemporaryDirectory(prefix="npukit_") as folder:
    path = pathlib.Path(folder) / "graph.yaml"
    places: dict[str, str] = {}
    try:
      # JSON is YAML.
      text = json.dumps(_without_arrays(graph, pathlib.Path(folder), places), indent=1)
    except (TypeError, ValueError) as error:
      raise errors.UsageError(f"graph: {error}") from error
    path.write_text(text, encoding="utf-8")
    try:
      run("build", [str(path), f"--output={target}", *option("seed", seed)])
    except errors.Error as error:
      raise type(error)(_in_graph(str(error), places | {str(path): "graph"}, text)) from None
  return load(target)
