// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/driver/loaded_module.h"

#include <utility>

namespace acme {

Expected<std::shared_ptr<const LoadedModule>> LoadedModule::Load(
    std::shared_ptr<const Hardware> hardware, std::span<const uint8_t> bytes) {
  ACME_ASSIGN_OR_RETURN(Module parsed, ParseModule(bytes));
  return Verify(std::move(hardware), std::move(parsed));
}

Expected<std::shared_ptr<const LoadedModule>> LoadedModule::Verify(
    std::shared_ptr<const Hardware> hardware, Module parsed) {
  auto loaded = std::make_shared<LoadedModule>();
  loaded->module = std::move(parsed);
  ACME_ASSIGN_OR_RETURN(loaded->programs, VerifyModule(loaded->module, *hardware));
  loaded->hardware = std::move(hardware);
  return std::shared_ptr<const LoadedModule>(std::move(loaded));
}

LoadedModules::Modules LoadedModules::InUse() {
  const std::lock_guard lock(mutex_);
  Modules in_use;
  for (const auto& module : modules_) {
    if (auto held = module.lock()) in_use.push_back(std::move(held));
  }
  std::erase_if(modules_, [](const auto& module) { return module.expired(); });
  return in_use;
}

Expected<std::shared_ptr<const LoadedModule>> LoadedModules::Load(std::span<const uint8_t> bytes) {
  ACME_ASSIGN_OR_RETURN(Module parsed, ParseModuleInPlace({.bytes = bytes}));
  for (std::shared_ptr<const LoadedModule>& module : InUse()) {
    if (module->module == parsed) return std::move(module);
  }
  parsed.constants = parsed.constants.Kept();
  // Two threads may both come here with the same module, and each has its own.
  ACME_ASSIGN_OR_RETURN(auto loaded, LoadedModule::Verify(hardware_, std::move(parsed)));
  const std::lock_guard lock(mutex_);
  modules_.push_back(loaded);
  return loaded;
}

std::string LoadedModule::HandleName(uint32_t handle) const {
  return handle >= 1 && handle <= module.debug.size() ? module.debug[handle - 1].name
                                                      : std::string();
}

}  // namespace acme
