// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the driver's own copies cost.

#ifndef NPUKIT_SIMULATOR_DEVICE_DRIVER_COPY_H_
#define NPUKIT_SIMULATOR_DEVICE_DRIVER_COPY_H_

#include <cstdint>

#include "simulator/hw/hardware.h"

namespace acme {

// Cycles of a copy of so many bytes from DRAM to DRAM, before a program begins: 0 of none.
int64_t DriverCopyCycles(int64_t bytes, const Hardware& hardware);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_DRIVER_COPY_H_
