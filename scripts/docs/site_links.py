# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""Links of the documentation: from where pages lie in the tree to where they lie in the site, and whether all of them lead
somewhere."""

import html.parser
import pathlib
import posixpath
import re
import urllib.parse

_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^()\s]+)\)")
_TOP_PAGES = {"README.md": "readme.md", "CHANGELOG.md": "changelog.md", "CONTRIBUTING.md": "contributing.md"}


def _place(target: str, page: pathlib.PurePath) -> str | None:
  """Where a path of the tree lies in the site; None if it does not."""
  if target in _TOP_PAGES:
    return _TOP_PAGES[target]
  if target.startswith("docs/"):
    return target.removeprefix("docs/")
  if target.startswith("sdk/include/") and target.endswith(".h") and "/internal/" not in target:
    return "reference/" + target.removeprefix("sdk/include/").removesuffix(".h").replace("/", "_") + ".md"
  return None


def rewrite(text: str, page: pathlib.PurePath, root: pathlib.Path) -> str:
  """The text of a page of the site with its links as they are there. What only the tree has becomes its path, as code."""
  in_tree = {place: name for name, place in _TOP_PAGES.items()}.get(str(page), f"docs/{page}")

  def replace(match: re.Match[str]) -> str:
    label, link = match.groups()
    path, _, anchor = link.partition("#")
    if not path or "://" in path or path.startswith("mailto:"):
      return match.group(0)
    target = posixpath.normpath(posixpath.join(posixpath.dirname(in_tree), path))
    place = _place(target, page)
    if place is not None and ((root / "docs" / place).exists() or place in _TOP_PAGES.values() or place.startswith("reference/")):
      if place.endswith("/") or not posixpath.splitext(place)[1]:
        place = posixpath.join(place, "README.md")
        if not (root / "docs" / place).exists():
          return f"`{target}`"
      relative = posixpath.relpath(place, posixpath.dirname(str(page)) or ".")
      return f"[{label}]({relative}{'#' + anchor if anchor else ''})"
    return f"`{target}`" if label.strip("`") == path or label.strip("`") == target else f"{label} (`{target}`)"

  parts = re.split(r"(^```.*?^```|`[^`\n]+`(?!\]))", text, flags=re.MULTILINE | re.DOTALL)
  return "".join(part if part.startswith("`") else _LINK.sub(replace, part) for part in parts)


class _Page(html.parser.HTMLParser):
  """Anchors, links and what a page needs to show itself."""

  def __init__(self) -> None:
    super().__init__()
    self.anchors: set[str] = set()
    self.links: list[str] = []
    self.needs: list[str] = []

  def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
    values = {name: value or "" for name, value in attrs}
    self.anchors.update(values[name] for name in ("id", "name") if name in values)
    if tag == "a" and "href" in values:
      self.links.append(values["href"])
    if "src" in values:
      self.needs.append(values["src"])
    if tag == "link" and "href" in values:
      self.needs.append(values["href"])


def check(site: pathlib.Path) -> list[str]:
  """What is wrong with the links of a site; empty if nothing is."""
  pages: dict[pathlib.Path, _Page] = {}
  for path in sorted(site.rglob("*.html")):
    pages[path] = _Page()
    pages[path].feed(path.read_text(encoding="utf-8"))
  faults = []
  for path, page in pages.items():
    name = path.relative_to(site)
    for link in page.links + page.needs:
      parts = urllib.parse.urlsplit(link)
      if parts.scheme in ("data", "mailto"):
        continue
      if parts.scheme or parts.netloc:
        if link in page.needs:
          faults.append(f"{name}: needs {link}, which is not in the site")
        continue
      target = path if not parts.path else (path.parent / urllib.parse.unquote(parts.path)).resolve()
      if not target.is_file():
        faults.append(f"{name}: there is no {link}")
      elif parts.fragment and target in pages and parts.fragment != "" and \
          urllib.parse.unquote(parts.fragment) not in pages[target].anchors:
        faults.append(f"{name}: {parts.path or name} has no anchor '{parts.fragment}'")
  if not (site / "searchindex.js").is_file():
    faults.append("there is no searchindex.js: the site can't be searched")
  return faults
