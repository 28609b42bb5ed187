# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Times and cycles, as rows. Each command runs in a process of its own."""

from __future__ import annotations

from typing import Any

from npukit._commands import PathLike, option, path_text, run_json
from npukit.model import Model, as_file

_RENAMED = {"specs": "spec", "op_package_dirs": "op-package-dir", "plugins": "plugin"}


class Rows(list[dict[str, Any]]):
  """A list of rows, which pandas.DataFrame takes as it is, with all else that the command reported."""

  def __init__(self, rows: list[dict[str, Any]], report: dict[str, Any]) -> None:
    super().__init__(rows)
    self.report = report
    """What the command printed as JSON."""


def _words(plugin_dir: PathLike | None, options: dict[str, Any]) -> list[str]:
  words = [] if plugin_dir is None else option("plugin_dir", path_text(plugin_dir, "plugin_dir"))
  for name, value in options.items():
    words += option(_RENAMED.get(name, name), value)
  return words


def _number(text: str) -> int | float | str:
  """An axis' value as YAML has it: the report has texts."""
  try:
    return int(text)
  except ValueError:
    pass
  try:
    return float(text)
  except ValueError:
    return text


def bench(model: PathLike | bytes | Model, *, plugin_dir: PathLike | None = None, jit: bool | None = None, runs: int = 10,
          timeout: float | None = None, **options: Any) -> Rows:
  """A row an op: name, op, target, partition, cycles, macs, utilisation, energy_pj, host_us, as far as they are known.

  `.report` has the totals: cycles, macs, npu_mac_fraction, utilisation, roofline_cycles, energy_pj, host_ms, memory, placement.
  `options` are those of `npukit bench` by their names: soc, plugins, specs, threads, require_npu, seed, ... With a plugin_dir a
  plain model is compiled at load unless jit is False.
  """
  jit = plugin_dir is not None if jit is None else jit
  words = _words(plugin_dir, options) + option("jit", jit) + option("runs", runs)
  with as_file(model) as path:
    report, _ = run_json("bench", [path, *words], timeout=timeout)
  return Rows(report["per_op"], report)


def sweep(model: PathLike | bytes | Model, grid: PathLike, *, plugin_dir: PathLike, jobs: int = 1, timeout: float | None = None,
          **options: Any) -> Rows:
  """Compiles and times the model for each point of a grid of SoCs: a row a point, with the values of the grid's axes beside
  cycles, roofline_cycles, utilisation, energy_pj, npu_ops, cpu_ops, front (whether it is on the Pareto front) and error.

  `options` are those of `npukit bench --sweep`: csv, resume, shard, html. Points that failed have an error and no cycles.
  """
  words = _words(plugin_dir, options) + option("sweep", path_text(grid, "grid")) + option("jobs", jobs)
  with as_file(model) as path:
    report, _ = run_json("bench", [path, *words], good=(0, 1), timeout=timeout)
  rows = [{**{axis: _number(value) for axis, value in point.pop("values", {}).items()}, **point}
          for point in ({**one} for one in report["points"])]
  return Rows(rows, report)
