// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// C++ side of the driver: what the C handles point to.

#ifndef NPUKIT_SIMULATOR_DRIVER_LOADED_MODULE_H_
#define NPUKIT_SIMULATOR_DRIVER_LOADED_MODULE_H_

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"
#include "simulator/isa/sequencer.h"
#include "simulator/module/module.h"
#include "simulator/module/verify.h"

namespace acme {

// A module that passed the verifier; immutable, shared by contexts and threads.
struct LoadedModule {
  std::shared_ptr<const Hardware> hardware;
  Module module;
  std::vector<EntryPrograms> programs;  // by entry

  // Parses, checks that the module is for this hardware, verifies every program.
  static Expected<std::shared_ptr<const LoadedModule>> Load(
      std::shared_ptr<const Hardware> hardware, std::span<const uint8_t> bytes);
  static Expected<std::shared_ptr<const LoadedModule>> Verify(
      std::shared_ptr<const Hardware> hardware, Module parsed);

  // The name of a debug handle; "" when it has none.
  std::string HandleName(uint32_t handle) const;
};

// A device's modules that are in use. One that is loaded again meanwhile, as each partition of a model does, is the same
// object: one copy of the constants, verified once. Any thread.
class LoadedModules {
 public:
  explicit LoadedModules(std::shared_ptr<const Hardware> hardware)
      : hardware_(std::move(hardware)) {}

  // As LoadedModule::Load. Modules are the same where all that they hold is.
  Expected<std::shared_ptr<const LoadedModule>> Load(std::span<const uint8_t> bytes);

 private:
  using Modules = std::vector<std::shared_ptr<const LoadedModule>>;
  Modules InUse();

  std::shared_ptr<const Hardware> hardware_;
  std::mutex mutex_;
  std::vector<std::weak_ptr<const LoadedModule>> modules_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DRIVER_LOADED_MODULE_H_
