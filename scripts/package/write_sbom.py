#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What is in npukit's binaries besides npukit: write_sbom.py BUILD_DIR VERSION OUTPUT_DIR.

Asks the build (ninja's dependencies and link lines of all that is installed) which headers and archives outside of the project went
in, and Debian which packages they are of. Writes npukit.spdx.json (SPDX 2.3), and in licences/ each package's copyright file. A package
whose licence is not in the table below is an error: somebody has to read it first.
"""

import datetime
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import uuid

# By source package. What no binary keeps a byte of is left out: generators, and headers of the C library.
_LICENCES = {
    "cli11": "BSD-3-Clause",
    "eigen3": "MPL-2.0",
    "flatbuffers": "Apache-2.0",
    "fmtlib": "MIT",
    "gcc-12": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libjpeg-turbo": "IJG AND BSD-3-Clause AND Zlib",
    "libpng1.6": "libpng-2.0",
    "nlohmann-json3": "MIT",
    "numpy": "BSD-3-Clause",
    "pybind11": "BSD-3-Clause",
    "python3.11": "PSF-2.0",
    "re2": "BSD-3-Clause",
    "yaml-cpp": "MIT",
    "zlib": "Zlib",
}
# Debian's cross compilers are built from sources of their own, of the same origin.
_SAME_AS = {"gcc-12-cross": "gcc-12", "cross-toolchain-base": "glibc"}
_NOT_IN_BINARIES = frozenset({"glibc", "linux", "googletest", "benchmark", "numpy", "python3.11"})


def _run(*command: str, cwd: pathlib.Path | None = None) -> str:
  return subprocess.run(command, cwd=cwd, check=True, text=True, stdout=subprocess.PIPE).stdout


def _outside_files(build: pathlib.Path) -> set[str]:
  """Headers and archives of the system that compiling and linking what is installed has read."""
  commands = _run("ninja", "-t", "commands", "npukit_installable", cwd=build)
  objects = set(re.findall(r" -o (\S+\.o)\b", commands))
  files = {os.path.realpath(path) for path in re.findall(r"(/usr/\S+\.a)\b", commands)}
  current = False
  for line in _run("ninja", "-t", "deps", cwd=build).splitlines():
    if line and not line.startswith(" "):
      current = line.split(":", 1)[0] in objects
    elif current and line.strip().startswith("/usr/"):
      files.add(os.path.realpath(line.strip()))
  # Precompiled headers come as one file.
  if not files:
    sys.exit("error: ninja knows no dependencies; build npukit_installable first")
  return files


def _packages(files: set[str]) -> dict[str, tuple[str, str]]:
  """Source package -> (a binary package of it, its version)."""
  owners: set[str] = set()
  names = sorted(files)
  for begin in range(0, len(names), 500):
    done = subprocess.run(["dpkg-query", "-S", *names[begin:begin + 500]], check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE)
    owners.update(line.split(": ", 1)[0].split(", ")[0] for line in done.stdout.splitlines() if ": /" in line)
  sources = {}
  for owner in sorted(owners):
    source, version = _run("dpkg-query", "-W", "-f", "${source:Package}\t${source:Version}", owner).split("\t")
    source = _SAME_AS.get(source, source)
    if source not in _NOT_IN_BINARIES:
      sources.setdefault(source, (owner, version))
  return sources


def _spdx(version: str, sources: dict[str, tuple[str, str]]) -> dict:
  epoch = int(os.environ.get("SOURCE_DATE_EPOCH", "0"))
  created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")

  def package(name: str, identifier: str, of: str, licence: str, place: str) -> dict:
    return {"name": name, "SPDXID": identifier, "versionInfo": of, "downloadLocation": place, "filesAnalyzed": False,
            "licenseConcluded": licence, "licenseDeclared": licence, "copyrightText": "NOASSERTION"}

  packages = [package("npukit", "SPDXRef-npukit", version, "Apache-2.0", "NOASSERTION")]
  relations = [{"spdxElementId": "SPDXRef-DOCUMENT", "relatedSpdxElement": "SPDXRef-npukit", "relationshipType": "DESCRIBES"}]
  for source, (_, of) in sorted(sources.items()):
    identifier = "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", source)
    entry = package(source, identifier, of, _LICENCES[source], f"https://tracker.debian.org/pkg/{source}")
    entry["externalRefs"] = [{"referenceCategory": "PACKAGE-MANAGER", "referenceType": "purl",
                              "referenceLocator": f"pkg:deb/debian/{source}@{of}?distro=debian-12"}]
    packages.append(entry)
    relations.append({"spdxElementId": "SPDXRef-npukit", "relatedSpdxElement": identifier, "relationshipType": "STATIC_LINK"})
  identity = uuid.uuid5(uuid.NAMESPACE_URL, json.dumps([version, sorted(sources.items()), epoch]))
  return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"npukit-{version}",
          "documentNamespace": f"https://npukit.invalid/spdx/{identity}",
          "creationInfo": {"created": created, "creators": ["Organization: The npukit Authors", "Tool: write_sbom.py"]},
          "packages": packages, "relationships": relations}


def main() -> int:
  build, version, output = pathlib.Path(sys.argv[1]), sys.argv[2], pathlib.Path(sys.argv[3])
  sources = _packages(_outside_files(build))
  unknown = sorted(set(sources) - set(_LICENCES))
  if unknown:
    print(f"error: licences of {', '.join(unknown)} are not in {__file__}", file=sys.stderr)
    return 1
  shutil.rmtree(output, ignore_errors=True)
  (output / "licences").mkdir(parents=True)
  (output / "npukit.spdx.json").write_text(json.dumps(_spdx(version, sources), indent=2) + "\n", encoding="utf-8")
  for source, (owner, _) in sources.items():
    copyright_file = pathlib.Path("/usr/share/doc") / owner.split(":")[0] / "copyright"
    shutil.copyfile(copyright_file, output / "licences" / f"{source}.txt")
  print(f"linked in: {', '.join(sorted(sources))}")
  return 0


if __name__ == "__main__":
  sys.exit(main())
