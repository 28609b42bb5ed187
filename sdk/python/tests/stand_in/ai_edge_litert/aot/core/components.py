# Copyright 2026 The npukit Authors.
# SPDX-License-Identifier: Apache-2.0
"""The steps of LiteRT's pipeline as vendors meet them (see aot_types.py)."""

import abc


class AieQuantizerT(abc.ABC):
  component_name = "aie_quantizer"

  @abc.abstractmethod
  def __call__(self, input_model, output_model, quantization_recipe=None, *args, **kwargs):
    ...


class ApplyPluginT(abc.ABC):
  component_name = "apply_plugin"

  @abc.abstractmethod
  def __call__(self, input_model, output_model, soc_manufacturer, soc_model, *args, **kwargs):
    ...


class MlirTransformsT(abc.ABC):
  component_name = "mlir_transforms"

  @abc.abstractmethod
  def __call__(self, input_model, output_model, *args, **kwargs):
    ...
