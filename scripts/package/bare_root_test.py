#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""bare_root_test.py [--root TREE] [--archive ARCHIVE] [--board-archive ARCHIVE] [WHAT ...]: what a stranger does, in a Debian 12 that has
nothing besides what Debian has at first.

  ci        the CI file of a new plugin as it stands, step by step
  board     the CI file that `npukit new --board` adds, under the emulator; needs --board-archive
  upstream  the same CI file in a project that is built as LiteRT's tree wants it
  ops       an operator package: built, tested, listed
  tutorial  every command of docs/tutorial.md, in order

Without WHAT: all (board where there is its archive). TREE is what `debootstrap --variant=minbase bookworm TREE` makes, and is not
changed; without it one is made. Packages come from where this machine's apt has them. Needs root; takes minutes, so ctest does not
run it. workflow_test.py holds what reads the CI files.
"""

import argparse
import contextlib
import functools
import http.server
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import page_commands  # noqa: E402
import workflow  # noqa: E402

_SOURCE = pathlib.Path(__file__).resolve().parents[2]
_PROJECT = "/project"  # in a root


class Failed(Exception):
  pass


def _run(*command: str | pathlib.Path, env: dict[str, str] | None = None) -> str:
  done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=env)
  if done.returncode:
    raise Failed(f"{' '.join(map(str, command))}: exit code {done.returncode}\n{done.stdout}")
  return done.stdout


class Root:
  """A tree in which commands run as if it were the machine: its own files, processes and mounts; this machine's network."""

  def __init__(self, tree: pathlib.Path):
    self.tree = tree
    shutil.copy("/etc/resolv.conf", tree / "etc/resolv.conf")

  def sh(self, script: str, env: dict[str, str] | None = None, folder: str = "/") -> str:
    """Runs it as CI does, so that the first command that fails ends it."""
    (self.tree / "step.sh").write_text(script, encoding="utf-8")
    inner = (f"mount -t proc proc '{self.tree}/proc' && mount -t tmpfs tmpfs '{self.tree}/dev/shm' 2>/dev/null; "
             f"exec chroot '{self.tree}' /bin/bash -c 'cd {folder} && exec bash -e /step.sh'")
    clean = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", "HOME": "/root", "LANG": "C.UTF-8",
             "DEBIAN_FRONTEND": "noninteractive"}
    return _run("unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inner, env=clean | (env or {}))


@contextlib.contextmanager
def _served(folder: pathlib.Path) -> Iterator[str]:
  """The files of a folder under an address, for curl."""

  class Quiet(http.server.SimpleHTTPRequestHandler):

    def log_message(self, *_):  # pylint: disable=arguments-differ
      pass

  server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), functools.partial(Quiet, directory=str(folder)))
  threading.Thread(target=server.serve_forever, daemon=True).start()
  try:
    yield f"http://127.0.0.1:{server.server_port}"
  finally:
    server.shutdown()


def run_job(root: Root, project: pathlib.Path, file: str, variables: dict[str, str]) -> None:
  """The job of a CI file of the project, each step as it stands."""
  job = workflow.read_job(project / ".github/workflows" / file, variables)
  if job.container != "debian:12":
    raise Failed(f"{file} asks for {job.container}; the root is Debian 12")
  for step in job.steps:
    begin = time.monotonic()
    if step.is_checkout:
      shutil.copytree(project, root.tree / _PROJECT.lstrip("/"), symlinks=True, dirs_exist_ok=True)
    elif step.artifact:
      if not any((root.tree / _PROJECT.lstrip("/") / step.artifact).iterdir()):
        raise Failed(f"{file}: nothing to upload in {step.artifact}")
    else:
      (root.tree / _PROJECT.lstrip("/")).mkdir(exist_ok=True)
      try:
        root.sh(step.script, step.env, _PROJECT)
      except Failed as failed:
        raise Failed(f"{file}, step '{step.name}': {failed}") from failed
    print(f"ok: {file}, {step.name}, {time.monotonic() - begin:.0f} s", flush=True)


