# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""The pipeline: for each back end of each target all steps, files between them, ValueErrors kept (see aot_types.py)."""

import pathlib
import shutil

from ai_edge_litert.aot.core import aot_types, components
from ai_edge_litert.aot.vendors import import_vendor


class _CopyTransforms(components.MlirTransformsT):

  def __call__(self, input_model, output_model, passes):
    assert passes == []
    shutil.copyfile(input_model.path, output_model.path)


class _NoApply(components.ApplyPluginT):

  def __call__(self, input_model, output_model, soc_manufacturer, soc_model, *args, **kwargs):
    raise AssertionError("LiteRT's own step was called")


def aot_compile(input_model, output_dir, config, in_memory=False):
  """Gives the compiled models with their back ends, and the failed back ends with their errors."""
  output_dir, done, failed = pathlib.Path(output_dir), [], []
  for one in config:
    flat = one.to_dict()
    for backend in import_vendor.import_vendor(flat["backend_id"]).create(flat).specialize():
      model = aot_types.Model.create_from_path(input_model)
      try:
        for step in (_CopyTransforms(), _NoApply()):
          result = aot_types.Model.create_from_path(
              output_dir / f"{pathlib.Path(input_model).stem}{backend.target_id_suffix}_{step.component_name}.tflite")
          if in_memory and isinstance(step, _NoApply):
            model, result = aot_types.Model.create_from_bytes(model.path.read_bytes()), aot_types.Model.create_from_bytes(b"")
          backend.call_component(model, result, step)
          if not result.in_memory and not result.path.is_file():
            raise ValueError(f"{step.component_name} wrote no model")
          model = result
        done.append((backend, model))
      except ValueError as error:
        failed.append((backend, str(error)))
  return done, failed
