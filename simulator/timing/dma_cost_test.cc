// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// DMA costs against a model that moves every byte.

#include "simulator/timing/dma_cost.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

#include "simulator/timing/access_words.h"

namespace acme {
namespace {

// Walks the box element by element as the engine does: DRAM in whole aligned bursts with a buffer
// of one burst.
struct BruteForce {
  int64_t bursts = 0;
  int64_t bytes = 0;
};

BruteForce Walk(const DmaState& dma, int64_t dram, int64_t elem_bytes, int64_t burst_bytes) {
  BruteForce result;
  int64_t held = -1;
  for (int64_t i3 = 0; i3 < dma.shape[3]; ++i3) {
    for (int64_t i2 = 0; i2 < dma.shape[2]; ++i2) {
      for (int64_t i1 = 0; i1 < dma.shape[1]; ++i1) {
        for (int64_t byte = 0; byte < dma.shape[0] * elem_bytes; ++byte) {
          const int64_t at = dram + i3 * dma.dram_stride[3] + i2 * dma.dram_stride[2] +
                             i1 * dma.dram_stride[1] + byte;
          if (at / burst_bytes != held) {
            held = at / burst_bytes;
            ++result.bursts;
          }
          ++result.bytes;
        }
      }
    }
  }
  return result;
}

TEST(DmaCostTest, BurstsMatchBruteForce) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  std::mt19937 random(1);
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  for (int i = 0; i < 3000; ++i) {
    EngineState state;
    const int64_t elem = int64_t{1} << pick(0, 2);
    state.load.shape = {pick(1, 100), pick(1, 6), pick(1, 4), pick(1, 3)};
    const int64_t row = i % 4 == 0   ? state.load.shape[0] * elem
                        : i % 4 == 1 ? 0
                        : i % 4 == 2 ? 64 * pick(1, 10)
                                     : pick(1, 500);
    const int64_t plane = i % 3 == 0 ? row * state.load.shape[1] : pick(0, 3000);
    state.load.dram_stride = {0, row, plane,
                              i % 5 == 0 ? plane * state.load.shape[2] : pick(0, 5000)};
    state.load.spm_stride = {elem, 1000, 8000, 40000};
    const isa::LdNd load{.binding = 2,
                         .dram = static_cast<uint32_t>(pick(0, 200)),
                         .elem_bytes = static_cast<uint32_t>(elem)};
    const InstructionCost cost = EstimateDma(load, state, hw);
    const BruteForce brute = Walk(state.load, load.dram, elem, hw.dram_burst_bytes);
    ASSERT_EQ(cost.dram_read_bytes, brute.bursts * hw.dram_burst_bytes)
        << state.load.shape[0] * elem << " bytes, strides " << row << ", " << plane << ", "
        << state.load.dram_stride[3] << " at " << load.dram;
    ASSERT_EQ(cost.dram_cycles,
              CeilDiv(brute.bursts * hw.dram_burst_bytes, hw.dram_bytes_per_cycle));
    ASSERT_EQ(cost.scratchpad_bytes, brute.bytes);
    ASSERT_GE(cost.cycles, cost.dram_cycles);
  }
}

// Scratchpad words by touching every byte of every run, for one run after the other.
int64_t WalkWords(const DmaState& dma, int64_t spm, int64_t elem_bytes, int64_t word_bytes,
                  int64_t* runs) {
  const bool contiguous = dma.spm_stride[0] == elem_bytes;
  int64_t words = 0;
  for (int64_t i3 = 0; i3 < dma.shape[3]; ++i3) {
    for (int64_t i2 = 0; i2 < dma.shape[2]; ++i2) {
      for (int64_t i1 = 0; i1 < dma.shape[1]; ++i1) {
        std::set<int64_t> touched;
        for (int64_t i0 = 0; i0 < dma.shape[0]; ++i0) {
          for (int64_t byte = 0; byte < elem_bytes; ++byte) {
            touched.insert((spm + i3 * dma.spm_stride[3] + i2 * dma.spm_stride[2] +
                            i1 * dma.spm_stride[1] + i0 * dma.spm_stride[0] + byte) /
                           word_bytes);
          }
          if (contiguous && i0 + 1 < dma.shape[0]) continue;
          ++*runs;
          words += static_cast<int64_t>(touched.size());
          touched.clear();
        }
      }
    }
  }
  return words;
}

// Aligned runs, and elements at multiples of their size: exactly the words that they touch. Others:
// at most one more a run (the engine does not know where each begins). The transfer lasts as long as
// its slower side.
TEST(DmaCostTest, ScratchpadWordsMatchBruteForce) {
  Hardware hw = *BuiltinHardware("acme_a1");
  hw.join_runs = false;
  const int64_t word = hw.scratchpad_word_bytes;
  ASSERT_LE(hw.dram_bytes_per_cycle, word);  // one word a cycle
  std::mt19937 random(2);
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  for (int i = 0; i < 3000; ++i) {
    EngineState state;
    const int64_t elem = int64_t{1} << pick(0, 2);
    DmaState& dma = state.load;
    dma.shape = {pick(2, 60), pick(2, 6), pick(2, 4), pick(2, 3)};
    dma.dram_stride = {0, dma.shape[0] * elem, 0, 0};
    const bool aligned = i % 2 == 0;
    const bool by_elements = i % 4 == 1;  // each at a multiple of its size
    const int64_t unit = aligned ? word : by_elements ? elem : 1;
    // Wide enough apart that no two runs are neighbours; every third case transposes.
    dma.spm_stride = {i % 3 == 0 ? unit * pick(9, 40) : elem, unit * (aligned ? pick(9, 40) : 301),
                      unit * pick(300, 900), unit * pick(1000, 3000)};
    const isa::LdNd load{.binding = 2,
                         .dram = 0,
                         .spm = static_cast<uint32_t>(unit * (aligned ? pick(0, 9) : pick(0, 200))),
                         .elem_bytes = static_cast<uint32_t>(elem)};
    const InstructionCost cost = EstimateDma(load, state, hw);
    int64_t runs = 0;
    const int64_t words = WalkWords(dma, load.spm, elem, word, &runs);
    const bool exact = aligned || (by_elements && dma.spm_stride[0] != elem);
    const int64_t slack = exact ? 0 : runs;
    ASSERT_GE(cost.scratchpad_words, words) << i;
    ASSERT_LE(cost.scratchpad_words, words + slack) << i;
    ASSERT_EQ(cost.cycles, std::max(cost.dram_cycles, cost.scratchpad_words)) << i;
  }
}

TEST(DmaCostTest, ContiguousCopyIsBandwidth) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  EXPECT_EQ(EstimateDma(isa::LdCopy{.dram = 0, .bytes = 6400}, {}, hw).cycles, 400);
  EXPECT_EQ(EstimateDma(isa::LdCopy{.dram = 63, .bytes = 2}, {}, hw).dram_read_bytes, 128);
  EXPECT_EQ(EstimateDma(isa::StCopy{.dram = 64, .bytes = 64}, {}, hw).dram_write_bytes, 64);
}

