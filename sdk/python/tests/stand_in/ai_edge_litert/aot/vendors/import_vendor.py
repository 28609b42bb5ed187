# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""The registry of back ends as vendors meet it (see aot_types.py)."""

_BACKENDS = {}


def register_backend(backend_class):
  _BACKENDS[backend_class.id()] = backend_class
  return backend_class


def import_vendor(backend_id):
  if backend_id not in _BACKENDS:
    raise ValueError(f"no back end {backend_id}")
  return _BACKENDS[backend_id]
