// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement/constant_pool.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {

DramPlace ConstantPool::Add(std::span<const uint8_t> bytes) {
  const size_t hash =
      std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  const auto [begin, end] = stored_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Stored& old = it->second;
    if (old.size_bytes == bytes.size() &&
        std::equal(bytes.begin(), bytes.end(), bytes_.begin() + old.offset_bytes))
      return {kConstantsBinding, old.offset_bytes};
  }
  bytes_.resize(static_cast<size_t>(AlignUp(static_cast<int64_t>(bytes_.size()))));
  const auto offset_bytes = static_cast<int64_t>(bytes_.size());
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  stored_.emplace(hash, Stored{offset_bytes, bytes.size()});
  return {kConstantsBinding, offset_bytes};
}

void ConstantPool::Shrink(int64_t size_bytes) {
  std::erase_if(stored_,
                [&](const auto& entry) { return entry.second.offset_bytes >= size_bytes; });
  bytes_.resize(static_cast<size_t>(size_bytes));
}

}  // namespace acme::compiler
