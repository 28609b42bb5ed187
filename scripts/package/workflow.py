# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Reads a template's CI file (.github/workflows) as the service that runs it would, as far as the templates use it. Whatever
else stands in one is an error: a test that left a step out would pass for nothing."""

import dataclasses
import pathlib
import re

import yaml

_JOB_KEYS = {"runs-on", "container", "steps"}
_STEP_KEYS = {"name", "run", "env", "uses", "with", "if"}
_ACTIONS = {"actions/checkout@v4", "actions/upload-artifact@v4"}
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


@dataclasses.dataclass(frozen=True)
class Step:
  name: str
  script: str = ""  # of `run`
  env: dict[str, str] = dataclasses.field(default_factory=dict)
  artifact: str = ""  # path that upload-artifact takes
  is_checkout: bool = False


@dataclasses.dataclass(frozen=True)
class Job:
  container: str
  steps: tuple[Step, ...]


class Unknown(Exception):
  """Something that this reader has no meaning for."""


def _expand(text: str, variables: dict[str, str]) -> str:
  """${{ vars.NAME }} by its value; one that is not set is empty, as the service has it."""

  def value(match: re.Match[str]) -> str:
    kind, _, name = match.group(1).partition(".")
    if kind != "vars" or not name.isidentifier():
      raise Unknown(f"expression '{match.group(1)}'")
    return variables.get(name, "")

  return _EXPRESSION.sub(value, text)


def _step(raw: dict, variables: dict[str, str]) -> Step:
  if raw.keys() - _STEP_KEYS:
    raise Unknown(f"keys of a step: {', '.join(sorted(raw.keys() - _STEP_KEYS))}")
  if raw.get("if", "always()") != "always()":
    raise Unknown(f"condition '{raw['if']}'")
  if "uses" not in raw:
    env = {name: _expand(str(text), variables) for name, text in raw.get("env", {}).items()}
    return Step(raw.get("name", raw["run"].strip().splitlines()[0]), _expand(raw["run"], variables), env)
  if raw["uses"] not in _ACTIONS:
    raise Unknown(f"action '{raw['uses']}'")
  if "checkout" in raw["uses"]:
    return Step("checkout", is_checkout=True)
  return Step("upload", artifact=raw["with"]["path"])


def read_job(file: pathlib.Path, variables: dict[str, str]) -> Job:
  """The one job of a workflow."""
  jobs = yaml.safe_load(file.read_text(encoding="utf-8"))["jobs"]
  if len(jobs) != 1:
    raise Unknown(f"{len(jobs)} jobs")
  (raw,) = jobs.values()
  if raw.keys() - _JOB_KEYS:
    raise Unknown(f"keys of a job: {', '.join(sorted(raw.keys() - _JOB_KEYS))}")
  return Job(raw["container"], tuple(_step(step, variables) for step in raw["steps"]))
