// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Chips like another with twice as much of one thing, for those who ask what would help a program.

#ifndef NPUKIT_SIMULATOR_HW_DOUBLED_HARDWARE_H_
#define NPUKIT_SIMULATOR_HW_DOUBLED_HARDWARE_H_

#include <span>
#include <string>
#include <string_view>

#include "simulator/hw/hardware.h"
#include "simulator/isa/expected.h"

namespace acme {

// "array" (columns, so multiply-accumulates a cycle), "vector" (lanes), "bandwidth" (DRAM bytes a
// cycle), "scratchpad" (bytes).
std::span<const std::string_view> DoubledResources();

// Its name tells what was doubled. Errors: kNotFound for an unknown resource; kInvalidArgument where
// the limits of hardware_fields.def allow no twice as much.
Expected<Hardware> Doubled(const Hardware& hardware, std::string_view resource);

// A description that ParseHardware reads back, without a base.
std::string HardwareYaml(const Hardware& hardware);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_HW_DOUBLED_HARDWARE_H_
