// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Owners of the driver's objects, and its errors as LiteRT's.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_DRIVER_HANDLE_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_DRIVER_HANDLE_H_

#include <memory>
#include <string>

#include "litert/cc/litert_expected.h"
#include "simulator/driver/acme_driver.h"

namespace acme::dispatch {

template <auto Release>
struct DriverDeleter {
  template <class T>
  void operator()(T* object) const {
    Release(object);
  }
};

using DeviceHandle = std::shared_ptr<AcmeDevice>;
using ModuleHandle = std::unique_ptr<AcmeModule, DriverDeleter<AcmeModuleUnload>>;
using ContextHandle = std::unique_ptr<AcmeContext, DriverDeleter<AcmeContextDestroy>>;

// kAcmeIncompatible is kErrorIncompatibleByteCodeVersion, kAcmeInvalidProgram kErrorInvalidArgument
// and so on; the message is the driver's.
litert::Unexpected DriverError(AcmeStatus status, const std::string& what);

// Nothing if the status is OK.
litert::Expected<void> CheckDriver(AcmeStatus status, const std::string& what);

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_DRIVER_HANDLE_H_
