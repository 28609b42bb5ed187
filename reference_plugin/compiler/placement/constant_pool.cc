// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement/constant_pool.h"

#include <algorithm>
#include <functional>
#include <string_view>

#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {

ConstantPool ConstantPool::OnTopOf(const ConstantPool& base) {
  ConstantPool pool;
  pool.base_ = &base;
  pool.base_bytes_ = base.SizeBytes();
  pool.begin_ = AlignUp(pool.base_bytes_);
  return pool;
}

std::optional<int64_t> ConstantPool::Find(size_t hash, std::span<const uint8_t> bytes) const {
  const auto [begin, end] = stored_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Stored& old = it->second;
    if (old.size_bytes == bytes.size() &&
        std::equal(bytes.begin(), bytes.end(), bytes_.begin() + (old.offset_bytes - begin_)))
      return old.offset_bytes;
  }
  return base_ != nullptr ? base_->Find(hash, bytes) : std::nullopt;
}

DramPlace ConstantPool::Add(std::span<const uint8_t> bytes) {
  const size_t hash =
      std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
  if (const std::optional<int64_t> offset_bytes = Find(hash, bytes))
    return {kConstantsBinding, *offset_bytes};
  bytes_.resize(static_cast<size_t>(AlignUp(static_cast<int64_t>(bytes_.size()))));
  const int64_t offset_bytes = EndOfOwn();
  bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  stored_.emplace(hash, Stored{offset_bytes, bytes.size()});
  return {kConstantsBinding, offset_bytes};
}

void ConstantPool::Append(ConstantPool additions) {
  if (additions.bytes_.empty()) return;
  bytes_.resize(static_cast<size_t>(additions.begin_ - begin_));
  bytes_.insert(bytes_.end(), additions.bytes_.begin(), additions.bytes_.end());
  stored_.merge(additions.stored_);
}

void ConstantPool::Clear() {
  bytes_.clear();
  stored_.clear();
}

}  // namespace acme::compiler
