// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/placement/constant_pool.h"

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "reference_plugin/compiler/placement/alignment.h"

namespace acme::compiler {
namespace {

size_t HashOf(std::span<const uint8_t> bytes) {
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

bool AreEqual(std::span<const uint8_t> a, std::span<const uint8_t> b) {
  return a.size() == b.size() && (a.data() == b.data() || std::ranges::equal(a, b));
}

}  // namespace

ConstantPool ConstantPool::OnTopOf(const ConstantPool& base) {
  ConstantPool pool;
  pool.base_ = &base;
  pool.end_ = base.end_;
  pool.memory_ = base.memory_;
  return pool;
}

std::optional<int64_t> ConstantPool::Find(size_t hash, std::span<const uint8_t> bytes) const {
  const auto [begin, end] = by_hash_.equal_range(hash);
  for (auto it = begin; it != end; ++it) {
    const Stored& old = stored_[it->second];
    if (AreEqual(old.bytes, bytes)) return old.offset_bytes;
  }
  return base_ != nullptr ? base_->Find(hash, bytes) : std::nullopt;
}

DramPlace ConstantPool::Store(size_t hash, std::span<const uint8_t> bytes,
                              std::shared_ptr<const void> owner) {
  const int64_t offset_bytes = AlignUp(end_);
  by_hash_.emplace(hash, stored_.size());
  stored_.push_back({offset_bytes, bytes, std::move(owner)});
  end_ = offset_bytes + static_cast<int64_t>(bytes.size());
  return {kConstantsBinding, offset_bytes};
}

DramPlace ConstantPool::Add(std::span<const uint8_t> bytes) {
  const size_t hash = HashOf(bytes);
  if (const auto offset_bytes = Find(hash, bytes)) return {kConstantsBinding, *offset_bytes};
  const auto copy = std::make_shared<const std::vector<uint8_t>>(bytes.begin(), bytes.end());
  return Store(hash, *copy, copy);
}

DramPlace ConstantPool::Share(std::span<const uint8_t> bytes, std::shared_ptr<const void> owner) {
  const size_t hash = HashOf(bytes);
  if (const auto offset_bytes = Find(hash, bytes)) return {kConstantsBinding, *offset_bytes};
  return Store(hash, bytes, std::move(owner));
}

void ConstantPool::Append(ConstantPool additions) {
  const size_t before = stored_.size();
  for (const auto& [hash, index] : additions.by_hash_) by_hash_.emplace(hash, before + index);
  std::ranges::move(additions.stored_, std::back_inserter(stored_));
  end_ = additions.end_;
}

void ConstantPool::Clear() {
  stored_.clear();
  by_hash_.clear();
  end_ = base_ != nullptr ? base_->end_ : 0;
}

std::vector<uint8_t> ConstantPool::Take() {
  std::vector<uint8_t> bytes;
  bytes.reserve(static_cast<size_t>(end_));
  for (Stored& stored : stored_) {
    bytes.resize(static_cast<size_t>(stored.offset_bytes));
    bytes.insert(bytes.end(), stored.bytes.begin(), stored.bytes.end());
    stored.owner.reset();  // what is no longer needed makes room for the rest
  }
  Clear();
  return bytes;
}

std::shared_ptr<const void> ConstantPool::Recall(const std::string& key) const {
  const auto found = memory_->find(key);
  return found == memory_->end() ? nullptr : found->second.lock();
}

void ConstantPool::Remember(const std::string& key, const std::shared_ptr<const void>& made) {
  (*memory_)[key] = made;
}

}  // namespace acme::compiler
