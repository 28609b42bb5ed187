"""@Name@'s back end of the ahead-of-time compiler."""

import pathlib

from litert.python.aot.core import aot_types
from litert.python.aot.core import common
from litert.python.aot.core import components
from litert.python.aot.vendors import import_vendor
from litert.python.aot.vendors.@name@ import target as target_lib

_PLUGIN = pathlib.Path("vendors/@name@/compiler/libLiteRtCompilerPlugin_@Name@.so")


@import_vendor.register_backend
class @Name@Backend(aot_types.Backend):
  """Compiles for one SoC model, or, where none is named, stands for all of them."""

  @classmethod
  def id(cls):
    return target_lib.BACKEND_ID

  @classmethod
  def create(cls, config):
    found = config.get("backend_id", "")
    if found != cls.id():
      raise ValueError(f"backend '{found}', expected '{cls.id()}'")
    return cls(config)

  @property
  def soc_manufacturer(self):
    return target_lib.SocManufacturer.@NAME@

  @property
  def soc_model(self):
    return target_lib.SocModel(self.config.get("soc_model", "ALL"))

  @property
  def target(self):
    return target_lib.Target(self.soc_model, self.soc_manufacturer)

  @property
  def target_id(self):
    return repr(self.target)

  @property
  def quantize_recipe(self):
    return self.config.get("quantize_recipe", None)

  def specialize(self):
    models = [self.soc_model]
    if self.soc_model == target_lib.SocModel.ALL:
      models = [model for model in target_lib.SocModel if model != target_lib.SocModel.ALL]
    for model in models:
      yield self.create({**self.config, "soc_model": model.value})

  def call_component(self, input_model, output_model, component):
    if isinstance(component, components.ApplyPluginT):
      try:
        places = {"libs": str(pathlib.Path(common.get_resource(_PLUGIN)).parent)}
      except FileNotFoundError:  # Built from source: where the component looks by itself.
        places = {}
      return component(input_model, output_model, self.soc_manufacturer, self.soc_model, **places)
    if isinstance(component, components.AieQuantizerT):
      return component(input_model, output_model, quantization_recipe=self.quantize_recipe)
    if isinstance(component, components.MlirTransformsT):
      return component(input_model, output_model, [])
    raise NotImplementedError(f"{self.id()} has no use for {component.component_name}")
