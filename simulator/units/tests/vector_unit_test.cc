// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Vector operations against their loop nests with scalar arithmetic.

#include "simulator/units/vector_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "simulator/isa/footprint.h"
#include "simulator/units/arithmetic/fixed_point.h"
#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

int32_t Saturate(int64_t value, int64_t lo, int64_t hi, Dtype out) {
  const int64_t low = out == Dtype::kI8    ? -128
                      : out == Dtype::kU8  ? 0
                      : out == Dtype::kI16 ? -32768
                                           : INT32_MIN;
  const int64_t high = out == Dtype::kI8    ? 127
                       : out == Dtype::kU8  ? 255
                       : out == Dtype::kI16 ? 32767
                                            : INT32_MAX;
  return static_cast<int32_t>(std::min(std::max(std::min(std::max(value, lo), hi), low), high));
}

struct Record {
  int64_t bias;
  int32_t multiplier;
  int8_t shift;
  double scale;  // in place of the two with Rounding::kReal
};

// Writes random records and returns them.
std::vector<Record> WriteRecords(UnitRig& rig, int64_t addr, int64_t count, bool wide,
                                 bool real = false) {
  std::vector<Record> records;
  for (int64_t c = 0; c < count; ++c) {
    Record r{rig.Pick(-100000, 100000), rig.Pick(1 << 30, INT32_MAX),
             static_cast<int8_t>(rig.Pick(-16, wide ? 0 : 2)), rig.Pick(1, INT32_MAX) * 0x1p-50};
    if (wide) r.bias *= 100000;
    uint8_t* at = rig.At(addr + c * (real ? kRealRecordBytes : kIntegerRecordBytes));
    StoreAs(at, static_cast<uint32_t>(r.bias));
    StoreAs(at + 4, static_cast<int8_t>(r.bias >> 32));
    if (real) {
      StoreAs(at + 5, r.scale);
    } else {
      StoreAs(at + 5, r.multiplier);
      StoreAs(at + 9, r.shift);
    }
    records.push_back(r);
  }
  return records;
}

struct DrainCase {
  Dtype acc, out;
  Rounding rounding;
};

TEST(VectorUnitTest, DrainRequantises) {
  ForAllKernels([](const std::string& kernels) {
    uint32_t seed = 1;
    for (const DrainCase& c : {DrainCase{Dtype::kI32, Dtype::kI8, Rounding::kDouble},
                               DrainCase{Dtype::kI32, Dtype::kU8, Rounding::kSingle},
                               DrainCase{Dtype::kI32, Dtype::kI16, Rounding::kDouble},
                               DrainCase{Dtype::kI64, Dtype::kI16, Rounding::kWide},
                               DrainCase{Dtype::kI64, Dtype::kI16, Rounding::kReal},
                               DrainCase{Dtype::kI32, Dtype::kI8, Rounding::kReal},
                               DrainCase{Dtype::kI32, Dtype::kI32, Rounding::kDouble},
                               DrainCase{Dtype::kI32, Dtype::kI16, Rounding::kWide}}) {
      UnitRig rig(seed++);
      const int64_t n0 = 29, n1 = 5, n2 = 3;
      const int64_t bytes = SizeBytes(c.out);
      for (int64_t r = 0; r < rig.hardware.accumulator_rows; ++r) {
        for (int64_t i = 0; i < 32; ++i) {
          rig.units.memory().AccumulatorRow(r)[i] =
              c.acc == Dtype::kI64 && r % 2 == 1 ? rig.Pick(-3, 2) : rig.Pick(-2000000, 2000000);
        }
      }
      const bool real = c.rounding == Rounding::kReal;
      const std::vector<Record> records = WriteRecords(rig, 40000, n0, c.acc == Dtype::kI64, real);
      rig.Do(isa::VShape{n0, n1, n2, 1});
      rig.Do(isa::VView{View::kDst, static_cast<int32_t>(bytes), 40 * static_cast<int32_t>(bytes),
                        400 * static_cast<int32_t>(bytes), 0});
      rig.Do(isa::VQuant{.view = View::kDst, .zp = -3, .rounding = c.rounding});
      rig.Do(isa::VParams{.record_stride =
                              static_cast<int32_t>(real ? kRealRecordBytes : kIntegerRecordBytes)});
      rig.Do(isa::VClamp{-120, c.out == Dtype::kI8 ? 100 : 30000});
      rig.Do(isa::VDrain{.acc = 8, .dst = 64, .params = 40000, .acc_type = c.acc, .out = c.out});
      for (int64_t y = 0; y < n2; ++y) {
        for (int64_t x = 0; x < n1; ++x) {
          for (int64_t i = 0; i < n0; ++i) {
            const int64_t step = c.acc == Dtype::kI64 ? 2 : 1;
            const int64_t row = 8 + (y * n1 + x) * step;
            int64_t sum = rig.units.memory().AccumulatorRow(row)[i];
            if (c.acc == Dtype::kI64)
              sum = static_cast<uint32_t>(sum) +
                    rig.units.memory().AccumulatorRow(row + 1)[i] * (int64_t{1} << 32);
            int64_t value = sum;
            if (real) {
              value = MultiplyReal(sum + records[i].bias, records[i].scale) - 3;
            } else if (c.out != Dtype::kI32) {
              value = MultiplyByQuantizedMultiplier(sum + records[i].bias, records[i].multiplier,
                                                    records[i].shift, c.rounding) -
                      3;
            }
            const int32_t expected =
                Saturate(value, -120, c.out == Dtype::kI8 ? 100 : 30000, c.out);
            ASSERT_EQ(LoadInteger(rig.At(64 + y * 400 * bytes + x * 40 * bytes + i * bytes), c.out),
                      expected)
                << kernels << " " << NameOf(c.acc) << " to " << NameOf(c.out) << " at " << y << ","
                << x << "," << i;
          }
        }
      }
    }
  });
}

