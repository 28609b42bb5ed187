// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which buffer has which range of a memory, and when. Times are positions, counted from 0.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_BLOCK_MAP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_BLOCK_MAP_H_

#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace acme::compiler {

// Time is cut into spans, and spans are joined two by two, so that the cost of a question grows with
// the blocks alive at its ends and the ranges that are taken between, and not with all there are.
class BlockMap {
 public:
  BlockMap(int64_t limit_bytes, int64_t num_positions);

  struct Block {
    int64_t begin;
    int64_t end;
    int64_t first;  // positions, both included; those behind the last count as the last
    int64_t last;
  };

  // The lowest address from `low` on at which so many bytes are free all the time; nothing if there
  // is none.
  std::optional<int64_t> Find(int64_t bytes, int64_t first, int64_t last, int64_t low = 0) const;
  void Add(const Block& block);

  int64_t limit_bytes() const { return limit_bytes_; }

 private:
  static constexpr int kSpanShift = 6;
  using Range = std::pair<int64_t, int64_t>;  // its begin and its end
  using Ranges = std::vector<Range>;          // by address

  size_t SpanOf(int64_t position) const;
  // Calls visit(index of taken_) for the fewest that are spans [first, end) together.
  template <class Visit>
  void ForEachTaken(size_t first, size_t end, const Visit& visit) const;

  int64_t limit_bytes_;
  std::vector<std::vector<Block>> alive_;  // by span: at some time in it, by address
  // By span, from half of them on; before, those of 2i and 2i + 1 together: apart from each other.
  std::vector<Ranges> taken_;
  // Those of a question that are still to be passed; kept for its memory.
  mutable std::vector<std::span<const Range>> unions_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_BLOCK_MAP_H_
