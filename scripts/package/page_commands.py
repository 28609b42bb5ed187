# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""The commands of a page of the documentation, as a reader would type them from its first to its last."""

import re

_FENCE = re.compile(r"^(<!-- not run: [^>]*-->\n)?```(\w*)\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(page: str) -> list[str]:
  """`sh` fences whole, of `console` fences each line behind "$ ". A fence that is not to be run is an error."""
  scripts: list[str] = []
  for not_run, language, text in _FENCE.findall(page):
    if language not in ("sh", "console"):
      continue
    if not_run:
      raise ValueError(f"not run: {text}")
    if language == "sh":
      scripts.append(text)
    else:
      scripts += [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
  return scripts
