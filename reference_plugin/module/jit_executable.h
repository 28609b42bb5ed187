// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What AcmeCorp's compiler plugin hands to its dispatch library in one process: a module, without a
// way through the host's copies of bytecode. Plain data, since the two libraries may be of
// different builds.

#ifndef NPUKIT_REFERENCE_PLUGIN_MODULE_JIT_EXECUTABLE_H_
#define NPUKIT_REFERENCE_PLUGIN_MODULE_JIT_EXECUTABLE_H_

#include <cstddef>
#include <cstdint>

namespace acme {

struct JitExecutable {
  static constexpr uint64_t kMagic = 0x31544a454d4341;  // "ACMEJT1"

  uint64_t magic = kMagic;
  const uint8_t* module = nullptr;
  size_t module_bytes = 0;
};

}  // namespace acme

#endif  // NPUKIT_REFERENCE_PLUGIN_MODULE_JIT_EXECUTABLE_H_
