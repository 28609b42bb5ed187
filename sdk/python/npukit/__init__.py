# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""npukit from Python: run models, compile them for an NPU, measure, judge a plugin, make models.

  import npukit

  model = npukit.load("model.tflite")
  outputs = model.run({"x": array}, plugin_dir="lib")
  compiled = npukit.apply(model, "compiled.tflite", plugin_dir="lib")
  rows = npukit.bench("compiled.tflite", plugin_dir="lib")
  verdict = npukit.conform("lib", suite="smoke")

Runs are in this process; all else is done by npukit's commands, in processes of their own.
"""

from npukit import _npukit
from npukit.compile import Compiled, apply, explain, info
from npukit.conformance import CaseResult, Conformance, conform
from npukit.errors import CrashError, Error, LoadError, NpukitWarning, RunError, UsageError
from npukit.graph import Graph, build
from npukit.measure import Rows, bench, sweep
from npukit.model import Model, inspect, load
from npukit.session import Placement, Port, Session, run

__version__ = _npukit.version()

__all__ = [
    "CaseResult", "Compiled", "Conformance", "CrashError", "Error", "Graph", "LoadError", "Model", "NpukitWarning", "Placement",
    "Port", "Rows", "RunError", "Session", "UsageError", "apply", "bench", "build", "conform", "explain", "info", "inspect",
    "load", "run", "sweep",
]