// Sums of floats get a bias, of integers a scale.
TEST(VectorUnitTest, DrainMakesFloats) {
  for (const Dtype acc : {Dtype::kF32, Dtype::kI32}) {
    UnitRig rig(5);
    const int64_t n0 = 29, n1 = 5;
    for (int64_t r = 0; r < n1; ++r) {
      for (int64_t i = 0; i < n0; ++i) {
        int32_t& sum = rig.units.memory().AccumulatorRow(8 + r)[i];
        sum = rig.Pick(-2000000, 2000000);
        if (acc == Dtype::kI32 && i == 3) sum = INT32_MIN + rig.Pick(0, 100);  // rounded
        if (acc == Dtype::kF32) sum = std::bit_cast<int32_t>(static_cast<float>(sum) * 0.37f);
      }
    }
    rig.FillFloats(40000, n0);
    rig.Do(isa::VShape{n0, n1, 1, 1});
    rig.Do(isa::VView{View::kDst, 4, 160, 0, 0});
    rig.Do(isa::VParams{.record_stride = kFloatRecordBytes});
    rig.Do(isa::VClamp{std::bit_cast<int32_t>(-1e8f), std::bit_cast<int32_t>(1e6f)});
    rig.Do(isa::VDrain{.acc = 8, .dst = 64, .params = 40000, .acc_type = acc, .out = Dtype::kF32});
    for (int64_t r = 0; r < n1; ++r) {
      for (int64_t i = 0; i < n0; ++i) {
        const int32_t sum = rig.units.memory().AccumulatorRow(8 + r)[i];
        const auto record = LoadAs<float>(rig.At(40000 + 4 * i));
        const float value = acc == Dtype::kF32 ? std::bit_cast<float>(sum) + record
                                               : static_cast<float>(sum) * record;
        EXPECT_EQ(LoadAs<float>(rig.At(64 + r * 160 + i * 4)), std::clamp(value, -1e8f, 1e6f))
            << NameOf(acc) << " row " << r << " column " << i;
      }
    }
  }
}

TEST(VectorUnitTest, DotProductsOfOneVectorWithEach) {
  for (const Dtype dtype : {Dtype::kI8, Dtype::kU8}) {
    UnitRig rig(7);
    const int64_t units = 5, depth = 333;
    for (int64_t i = 0; i < 20000; ++i) *rig.At(i) = static_cast<uint8_t>(rig.Pick(0, 255));
    for (int64_t c = 0; c < units; ++c) {
      uint8_t* record = rig.At(30000 + c * kIntegerRecordBytes);
      std::memset(record, 0, kIntegerRecordBytes);
      StoreAs(record, static_cast<int32_t>(c * 1000));
      StoreAs(record + 5, int32_t{1 << 30});
      record[9] = static_cast<uint8_t>(-14);
    }
    rig.Do(isa::VShape{units, depth, 1, 1});
    rig.Do(isa::VView{View::kDst, 2, 0, 0, 0});
    rig.Do(isa::VView{View::kB, 350, 0, 0, 0});
    rig.Do(isa::VQuant{.view = View::kA, .zp = 3});
    rig.Do(isa::VQuant{.view = View::kB, .zp = -2});
    rig.Do(isa::VQuant{.view = View::kDst, .zp = 7, .rounding = Rounding::kSingle});
    rig.Do(isa::VClamp{-128, 255});
    rig.Do(isa::VParams{.addr = 30000, .record_stride = kIntegerRecordBytes});
    rig.Do(isa::VDot{.dtype = dtype, .dst = 40000, .a = 100, .weights = 1000});
    const auto element = [&](int64_t at) {
      return dtype == Dtype::kU8 ? int32_t{*rig.At(at)} : int32_t{static_cast<int8_t>(*rig.At(at))};
    };
    for (int64_t c = 0; c < units; ++c) {
      int64_t sum = c * 1000;
      for (int64_t k = 0; k < depth; ++k)
        sum += (element(100 + k) - 3) * (element(1000 + c * 350 + k) + 2);
      const int64_t scaled = (sum + (1 << 14)) >> 15;
      const int64_t most = dtype == Dtype::kU8 ? 255 : 127;
      EXPECT_EQ(element(40000 + 2 * c),
                std::clamp<int64_t>(scaled + 7, most == 255 ? 0 : -128, most))
          << NameOf(dtype) << " " << c;
    }
  }
}