TEST(DmaCostTest, TransposeIsLimitedByTheScratchpad) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  EngineState state;
  state.load.shape = {64, 64, 1, 1};
  state.load.dram_stride = {0, 64, 0, 0};
  state.load.spm_stride = {64, 1, 0, 0};  // columns become rows: each byte is a word of its own
  const InstructionCost cost = EstimateDma(isa::LdNd{.binding = 2, .elem_bytes = 1}, state, hw);
  EXPECT_EQ(cost.dram_cycles, 256);
  EXPECT_EQ(cost.scratchpad_words, 4096);
  EXPECT_EQ(cost.cycles, 4096);
}

// Whatever the indices are: as many boxes as there are, not as there could be.
TEST(DmaCostTest, IndexedBoxesCostWhatIsChosen) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  EngineState state;
  state.load.shape = {64, 1, 1, 10};
  state.load.dram_stride = {0, 0, 0, 64};
  state.load.spm_stride = {1, 0, 0, 64};
  state.load.index = {.addr = 0, .last = 999, .clamp = false};
  const InstructionCost cost =
      EstimateDma(isa::LdGather{.binding = 2, .spm = 64, .elem_bytes = 1}, state, hw);
  EXPECT_EQ(cost.dram_read_bytes, 640);
  EXPECT_EQ(cost.dram_cycles, 40);
  EXPECT_EQ(cost.scratchpad_bytes, 640 + 40);
  state.store = state.load;
  const InstructionCost store =
      EstimateDma(isa::StScatter{.binding = 2, .spm = 64, .elem_bytes = 1}, state, hw);
  EXPECT_EQ(store.dram_write_bytes, 640);
}

