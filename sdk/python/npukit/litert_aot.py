# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""A plugin as a vendor of ai_edge_litert.aot, LiteRT's ahead-of-time compiler, compiled by npukit.

  from ai_edge_litert.aot import aot_compile
  from npukit import litert_aot

  contoso = litert_aot.register("build/lib")
  result = aot_compile.aot_compile("model.tflite", target=[contoso.target("c1"), contoso.target("c2")])

LiteRT calls a vendor through a Backend class: it makes one for each target and hands it, one after the other, the steps of its
pipeline. The step that applies a plugin is done by `npukit apply` here, in a process of its own, in place of LiteRT's
apply_plugin_main; all other steps are LiteRT's own. Works with the package (ai_edge_litert.aot) and with LiteRT's source tree
(litert.python.aot), as of v2.1 to main of August 2026.
"""

from __future__ import annotations

import dataclasses
import importlib
import pathlib
import re
import tempfile
from collections.abc import Iterator
from typing import Any

from npukit import compile as compile_lib
from npukit import errors
from npukit._commands import PathLike

_ROOTS = ("ai_edge_litert.aot", "litert.python.aot")
_ALL = "ALL"
# What aot_types.CompilationConfig carries for npukit.apply.
_APPLY_OPTIONS = frozenset({"specs", "placement", "soc_file", "max_partitions", "on_compile_failure", "fold_constants",
                            "op_package_dirs", "keep_dynamic", "require_npu", "timeout"})


@dataclasses.dataclass(frozen=True)
class _LiteRt:
  """The modules of LiteRT's ahead-of-time compiler that a vendor has to do with."""

  types: Any
  components: Any
  vendors: Any


def _litert(root: str | None) -> _LiteRt:
  for candidate in (root,) if root else _ROOTS:
    try:
      return _LiteRt(importlib.import_module(f"{candidate}.core.aot_types"), importlib.import_module(f"{candidate}.core.components"),
                     importlib.import_module(f"{candidate}.vendors.import_vendor"))
    except ModuleNotFoundError as error:
      # That the package, or one of its modules, is missing leads to the next candidate.
      if error.name is None or not candidate.startswith(error.name.split(".")[0]):
        raise  # something that LiteRT itself wants
  raise errors.LoadError(f"LiteRT's ahead-of-time compiler is not installed: no module {' or '.join((root,) if root else _ROOTS)}")


@dataclasses.dataclass(frozen=True)
class Vendor:
  """A plugin that was registered: its name among LiteRT's back ends, and what it compiles for."""

  backend_id: str
  manufacturer: str
  socs: tuple[str, ...]
  plugin_dir: str
  backend_class: Any
  target_class: Any

  def target(self, soc_model: str = _ALL) -> Any:
    """An aot_types.Target of one SoC model, or of all."""
    return self.target_class(soc_model)


def _plugin(plugin_dir: PathLike, manufacturer: str | None) -> tuple[str, tuple[str, ...]]:
  plugins = compile_lib.info(plugin_dir).get("plugins", [])
  if manufacturer is not None:
    plugins = [plugin for plugin in plugins if plugin["manufacturer"] == manufacturer]
  names = sorted({plugin["manufacturer"] for plugin in plugins})
  if len(names) != 1:
    found = "none" if not names else ", ".join(names)
    wanted = f"the plugin of {manufacturer}" if manufacturer else "one vendor's plugin; manufacturer chooses"
    raise errors.LoadError(f"{plugin_dir}: expected {wanted}, found {found}")
  return names[0], tuple(plugins[0]["socs"])


def _apply(vendor: Vendor, litert: _LiteRt, backend: Any, source: Any, result: Any) -> None:
  """`npukit apply` from one of LiteRT's models to another, with the numbers that its report prints."""
  options = dict(backend.config.get("compilation_config") or {})
  unknown = sorted(set(options) - _APPLY_OPTIONS)
  if unknown:
    raise errors.UsageError(f"{vendor.backend_id}: npukit apply has no option {', '.join(unknown)}; "
                            f"there are {', '.join(sorted(_APPLY_OPTIONS))}")
  # A file that describes the chip stands in for the name of one.
  soc = None if options.get("soc_file") else backend.soc_model
  model = source.model_bytes if source.in_memory else source.path
  with tempfile.TemporaryDirectory(prefix="npukit_") as folder:
    target = pathlib.Path(folder) / "compiled.tflite" if result.in_memory else result.path
    # ValueError is what LiteRT's pipeline takes for a back end that failed; it goes on with the others.
    try:
      compiled = compile_lib.apply(model, target, plugin_dir=vendor.plugin_dir, soc=soc,
                                   plugins=[vendor.manufacturer], **options)
    except errors.Error as error:
      raise ValueError(f"{vendor.manufacturer} {backend.soc_model}: {error}") from error
    if result.in_memory:
      result.set_bytes(pathlib.Path(target).read_bytes())
  subgraphs: dict[int, dict[str, Any]] = {}
  for op in compiled.ops:
    count = subgraphs.setdefault(op.get("subgraph", 0), {"all": 0, "npu": 0, "partitions": set()})
    count["all"] += 1
    if op["target"] != "cpu":
      count["npu"] += 1
      count["partitions"].add(op["partition"])
  result.partition_stats = litert.types.PartitionStats(subgraph_stats=[
      litert.types.SubgraphPartitionStats(subgraph_index=index, num_ops_offloaded=count["npu"], num_total_ops=count["all"],
                                          num_partitions_offloaded=len(count["partitions"]))
      for index, count in sorted(subgraphs.items())])


