// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The driver's header is C11, and its functions link from C.

#include "simulator/driver/acme_driver.h"

int AcmeCompileTestOpenAndClose(void) {
  AcmeDevice* device = NULL;
  AcmeStatus status = AcmeDeviceOpen(NULL, &device);
  AcmeDeviceClose(device);
  return (int)status;
}