// Half the DRAM's bytes, all of the scratchpad's.
TEST(DmaCostTest, UnpackingHalvesWhatDramGives) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  EngineState state;
  state.load.shape = {3200, 1, 1, 1};
  state.load.spm_stride = {1, 0, 0, 0};
  const InstructionCost cost =
      EstimateDma(isa::LdNd{.binding = 2, .elem_bytes = 1, .unpack = true}, state, hw);
  EXPECT_EQ(cost.dram_read_bytes, 3200);
  EXPECT_EQ(cost.dram_cycles, 200);
  EXPECT_EQ(cost.scratchpad_bytes, 6400);
  EXPECT_EQ(cost.cycles, 200);
  // Whose DRAM gives a word a cycle.
  const Hardware a2 = *BuiltinHardware("acme_a2");
  EXPECT_EQ(EstimateDma(isa::LdNd{.binding = 2, .elem_bytes = 1, .unpack = true}, state, a2).cycles,
            50);
}

struct WordCase {
  Access access;
  int64_t words, parallel;
};

// Of an access's runs one after the other, with the last word kept.
int64_t WalkKeepingAWord(const Access& access, int64_t word_bytes) {
  int64_t words = 0;
  int64_t last = -1;
  ForEachRun(access, [&](int64_t addr, int64_t bytes) {
    for (int64_t word = addr / word_bytes; word <= (addr + bytes - 1) / word_bytes; ++word) {
      words += word != last ? 1 : 0;
      last = word;
    }
  });
  return words;
}

// Runs may be apart by less than a word, and by more. Exact where those that are not joined begin alike in their words.
TEST(AccessWordsTest, JoinedRunsMatchBruteForce) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  ASSERT_TRUE(hw.join_runs);
  const int64_t word = hw.scratchpad_word_bytes;
  std::mt19937 random(3);
  auto pick = [&](int64_t low, int64_t high) {
    return low + static_cast<int64_t>(random() % static_cast<uint64_t>(high - low + 1));
  };
  int64_t joined = 0;
  for (int i = 0; i < 3000; ++i) {
    const bool aligned = i % 2 == 0;
    Access access;
    access.run_bytes = pick(1, 80);
    access.count = {1, pick(2, 60), pick(1, 5), pick(1, 3)};
    const bool near = i % 3 != 0;
    access.stride[1] = near ? access.run_bytes + pick(0, word - 1) : word * pick(5, 9);
    const int64_t span = (access.count[1] - 1) * access.stride[1] + access.run_bytes;
    access.stride[2] = aligned ? word * (CeilDiv(span, word) + pick(1, 9)) : span + pick(0, 999);
    access.stride[3] = access.stride[2] * access.count[2] + word * pick(1, 9);
    access.addr_bytes = pick(0, 200);
    if (i % 5 == 0) {  // backwards
      access.addr_bytes += (access.count[1] - 1) * access.stride[1];
      access.stride[1] = -access.stride[1];
    }
    const int64_t runs = access.count[1] * access.count[2] * access.count[3];
    const int64_t walked = i % 5 == 0 ? -1 : WalkKeepingAWord(access, word);
    const int64_t words = CountWords(access, hw).words;
    if (walked < 0) {
      Access forwards = access;
      forwards.addr_bytes += (access.count[1] - 1) * access.stride[1];
      forwards.stride[1] = -access.stride[1];
      ASSERT_EQ(words, CountWords(forwards, hw).words) << i << ": the same words";
      continue;
    }
    ASSERT_GE(words, walked) << i;
    // Of runs that are not joined, each may touch a word less than is counted, and share one with the next.
    ASSERT_LE(words, walked + (aligned && near ? 0 : 2 * runs)) << i;
    Hardware apart = hw;
    apart.join_runs = false;
    joined += words < CountWords(access, apart).words ? 1 : 0;
  }
  EXPECT_GT(joined, 1000);
}

