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
  const std::vector<Block>* blocks = &spans_[begin_span];
  if (begin_span != end_span) {
    found_.clear();
    for (size_t span = begin_span; span <= end_span; ++span) {
      for (const Block& block : spans_[span]) {
        if (block.last < first || last < block.first || block.end <= low) continue;
        // A block stands in every span that it lives in; the first of them counts.
        if (std::max(SpanOf(block.first), begin_span) == span) found_.push_back(block);
      }
    }
    std::sort(found_.begin(), found_.end(), Below);
    blocks = &found_;
  }
  int64_t at = low;
  for (const Block& block : *blocks) {
    if (block.last < first || last < block.first) continue;
    if (block.end <= at) continue;
    if (at + bytes <= block.begin) break;
    at = std::max(at, block.end);
  }
  if (at + bytes > limit_bytes_) return std::nullopt;
  return at;
}

void BlockMap::Add(const Block& block) {
  for (size_t span = SpanOf(block.first); span <= SpanOf(block.last); ++span) {
    std::vector<Block>& blocks = spans_[span];
    blocks.insert(std::upper_bound(blocks.begin(), blocks.end(), block, Below), block);
  }
}

}  // namespace acme::compiler
