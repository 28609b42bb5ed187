# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Compiling ahead of time, and why ops stay on the CPU. The plugin runs in a process of its own."""

from __future__ import annotations

import dataclasses
from typing import Any

from npukit import _commands
from npukit._commands import PathLike, option, path_text, run_json
from npukit.model import Model, as_file, load, not_bytes


def _compile_options(plugin_dir: PathLike, soc: str | None, plugins: object, options: dict[str, Any]) -> list[str]:
  words = option("plugin_dir", path_text(plugin_dir, "plugin_dir")) + option("soc", soc) + option("plugin", plugins)
  renamed = {"specs": "spec", "op_package_dirs": "op-package-dir"}
  for name, value in options.items():
    words += option(renamed.get(name, name), value)
  return words


@dataclasses.dataclass(frozen=True)
class Compiled:
  """A model that was compiled: the file, what is in it, and what `npukit apply --json` says."""

  model: Model
  report: dict[str, Any]

  @property
  def npu_ops(self) -> int:
    """How many ops of the model went into partitions."""
    return int(self.report["placement"]["npu_ops"])

  @property
  def cpu_ops(self) -> int:
    """How many were left."""
    return int(self.report["placement"]["cpu_ops"])

  @property
  def partitions(self) -> int:
    """How many DISPATCH_OPs the file has of this compilation."""
    return int(self.report["placement"]["partitions"])

  @property
  def ops(self) -> list[dict[str, Any]]:
    """A row an op: where it runs, and why not on the NPU."""
    rows: list[dict[str, Any]] = self.report["ops"]
    return rows


def apply(model: PathLike | bytes | Model, output: PathLike, *, plugin_dir: PathLike, soc: str | None = None,
          plugins: str | list[str] | None = None, require_npu: bool | float | str | None = None, timeout: float | None = None,
          **options: Any) -> Compiled:
  """Compiles a model ahead of time and writes the result to `output`.

  `options` are those of `npukit apply` by their names: specs, placement, soc_file, max_partitions, on_compile_failure,
  fold_constants, op_package_dirs, keep_dynamic, dump_dir.

  Raises:
    RunError: the plugin does not compile it, or less is on the NPU than require_npu wants; CrashError: it crashed.
    LoadError: the model or plugin can't be loaded.
    UsageError: an argument makes no sense, or the plugin does not know the SoC.
  """
  target = not_bytes(output, "output")
  words = _compile_options(plugin_dir, soc, plugins, options) + option("require_npu", require_npu)
  with as_file(model) as path:
    report, _ = run_json("apply", [path, f"--output={target}", *words], timeout=timeout)
  return Compiled(load(target), report)


def explain(model: PathLike | bytes | Model, *, plugin_dir: PathLike, soc: str | None = None,
            plugins: str | list[str] | None = None, timeout: float | None = None, **options: Any) -> dict[str, Any]:
  """Per op where it would run and why: what `npukit explain --json` prints, with `ops` as rows. Nothing is compiled."""
  with as_file(model) as path:
    report, _ = run_json("explain", [path, *_compile_options(plugin_dir, soc, plugins, options)], timeout=timeout)
  return report


def info(plugin_dir: PathLike, *, timeout: float | None = None) -> dict[str, Any]:
  """The plugins and dispatch libraries of a folder: manufacturer, abi, socs (what `npukit info --json` prints)."""
  return _commands.run_json("info", option("plugin_dir", path_text(plugin_dir, "plugin_dir")), timeout=timeout)[0]
