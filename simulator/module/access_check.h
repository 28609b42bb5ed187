// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Whether what an instruction touches is there.

#ifndef NPUKIT_SIMULATOR_MODULE_ACCESS_CHECK_H_
#define NPUKIT_SIMULATOR_MODULE_ACCESS_CHECK_H_

#include <optional>
#include <span>
#include <string>

#include "simulator/hw/hardware.h"
#include "simulator/isa/footprint.h"
#include "simulator/module/verify.h"

namespace acme {

// nullopt: fine. Otherwise why an instruction is refused.
using Refusal = std::optional<std::string>;

Refusal CheckAccess(const Access& access, const Hardware& hardware,
                    std::span<const BufferLimits> buffers);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_MODULE_ACCESS_CHECK_H_
