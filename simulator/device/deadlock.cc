// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/device/deadlock.h"

#include <fmt/format.h>

#include "simulator/device/counters.h"
#include "simulator/isa/info.h"

namespace acme {

std::string DescribeWaiting(Engine engine, uint32_t pc, Opcode opcode, const Sync& sync,
                            const Semaphores& semaphores, std::string_view handle_name) {
  std::string text = fmt::format("{}: instruction {} ({})", NameOfEngine(static_cast<int>(engine)),
                                 pc, InfoOf(opcode).mnemonic);
  if (!handle_name.empty()) text += fmt::format(" of {}", handle_name);
  for (uint8_t s : sync.wait) {
    if (s != 0) text += fmt::format(" waits for semaphore {} (is {})", s, semaphores.Count(s));
  }
  return text;
}

}  // namespace acme
