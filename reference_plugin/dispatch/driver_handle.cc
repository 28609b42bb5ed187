// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/driver_handle.h"

namespace acme::dispatch {
namespace {

litert::Status StatusOf(AcmeStatus status) {
  switch (status) {
    case kAcmeOk:
      return litert::Status::kOk;
    case kAcmeInvalidArgument:
    case kAcmeInvalidProgram:
      return litert::Status::kErrorInvalidArgument;
    case kAcmeIncompatible:
      return litert::Status::kErrorIncompatibleByteCodeVersion;
    case kAcmeNotFound:
      return litert::Status::kErrorNotFound;
    case kAcmeCancelled:
      return litert::Status::kCancelled;
    case kAcmeIo:
      return litert::Status::kErrorFileIO;
    case kAcmeTimeout:
      return litert::Status::kErrorTimeoutExpired;
    default:
      return litert::Status::kErrorRuntimeFailure;
  }
}

}  // namespace

litert::Unexpected DriverError(AcmeStatus status, const std::string& what) {
  return litert::Unexpected(StatusOf(status),
                            what + ": " + AcmeLastError() + " (" + AcmeStatusName(status) + ")");
}

litert::Expected<void> CheckDriver(AcmeStatus status, const std::string& what) {
  if (status == kAcmeOk) return {};
  return DriverError(status, what);
}

}  // namespace acme::dispatch
