// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What v.epilogue makes of the results of v.drain and v.depthwise, part by part; and the float32 results
// that these, and v.chain's bytes, are made of.

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "simulator/isa/footprint.h"
#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr int kHigh = 60000;
constexpr int kLow = 60004;

// Accumulators of float32, drained in two parts of rows.
class DrainedParts {
 public:
  static constexpr int kCols = 7;
  static constexpr int kRows = 5;

  explicit DrainedParts(UnitRig& rig) : rig_(rig) {
    for (int r = 0; r < 2 * kRows; ++r) {
      for (int c = 0; c < kCols; ++c) {
        const auto number = static_cast<float>(rig_.Pick(-1000, 1000));
        rig_.units.memory().AccumulatorRow(r)[c] = std::bit_cast<int32_t>(number);
      }
    }
    for (int c = 0; c < kCols; ++c) StoreAs(rig_.At(40000 + 4 * c), 0.25f * static_cast<float>(c));
    rig_.Do(isa::VShape{kCols, kRows, 1, 1});
    rig_.Do(isa::VView{View::kDst, 4, 4 * kCols, 0, 0});
  }

  void Drain(int part, bool epilogue) {
    rig_.Do(isa::VParams{.record_stride = kFloatRecordBytes, .epilogue = epilogue});
    rig_.Do(isa::VDrain{.acc = static_cast<uint32_t>(part * kRows),
                        .dst = At(part),
                        .params = 40000,
                        .acc_type = Dtype::kF32,
                        .out = Dtype::kF32});
  }
  // Of the results of parts [0, parts).
  float Extreme(int parts, bool largest) {
    float extreme = largest ? -kInfinity : kInfinity;
    for (int i = 0; i < parts * kRows * kCols; ++i) {
      const auto result = LoadAs<float>(rig_.At(At(0) + 4 * i));
      extreme = largest ? std::max(extreme, result) : std::min(extreme, result);
    }
    return extreme;
  }

 private:
  static uint32_t At(int part) { return static_cast<uint32_t>(1000 + part * 4 * kRows * kCols); }

  UnitRig& rig_;
};

TEST(EpilogueTest, ExtremesOfDrainsAddUp) {
  UnitRig rig(21);
  DrainedParts parts(rig);
  StoreAs(rig.At(kHigh), -kInfinity);
  StoreAs(rig.At(kLow), kInfinity);
  rig.Do(isa::VEpilogue{.op = ReduceOp::kMax,
                        .dims = 0xF,
                        .dst = kHigh,
                        .accumulate = true,
                        .lows = true,
                        .lows_dst = kLow});
  for (int part : {0, 1}) {
    parts.Drain(part, /*epilogue=*/true);
    EXPECT_EQ(LoadAs<float>(rig.At(kHigh)), parts.Extreme(part + 1, true)) << part;
    EXPECT_EQ(LoadAs<float>(rig.At(kLow)), parts.Extreme(part + 1, false)) << part;
  }
}

TEST(EpilogueTest, WithoutAccumulateTheLastDrainStands) {
  UnitRig rig(22);
  DrainedParts parts(rig);
  rig.Do(isa::VEpilogue{.op = ReduceOp::kMaxMagnitude, .dims = 0xF, .dst = kHigh});
  parts.Drain(0, /*epilogue=*/true);
  const float first = std::max(parts.Extreme(1, true), -parts.Extreme(1, false));
  EXPECT_EQ(LoadAs<float>(rig.At(kHigh)), first);
  // Nobody asks: nothing is written.
  parts.Drain(1, /*epilogue=*/false);
  EXPECT_EQ(LoadAs<float>(rig.At(kHigh)), first);
  // The larger one that stood there stays, of magnitudes, too.
  StoreAs(rig.At(kHigh), 4000.0f);
  rig.Do(
      isa::VEpilogue{.op = ReduceOp::kMaxMagnitude, .dims = 0xF, .dst = kHigh, .accumulate = true});
  parts.Drain(1, /*epilogue=*/true);
  EXPECT_EQ(LoadAs<float>(rig.At(kHigh)), 4000.0f);
}

