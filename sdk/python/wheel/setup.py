# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""The package has a compiled module, so that its wheel is of one Python and one machine."""

import pathlib

import setuptools


class _Binary(setuptools.Distribution):

  def has_ext_modules(self) -> bool:
    return True


_FILES = sorted(str(path.relative_to("npukit")) for path in pathlib.Path("npukit").rglob("*") if path.is_file() and path.suffix != ".py")

setuptools.setup(packages=["npukit"], package_data={"npukit": _FILES}, distclass=_Binary, zip_safe=False)
