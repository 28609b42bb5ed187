// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "npukit/extensions/reseal.h"

#include "simulator/driver/acme_driver.h"

extern "C" LiteRtStatus NpukitDispatchReseal(void* bytes, size_t size_bytes) {
  return AcmeModuleReseal(bytes, size_bytes) == kAcmeOk ? kLiteRtStatusOk
                                                        : kLiteRtStatusErrorInvalidArgument;
}
