# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Stands in for LiteRT's module of this name, which is not in Debian: the names, arguments and behaviour that vendors meet, as of
v2.1 to main of August 2026, in words of our own."""

import abc
import dataclasses
import pathlib


@dataclasses.dataclass(frozen=True)
class SubgraphPartitionStats:
  subgraph_index: int
  num_ops_offloaded: int
  num_total_ops: int
  num_partitions_offloaded: int


@dataclasses.dataclass(frozen=True)
class PartitionStats:
  subgraph_stats: list


class Model:
  """Bytes in memory, or the path of a file that need not exist yet."""

  partition_stats = None

  def __init__(self, path=None, model_bytes=None):
    if (path is None) == (model_bytes is None):
      raise ValueError("a model is either a path or bytes")
    self._data = pathlib.Path(path) if path is not None else model_bytes

  create_from_path = classmethod(lambda cls, path: cls(path=path))
  create_from_bytes = classmethod(lambda cls, model_bytes: cls(model_bytes=model_bytes))

  @property
  def in_memory(self):
    return isinstance(self._data, bytes)

  @property
  def path(self):
    if self.in_memory:
      raise ValueError("not on disk")
    return self._data

  @property
  def model_bytes(self):
    if not self.in_memory:
      raise ValueError("not in memory")
    return self._data

  def set_path(self, path):
    self._data = pathlib.Path(path)

  def set_bytes(self, model_bytes):
    self._data = model_bytes


class Backend(abc.ABC):

  def __init__(self, config):
    self._config = config

  @classmethod
  @abc.abstractmethod
  def create(cls, config):
    ...

  @classmethod
  @abc.abstractmethod
  def id(cls):
    ...

  @property
  @abc.abstractmethod
  def target(self):
    ...

  @property
  @abc.abstractmethod
  def target_id(self):
    ...

  @property
  def config(self):
    return self._config

  @property
  def target_id_suffix(self):
    return "_" + self.target_id if self.target_id else ""

  @property
  def quantize_recipe(self):
    return None

  @abc.abstractmethod
  def call_component(self, input_model, output_model, component):
    ...

  def specialize(self):
    yield self


class Target(abc.ABC):

  @abc.abstractmethod
  def __hash__(self):
    ...

  @abc.abstractmethod
  def __eq__(self, other):
    ...

  @abc.abstractmethod
  def __repr__(self):
    ...

  @classmethod
  @abc.abstractmethod
  def backend_id(cls):
    ...

  @abc.abstractmethod
  def flatten(self):
    return {"backend_id": self.backend_id()}


class CompilationConfig:

  def __init__(self, target, **kwargs):
    self.target, self.quant_recipe = target, kwargs.pop("quantize_recipe", None)
    self.compilation_config = kwargs

  def to_dict(self):
    recipe = {} if self.quant_recipe is None else {"quantize_recipe": self.quant_recipe}
    return {**self.target.flatten(), "compilation_config": self.compilation_config, **recipe}