TEST(AccessWordsTest, OverlappingRunsAreTakenOneByOne) {
  const Hardware hw = *BuiltinHardware("acme_a1");
  const Access windows{
      .addr_bytes = 0, .run_bytes = 64, .count = {1, 10, 1, 1}, .stride = {0, 32, 0, 0}};
  EXPECT_EQ(CountWords(windows, hw).words, 20);
}

TEST(AccessWordsTest, CountsWordsAndBanks) {
  Hardware hw = *BuiltinHardware("acme_a1");  // 16 banks of 32 bytes
  hw.join_runs = false;
  const WordCase cases[] = {
      {{.addr_bytes = 0, .run_bytes = 32}, 1, 16 < 1 ? 0 : 16},
      {{.addr_bytes = 1, .run_bytes = 32}, 2, 16},
      {{.addr_bytes = 31, .run_bytes = 2}, 2, 16},
      {{.addr_bytes = 0, .run_bytes = 64, .count = {1, 10, 1, 1}, .stride = {0, 96, 0, 0}}, 20, 16},
      {{.addr_bytes = 0, .run_bytes = 32, .count = {1, 10, 1, 1}, .stride = {0, 512, 0, 0}}, 10, 1},
      {{.addr_bytes = 0, .run_bytes = 32, .count = {1, 10, 1, 1}, .stride = {0, 256, 0, 0}}, 10, 2},
      {{.addr_bytes = 0, .run_bytes = 64, .count = {1, 10, 1, 1}, .stride = {0, 512, 0, 0}}, 20, 2},
      {{.addr_bytes = 0, .run_bytes = 1, .count = {1, 10, 1, 1}, .stride = {0, 7, 0, 0}}, 10, 16},
      {{.addr_bytes = 8, .run_bytes = 4, .count = {1, 10, 1, 1}, .stride = {0, 20, 0, 0}}, 10, 16},
      {{.addr_bytes = 8, .run_bytes = 4, .count = {1, 10, 3, 1}, .stride = {0, 20, -6, 0}}, 60, 16},
      {{.addr_bytes = 2, .run_bytes = 4, .count = {1, 10, 1, 1}, .stride = {0, 20, 0, 0}}, 20, 16},
      {{.addr_bytes = 8, .run_bytes = 12, .count = {1, 10, 1, 1}, .stride = {0, 20, 0, 0}}, 20, 16},
      {{.addr_bytes = 8, .run_bytes = 16, .count = {1, 10, 1, 1}, .stride = {0, 48, 0, 0}}, 20, 16},
      {{.addr_bytes = 0, .run_bytes = 16, .count = {1, 10, 1, 1}, .stride = {0, 48, 0, 0}}, 10, 16},
      {{.addr_bytes = 0, .run_bytes = 32, .count = {1, 10, 1, 1}, .stride = {0, 0, 0, 0}}, 1, 16},
      {{.addr_bytes = 0, .run_bytes = 32, .count = {1, 4, 10, 1}, .stride = {0, 64, 0, 0}}, 40, 8},
  };
  for (const WordCase& c : cases) {
    const WordCount count = CountWords(c.access, hw);
    EXPECT_EQ(count.words, c.words)
        << c.access.addr_bytes << " " << c.access.run_bytes << " " << c.access.stride[1];
    EXPECT_EQ(count.parallel_words, c.parallel)
        << c.access.addr_bytes << " " << c.access.run_bytes << " " << c.access.stride[1];
  }
  EXPECT_EQ(CyclesThroughPort({20, 2}, 6).cycles, 10);
  EXPECT_EQ(CyclesThroughPort({20, 2}, 6).conflict_cycles, 6);
}

}  // namespace
}  // namespace acme
