// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a report of a deadlock says about one engine.

#ifndef NPUKIT_SIMULATOR_DEVICE_DEADLOCK_H_
#define NPUKIT_SIMULATOR_DEVICE_DEADLOCK_H_

#include <cstdint>
#include <string>
#include <string_view>

#include "simulator/device/semaphores.h"
#include "simulator/isa/instruction.h"

namespace acme {

// "vector: instruction 7 (v.drain) of conv_1 waits for semaphore 3 (is 0)". An empty handle name
// is left out.
std::string DescribeWaiting(Engine engine, uint32_t pc, Opcode opcode, const Sync& sync,
                            const Semaphores& semaphores, std::string_view handle_name);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_DEADLOCK_H_