class Test:
  """One per run: the archive unpacked here makes the projects, and each is built in a root of its own."""

  def __init__(self, base: pathlib.Path, work: pathlib.Path, archive: pathlib.Path, url: str, board_url: str):
    self.base, self.work, self.archive = base, work, archive
    self.variables = {"NPUKIT_URL": url, "NPUKIT_BOARD_URL": board_url}
    self.here = work / "npukit"
    self.here.mkdir()
    _run("tar", "-xzf", archive, "-C", self.here, "--strip-components=1")

  @contextlib.contextmanager
  def root(self) -> Iterator[Root]:
    tree = pathlib.Path(tempfile.mkdtemp(prefix="root.", dir=self.work))
    try:
      _run("cp", "-a", f"{self.base}/.", tree)
      yield Root(tree)
    finally:
      shutil.rmtree(tree)

  def project(self, *arguments: str) -> pathlib.Path:
    folder = pathlib.Path(tempfile.mkdtemp(prefix="project.", dir=self.work)) / "contoso"
    _run(self.here / "bin/npukit", "new", "contoso", "-o", folder, *arguments)
    return folder

  def install(self, root: Root, packages: str) -> None:
    root.sh(f"apt-get update\napt-get install -y {packages}\nmkdir -p /opt/npukit\n")
    _run("tar", "-xzf", self.archive, "-C", root.tree / "opt/npukit", "--strip-components=1")

  def ci(self) -> None:
    with self.root() as root:
      run_job(root, self.project(), "ci.yml", self.variables)

  def board(self) -> None:
    with self.root() as root:
      run_job(root, self.project("--board"), "board.yml", self.variables)

  def upstream(self) -> None:
    project = self.project("--upstream")
    workflows = project / ".github/workflows"
    workflows.mkdir(parents=True, exist_ok=True)
    shutil.copy(self.here / "share/npukit/templates/compiler_plugin/.github/workflows/ci.yml", workflows)
    with self.root() as root:
      run_job(root, project, "ci.yml", self.variables)

  def ops(self) -> None:
    with self.root() as root:
      self.install(root, "cmake g++")
      shutil.copytree(self.project("--template", "op_package"), root.tree / "project")
      root.sh("cmake -S . -B build -DCMAKE_PREFIX_PATH=/opt/npukit\ncmake --build build\nctest --test-dir build\n"
              "/opt/npukit/bin/npukit info --op-package-dir build/lib | grep square_root\n", folder=_PROJECT)

  def tutorial(self) -> None:
    scripts = page_commands.commands(_run(self.here / "bin/npukit", "help", "tutorial"))
    with self.root() as root:
      # What the page asks for: npukit, a C++ compiler and CMake.
      self.install(root, "cmake g++")
      (root.tree / "reader").mkdir()
      root.sh("PATH=/opt/npukit/bin:$PATH\n" + "\n".join(scripts), folder="/reader")
    print(f"ok: tutorial, {len(scripts)} scripts", flush=True)


def main() -> int:
  parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
  parser.add_argument("--root", type=pathlib.Path)
  parser.add_argument("--archive", type=pathlib.Path)
  parser.add_argument("--board-archive", type=pathlib.Path)
  whats = ("ci", "upstream", "ops", "tutorial", "board")
  parser.add_argument("what", nargs="*", metavar="WHAT")
  arguments = parser.parse_args()
  if set(arguments.what) - set(whats):
    parser.error(f"WHAT is one of {', '.join(whats)}")
  if os.geteuid() != 0:
    print("skipped: only root may change the root", file=sys.stderr)
    return 77
  archives = sorted((_SOURCE / "build-package/packages").glob("*.tar.gz"))
  archive = arguments.archive or (archives[0] if archives else None)
  if archive is None:
    parser.error("no archive: ./dev package makes one, --archive names another")
  if "board" in arguments.what and arguments.board_archive is None:
    parser.error("board needs --board-archive")
  what = arguments.what or [one for one in whats if one != "board" or arguments.board_archive]

  work = pathlib.Path(tempfile.mkdtemp(prefix="npukit_bare_root."))
  try:
    base = arguments.root
    if base is None:
      base = work / "base"
      _run("debootstrap", "--variant=minbase", "bookworm", base)
    served = work / "served"
    served.mkdir()
    (served / "npukit.tar.gz").symlink_to(archive.resolve())
    if arguments.board_archive:
      (served / "board.tar.gz").symlink_to(arguments.board_archive.resolve())
    with _served(served) as address:
      test = Test(base, work, archive, f"{address}/npukit.tar.gz", f"{address}/board.tar.gz")
      for one in what:
        begin = time.monotonic()
        getattr(test, one)()
        print(f"ok: {one}, {time.monotonic() - begin:.0f} s", flush=True)
  except Failed as failed:
    print(f"FAILED: {failed}", file=sys.stderr)
    return 1
  finally:
    shutil.rmtree(work, ignore_errors=True)
  return 0


if __name__ == "__main__":
  sys.exit(main())
