// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/constant_pool.h"

namespace acme::compiler {

DramPlace ConstantPool::Add(std::span<const uint8_t> bytes) {
  constexpr size_t kAlignBytes = 64;
  std::string key(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const auto [it, inserted] = offsets_.try_emplace(std::move(key), 0);
  if (inserted) {
    bytes_.resize((bytes_.size() + kAlignBytes - 1) / kAlignBytes * kAlignBytes);
    it->second = static_cast<int64_t>(bytes_.size());
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  return {kConstantsBinding, it->second};
}

void ConstantPool::Shrink(int64_t size_bytes) {
  std::erase_if(offsets_, [&](const auto& entry) { return entry.second >= size_bytes; });
  bytes_.resize(static_cast<size_t>(size_bytes));
}

}  // namespace acme::compiler
