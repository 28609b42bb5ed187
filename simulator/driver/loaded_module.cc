// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/loaded_module.h"

namespace acme {

Expected<std::shared_ptr<const LoadedModule>> LoadedModule::Load(
    std::shared_ptr<const Hardware> hardware, std::span<const uint8_t> bytes) {
  auto loaded = std::make_shared<LoadedModule>();
  ACME_ASSIGN_OR_RETURN(loaded->module, ParseModule(bytes));
  const Module& module = loaded->module;
  ACME_ASSIGN_OR_RETURN(loaded->programs, VerifyModule(module, *hardware));
  loaded->hardware = std::move(hardware);
  return std::shared_ptr<const LoadedModule>(std::move(loaded));
}

std::string LoadedModule::HandleName(uint32_t handle) const {
  return handle >= 1 && handle <= module.debug.size() ? module.debug[handle - 1].name
                                                      : std::string();
}

}  // namespace acme
