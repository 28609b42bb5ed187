#!/usr/bin/env python3
# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""What Debian wants in each package: write_debian_files.py SOURCE_DIR SBOM_DIR VERSION OUTPUT_DIR.

Writes copyright (npukit's licence and those of what is linked in) and changelog.gz, dated by SOURCE_DATE_EPOCH.
"""

import email.utils
import gzip
import os
import pathlib
import sys

_MAINTAINER = "The npukit Authors <npukit@users.noreply.github.com>"


def main() -> int:
  source, sbom, version, output = (pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3], pathlib.Path(sys.argv[4]))
  output.mkdir(parents=True, exist_ok=True)
  text = ("Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: npukit\n\n"
          "Files: *\nCopyright: 2026 The npukit Authors\nLicense: Apache-2.0\n On Debian systems the full text is in\n"
          " /usr/share/common-licenses/Apache-2.0.\n\nComment:\n The binaries hold what follows of other projects.\n")
  for licence in sorted((sbom / "licences").glob("*.txt")):
    text += f"\n==== {licence.stem} ====\n\n" + licence.read_text(encoding="utf-8", errors="replace").strip() + "\n"
  (output / "copyright").write_text(text, encoding="utf-8")
  date = email.utils.formatdate(int(os.environ.get("SOURCE_DATE_EPOCH", "0")))
  changelog = (f"npukit ({version}) unstable; urgency=medium\n\n  * Release {version}; its changes are in\n"
               f"    /usr/share/npukit/docs/CHANGELOG.md of npukit-doc.\n\n -- {_MAINTAINER}  {date}\n")
  with open(output / "changelog.gz", "wb") as file, gzip.GzipFile(filename="", mode="wb", compresslevel=9, fileobj=file, mtime=0) as out:
    out.write(changelog.encode())
  return 0


if __name__ == "__main__":
  sys.exit(main())
