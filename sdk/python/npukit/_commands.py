# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Runs npukit's commands, which do their work in processes of their own: a vendor's library that crashes ends a command, not
Python."""

from __future__ import annotations

import json
import logging
import os
import pathlib
import signal
import subprocess
import sys
import warnings
from collections.abc import Collection, Iterable, Sequence
from typing import Any

from npukit import _npukit, errors

_LOG = logging.getLogger("npukit")
_DONE, _FAILED, _WRONG_USAGE, _NOT_LOADED = range(4)
_ERRORS = {_FAILED: errors.RunError, _WRONG_USAGE: errors.UsageError, _NOT_LOADED: errors.LoadError}

PathLike = str | os.PathLike[str]


def bin_dir() -> pathlib.Path:
  """The folder with the commands: bin beside the lib of the host library that is loaded, or what NPUKIT_BIN_DIR says."""
  said = os.environ.get("NPUKIT_BIN_DIR")
  if said:
    return pathlib.Path(said)
  host = pathlib.Path(_npukit.host_library()).resolve()
  for parent in host.parents[1:4]:  # lib, or lib/x86_64-linux-gnu
    if (parent / "bin" / "npukit").is_file():
      return parent / "bin"
  raise errors.LoadError(f"npukit's commands are not installed beside {host}: no bin/npukit; NPUKIT_BIN_DIR may name their folder")


def _program(verb: str) -> str:
  program = bin_dir() / f"npukit-{verb}"
  if not program.is_file():
    raise errors.LoadError(f"{program}: there is no such command; the package of npukit's commands is incomplete")
  return str(program)


def _messages(verb: str, text: str) -> list[str]:
  """What the command itself said on stderr; lines of libraries go to the log."""
  prefix = f"npukit {verb}: "
  own: list[str] = []
  in_own = False
  for line in text.splitlines():
    if line.startswith(prefix):
      own.append(line[len(prefix):])
      in_own = True
    # A message may have several lines; a log's line, or an empty one, ends it.
    elif in_own and line and not line.startswith(("INFO", "WARNING", "ERROR", "VERBOSE", "Try ")):
      own[-1] += "\n" + line
    else:
      in_own = False
      if line.strip():
        _LOG.info("%s: %s", verb, line)
  return own


def run(verb: str, arguments: Iterable[str], *, good: Collection[int] = (_DONE,), timeout: float | None = None) -> tuple[str, int]:
  """What the command printed, and its exit code, which is one of the good ones."""
  # No shell: an argument is one word, whatever stands in it.
  command = [_program(verb), *arguments]
  try:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="backslashreplace",
                          timeout=timeout, check=False)
  except subprocess.TimeoutExpired as expired:
    raise errors.RunError(f"npukit {verb}: took longer than {timeout:g} s and was ended") from expired
  except ValueError as error:  # a zero byte in a name
    raise errors.UsageError(f"npukit {verb}: {error}") from error
  messages = _messages(verb, done.stderr)
  if done.returncode in good:
    for message in messages:
      warnings.warn(message, errors.NpukitWarning, stacklevel=4)
    return done.stdout, done.returncode
  if done.returncode < 0:
    try:
      name = signal.Signals(-done.returncode).name
    except ValueError:
      name = f"signal {-done.returncode}"
    raise errors.CrashError(f"npukit {verb} was ended by {name}" + "".join(f"; {line}" for line in done.stderr.splitlines()[-1:]))
  message = "\n".join(messages) or done.stderr.strip() or f"npukit {verb} ended with exit code {done.returncode}"
  raise _ERRORS.get(done.returncode, errors.RunError)(message)


def run_json(verb: str, arguments: Iterable[str], *, good: Collection[int] = (_DONE,),
             timeout: float | None = None) -> tuple[dict[str, Any], int]:
  """The JSON that the command prints, and its exit code."""
  text, code = run(verb, [*arguments, "--json"], good=good, timeout=timeout)
  try:
    value = json.loads(text)
  except json.JSONDecodeError as error:
    raise errors.RunError(f"npukit {verb} printed no JSON ({error}): {text[:200]!r}") from error
  if not isinstance(value, dict):
    raise errors.RunError(f"npukit {verb} printed no JSON object: {text[:200]!r}")
  return value, code


def path_text(path: PathLike, what: str) -> str:
  """The path as an argument that no command takes for an option."""
  try:
    text = os.fspath(path)
  except TypeError as error:
    raise errors.UsageError(f"{what}: expected a path, found {type(path).__name__}") from error
  if not isinstance(text, str):
    text = os.fsdecode(text)
  if not text:
    raise errors.UsageError(f"{what}: the path is empty")
  return os.path.join(".", text) if text.startswith("-") else text


def option(name: str, value: object) -> list[str]:
  """--name=value; nothing for None, False and what is empty; the bare flag for True."""
  if value is None or value is False:
    return []
  flag = "--" + name.replace("_", "-")
  if value is True:
    return [flag]
  if isinstance(value, (str, int, float, os.PathLike)):
    return [f"{flag}={os.fspath(value) if isinstance(value, os.PathLike) else value}"]
  if isinstance(value, Sequence):
    return [word for one in value for word in option(name, one)]
  raise errors.UsageError(f"{name}: expected text, a number or a list of them, found {type(value).__name__}")


def main() -> int:
  """The command `npukit` of a wheel: becomes the program in the package."""
  program = str(bin_dir() / "npukit")
  if not os.access(program, os.X_OK):  # pip keeps the mode; what unpacks a wheel by hand may not
    for file in bin_dir().iterdir():
      file.chmod(0o755)
  os.execv(program, [program, *sys.argv[1:]])