// 2 x 2 windows of bytes, without a border; two results a channel.
void ExpectScaledWindows(Dtype dtype, bool offsets) {
  constexpr int kSide = 3;
  constexpr int kChannels = 3;
  constexpr int kMultiplier = 2;
  constexpr int kOut = kChannels * kMultiplier;
  const int record = offsets ? kOffsetRecordBytes : kScaledRecordBytes;
  ForAllKernels([&](const std::string& kernels) {
    UnitRig rig(23);
    rig.FillFloats(40000, kOut * record / 4);
    for (int c = 0; offsets && c < kOut; ++c)
      StoreAs(rig.At(40008 + record * c), rig.Pick(-20000, 20000));
    rig.Do(isa::VShape{kOut, kSide - 1, kSide - 1, 1});
    rig.Do(isa::VView{View::kDst, 4, 4 * kOut, 4 * kOut * (kSide - 1), 0});
    rig.Do(isa::VWindow{2, 2, 1, 1, 1, 1, kMultiplier});
    rig.Do(isa::VInput{kSide, kSide, kSide * kChannels, kChannels, 0, 0});
    rig.Do(isa::VQuant{.view = View::kA, .zp = 11});
    rig.Do(isa::VQuant{.view = View::kB, .zp = -2});
    rig.Do(isa::VClamp{std::bit_cast<int32_t>(-50000.0f), std::bit_cast<int32_t>(40000.0f)});
    rig.Do(isa::VParams{.addr = 40000,
                        .tap_stride = kOut,
                        .record_stride = record,
                        .epilogue = true,
                        .offsets = offsets});
    rig.Do(isa::VEpilogue{.op = ReduceOp::kMax, .dims = 7, .dst = kHigh});
    rig.Do(isa::VDepthwise{.dtype = dtype, .dst = 2000, .a = 100, .weights = 400, .scaled = true});
    const auto load = [&](int at) {
      return dtype == Dtype::kI8 ? int{LoadAs<int8_t>(rig.At(at))} : int{*rig.At(at)};
    };
    float largest = -kInfinity;
    for (int y = 0; y < kSide - 1; ++y) {
      for (int x = 0; x < kSide - 1; ++x) {
        for (int c = 0; c < kOut; ++c) {
          int sum = 0;
          for (int tap = 0; tap < 4; ++tap) {
            const int pixel = (y + tap / 2) * kSide + x + tap % 2;
            sum += (load(100 + pixel * kChannels + c / kMultiplier) - 11) *
                   (load(400 + tap * kOut + c) + 2);
          }
          const uint8_t* of_channel = rig.At(40000 + record * c);
          if (offsets) sum -= LoadAs<int32_t>(of_channel + 8);
          const float scaled = static_cast<float>(sum) * LoadAs<float>(of_channel);
          const float expected =
              std::clamp(scaled + LoadAs<float>(of_channel + 4), -50000.0f, 40000.0f);
          const int at = 2000 + 4 * ((y * (kSide - 1) + x) * kOut + c);
          EXPECT_EQ(LoadAs<float>(rig.At(at)), expected) << kernels << " " << y << x << c;
          largest = std::max(largest, expected);
        }
      }
    }
    EXPECT_EQ(LoadAs<float>(rig.At(kHigh)), largest) << kernels;
  });
}

TEST(EpilogueTest, ScaledDepthwiseGivesFloats) {
  for (const Dtype dtype : {Dtype::kI8, Dtype::kU8}) {
    for (const bool offsets : {false, true}) ExpectScaledWindows(dtype, offsets);
  }
}

// Halves go away from zero, after the sum: -127.5 becomes -128 where 0.5 would become 1.
TEST(EpilogueTest, AChainConvertsItsResult) {
  UnitRig rig(24);
  constexpr float kX[] = {0.25f, 63.5f, 300.0f, 0.0f, 200.0f, 1.0f};
  constexpr int kExpected[] = {-128, -1, 127, -128, 127, -126};
  for (int i = 0; i < 6; ++i) StoreAs(rig.At(4 * i), kX[i]);
  StoreAs(rig.At(100), 2.0f);
  StoreAs(rig.At(104), -128.0f);
  rig.Do(isa::VShape{6, 1, 1, 1});
  rig.Do(isa::VView{View::kDst, 1, 0, 0, 0});
  rig.Do(isa::VView{View::kA, 4, 0, 0, 0});
  rig.Do(isa::VView{View::kB, 0, 0, 0, 0});
  rig.Do(isa::VView{View::kC, 0, 0, 0, 0});
  rig.Do(isa::VParams{.addr = 104});
  rig.Do(isa::VClamp{std::bit_cast<int32_t>(-kInfinity), std::bit_cast<int32_t>(kInfinity)});
  rig.Do(isa::VQuant{.view = View::kDst, .mult = std::bit_cast<uint32_t>(1.0f)});
  rig.Do(isa::VChain{.op = BinaryOp::kMul,
                     .then = BinaryOp::kAdd,
                     .dst = 200,
                     .a = 0,
                     .b = 100,
                     .convert_dst = true});
  for (int i = 0; i < 6; ++i) EXPECT_EQ(LoadAs<int8_t>(rig.At(200 + i)), kExpected[i]) << kX[i];
}

}  // namespace
}  // namespace acme
