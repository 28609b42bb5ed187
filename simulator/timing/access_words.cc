// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/timing/access_words.h"

#include <algorithm>
#include <numeric>

namespace acme {

WordCount CountWords(const Access& access, const Hardware& hardware) {
  const int64_t word = hardware.scratchpad_word_bytes;
  int64_t runs = 1;
  int64_t run_bytes = access.run_bytes;
  int64_t first_byte = access.addr_bytes;
  bool aligned = true;
  int64_t first_stride = 0;  // between neighbouring runs
  int64_t strides = word;    // their common powers of two
  bool held = true;
  bool joining = hardware.join_runs;
  for (int d = 0; d < 4; ++d) {
    if (access.count[d] == 1) continue;
    // Repeated while nothing else changes: an operand register keeps the word.
    if (held && access.stride[d] == 0) continue;
    held = false;
    const int64_t distance = std::abs(access.stride[d]);
    // So near to each other that no word lies between: neighbours that share one take it once.
    joining = joining && distance >= run_bytes && distance - run_bytes < word;
    if (joining) {
      const int64_t span = (access.count[d] - 1) * distance;
      run_bytes += span;
      first_byte += access.stride[d] < 0 ? -span : 0;
      continue;
    }
    runs *= access.count[d];
    strides |= access.stride[d];
    aligned = aligned && access.stride[d] % word == 0;
    if (first_stride == 0) first_stride = distance;
  }
  // Every run begins at a multiple of it, so at most so far before a word's end.
  const int64_t begins = strides | first_byte;
  const int64_t unit = begins & -begins;
  const int64_t offset = ((first_byte % word) + word) % word;
  const int64_t per_run =
      aligned ? CeilDiv(offset + run_bytes, word) : CeilDiv(run_bytes + word - unit, word);
  WordCount count;
  count.words = runs * per_run;
  const int64_t banks = hardware.scratchpad_banks;
  int64_t distinct = banks;
  // Word w lies in bank w mod banks. Runs d words apart meet the multiples of gcd(banks, d) alone.
  if (runs > 1 && first_stride != 0 && first_stride % word == 0)
    distinct = banks / std::gcd(banks, first_stride / word);
  count.parallel_words = std::min(banks, distinct * per_run);
  return count;
}

PortCycles CyclesThroughPort(const WordCount& count, int64_t port_words) {
  if (count.words == 0) return {};  // nothing is accessed, in parallel neither
  const int64_t free = CeilDiv(count.words, port_words);
  const int64_t cycles = CeilDiv(count.words, std::min(port_words, count.parallel_words));
  return {cycles, cycles - free};
}

int64_t CountBursts(const Access& access, const Hardware& hardware) {
  const int64_t burst = hardware.dram_burst_bytes;
  // When every run is aligned alike and each lies beyond the one before, all cost the same.
  const int64_t start = access.addr_bytes;
  const int64_t per_run = (start + access.run_bytes - 1) / burst - start / burst + 1;
  bool uniform = true;
  int64_t runs = 1;
  int64_t extent_bytes = per_run * burst;
  for (int d = 0; d < 4; ++d) {
    if (access.count[d] == 1) continue;
    uniform = uniform && access.stride[d] >= extent_bytes && access.stride[d] % burst == 0;
    extent_bytes = access.stride[d] * access.count[d];
    runs *= access.count[d];
  }
  // Not only quicker: a box may have 2^24 runs, and costs are estimated for every instruction.
  if (uniform) return runs * per_run;
  int64_t bursts = 0;
  int64_t last = -1;
  ForEachRun(access, [&](int64_t addr, int64_t bytes) {
    int64_t first = addr / burst;
    const int64_t end = (addr + bytes - 1) / burst;
    if (first == last) ++first;
    bursts += std::max<int64_t>(0, end - first + 1);
    last = end;
  });
  return bursts;
}

}  // namespace acme