def _target_class(litert: _LiteRt, backend_id: str, manufacturer: str, socs: tuple[str, ...]) -> Any:

  class NpukitTarget(litert.types.Target):  # type: ignore[misc,name-defined]
    """One SoC model of the vendor's, or all of them."""

    def __init__(self, soc_model: str = _ALL, soc_manufacturer: str = manufacturer) -> None:
      if soc_model != _ALL and soc_model not in socs:
        raise errors.UsageError(f"{manufacturer} has no SoC model '{soc_model}'; there are {', '.join(socs)}")
      if soc_manufacturer != manufacturer:
        raise errors.UsageError(f"expected the manufacturer {manufacturer}, found '{soc_manufacturer}'")
      self.soc_model, self.soc_manufacturer = soc_model, soc_manufacturer

    def __hash__(self) -> int:
      return hash((self.soc_manufacturer, self.soc_model))

    def __eq__(self, other: object) -> bool:
      return isinstance(other, NpukitTarget) and repr(self) == repr(other)

    def __repr__(self) -> str:
      return f"{self.soc_manufacturer}_{self.soc_model}"

    @classmethod
    def backend_id(cls) -> str:
      return backend_id

    def flatten(self) -> dict[str, Any]:
      return {**super().flatten(), "soc_manufacturer": self.soc_manufacturer, "soc_model": self.soc_model}

  return NpukitTarget


def register(plugin_dir: PathLike, *, manufacturer: str | None = None, backend_id: str | None = None,
             litert_root: str | None = None) -> Vendor:
  """Makes the plugin of a folder one of LiteRT's back ends.

  Args:
    plugin_dir: the folder with the compiler plugin.
    manufacturer: whose plugin, where the folder has several.
    backend_id: its name among LiteRT's back ends; default: the manufacturer in lower case. One of the same name is replaced.
    litert_root: the package that holds LiteRT's ahead-of-time compiler, where it is neither ai_edge_litert.aot nor
      litert.python.aot.

  Raises:
    LoadError: no plugin, or several, or LiteRT's compiler is not installed.
  """
  litert = _litert(litert_root)
  name, socs = _plugin(plugin_dir, manufacturer)
  key = backend_id or re.sub(r"[^a-z0-9]+", "_", name.lower())
  target_class = _target_class(litert, key, name, socs)

  class NpukitBackend(litert.types.Backend):  # type: ignore[misc,name-defined]
    """Compiles by `npukit apply`."""

    @classmethod
    def id(cls) -> str:
      return key

    @classmethod
    def create(cls, config: Any) -> Any:
      found = config.get("backend_id", "")
      if found != key:
        raise ValueError(f"backend '{found}', expected '{key}'")
      return cls(config)

    @property
    def soc_manufacturer(self) -> str:
      return name

    @property
    def soc_model(self) -> str:
      return str(self.config.get("soc_model", _ALL))

    @property
    def target(self) -> Any:
      return target_class(self.soc_model)

    @property
    def target_id(self) -> str:
      return repr(self.target)

    @property
    def shared_pass_names(self) -> list[str]:
      return []

    @property
    def quantize_recipe(self) -> str | None:
      recipe: str | None = self.config.get("quantize_recipe", None)
      return recipe

    def specialize(self) -> Iterator[Any]:
      for soc in socs if self.soc_model == _ALL else (self.soc_model,):
        yield self.create({**self.config, "soc_model": soc})

    def call_component(self, input_model: Any, output_model: Any, component: Any) -> Any:
      if isinstance(component, litert.components.ApplyPluginT):
        return _apply(vendor, litert, self, input_model, output_model)
      if isinstance(component, litert.components.AieQuantizerT):
        return component(input_model, output_model, quantization_recipe=self.quantize_recipe)
      if isinstance(component, litert.components.MlirTransformsT):
        return component(input_model, output_model, self.shared_pass_names)
      raise NotImplementedError(f"{key} has no use for the component {component.component_name}")

  vendor = Vendor(key, name, socs, str(plugin_dir), NpukitBackend, target_class)
  litert.vendors.register_backend(NpukitBackend)
  return vendor
