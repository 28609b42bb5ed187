// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "simulator/units/matrix_unit.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <vector>

#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

// m.stream and m.conv by their loop nests, on copies of the memory.
class Reference {
 public:
  Reference(UnitRig& rig, const isa::MType& type, const isa::MLoadW& w)
      : rig_(rig), type_(type), w_(w) {}

  // The sum of one row of activations in one column, then the accumulator's new value, all as bits.
  int64_t Integer(const std::vector<int64_t>& x, int64_t c) const {
    int64_t sum = 0;
    for (int64_t r = 0; r < w_.k; ++r) {
      sum +=
          x[r] * (LoadInteger(rig_.At(w_.addr + r * w_.k_stride + c * w_.n_stride), type_.weight) -
                  type_.weight_zp);
    }
    return sum;
  }
  float Real(const std::vector<float>& x, int64_t c) const {
    float sum = 0.0f;
    for (int64_t r = 0; r < w_.k; ++r) {
      const auto weight = LoadAs<float>(rig_.At(w_.addr + r * w_.k_stride + c * w_.n_stride));
      if (type_.holes && std::bit_cast<uint32_t>(weight) == 0x80000000) continue;
      const volatile float product = x[r] * weight;
      const volatile float next = sum + product;
      sum = next;
    }
    return sum;
  }

 private:
  UnitRig& rig_;
  isa::MType type_;
  isa::MLoadW w_;
};

struct TypeCase {
  Dtype act, weight;
  int32_t act_zp, weight_zp;
};

constexpr TypeCase kTypes[] = {
    {Dtype::kI8, Dtype::kI8, 0, 0},   {Dtype::kI8, Dtype::kI8, -128, 0},
    {Dtype::kI8, Dtype::kI8, 127, 5}, {Dtype::kU8, Dtype::kU8, 128, 3},
    {Dtype::kU8, Dtype::kI8, 0, 0},   {Dtype::kI16, Dtype::kI8, 0, 0},
    {Dtype::kI16, Dtype::kI16, 0, 0}, {Dtype::kF32, Dtype::kF32, 0, 0},
};

// Expects accumulator row i (of `rows`) to be old plus, or just, the reference; columns from n on
// untouched.
void ExpectRow(UnitRig& rig, const TypeCase& type, const std::vector<std::vector<int32_t>>& before,
               int64_t acc, bool accumulate, int64_t n,
               const std::function<int64_t(int64_t)>& integer,
               const std::function<float(int64_t)>& real, const std::string& where) {
  Memory& memory = rig.units.memory();
  for (int64_t c = 0; c < rig.hardware.array_cols; ++c) {
    const int32_t got = memory.AccumulatorRow(acc)[c];
    const int32_t old = before[acc][c];
    if (c >= n) {
      ASSERT_EQ(got, old) << where << " column " << c << " is not the instruction's";
    } else if (type.act == Dtype::kF32) {
      const float sum = real(c);
      const float expected = accumulate ? std::bit_cast<float>(old) + sum : sum;
      ASSERT_EQ(got, std::bit_cast<int32_t>(expected)) << where << " column " << c;
    } else if (type.act == Dtype::kI16) {
      const int32_t got_high = memory.AccumulatorRow(acc + 1)[c];
      const uint64_t old_wide = static_cast<uint32_t>(old) |
                                static_cast<uint64_t>(static_cast<uint32_t>(before[acc + 1][c]))
                                    << 32;
      const uint64_t expected = (accumulate ? old_wide : 0) + static_cast<uint64_t>(integer(c));
      ASSERT_EQ(static_cast<uint32_t>(got), static_cast<uint32_t>(expected))
          << where << " column " << c;
      ASSERT_EQ(static_cast<uint32_t>(got_high), static_cast<uint32_t>(expected >> 32))
          << where << " column " << c;
    } else {
      const uint32_t expected =
          (accumulate ? static_cast<uint32_t>(old) : 0) + static_cast<uint32_t>(integer(c));
      ASSERT_EQ(static_cast<uint32_t>(got), expected) << where << " column " << c;
    }
  }
}