// The depthwise sum of output (oy, ox), channel c, of the tile at 100 with the weights at 20000.
int64_t DepthwiseSum(UnitRig& rig, Dtype type, int64_t oy, int64_t ox, int64_t c) {
  const isa::VWindow& w = rig.state.vector.window;
  const isa::VInput& in = rig.state.vector.input;
  const Dtype weight_type = type == Dtype::kU8 ? Dtype::kU8 : Dtype::kI8;
  int64_t sum = 0;
  for (int64_t ky = 0; ky < w.kernel_h; ++ky) {
    for (int64_t kx = 0; kx < w.kernel_w; ++kx) {
      const int64_t y = in.y0 + oy * w.stride_h + ky * w.dilation_h;
      const int64_t x = in.x0 + ox * w.stride_w + kx * w.dilation_w;
      if (y < 0 || y >= in.in_h || x < 0 || x >= in.in_w) continue;
      const int64_t pixel =
          100 + y * in.row_stride + x * in.pixel_stride + c / w.multiplier * SizeBytes(type);
      const int64_t tap = 20000 + (ky * w.kernel_w + kx) * rig.state.vector.params.tap_stride + c;
      sum += (LoadInteger(rig.At(pixel), type) - rig.state.vector.QuantOf(View::kA).zp) *
             (LoadInteger(rig.At(tap), weight_type) - rig.state.vector.QuantOf(View::kB).zp);
    }
  }
  return sum;
}

TEST(VectorUnitTest, DepthwiseMatchesTheLoopNest) {
  ForAllKernels([](const std::string& kernels) {
    for (uint32_t seed = 0; seed < 40; ++seed) {
      UnitRig rig(seed);
      const Dtype type = seed % 4 == 0 ? Dtype::kU8 : seed % 4 == 1 ? Dtype::kI16 : Dtype::kI8;
      const int64_t bytes = SizeBytes(type);
      auto pick = [&](int lo, int hi) { return static_cast<uint32_t>(rig.Pick(lo, hi)); };
      const isa::VWindow w{pick(1, 4), pick(1, 4), pick(1, 2), pick(1, 3),
                           pick(1, 2), pick(1, 2), pick(1, 3)};
      const int64_t in_channels = pick(1, 20), channels = in_channels * w.multiplier;
      const isa::VInput in{pick(1, 7),
                           pick(1, 7),
                           static_cast<int32_t>(1000 * bytes),
                           static_cast<int32_t>(70 * bytes),
                           rig.Pick(-2, 1),
                           rig.Pick(-2, 1)};
      const int32_t a_zp = type == Dtype::kI16 ? 0 : rig.Pick(-10, 10),
                    b_zp = type == Dtype::kI16 ? 0 : rig.Pick(-3, 3);
      const int64_t n1 = pick(1, 5), n2 = pick(1, 5);
      const Rounding rounding = type == Dtype::kI16 ? Rounding::kWide : Rounding::kDouble;
      const std::vector<Record> records = WriteRecords(rig, 40000, channels, type == Dtype::kI16);
      rig.Do(w);
      rig.Do(in);
      rig.Do(isa::VShape{static_cast<uint32_t>(channels), static_cast<uint32_t>(n1),
                         static_cast<uint32_t>(n2), 1});
      rig.Do(isa::VView{View::kDst, static_cast<int32_t>(bytes),
                        static_cast<int32_t>(channels * bytes), static_cast<int32_t>(600 * bytes),
                        0});
      rig.Do(isa::VQuant{.view = View::kA, .zp = a_zp});
      rig.Do(isa::VQuant{.view = View::kB, .zp = b_zp});
      rig.Do(isa::VQuant{.view = View::kDst, .zp = 4, .rounding = rounding});
      rig.Do(isa::VParams{.addr = 40000, .tap_stride = 61, .record_stride = 10});
      rig.Do(isa::VDepthwise{.dtype = type, .dst = 30000, .a = 100, .weights = 20000});
      for (int64_t oy = 0; oy < n2; ++oy) {
        for (int64_t ox = 0; ox < n1; ++ox) {
          for (int64_t c = 0; c < channels; ++c) {
            const int64_t sum = DepthwiseSum(rig, type, oy, ox, c);
            const int64_t value =
                MultiplyByQuantizedMultiplier(sum + records[c].bias, records[c].multiplier,
                                              records[c].shift, rounding) +
                4;
            ASSERT_EQ(
                LoadInteger(rig.At(30000 + oy * 600 * bytes + (ox * channels + c) * bytes), type),
                Saturate(value, INT32_MIN, INT32_MAX, type))
                << kernels << " seed " << seed;
          }
        }
      }
    }
  });
}

