# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""A page for each public header: what it is for, what it declares, and the header itself, whose comments say the rest."""

import pathlib
import re

_GROUPS = (("npukit", "npukit's own"), ("litert/c", "LiteRT's C API"), ("litert/vendors", "What a vendor implements"),
           ("litert/cc", "LiteRT's C++ wrappers"), ("litert/core", "Helpers of LiteRT's tree"), ("litert/compiler", "For compilers"),
           ("tflite", "The model format"))
_NAMES = (
    (re.compile(r"^\s*#define\s+([A-Z][A-Za-z0-9_]*)(?<!_H_)\b"), "macro"),
    (re.compile(r"^(?:template\s*<.*>\s*)?(?:class|struct|union)\s+([A-Z]\w*)\s*(?:final\s*)?(?::[^:].*)?\{"), "class"),
    (re.compile(r"^typedef\s+(?:struct|union|enum)\b.*\{?\s*$|^\}\s*([A-Z]\w*);"), "type"),
    (re.compile(r"^enum(?:\s+class)?\s+([A-Z]\w*)"), "enumeration"),
    (re.compile(r"^using\s+([A-Z]\w*)\s*="), "alias"),
    (re.compile(r"^(?:LITERT_CAPI_EXPORT\s+)?[A-Za-z_][\w:<>,&*\s]*?[\s&*]((?:LiteRt|Npukit)?[A-Z]\w*)\s*\((?!\))?"), "function"),
)


def _purpose(text: str) -> str:
  """The comment at the head, without the licence."""
  lines = []
  for line in text.splitlines():
    if not line.startswith("//"):
      if lines or line.strip() and not line.startswith(("#ifndef", "#define")):
        break
      continue
    content = line[2:].removeprefix(" ")
    if not content.startswith(("Copyright", "SPDX-License")):
      lines.append(content)
  while lines and not lines[0].strip():
    lines.pop(0)
  paragraphs, out = "\n".join(lines).split("\n\n"), []
  for paragraph in paragraphs:
    # What is indented is code or a table.
    code = [line for line in paragraph.splitlines() if line.startswith("  ")]
    out.append(f"```text\n{paragraph}\n```" if code else paragraph)
  return "\n\n".join(out)


def _declared(text: str) -> list[tuple[str, str]]:
  found: dict[str, str] = {}
  for line in text.splitlines():
    if line.startswith(("//", " ", "return", "else", "case")):
      continue
    for pattern, kind in _NAMES:
      match = pattern.match(line)
      if match and match.lastindex and match.group(1) not in found:
        found[match.group(1)] = kind
        break
  return sorted(found.items())


def _page(name: str, text: str) -> str:
  purpose, declared = _purpose(text), _declared(text)
  page = f"# {name}\n\n```cpp\n#include \"{name}\"\n```\n\n{purpose}\n\n"
  if declared:
    page += "| declares | kind |\n| --- | --- |\n" + "".join(f"| `{one}` | {kind} |\n" for one, kind in declared) + "\n"
  ticks = "````"
  return page + f"## The header\n\n{ticks}cpp\n{text.rstrip()}\n{ticks}\n"


def write(include: pathlib.Path, output: pathlib.Path) -> list[str]:
  """Writes the pages and gives the names of those that list them."""
  output.mkdir(parents=True)
  tops = []
  for prefix, title in _GROUPS:
    pages = []
    for header in sorted((include / prefix).rglob("*.h")):
      name = header.relative_to(include).as_posix()
      if "/internal/" in name:
        continue
      page = name.removesuffix(".h").replace("/", "_")
      (output / f"{page}.md").write_text(_page(name, header.read_text(encoding="utf-8")), encoding="utf-8")
      pages.append(page)
    top = "headers_" + prefix.replace("/", "_")
    listing = "\n".join(pages)
    (output / f"{top}.md").write_text(f"# {title}\n\n```{{toctree}}\n:maxdepth: 1\n\n{listing}\n```\n", encoding="utf-8")
    tops.append(f"reference/{top}")
  return tops
