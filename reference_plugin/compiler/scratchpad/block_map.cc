// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/scratchpad/block_map.h"

#include <algorithm>

namespace acme::compiler {
namespace {

bool Below(const BlockMap::Block& a, const BlockMap::Block& b) { return a.begin < b.begin; }

}  // namespace

BlockMap::BlockMap(int64_t limit_bytes, int64_t num_positions)
    : limit_bytes_(limit_bytes),
      spans_(static_cast<size_t>((std::max<int64_t>(num_positions, 1) - 1) >> kSpanShift) + 1) {}

size_t BlockMap::SpanOf(int64_t position) const {
  return std::min(static_cast<size_t>(position >> kSpanShift), spans_.size() - 1);
}

std::optional<int64_t> BlockMap::Find(int64_t bytes, int64_t first, int64_t last,
                                      int64_t low) const {
  const size_t begin_span = SpanOf(first);
  const size_t end_span = SpanOf(last);
  const auto is_in_the_way = [&](const Block& block) {
    return first <= block.last && block.first <= last && low < block.end;
  };
  int64_t at = low;
  // In order of their addresses; false: there is room before this one.
  const auto pass = [&](int64_t begin, int64_t end) {
    if (at + bytes <= begin) return false;
    at = std::max(at, end);
    return true;
  };
  if (begin_span == end_span) {
    for (const Block& block : spans_[begin_span].alive) {
      if (is_in_the_way(block) && !pass(block.begin, block.end)) break;
    }
  } else {
    found_.clear();
    const auto take = [&](const Block& block) {
      if (is_in_the_way(block)) found_.emplace_back(block.begin, block.end);
    };
    for (const Block& block : spans_[begin_span].alive) take(block);
    for (size_t span = begin_span + 1; span <= end_span; ++span) {
      for (const Block& block : spans_[span].begins) take(block);
    }
    std::sort(found_.begin(), found_.end());
    for (const auto& [begin, end] : found_) {
      if (!pass(begin, end)) break;
    }
  }
  if (at + bytes > limit_bytes_) return std::nullopt;
  return at;
}

void BlockMap::Add(const Block& block) {
  spans_[SpanOf(block.first)].begins.push_back(block);
  for (size_t span = SpanOf(block.first); span <= SpanOf(block.last); ++span) {
    std::vector<Block>& blocks = spans_[span].alive;
    blocks.insert(std::upper_bound(blocks.begin(), blocks.end(), block, Below), block);
  }
}

}  // namespace acme::compiler