TEST(VectorUnitTest, BinaryBroadcastsAndRequantises) {
  UnitRig rig(7);
  rig.Do(isa::VShape{5, 4, 3, 1});
  rig.Do(isa::VView{View::kDst, 1, 5, 20, 0});
  rig.Do(isa::VView{View::kA, 1, 5, 20, 0});
  rig.Do(isa::VView{View::kB, 1, 0, 0, 0});
  rig.Do(isa::VQuant{.view = View::kA, .zp = 3, .mult = 1u << 30, .shift = 0, .left_shift = 20});
  rig.Do(isa::VQuant{.view = View::kB, .zp = -2, .mult = 0x60000000, .shift = -1});
  rig.Do(isa::VQuant{.view = View::kDst, .zp = 1, .mult = 0x50000000, .shift = -17});
  rig.Do(isa::VBinary{.op = BinaryOp::kSub, .dtype = Dtype::kI8, .dst = 1000, .a = 100, .b = 200});
  for (int i = 0; i < 60; ++i) {
    const int32_t x = LoadAs<int8_t>(rig.At(100 + i)) - 3,
                  y = LoadAs<int8_t>(rig.At(200 + i % 5)) + 2;
    const int32_t difference =
        MultiplyDouble(x * (1 << 20), 1 << 30, 0) - MultiplyDouble(y * (1 << 20), 0x60000000, -1);
    EXPECT_EQ(LoadAs<int8_t>(rig.At(1000 + i)),
              Saturate(MultiplyDouble(difference, 0x50000000, -17) + 1, INT32_MIN, INT32_MAX,
                       Dtype::kI8));
  }
}

// Long rows of bytes take another way through the simulator than short ones; every pair of values,
// both ways.
TEST(VectorUnitTest, LongSumsEqualShortOnes) {
  for (BinaryOp op : {BinaryOp::kAdd, BinaryOp::kSub}) {
    for (Dtype type : {Dtype::kI8, Dtype::kU8}) {
      UnitRig rig(8, *BuiltinHardware("acme_a1"));
      for (int i = 0; i < 65536; ++i) {
        *rig.At(i) = static_cast<uint8_t>(i >> 8);
        *rig.At(65536 + i) = static_cast<uint8_t>(i);
      }
      for (View view : {View::kDst, View::kA, View::kB}) rig.Do(isa::VView{view, 1, 256, 0, 0});
      rig.Do(
          isa::VQuant{.view = View::kA, .zp = 3, .mult = 0x5A000000, .shift = 0, .left_shift = 20});
      rig.Do(isa::VQuant{.view = View::kB, .zp = -2, .mult = 0x60000000, .shift = -1});
      rig.Do(isa::VQuant{.view = View::kDst, .zp = 1, .mult = 0x50000000, .shift = -18});
      rig.Do(isa::VShape{256, 256, 1, 1});
      rig.Do(isa::VBinary{.op = op, .dtype = type, .dst = 131072, .a = 0, .b = 65536});
      rig.Do(isa::VShape{256, 1, 1, 1});
      for (uint32_t row = 0; row < 256; ++row) {
        rig.Do(isa::VBinary{.op = op,
                            .dtype = type,
                            .dst = 262144 + row * 256,
                            .a = row * 256,
                            .b = 65536 + row * 256});
      }
      EXPECT_EQ(std::memcmp(rig.At(131072), rig.At(262144), 65536), 0)
          << NameOf(op) << " " << NameOf(type);
    }
  }
}

