// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The module's constants: DRAM buffer 0 of all its entry points. Equal bytes are stored once, so
// that partitions that share weights share them here too.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "reference_plugin/compiler/placement/placement.h"

namespace acme::compiler {

class ConstantPool {
 public:
  ConstantPool() = default;
  // What is added on top of another pool, which does not change meanwhile: Append makes it stay there.
  static ConstantPool OnTopOf(const ConstantPool& base);

  // Where the bytes stand, aligned to 64 bytes (a DRAM burst). New ones are copied.
  DramPlace Add(std::span<const uint8_t> bytes);
  // The same of bytes that stay where they are: the owner keeps them, or without one they outlive the pool.
  DramPlace Share(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner);
  // What was added on top of this one.
  void Append(ConstantPool additions);
  // Forgets what was added; not what it is on top of.
  void Clear();

  // All bytes, one after the other. The pool is empty then.
  std::vector<uint8_t> Take();
  // With those below.
  int64_t SizeBytes() const { return end_; }

  // What was made of constants for an earlier program, if a pool still shares part of it as its owner; else null. Pools on
  // top of one another remember in common.
  std::shared_ptr<const void> Recall(const std::string& key) const;
  void Remember(const std::string& key, const std::shared_ptr<const void>& made);

 private:
  struct Stored {
    int64_t offset_bytes;
    std::span<const uint8_t> bytes;
    std::shared_ptr<const void> owner;
  };
  using Memory = std::map<std::string, std::weak_ptr<const void>>;

  std::optional<int64_t> Find(size_t hash, std::span<const uint8_t> bytes) const;
  DramPlace Store(size_t hash, std::span<const uint8_t> bytes, std::shared_ptr<const void> owner);

  const ConstantPool* base_ = nullptr;
  int64_t end_ = 0;             // of all bytes, base_'s as well
  std::vector<Stored> stored_;  // without those of base_, in their order
  std::unordered_multimap<size_t, size_t> by_hash_;
  std::shared_ptr<Memory> memory_ = std::make_shared<Memory>();
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_CONSTANT_POOL_H_
