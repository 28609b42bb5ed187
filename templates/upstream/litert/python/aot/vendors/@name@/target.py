"""What @Name@'s plugin compiles for."""

import sys

from litert.python.aot.core import aot_types

if sys.version_info >= (3, 11):
  from enum import StrEnum  # pylint: disable=g-importing-member,g-import-not-at-top
else:
  from backports.strenum import StrEnum  # pylint: disable=g-importing-member,g-import-not-at-top

BACKEND_ID = "@name@"


class SocModel(StrEnum):
  """SoC models, by the names that the plugin lists."""

  ALL = "ALL"
@SOCS@


class SocManufacturer(StrEnum):
  """The manufacturer, by the name that the plugin gives."""

  @NAME@ = "@Name@"


class Target(aot_types.Target):
  """One SoC model of @Name@'s."""

  def __init__(self, soc_model, soc_manufacturer=SocManufacturer.@NAME@):
    self.soc_model = SocModel(soc_model)
    self.soc_manufacturer = SocManufacturer(soc_manufacturer)

  @classmethod
  def backend_id(cls):
    return BACKEND_ID

  def _key(self):
    return (self.soc_manufacturer.value, self.soc_model.value)

  def __hash__(self):
    return hash(self._key())

  def __eq__(self, other):
    return isinstance(other, Target) and self._key() == other._key()

  def __repr__(self):
    return "_".join(self._key())

  def flatten(self):
    flat = super().flatten()
    flat["soc_manufacturer"], flat["soc_model"] = self._key()
    return flat
