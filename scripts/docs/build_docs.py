#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Makes the documentation site: build_docs.py OUTPUT.

The pages of docs/, the README, the changes and a reference of every public header, by Debian's Sphinx with MyST. What comes out is
static and needs neither a server nor a network: the search runs in the browser, from file:// too. Warnings are errors, and every
link of what was made is followed: to a file that is not there, to an anchor that is not in it, or into the network for what a page
needs to show itself, and the build fails.
"""

import argparse
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

import header_reference
import site_links

_ROOT = pathlib.Path(__file__).resolve().parents[2]
_CHAPTERS = (
    ("To begin", ("tutorial", "vendor-guide", "plugin", "applications", "python", "glossary")),
    ("How to", ("models", "inputs", "language-models", "reduce", "doctor", "debugging", "performance", "remote", "upstream",
                "linked-plugins", "delegates", "op-packages")),
    ("Conformance", ("conformance", "tolerances", "operators")),
    ("How it works", ("architecture", "runtime", "kernels", "abi", "simulator", "isa", "timing", "acme-compiler")),
)
_CONF = '''
project = "npukit"
author = copyright = "The npukit Authors"
release = version = {version!r}
extensions = ["myst_parser"]
html_theme = "sphinx_rtd_theme"
html_theme_options = {{"navigation_depth": 3}}
html_show_sphinx = False
html_copy_source = False
html_last_updated_fmt = None
myst_heading_anchors = 5
myst_enable_extensions = []
myst_linkify_fuzzy_links = False
suppress_warnings = ["myst.header", "misc.highlighting_failure"]
highlight_language = "none"
exclude_patterns = []
'''


def _version() -> str:
  text = (_ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
  return text.split("project(npukit VERSION ", 1)[1].split()[0]


def _toctree(caption: str, pages: list[str], depth: int = 1) -> str:
  return f"```{{toctree}}\n:maxdepth: {depth}\n:caption: {caption}\n\n" + "\n".join(pages) + "\n```\n"


def _write_index(stage: pathlib.Path, headers: list[str]) -> None:
  """The front page, which every page of docs/ must be on."""
  named = {page for _, pages in _CHAPTERS for page in pages}
  there = {page.stem for page in (_ROOT / "docs").glob("*.md")}
  if named != there:
    sys.exit(f"error: chapters of {pathlib.Path(__file__).name} and docs/ differ in {', '.join(sorted(named ^ there))}")
  text = "# npukit\n\nBring an NPU to LiteRT without LiteRT's build tree and without the NPU.\n\n"
  text += "Begin with the [tutorial](tutorial.md): from nothing to an op of one's own on a device of one's own. "
  text += "[The README](readme.md) shows the commands at a glance.\n\n![How a model gets to the NPU](pictures/pipeline.svg)\n\n"
  for caption, pages in _CHAPTERS:
    text += _toctree(caption, list(pages)) + "\n"
  decisions = sorted(f"adr/{page.stem}" for page in (_ROOT / "docs" / "adr").glob("*.md") if page.stem != "README")
  text += _toctree("Decisions", ["adr/README", *decisions]) + "\n"
  text += _toctree("Reference of headers", headers) + "\n"
  text += _toctree("The project", ["readme", "changelog", "contributing"]) + "\n"
  (stage / "index.md").write_text(text, encoding="utf-8")


def _stage_pages(stage: pathlib.Path) -> None:
  shutil.copytree(_ROOT / "docs", stage, dirs_exist_ok=True)
  for name, page in (("README", "readme"), ("CHANGELOG", "changelog"), ("CONTRIBUTING", "contributing")):
    shutil.copy(_ROOT / f"{name}.md", stage / f"{page}.md")
  for page in sorted(stage.rglob("*.md")):
    text = page.read_text(encoding="utf-8")
    page.write_text(site_links.rewrite(text, page.relative_to(stage), _ROOT), encoding="utf-8")


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("output", type=pathlib.Path)
  output = parser.parse_args().output.resolve()
  with tempfile.TemporaryDirectory(prefix="npukit_site_") as folder:
    stage = pathlib.Path(folder) / "pages"
    _stage_pages(stage)
    headers = header_reference.write(_ROOT / "sdk" / "include", stage / "reference")
    _write_index(stage, headers)
    (stage / "conf.py").write_text(_CONF.format(version=_version()), encoding="utf-8")
    shutil.rmtree(output, ignore_errors=True)
    done = subprocess.run([sys.executable, "-m", "sphinx", "-q", "-W", "--keep-going", "-b", "html", "-d", f"{folder}/doctrees",
                           str(stage), str(output)], check=False, env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode:
      return 1
  faults = site_links.check(output)
  for fault in faults:
    print(f"error: {fault}", file=sys.stderr)
  return 1 if faults else 0


if __name__ == "__main__":
  sys.exit(main())
