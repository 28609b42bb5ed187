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

ConstantPool::Additions ConstantPool::Cut(int64_t size_bytes) {
  Additions cut;
  for (auto it = stored_.begin(); it != stored_.end();) {
    const auto entry = it++;
    if (entry->second.offset_bytes >= size_bytes) cut.stored.insert(stored_.extract(entry));
  }
  cut.bytes.assign(bytes_.begin() + size_bytes, bytes_.end());
  bytes_.resize(static_cast<size_t>(size_bytes));
  return cut;
}

void ConstantPool::Restore(Additions additions) {
  bytes_.insert(bytes_.end(), additions.bytes.begin(), additions.bytes.end());
  stored_.merge(additions.stored);
}

}  // namespace acme::compiler