TEST(VectorUnitTest, ReducesAnyDimensions) {
  for (uint32_t dims = 1; dims < 16; ++dims) {
    UnitRig rig(dims);
    const Extents shape = {5, 4, 3, 2};
    rig.Do(isa::VShape{5, 4, 3, 2});
    rig.Do(isa::VView{View::kA, 1, 5, 20, 60});
    rig.Do(isa::VView{View::kDst, 4, 20, 80, 240});
    rig.Do(isa::VQuant{.view = View::kA, .zp = 2});
    rig.Do(isa::VReduce{.op = ReduceOp::kSum,
                        .dims = dims,
                        .dtype = Dtype::kI8,
                        .out = Dtype::kI32,
                        .dst = 1000,
                        .a = 0});
    Extents kept;
    for (int d = 0; d < 4; ++d) kept[d] = (dims >> d) & 1 ? 1 : shape[d];
    for (int64_t k3 = 0; k3 < kept[3]; ++k3) {
      for (int64_t k2 = 0; k2 < kept[2]; ++k2) {
        for (int64_t k1 = 0; k1 < kept[1]; ++k1) {
          for (int64_t k0 = 0; k0 < kept[0]; ++k0) {
            int32_t sum = 0;
            for (int64_t i = 0; i < 120; ++i) {
              const Extents at = {i % 5, i / 5 % 4, i / 20 % 3, i / 60};
              const Extents want = {k0, k1, k2, k3};
              bool mine = true;
              for (int d = 0; d < 4; ++d)
                mine = mine && (((dims >> d) & 1) != 0 || at[d] == want[d]);
              if (mine) sum += LoadAs<int8_t>(rig.At(i)) - 2;
            }
            EXPECT_EQ(LoadAs<int32_t>(rig.At(1000 + k0 * 4 + k1 * 20 + k2 * 80 + k3 * 240)), sum)
                << dims;
          }
        }
      }
    }
  }
}

TEST(VectorUnitTest, TablesAndConversions) {
  UnitRig rig(13);
  rig.Do(isa::VShape{64, 1, 1, 1});
  rig.Do(isa::VView{View::kA, 1, 0, 0, 0});
  rig.Do(isa::VView{View::kDst, 1, 0, 0, 0});
  rig.Do(isa::VParams{.addr = 5000});
  rig.Do(isa::VLut{
      .kind = LutKind::kDirect, .dtype = Dtype::kI8, .out = Dtype::kI8, .dst = 1000, .a = 0});
  for (int i = 0; i < 64; ++i)
    EXPECT_EQ(*rig.At(1000 + i), *rig.At(5000 + LoadAs<int8_t>(rig.At(i)) + 128));

  rig.Do(isa::VView{View::kA, 4, 0, 0, 0});
  const float inputs[] = {0.5f, -0.5f, 1.49f, 2.5f, -2.5f, 1e30f, -1e30f, std::nanf("")};
  for (int i = 0; i < 8; ++i) StoreAs(rig.At(4 * i), inputs[i] * 0.25f);
  rig.Do(isa::VShape{8, 1, 1, 1});
  rig.Do(isa::VQuant{.view = View::kDst, .zp = 10, .mult = std::bit_cast<uint32_t>(0.25f)});
  rig.Do(isa::VConvert{
      .op = ConvertOp::kQuantize, .dtype = Dtype::kF32, .out = Dtype::kI8, .dst = 1000, .a = 0});
  const int expected[] = {11, 9, 11, 13, 7, 127, -128, 10};
  for (int i = 0; i < 8; ++i) EXPECT_EQ(LoadAs<int8_t>(rig.At(1000 + i)), expected[i]) << i;

  rig.Do(isa::VView{View::kA, 1, 0, 0, 0});
  rig.Do(isa::VView{View::kDst, 4, 0, 0, 0});
  rig.Do(isa::VQuant{.view = View::kA, .zp = 10, .mult = std::bit_cast<uint32_t>(0.3f)});
  rig.Do(isa::VConvert{.op = ConvertOp::kDequantize,
                       .dtype = Dtype::kI8,
                       .out = Dtype::kF32,
                       .dst = 2000,
                       .a = 1000});
  for (int i = 0; i < 8; ++i)
    EXPECT_EQ(LoadAs<float>(rig.At(2000 + 4 * i)),
              static_cast<float>(static_cast<double>(0.3f) * (expected[i] - 10)));
}

}  // namespace
}  // namespace acme