std::vector<std::vector<int32_t>> Snapshot(UnitRig& rig) {
  std::vector<std::vector<int32_t>> rows;
  for (int64_t r = 0; r < rig.hardware.accumulator_rows; ++r) {
    const int32_t* row = rig.units.memory().AccumulatorRow(r);
    rows.emplace_back(row, row + rig.hardware.array_cols);
  }
  return rows;
}

TEST(MatrixUnitTest, StreamsMatchTheLoopNest) {
  ForAllKernels([](const std::string& kernels) {
    uint32_t seed = 1;
    for (const TypeCase& type : kTypes) {
      for (int round = 0; round < 12; ++round) {
        UnitRig rig(seed++);
        const int64_t bytes = SizeBytes(type.act);
        const int64_t weight_bytes = SizeBytes(type.weight);
        if (type.act == Dtype::kF32) rig.FillFloats(0, 1 << 14);
        if (type.act == Dtype::kF32) {
          for (int64_t r = 0; r < rig.hardware.accumulator_rows; ++r) {
            for (int64_t c = 0; c < 32; ++c)
              rig.units.memory().AccumulatorRow(r)[c] =
                  std::bit_cast<int32_t>(static_cast<float>(rig.Pick(-50, 50)) * 0.1f);
          }
        }
        const isa::MType mtype{type.act, type.weight, type.act_zp, type.weight_zp};
        const uint32_t k = static_cast<uint32_t>(round == 0 ? 32 : rig.Pick(1, 32));
        const uint32_t n = static_cast<uint32_t>(round == 0 ? 32 : rig.Pick(1, 32));
        const bool transposed = round % 3 == 2;
        const int32_t wide = static_cast<int32_t>(weight_bytes) * 37;
        const isa::MLoadW load{.addr = 32768,
                               .k = k,
                               .n = n,
                               .k_stride = transposed ? static_cast<int32_t>(weight_bytes) : wide,
                               .n_stride = transposed ? wide : static_cast<int32_t>(weight_bytes)};
        const isa::MStream stream{.addr = static_cast<uint32_t>(rig.Pick(0, 50)) * 4,
                                  .acc = 2 * static_cast<uint32_t>(rig.Pick(0, 20)),
                                  .m = static_cast<uint32_t>(rig.Pick(1, 100)),
                                  .row_stride = static_cast<int32_t>(bytes) * rig.Pick(0, 40),
                                  .swap = true,
                                  .accumulate = round % 2 == 1};
        const auto before = Snapshot(rig);
        rig.Do(mtype);
        rig.Do(load);
        rig.Do(stream);
        const Reference reference(rig, mtype, load);
        const int64_t step = type.act == Dtype::kI16 ? 2 : 1;
        for (int64_t i = 0; i < stream.m; ++i) {
          std::vector<int64_t> x;
          std::vector<float> xf;
          for (uint32_t r = 0; r < k; ++r) {
            const uint8_t* at = rig.At(stream.addr + i * stream.row_stride + r * bytes);
            if (type.act == Dtype::kF32) {
              xf.push_back(LoadAs<float>(at));
            } else {
              x.push_back(LoadInteger(at, type.act) - type.act_zp);
            }
          }
          ExpectRow(
              rig, type, before, stream.acc + i * step, stream.accumulate, n,
              [&](int64_t c) { return reference.Integer(x, c); },
              [&](int64_t c) { return reference.Real(xf, c); },
              fmt::format("{} row {}", kernels, i));
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

// Floats of all kinds among the activations, and zeros of both signs among the weights.
void FillSpecials(UnitRig& rig, const isa::MLoadW& load) {
  constexpr float kSpecials[] = {INFINITY, -INFINITY, NAN, 0.0f, -0.0f, 1e38f};
  for (int i = 0; i < 60; ++i) {
    const float value = kSpecials[rig.Pick(0, 5)];
    std::memcpy(rig.At(rig.Pick(0, 3000) * 4), &value, sizeof(value));
  }
  for (uint32_t r = 0; r < load.k; ++r) {
    for (uint32_t c = 0; c < load.n; ++c) {
      float weight = static_cast<float>(rig.Pick(-50, 50)) * 0.1f;
      if (rig.Pick(0, 2) == 0) weight = rig.Pick(0, 1) == 0 ? -0.0f : 0.0f;
      std::memcpy(rig.At(load.addr + r * load.k_stride + c * load.n_stride), &weight,
                  sizeof(weight));
    }
  }
}

// Cells without a weight add nothing, an infinity neither; where no hole is said to be, it does.
TEST(MatrixUnitTest, HolesAddNothingWhateverMeetsThem) {
  ForAllKernels([](const std::string& kernels) {
    int infinite = 0;
    for (uint32_t seed = 1; seed <= 24; ++seed) {
      UnitRig rig(seed);
      rig.FillFloats(0, 1 << 14);
      const isa::MType type{.act = Dtype::kF32, .weight = Dtype::kF32, .holes = seed % 3 != 0};
      const uint32_t k = static_cast<uint32_t>(rig.Pick(1, 32));
      const uint32_t n = static_cast<uint32_t>(rig.Pick(1, 32));
      const isa::MLoadW load{.addr = 32768, .k = k, .n = n, .k_stride = 132, .n_stride = 4};
      FillSpecials(rig, load);
      const isa::MStream stream{.addr = 0, .acc = 1, .m = 90, .row_stride = 132, .swap = true};
      rig.Do(type);
      rig.Do(load);
      rig.Do(stream);
      const Reference reference(rig, type, load);
      for (int64_t i = 0; i < stream.m; ++i) {
        std::vector<float> x;
        for (uint32_t r = 0; r < k; ++r)
          x.push_back(LoadAs<float>(rig.At(i * stream.row_stride + r * 4)));
        for (uint32_t c = 0; c < n; ++c) {
          const auto got =
              std::bit_cast<float>(rig.units.memory().AccumulatorRow(stream.acc + i)[c]);
          const float expected = reference.Real(x, c);
          if (!std::isfinite(expected)) ++infinite;
          ASSERT_TRUE(std::isnan(expected)
                          ? std::isnan(got)
                          : std::bit_cast<uint32_t>(got) == std::bit_cast<uint32_t>(expected))
              << kernels << " seed " << seed << " row " << i << " column " << c << ": " << got
              << ", expected " << expected;
        }
      }
    }
    EXPECT_GT(infinite, 100);
  });
}

struct ConvCase {
  isa::MType type;
  isa::MConvWindow window;
  isa::MConvInput input;
  isa::MLoadW load;
  isa::MConv conv;
};

ConvCase RandomConv(UnitRig& rig, const TypeCase& type, int round) {
  auto pick = [&](int low, int high) { return static_cast<uint32_t>(rig.Pick(low, high)); };
  ConvCase c;
  c.type = {type.act, type.weight, type.act_zp, type.weight_zp};
  c.window = {.taps_h = pick(1, 3),
              .taps_w = pick(1, 3),
              .channels = pick(1, 3),
              .stride_h = pick(1, 3),
              .stride_w = pick(1, 3),
              .dilation_h = pick(1, 2),
              .dilation_w = pick(1, 2)};
  const uint32_t gap = round % 2 == 0 ? 0 : 2;
  const int32_t pixel = static_cast<int32_t>((c.window.channels + gap) * SizeBytes(type.act));
  c.input = {
      .in_h = pick(1, 10), .in_w = pick(1, 10), .row_stride = 12 * pixel, .pixel_stride = pixel};
  const int32_t weight_bytes = static_cast<int32_t>(SizeBytes(type.weight));
  c.load = {.addr = 32768,
            .k = c.window.taps_h * c.window.taps_w * c.window.channels,
            .n = pick(1, 32),
            .k_stride = weight_bytes * 32,
            .n_stride = weight_bytes};
  c.conv = {.addr = 64,
            .acc = 4,
            .y0 = rig.Pick(-3, 1),
            .x0 = rig.Pick(-3, 1),
            .out_h = pick(1, 8),
            .out_w = pick(1, 8),
            .swap = true,
            .accumulate = type.act != Dtype::kF32 && round % 2 == 0};
  return c;
}

// The window of output `o` as a row: integers without their zero point, or floats.
struct Window {
  std::vector<int64_t> integers;
  std::vector<float> reals;
};

Window WindowOf(UnitRig& rig, const ConvCase& c, int64_t o) {
  Window row;
  const Dtype act = c.type.act;
  for (uint32_t r = 0; r < c.load.k; ++r) {
    const uint32_t tap = r / c.window.channels;
    const int64_t y = c.conv.y0 + o / c.conv.out_w * c.window.stride_h +
                      tap / c.window.taps_w * c.window.dilation_h;
    const int64_t x = c.conv.x0 + o % c.conv.out_w * c.window.stride_w +
                      tap % c.window.taps_w * c.window.dilation_w;
    const bool inside = y >= 0 && y < c.input.in_h && x >= 0 && x < c.input.in_w;
    const int64_t offset =
        y * c.input.row_stride + x * c.input.pixel_stride + r % c.window.channels * SizeBytes(act);
    const uint8_t* at = rig.At(inside ? c.conv.addr + offset : 0);
    if (act == Dtype::kF32) {
      row.reals.push_back(inside ? LoadAs<float>(at) : 0.0f);
    } else {
      row.integers.push_back(inside ? LoadInteger(at, act) - c.type.act_zp : 0);
    }
  }
  return row;
}

TEST(MatrixUnitTest, ConvolutionsMatchTheLoopNest) {
  ForAllKernels([](const std::string& kernels) {
    uint32_t seed = 1000;
    for (const TypeCase& type : kTypes) {
      for (int round = 0; round < 16; ++round) {
        UnitRig rig(seed++);
        if (type.act == Dtype::kF32) rig.FillFloats(0, 1 << 14);
        const ConvCase c = RandomConv(rig, type, round);
        const auto before = Snapshot(rig);
        rig.Do(c.type);
        rig.Do(c.window);
        rig.Do(c.input);
        rig.Do(c.load);
        rig.Do(c.conv);
        const Reference reference(rig, c.type, c.load);
        const int64_t step = type.act == Dtype::kI16 ? 2 : 1;
        for (int64_t o = 0; o < static_cast<int64_t>(c.conv.out_h) * c.conv.out_w; ++o) {
          const Window x = WindowOf(rig, c, o);
          ExpectRow(
              rig, type, before, c.conv.acc + o * step, c.conv.accumulate, c.load.n,
              [&](int64_t col) { return reference.Integer(x.integers, col); },
              [&](int64_t col) { return reference.Real(x.reals, col); },
              fmt::format("{} output {}", kernels, o));
          if (::testing::Test::HasFatalFailure()) return;
        }
      }
    }
  });
}

TEST(MatrixUnitTest, PlanesAreDoubleBuffered) {
  UnitRig rig(9);
  rig.Do(isa::MType{Dtype::kI8, Dtype::kI8, 0, 0});
  StoreAs<int8_t>(rig.At(0), 3);    // activation
  StoreAs<int8_t>(rig.At(100), 5);  // first weights
  StoreAs<int8_t>(rig.At(200), 7);  // second weights
  rig.Do(isa::MLoadW{.addr = 100, .k = 1, .n = 1});
  rig.Do(isa::MStream{.addr = 0, .acc = 0, .m = 1, .swap = true});
  rig.Do(isa::MLoadW{.addr = 200, .k = 1, .n = 1});
  rig.Do(isa::MStream{.addr = 0, .acc = 1, .m = 1, .swap = false});
  rig.Do(isa::MStream{.addr = 0, .acc = 2, .m = 1, .swap = true});
  EXPECT_EQ(rig.units.memory().AccumulatorRow(0)[0], 15);
  EXPECT_EQ(rig.units.memory().AccumulatorRow(1)[0], 15);
  EXPECT_EQ(rig.units.memory().AccumulatorRow(2)[0], 21);
}

}  // namespace
}  // namespace acme
