// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The module's constants: DRAM buffer 0 of all its entry points. Equal bytes are stored once, so
// that partitions that share weights share them here too.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_

#include <cstdint>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/placement/placement.h"

namespace acme::compiler {

class ConstantPool {
 public:
  // Where the bytes stand, aligned to 64 bytes (a DRAM burst).
  DramPlace Add(std::span<const uint8_t> bytes);

  // What was added since the pool had some size.
  struct Additions;
  // Takes it out; may be dropped.
  Additions Cut(int64_t size_bytes);
  // Puts back what was cut when the pool had its present size.
  void Restore(Additions additions);

  std::vector<uint8_t> Take() { return std::move(bytes_); }
  int64_t SizeBytes() const { return static_cast<int64_t>(bytes_.size()); }

 private:
  struct Stored {
    int64_t offset_bytes;
    size_t size_bytes;
  };
  using StoredByHash = std::unordered_multimap<size_t, Stored>;

  std::vector<uint8_t> bytes_;
  StoredByHash stored_;
};

struct ConstantPool::Additions {
  std::vector<uint8_t> bytes;
  StoredByHash stored;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_
