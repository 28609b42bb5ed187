# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""A .tflite file, read and verified."""

from __future__ import annotations

import contextlib
import json
import os
import pathlib
import tempfile
from collections.abc import Iterator
from typing import Any

import numpy.typing as npt

from npukit import _npukit, errors
from npukit._commands import PathLike, path_text
from npukit.session import Arrays, Session


def inspect(model: PathLike | bytes) -> dict[str, Any]:
  """What `npukit inspect --json` prints: subgraphs, ops, tensors, signatures, metadata, compiled modules."""
  content = bytes(model) if isinstance(model, (bytes, bytearray, memoryview)) else None
  path = "model" if content is not None else path_text(model, "model")  # type: ignore[arg-type]
  report: dict[str, Any] = json.loads(_npukit.describe(path, content))
  return report


class Model:
  """A model that was read whole and verified; `load` makes one.

  Attributes:
    path: the file; None for a model from bytes.
    report: what inspect() gives.
  """

  def __init__(self, model: PathLike | bytes) -> None:
    if isinstance(model, (bytes, bytearray, memoryview)):
      self._content: bytes | None = bytes(model)
      self.path: pathlib.Path | None = None
    else:
      self._content = None
      self.path = pathlib.Path(path_text(model, "model"))
    self.report: dict[str, Any] = inspect(self._content if self.path is None else self.path)  # type: ignore[arg-type]

  @property
  def source(self) -> pathlib.Path | bytes:
    """What the model was made of."""
    return self.path if self.path is not None else self._content or b""

  @property
  def ops(self) -> list[dict[str, Any]]:
    """A row an op of all subgraphs: subgraph, index, op, version, inputs, outputs, options."""
    return [{"subgraph": subgraph["index"], **op} for subgraph in self.report["subgraphs"] for op in subgraph["ops"]]

  @property
  def tensors(self) -> list[dict[str, Any]]:
    """A row a tensor of all subgraphs."""
    return [{"subgraph": subgraph["index"], **tensor} for subgraph in self.report["subgraphs"] for tensor in subgraph["tensors"]]

  @property
  def signatures(self) -> list[str]:
    """Keys in the order of the file."""
    return [signature["key"] for signature in self.report.get("signatures", [])]

  @property
  def is_compiled(self) -> bool:
    """Whether a plugin compiled it, in part at least."""
    return any(op["op"] == "DISPATCH_OP" for op in self.ops)

  def open(self, **options: Any) -> Session:
    """A session (see Session) on the model."""
    return Session(self.source, **options)

  def run(self, inputs: Arrays | None = None, *, signature: str | None = None, seed: int = 1,
          **options: Any) -> dict[str, npt.NDArray[Any]]:
    """One inference with a session of its own."""
    with self.open(**options) as session:
      return session.run(session.random_inputs(seed, signature) if inputs is None else inputs, signature)

  def to_bytes(self) -> bytes:
    """The file's bytes."""
    return self._content if self.path is None else self.path.read_bytes()  # type: ignore[return-value]

  def save(self, path: PathLike) -> None:
    """Writes the file's bytes."""
    pathlib.Path(path_text(path, "path")).write_bytes(self.to_bytes())

  def __repr__(self) -> str:
    name = str(self.path) if self.path is not None else f"{len(self.to_bytes())} bytes"
    return f"npukit.Model({name!r}, {len(self.ops)} ops)"


def load(model: PathLike | bytes) -> Model:
  """Reads and verifies a .tflite file, or its bytes. LoadError names the file, the place in it and what is wrong."""
  return Model(model)


@contextlib.contextmanager
def as_file(model: PathLike | bytes | Model) -> Iterator[str]:
  """The model as a file that commands read; a temporary one for bytes."""
  if isinstance(model, Model):
    model = model.source
  if not isinstance(model, (bytes, bytearray, memoryview)):
    yield path_text(model, "model")
    return
  handle, name = tempfile.mkstemp(prefix="npukit_", suffix=".tflite")
  try:
    with os.fdopen(handle, "wb") as file:
      file.write(model)
    yield name
  finally:
    with contextlib.suppress(FileNotFoundError):
      os.unlink(name)


def not_bytes(path: PathLike, what: str) -> str:
  """The path of a file to be written."""
  if isinstance(path, (bytes, bytearray)):
    raise errors.UsageError(f"{what}: expected a path, found bytes")
  return path_text(path, what)
