// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the C handles hold, and how the C face fails: shared by its source files.

#ifndef NPUKIT_SIMULATOR_DRIVER_DRIVER_OBJECTS_H_
#define NPUKIT_SIMULATOR_DRIVER_DRIVER_OBJECTS_H_

#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "simulator/driver/acme_driver.h"
#include "simulator/driver/execution_context.h"
#include "simulator/driver/loaded_module.h"

struct AcmeDevice {
  explicit AcmeDevice(std::shared_ptr<const acme::Hardware> described)
      : hardware(std::move(described)), modules(hardware) {}
  std::shared_ptr<const acme::Hardware> hardware;
  acme::LoadedModules modules;
};

struct AcmeModule {
  std::shared_ptr<const acme::LoadedModule> loaded;
};

struct AcmeContext {
  AcmeContext(std::shared_ptr<const acme::LoadedModule> module, size_t entry)
      : context(std::move(module), entry) {}
  acme::ExecutionContext context;
  std::vector<AcmeHandleProfile> profile;
};

struct AcmeFence {
  std::shared_ptr<acme::RunOutcome> outcome;
};

namespace acme::driver {

// Keeps the message for AcmeLastError of this thread and returns the status.
AcmeStatus Fail(AcmeStatus status, std::string message);
AcmeStatus Fail(const Error& error);

// Runs a call that may allocate; no exception leaves the library.
template <class F>
AcmeStatus Guarded(F&& call) {
  try {
    return call();
  } catch (const std::exception& e) {
    return Fail(kAcmeInvalidArgument, std::string("out of resources: ") + e.what());
  }
}

}  // namespace acme::driver

#endif  // NPUKIT_SIMULATOR_DRIVER_DRIVER_OBJECTS_H_
