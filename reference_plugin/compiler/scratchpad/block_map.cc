// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/compiler/scratchpad/block_map.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace acme::compiler {
namespace {

bool Below(const BlockMap::Block& a, const BlockMap::Block& b) { return a.begin < b.begin; }

// Ranges stay apart from each other.
void Join(int64_t begin, int64_t end, std::vector<std::pair<int64_t, int64_t>>& ranges) {
  const auto first = std::partition_point(ranges.begin(), ranges.end(),
                                          [&](const auto& range) { return range.second < begin; });
  auto behind = first;
  while (behind != ranges.end() && behind->first <= end) ++behind;
  if (first == behind) {
    ranges.insert(first, {begin, end});
    return;
  }
  first->first = std::min(first->first, begin);
  first->second = std::max(std::prev(behind)->second, end);
  ranges.erase(first + 1, behind);
}

}  // namespace

BlockMap::BlockMap(int64_t limit_bytes, int64_t num_positions)
    : limit_bytes_(limit_bytes),
      alive_(static_cast<size_t>((std::max<int64_t>(num_positions, 1) - 1) >> kSpanShift) + 1),
      taken_(2 * alive_.size()) {}

size_t BlockMap::SpanOf(int64_t position) const {
  return std::min(static_cast<size_t>(position >> kSpanShift), alive_.size() - 1);
}

template <class Visit>
void BlockMap::ForEachTaken(size_t first, size_t end, const Visit& visit) const {
  // A segment tree in an array, walked from its leaves up: span s is at alive_.size() + s, what it
  // is joined in at half of that.
  for (first += alive_.size(), end += alive_.size(); first < end; first /= 2, end /= 2) {
    if (first % 2 != 0) visit(first++);
    if (end % 2 != 0) visit(--end);
  }
}

std::optional<int64_t> BlockMap::Find(int64_t bytes, int64_t first, int64_t last,
                                      int64_t low) const {
  // What is alive anywhere in a span between the two ends is alive at some time of the question:
  // there a union of ranges will do. In the spans at the ends blocks may end before or begin after.
  const size_t begin_span = SpanOf(first);
  const size_t end_span = SpanOf(last);
  int64_t at = low;
  // Both are walked by address, and what lies wholly below `at` is not looked at again: each time one
  // of them moves it, the others go on from where they stood.
  const auto pass_blocks = [&](std::span<const Block>& blocks) {
    const int64_t before = at;
    for (; !blocks.empty() && blocks.front().begin < at + bytes; blocks = blocks.subspan(1)) {
      const Block& block = blocks.front();
      if (block.first <= last && first <= block.last) at = std::max(at, block.end);
    }
    return at != before;
  };
  const auto pass_ranges = [&](std::span<const Range>& ranges) {
    const int64_t before = at;
    for (; !ranges.empty() && ranges.front().first < at + bytes; ranges = ranges.subspan(1))
      at = std::max(at, ranges.front().second);
    return at != before;
  };
  std::array<std::span<const Block>, 2> ends = {alive_[begin_span], {}};
  unions_.clear();
  if (begin_span != end_span) {
    ends[1] = alive_[end_span];
    ForEachTaken(begin_span + 1, end_span,
                 [&](size_t index) { unions_.emplace_back(taken_[index]); });
  }
  bool moved = true;
  while (moved && at + bytes <= limit_bytes_) {
    moved = false;
    for (std::span<const Range>& ranges : unions_) moved = pass_ranges(ranges) || moved;
    for (std::span<const Block>& blocks : ends) moved = pass_blocks(blocks) || moved;
  }
  if (at + bytes > limit_bytes_) return std::nullopt;
  return at;
}

void BlockMap::Add(const Block& block) {
  size_t first = SpanOf(block.first);
  size_t last = SpanOf(block.last);
  for (size_t span = first; span <= last; ++span) {
    std::vector<Block>& blocks = alive_[span];
    blocks.insert(std::upper_bound(blocks.begin(), blocks.end(), block, Below), block);
  }
  // Whatever has one of these spans in it.
  for (first += alive_.size(), last += alive_.size(); first > 0; first /= 2, last /= 2) {
    for (size_t index = first; index <= last; ++index) Join(block.begin, block.end, taken_[index]);
  }
}

}  // namespace acme::compiler
