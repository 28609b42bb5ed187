// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Which buffer has which range of a memory, and when. Times are positions, counted from 0.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_BLOCK_MAP_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_BLOCK_MAP_H_

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace acme::compiler {

// Time is cut into spans, so that the cost of a question grows with the blocks alive near the times
// in question and not with all there are.
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
  struct Span {
    std::vector<Block> alive;   // at some time in it, by address
    std::vector<Block> begins;  // those among them that are in none before
  };
  size_t SpanOf(int64_t position) const;

  int64_t limit_bytes_;
  std::vector<Span> spans_;
  // Of a question about several spans: begins and ends, by address. Kept for its memory.
  mutable std::vector<std::pair<int64_t, int64_t>> found_;
};

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_SCRATCHPAD_BLOCK_MAP_H_
