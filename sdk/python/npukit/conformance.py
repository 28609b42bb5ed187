# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""The conformance kit, with its verdict as an object."""

from __future__ import annotations

import dataclasses
from typing import Any

from npukit._commands import PathLike, option, path_text, run_json


@dataclasses.dataclass(frozen=True)
class CaseResult:
  """What became of one check on one case: passed, failed, skipped, expected_failure or not_run, and why."""

  name: str
  check: str
  kind: str
  """The class of the check: abi, partition, compile, dispatch, numerics, model, robustness, performance."""
  result: str
  detail: str
  seconds: float


@dataclasses.dataclass(frozen=True)
class Conformance:
  """A verdict. True where the plugin is conformant."""

  verdict: str
  passed: int
  failed: int
  skipped: int
  expected_failures: int
  cases: list[CaseResult]
  report: dict[str, Any]
  """All of results.json."""

  def __bool__(self) -> bool:
    return self.verdict == "conformant"

  @property
  def failures(self) -> list[CaseResult]:
    """Those that speak against the plugin."""
    return [case for case in self.cases if case.result == "failed"]

  def rows(self) -> list[dict[str, Any]]:
    """A row a result, for pandas."""
    return [dataclasses.asdict(case) for case in self.cases]


_COUNTS = ("passed", "failed", "skipped", "expected_failures")


def conform(plugin_dir: PathLike, *, suite: str | list[str] | None = None, claims: PathLike | None = None,
            filter: str | None = None, report: PathLike | None = None, jobs: int | None = None,  # pylint: disable=redefined-builtin
            timeout: float | None = None, **options: Any) -> Conformance:
  """Judges a plugin by what its vendor claims.

  `report` is a folder for results.json, junit.xml and index.html. `options` are those of `npukit conform` by their names: model,
  plugin, profile, shard, seed, baseline, max_failures, ... `timeout` is of the whole run, in seconds.

  Raises:
    LoadError: the plugin or claims can't be loaded. UsageError: no such suite, a bad pattern, ...
    A plugin that does not conform is a result, no exception.
  """
  words = option("plugin_dir", path_text(plugin_dir, "plugin_dir")) + option("suite", suite) + option("filter", filter)
  words += option("claims", claims) + option("report", report) + option("jobs", jobs)
  for name, value in options.items():
    words += option(name, value)
  found, _ = run_json("conform", words, good=(0, 1), timeout=timeout)
  cases = [CaseResult(name=case["name"], check=case.get("check", ""), kind=case["class"], result=case["result"],
                      detail=case.get("detail", ""), seconds=float(case.get("seconds", 0))) for case in found["cases"]]
  return Conformance(verdict=found["verdict"], cases=cases, report=found,
                     **{name: int(found["summary"].get(name, 0)) for name in _COUNTS})
