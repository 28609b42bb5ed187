// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The module's constants: DRAM buffer 0 of all its entry points. Equal bytes are stored once, so
// that partitions that share weights share them here too.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_CONSTANT_POOL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_CONSTANT_POOL_H_

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/placement.h"

namespace acme::compiler {

class ConstantPool {
 public:
  // Where the bytes stand, aligned to 64 bytes (a DRAM burst).
  DramPlace Add(std::span<const uint8_t> bytes);

  // Forgets what was added since the pool had that size.
  void Shrink(int64_t size_bytes);

  std::vector<uint8_t> Take() { return std::move(bytes_); }
  int64_t SizeBytes() const { return static_cast<int64_t>(bytes_.size()); }

 private:
  std::vector<uint8_t> bytes_;
  std::unordered_map<std::string, int64_t> offsets_;  // by content
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_CONSTANT_POOL_H_
