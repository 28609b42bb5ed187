// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The module's constants: DRAM buffer 0 of all its entry points. Equal bytes are stored once, so
// that partitions that share weights share them here too.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "reference_plugin/compiler/placement/placement.h"

namespace acme::compiler {

class ConstantPool {
 public:
  ConstantPool() = default;
  // What is added on top of another pool, which does not change meanwhile: Append makes it stay there.
  static ConstantPool OnTopOf(const ConstantPool& base);

  // Where the bytes stand, aligned to 64 bytes (a DRAM burst).
  DramPlace Add(std::span<const uint8_t> bytes);
  // What was added on top of this one.
  void Append(ConstantPool additions);
  // Forgets what was added; not what it is on top of.
  void Clear();

  std::vector<uint8_t> Take() { return std::move(bytes_); }
  // With those below.
  int64_t SizeBytes() const { return bytes_.empty() ? base_bytes_ : EndOfOwn(); }

 private:
  struct Stored {
    int64_t offset_bytes;
    size_t size_bytes;
  };

  std::optional<int64_t> Find(size_t hash, std::span<const uint8_t> bytes) const;
  int64_t EndOfOwn() const { return begin_ + static_cast<int64_t>(bytes_.size()); }

  const ConstantPool* base_ = nullptr;
  int64_t base_bytes_ = 0;
  int64_t begin_ = 0;           // where bytes_ stand
  std::vector<uint8_t> bytes_;  // without those of base_
  std::unordered_multimap<size_t, Stored> stored_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_
