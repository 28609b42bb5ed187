// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/isa/footprint.h"

#include <gtest/gtest.h>

#include <random>
#include <set>

namespace acme {
namespace {

constexpr int64_t kCols = 32;

std::set<int64_t> BytesOf(const Instr& instr, const EngineState& state, Space space, bool write) {
  std::set<int64_t> bytes;
  ForEachAccess(instr, state, kCols, [&](const Access& access) {
    if (access.space != space || access.write != write) return;
    int64_t low = INT64_MAX, high = INT64_MIN;
    ForEachRun(access, [&](int64_t addr, int64_t count) {
      for (int64_t i = 0; i < count; ++i) bytes.insert(addr + i);
      low = std::min(low, addr);
      high = std::max(high, addr + count);
    });
    EXPECT_EQ(access.LowBytes(), low);
    EXPECT_EQ(access.HighBytes(), high);
  });
  return bytes;
}

// The loop nest of m.conv's description, against the closed form.
TEST(FootprintTest, ConvolutionTouchesWhatItsLoopNestReads) {
  std::mt19937 random(4);
  auto pick = [&](int low, int high) {
    return static_cast<uint32_t>(low + static_cast<int>(random() % (high - low + 1)));
  };
  for (int round = 0; round < 500; ++round) {
    EngineState state;
    state.matrix.type.act = round % 3 == 0 ? Dtype::kI16 : Dtype::kI8;
    const int64_t elem = SizeBytes(state.matrix.type.act);
    state.matrix.input = {.in_h = pick(1, 9),
                          .in_w = pick(1, 9),
                          .row_stride = 200,
                          .pixel_stride = static_cast<int32_t>(pick(6, 20))};
    state.matrix.window = {.taps_h = pick(1, 3),
                           .taps_w = pick(1, 3),
                           .channels = pick(1, 3),
                           .stride_h = pick(1, 4),
                           .stride_w = pick(1, 4),
                           .dilation_h = pick(1, 2),
                           .dilation_w = pick(1, 2)};
    state.matrix.active = {true, 1, 8, Dtype::kI8};
    const isa::MConv conv{.addr = 1000,
                          .y0 = static_cast<int32_t>(pick(0, 4)) - 3,
                          .x0 = static_cast<int32_t>(pick(0, 4)) - 3,
                          .out_h = pick(1, 5),
                          .out_w = pick(1, 5)};
    std::set<int64_t> expected;
    const auto& w = state.matrix.window;
    for (int64_t oy = 0; oy < conv.out_h; ++oy) {
      for (int64_t ox = 0; ox < conv.out_w; ++ox) {
        for (int64_t ty = 0; ty < w.taps_h; ++ty) {
          for (int64_t tx = 0; tx < w.taps_w; ++tx) {
            const int64_t y = conv.y0 + oy * w.stride_h + ty * w.dilation_h;
            const int64_t x = conv.x0 + ox * w.stride_w + tx * w.dilation_w;
            if (y < 0 || y >= state.matrix.input.in_h || x < 0 || x >= state.matrix.input.in_w)
              continue;
            for (int64_t b = 0; b < w.channels * elem; ++b)
              expected.insert(1000 + y * 200 + x * state.matrix.input.pixel_stride + b);
          }
        }
      }
    }
    EXPECT_EQ(BytesOf({{}, conv}, state, Space::kScratchpad, false), expected);
  }
}

TEST(FootprintTest, LoadWithBorder) {
  EngineState state;
  state.load.shape = {3, 2, 1, 1};
  state.load.dram_stride = {0, 10, 0, 0};
  state.load.spm_stride = {2, 20, 0, 0};
  state.load.pad_lo = {1, 0, 0, 0};
  state.load.pad_hi = {0, 1, 0, 0};
  const Instr load{{},
                   isa::LdNd{.binding = 2, .dram = 100, .spm = 50, .elem_bytes = 2, .pad = true}};
  EXPECT_EQ(BytesOf(load, state, Space::kDram, false),
            (std::set<int64_t>{100, 101, 102, 103, 104, 105, 110, 111, 112, 113, 114, 115}));
  const std::set<int64_t> written = BytesOf(load, state, Space::kScratchpad, true);
  EXPECT_EQ(written.size(), 24u);
  EXPECT_EQ(*written.begin(), 50);
  EXPECT_EQ(*written.rbegin(), 50 + 40 + 7);
}

TEST(FootprintTest, WideStreamTouchesTwoRowsEach) {
  EngineState state;
  state.matrix.type.act = Dtype::kI16;
  state.matrix.active = {true, 4, 3, Dtype::kI8};
  const Instr stream{
      {}, isa::MStream{.addr = 0, .acc = 10, .m = 2, .row_stride = 8, .accumulate = true}};
  const std::set<int64_t> written = BytesOf(stream, state, Space::kAccumulators, true);
  EXPECT_EQ(written.size(), 4u * 12);
  EXPECT_EQ(*written.begin(), 10 * kCols * 4);
  EXPECT_EQ(*written.rbegin(), 13 * kCols * 4 + 11);
  EXPECT_EQ(BytesOf(stream, state, Space::kAccumulators, false), written);
}

// A number for each of two rows of three, one after the other, beside what is computed.
TEST(FootprintTest, AnEpilogueWritesItsResults) {
  EngineState state;
  state.vector.shape = {3, 2, 1, 1};
  state.vector.stride[static_cast<int>(View::kDst)] = {4, 16, 0, 0};
  state.vector.epilogue = {.dims = 1, .dst = 100};
  isa::VBinary add{.dtype = Dtype::kF32, .dst = 0, .epilogue = true};
  std::set<int64_t> written = BytesOf({{}, add}, state, Space::kScratchpad, true);
  EXPECT_EQ(written.size(), 3 * 2 * 4 + 2 * 4);
  EXPECT_EQ(*written.rbegin(), 107);
  add.epilogue = false;
  EXPECT_EQ(BytesOf({{}, add}, state, Space::kScratchpad, true).size(), 3 * 2 * 4);
}

// Bytes where a conversion stands, of a, of b and of the result.
TEST(FootprintTest, ConvertedOperandsAreBytes) {
  EngineState state;
  state.vector.shape = {3, 1, 1, 1};
  for (const auto& [view, stride] : {std::pair(View::kA, 1), {View::kB, 4}, {View::kDst, 1}})
    state.vector.stride[static_cast<int>(view)] = {stride, 0, 0, 0};
  const isa::VBinary first{
      .dtype = Dtype::kF32, .dst = 200, .a = 0, .b = 100, .convert_a = true, .convert_dst = true};
  EXPECT_EQ(BytesOf({{}, first}, state, Space::kScratchpad, true),
            (std::set<int64_t>{200, 201, 202}));
  EXPECT_EQ(BytesOf({{}, first}, state, Space::kScratchpad, false).size(), 3 + 3 * 4);
  state.vector.stride[static_cast<int>(View::kA)] = {4, 0, 0, 0};
  state.vector.stride[static_cast<int>(View::kB)] = {1, 0, 0, 0};
  const isa::VBinary second{.dtype = Dtype::kF32, .dst = 200, .a = 0, .b = 100, .convert_b = true};
  EXPECT_EQ(*BytesOf({{}, second}, state, Space::kScratchpad, false).rbegin(), 102);
}

TEST(FootprintTest, ALookupReadsItsTable) {
  EngineState state;
  state.vector.shape = {3, 2, 1, 1};
  state.vector.stride[static_cast<int>(View::kDst)] = {1, 3, 0, 0};
  state.vector.window = {1, 1, 1, 1, 1, 1, 1};
  state.vector.input = {1, 2, 6, 3, 0, 0};
  state.vector.lookup.addr = 1000;
  isa::VDrain drain{.params = 100, .acc_type = Dtype::kI32, .out = Dtype::kI8};
  isa::VDepthwise depthwise{.dtype = Dtype::kI8, .a = 200, .weights = 300};
  const auto extra = [&](const auto& op) {
    auto with = op;
    with.lookup = true;
    std::set<int64_t> bytes = BytesOf({{}, with}, state, Space::kScratchpad, false);
    for (int64_t byte : BytesOf({{}, op}, state, Space::kScratchpad, false)) bytes.erase(byte);
    return bytes;
  };
  for (const auto& bytes : {extra(drain), extra(depthwise)}) {
    EXPECT_EQ(bytes.size(), 256u);
    EXPECT_EQ(*bytes.begin(), 1000);
    EXPECT_EQ(*bytes.rbegin(), 1255);
  }
}

TEST(FootprintTest, ADrainReadsItsResidual) {
  EngineState state;
  state.vector.shape = {3, 2, 1, 1};
  state.vector.stride[static_cast<int>(View::kDst)] = {1, 3, 0, 0};
  state.vector.stride[static_cast<int>(View::kB)] = {1, 10, 0, 0};
  state.vector.residual.addr = 500;
  isa::VDrain drain{
      .dst = 0, .params = 100, .acc_type = Dtype::kI32, .out = Dtype::kI8, .residual = true};
  const std::set<int64_t> read = BytesOf({{}, drain}, state, Space::kScratchpad, false);
  drain.missing = 1;
  const std::set<int64_t> fewer = BytesOf({{}, drain}, state, Space::kScratchpad, false);
  drain.missing = 3;
  const std::set<int64_t> none = BytesOf({{}, drain}, state, Space::kScratchpad, false);
  drain.residual = false;
  std::set<int64_t> alone = BytesOf({{}, drain}, state, Space::kScratchpad, false);
  EXPECT_EQ(none, alone);
  alone.insert({500, 501, 510, 511});
  EXPECT_EQ(fewer, alone);
  alone.insert({502, 512});
  EXPECT_EQ(read, alone);
}

TEST(FootprintTest, ConfigurationTouchesNothing) {
  int accesses = 0;
  ForEachAccess({{}, isa::VShape{.n0 = 1}}, EngineState{}, kCols,
                [&](const Access&) { ++accesses; });
  EXPECT_EQ(accesses, 0);
}

}  // namespace
}  // namespace acme
