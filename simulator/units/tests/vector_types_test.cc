// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Every vector operation in every element type that it has, against real arithmetic: references in
// binary64 that know nothing of multipliers, shifts and tables. Where the operation rounds more
// than once, the result may be a stated number of steps off.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "simulator/units/testing/softmax_tables.h"
#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

constexpr Dtype kQuantised[] = {Dtype::kI8, Dtype::kU8, Dtype::kI16};
constexpr Dtype kAll[] = {Dtype::kI8, Dtype::kU8, Dtype::kI16, Dtype::kF32};

double Lowest(Dtype type) {
  return type == Dtype::kI8 ? -128 : type == Dtype::kU8 ? 0 : type == Dtype::kI16 ? -32768 : -1e30;
}
double Highest(Dtype type) {
  return type == Dtype::kI8 ? 127 : type == Dtype::kU8 ? 255 : type == Dtype::kI16 ? 32767 : 1e30;
}
double Value(UnitRig& rig, int64_t addr, Dtype type) {
  return type == Dtype::kF32 ? LoadAs<float>(rig.At(addr))
                             : static_cast<double>(LoadInteger(rig.At(addr), type));
}
double Saturated(double value, Dtype type) {
  return std::clamp(std::round(value), Lowest(type), Highest(type));
}

// A positive real number as multiplier and shift.
struct Multiplier {
  uint32_t mult;
  int32_t shift;
  explicit Multiplier(double real) {
    int exponent = 0;
    const double fraction = std::frexp(real, &exponent);
    mult = static_cast<uint32_t>(std::min(std::round(fraction * 2147483648.0), 2147483647.0));
    shift = exponent;
  }
};

void Contiguous(UnitRig& rig, View view, Dtype type, int64_t n0, int64_t n1, int64_t n2) {
  const int64_t bytes = SizeBytes(type);
  rig.Do(isa::VView{view, static_cast<int32_t>(bytes), static_cast<int32_t>(bytes * n0),
                    static_cast<int32_t>(bytes * n0 * n1),
                    static_cast<int32_t>(bytes * n0 * n1 * n2)});
}

std::string Where(Dtype type, int64_t element, uint32_t seed) {
  return fmt::format("{} element {} seed {}", NameOf(type), element, seed);
}

TEST(VectorTypesTest, QuantisedArithmeticIsNearTheRealNumbers) {
  constexpr int kCount = 700;
  const double scale_a = 0.031, scale_b = 0.017, scale_out = 0.029;
  for (Dtype type : kQuantised) {
    const int zp_a = type == Dtype::kI16 ? 0 : 7, zp_b = type == Dtype::kI16 ? 0 : 19,
              zp_out = type == Dtype::kI16 ? 0 : 11;
    const uint32_t left_shift = type == Dtype::kI16 ? 15 : 20;
    for (BinaryOp op :
         {BinaryOp::kAdd, BinaryOp::kSub, BinaryOp::kMul, BinaryOp::kMax, BinaryOp::kMin}) {
      UnitRig rig(static_cast<uint32_t>(op) + 1);
      rig.Do(isa::VShape{kCount, 1, 1, 1});
      for (View view : {View::kDst, View::kA, View::kB}) Contiguous(rig, view, type, kCount, 1, 1);
      const double twice = 2 * std::max(scale_a, scale_b);
      const double out = op == BinaryOp::kMul
                             ? scale_a * scale_b / (type == Dtype::kI16 ? 2.0 : scale_out)
                             : twice / std::ldexp(scale_out, static_cast<int>(left_shift));
      const Multiplier a(scale_a / twice), b(scale_b / twice), d(out);
      rig.Do(isa::VQuant{View::kA, zp_a, a.mult, a.shift, left_shift});
      rig.Do(isa::VQuant{View::kB, zp_b, b.mult, b.shift});
      rig.Do(isa::VQuant{View::kDst, zp_out, d.mult, d.shift});
      rig.Do(isa::VBinary{.op = op, .dtype = type, .dst = 30000, .a = 0, .b = 10000});
      const int64_t bytes = SizeBytes(type);
      for (int i = 0; i < kCount; ++i) {
        const double x = Value(rig, i * bytes, type), y = Value(rig, 10000 + i * bytes, type);
        const double rx = scale_a * (x - zp_a), ry = scale_b * (y - zp_b);
        const double real = op == BinaryOp::kAdd   ? rx + ry
                            : op == BinaryOp::kSub ? rx - ry
                                                   : rx * ry;
        double expected =
            op == BinaryOp::kMax   ? std::max(x, y)
            : op == BinaryOp::kMin ? std::min(x, y)
            : op == BinaryOp::kMul
                ? Saturated(real / (type == Dtype::kI16 ? 2.0 : scale_out) + zp_out, type)
                : Saturated(real / scale_out + zp_out, type);
        const bool exact = op == BinaryOp::kMax || op == BinaryOp::kMin;
        ASSERT_NEAR(Value(rig, 30000 + i * bytes, type), expected, exact ? 0 : 1)
            << NameOf(op) << " " << Where(type, i, 0);
      }
    }
  }
}

TEST(VectorTypesTest, PoolsEveryType) {
  for (Dtype type : kAll) {
    for (PoolOp op : {PoolOp::kMax, PoolOp::kAverage}) {
      for (uint32_t seed = 0; seed < 12; ++seed) {
        UnitRig rig(seed);
        if (type == Dtype::kF32) rig.FillFloats(0, 8000);
        auto pick = [&](int lo, int hi) { return static_cast<uint32_t>(rig.Pick(lo, hi)); };
        const uint32_t channels = pick(1, 70);
        const isa::VWindow w{pick(1, 4), pick(1, 4), pick(1, 3), pick(1, 3), 1, 1, 1};
        const int64_t bytes = SizeBytes(type), pixel = (channels + 1) * bytes, row = pixel * 8;
        // Every window has an element: it begins inside, or one before.
        const isa::VInput in{8,
                             8,
                             static_cast<int32_t>(row),
                             static_cast<int32_t>(pixel),
                             -static_cast<int32_t>(w.kernel_h - 1),
                             -static_cast<int32_t>(w.kernel_w - 1)};
        const uint32_t oh = (7 + w.kernel_h - 1) / w.stride_h + 1,
                       ow = (7 + w.kernel_w - 1) / w.stride_w + 1;
        rig.Do(isa::VShape{channels, ow, oh, 1});
        rig.Do(w);
        rig.Do(in);
        Contiguous(rig, View::kDst, type, channels, ow, oh);
        rig.Do(isa::VPool{.op = op, .dtype = type, .dst = 25000, .a = 0});
        for (int64_t i = 0; i < int64_t{oh} * ow * channels; ++i) {
          const int64_t c = i % channels, ox = i / channels % ow, oy = i / channels / ow;
          double sum = 0, best = -1e30;
          int count = 0;
          for (int64_t ky = 0; ky < w.kernel_h; ++ky) {
            for (int64_t kx = 0; kx < w.kernel_w; ++kx) {
              const int64_t y = oy * w.stride_h + ky + in.y0, x = ox * w.stride_w + kx + in.x0;
              if (y < 0 || y >= 8 || x < 0 || x >= 8) continue;
              const double value = Value(rig, y * row + x * pixel + c * bytes, type);
              sum += value;
              best = std::max(best, value);
              ++count;
            }
          }
          const double got = Value(rig, 25000 + i * bytes, type);
          if (op == PoolOp::kMax) {
            ASSERT_EQ(got, best) << Where(type, i, seed);
          } else if (type == Dtype::kF32) {
            ASSERT_NEAR(got, sum / count, 1e-5) << Where(type, i, seed);
          } else {
            ASSERT_EQ(got, std::round(sum / count)) << Where(type, i, seed);
          }
        }
      }
    }
  }
}

TEST(VectorTypesTest, SoftmaxIsNearTheRealNumbers) {
  struct Case {
    Dtype in, out;
    double scale, out_scale, zero, tolerance;  // in the output's steps
  };
  for (const Case& c : {Case{Dtype::kI8, Dtype::kI8, 0.05, 1 / 256.0, -128, 1},
                        Case{Dtype::kU8, Dtype::kU8, 0.05, 1 / 256.0, 0, 1},
                        Case{Dtype::kI8, Dtype::kI16, 0.05, 1 / 65536.0, -32768, 4},
                        Case{Dtype::kI16, Dtype::kI16, 0.0004, 1 / 32768.0, 0, 24},
                        Case{Dtype::kF32, Dtype::kF32, 1, 1, 0, 2e-6}}) {
    UnitRig rig(3);
    constexpr int kDepth = 37, kRows = 11;
    if (c.in == Dtype::kF32) rig.FillFloats(0, kDepth * kRows);
    rig.Do(isa::VShape{kDepth, kRows, 1, 1});
    Contiguous(rig, View::kA, c.in, kDepth, kRows, 1);
    Contiguous(rig, View::kDst, c.out, kDepth, kRows, 1);
    WriteSoftmaxTables(rig, 20000);
    rig.Do(isa::VParams{.addr = 20000});
    if (c.in == Dtype::kF32) {
      rig.Do(isa::VQuant{.view = View::kA, .mult = std::bit_cast<uint32_t>(1.0f)});
    } else if (c.in == Dtype::kI16) {
      const Multiplier m(c.scale / (10.0 / 65535.0));
      rig.Do(isa::VQuant{View::kA, 0, m.mult, m.shift});
    } else {
      const Multiplier m(c.scale * (1 << 26));  // 5 integer bits
      const uint32_t radius =
          static_cast<uint32_t>(std::floor(31.0 * (1 << 26) / std::ldexp(1.0, m.shift)));
      rig.Do(isa::VQuant{View::kA, 0, m.mult, 0, static_cast<uint32_t>(m.shift)});
      rig.Do(isa::VQuant{View::kB, 0, radius});
    }
    rig.Do(isa::VSoftmax{.dtype = c.in, .out = c.out, .dst = 30000, .a = 0});
    for (int row = 0; row < kRows; ++row) {
      double sum = 0, top = -1e30;
      auto at = [&](int i) {
        return c.scale * Value(rig, (row * kDepth + i) * SizeBytes(c.in), c.in);
      };
      for (int i = 0; i < kDepth; ++i) top = std::max(top, at(i));
      for (int i = 0; i < kDepth; ++i) sum += std::exp(at(i) - top);
      for (int i = 0; i < kDepth; ++i) {
        const double real = std::exp(at(i) - top) / sum / c.out_scale + c.zero;
        const double expected = std::clamp(real, Lowest(c.out), Highest(c.out));
        ASSERT_NEAR(Value(rig, 30000 + (row * kDepth + i) * SizeBytes(c.out), c.out), expected,
                    c.tolerance)
            << NameOf(c.in) << " to " << NameOf(c.out) << " row " << row << " element " << i;
      }
    }
  }
}

TEST(VectorTypesTest, ResizesEveryType) {
  for (Dtype type : kAll) {
    for (ResizeOp op : {ResizeOp::kNearest, ResizeOp::kBilinear}) {
      UnitRig rig(static_cast<uint32_t>(type) + 5);
      constexpr int kIn = 5, kOut = 9, kChannels = 6;
      if (type == Dtype::kF32) rig.FillFloats(0, kIn * kIn * kChannels);
      const int64_t bytes = SizeBytes(type);
      int lo[2][kOut], hi[2][kOut];
      double fraction[2][kOut];
      for (int axis = 0; axis < 2; ++axis) {
        for (int i = 0; i < kOut; ++i) {
          lo[axis][i] = rig.Pick(0, kIn - 1);
          hi[axis][i] = std::min(lo[axis][i] + 1, kIn - 1);
          const int tenths = rig.Pick(0, 1023);
          fraction[axis][i] = tenths / 1024.0;
          const int record = axis * kOut + i;
          if (op == ResizeOp::kNearest) {
            StoreAs(rig.At(40000 + 4 * record), lo[axis][i]);
            continue;
          }
          StoreAs(rig.At(40000 + 12 * record), lo[axis][i]);
          StoreAs(rig.At(40000 + 12 * record + 4), hi[axis][i]);
          StoreAs(rig.At(40000 + 12 * record + 8),
                  type == Dtype::kF32
                      ? std::bit_cast<int32_t>(static_cast<float>(fraction[axis][i]))
                      : tenths);
        }
      }
      rig.Do(isa::VShape{kChannels, kOut, kOut, 1});
      rig.Do(isa::VInput{kIn, kIn, static_cast<int32_t>(kIn * kChannels * bytes),
                         static_cast<int32_t>(kChannels * bytes), 0, 0});
      Contiguous(rig, View::kDst, type, kChannels, kOut, kOut);
      rig.Do(isa::VResize{.op = op, .dtype = type, .dst = 20000, .a = 0, .table = 40000});
      for (int64_t i = 0; i < kOut * kOut * kChannels; ++i) {
        const int64_t c = i % kChannels, x = i / kChannels % kOut, y = i / kChannels / kOut;
        auto at = [&](int iy, int ix) {
          return Value(rig, ((iy * kIn + ix) * kChannels + c) * bytes, type);
        };
        const double fy = fraction[0][y], fx = fraction[1][x];
        // Exact in binary64 for integers: twenty bits of fraction.
        const double blend =
            at(lo[0][y], lo[1][x]) * (1 - fy) * (1 - fx) + at(hi[0][y], lo[1][x]) * fy * (1 - fx) +
            at(lo[0][y], hi[1][x]) * (1 - fy) * fx + at(hi[0][y], hi[1][x]) * fy * fx;
        const double got = Value(rig, 20000 + i * bytes, type);
        if (op == ResizeOp::kNearest) {
          ASSERT_EQ(got, at(lo[0][y], lo[1][x])) << Where(type, i, 0);
        } else if (type == Dtype::kF32) {
          ASSERT_NEAR(got, blend, 1e-5) << Where(type, i, 0);
        } else {
          ASSERT_EQ(got, std::round(blend)) << Where(type, i, 0);
        }
      }
    }
  }
}

TEST(VectorTypesTest, TablesOfEveryPairOfTypes) {
  for (Dtype type : {Dtype::kI8, Dtype::kU8}) {
    for (Dtype out : {Dtype::kI8, Dtype::kU8, Dtype::kI16, Dtype::kI32, Dtype::kF32}) {
      UnitRig rig(6);
      rig.FillFloats(40000, 256);
      rig.Do(isa::VShape{300, 2, 1, 1});
      Contiguous(rig, View::kA, type, 300, 2, 1);
      Contiguous(rig, View::kDst, out, 300, 2, 1);
      rig.Do(isa::VParams{.addr = 40000});
      rig.Do(isa::VLut{.kind = LutKind::kDirect, .dtype = type, .out = out, .dst = 20000, .a = 0});
      for (int64_t i = 0; i < 600; ++i) {
        const int64_t index = static_cast<int64_t>(Value(rig, i, type) - Lowest(type));
        ASSERT_EQ(Value(rig, 20000 + i * SizeBytes(out), out),
                  Value(rig, 40000 + index * SizeBytes(out), out))
            << NameOf(type) << " to " << NameOf(out);
      }
    }
  }
  // 16 bits: a table of a smooth function, met within the rounding of table and interpolation.
  UnitRig rig(7);
  for (int i = 0; i < 513; ++i)
    StoreAs(rig.At(40000 + 2 * i),
            static_cast<int16_t>(std::round(32000 * std::tanh((i - 256) / 100.0))));
  rig.Do(isa::VShape{900, 1, 1, 1});
  Contiguous(rig, View::kA, Dtype::kI16, 900, 1, 1);
  Contiguous(rig, View::kDst, Dtype::kI16, 900, 1, 1);
  rig.Do(isa::VParams{.addr = 40000});
  rig.Do(isa::VLut{.kind = LutKind::kInterpolated,
                   .dtype = Dtype::kI16,
                   .out = Dtype::kI16,
                   .dst = 20000,
                   .a = 0});
  for (int64_t i = 0; i < 900; ++i) {
    ASSERT_NEAR(Value(rig, 20000 + 2 * i, Dtype::kI16),
                32000 * std::tanh(Value(rig, 2 * i, Dtype::kI16) / 128 / 100), 2);
  }
}

TEST(VectorTypesTest, CopiesTranspose) {
  for (Dtype type : {Dtype::kI8, Dtype::kU8, Dtype::kI16, Dtype::kI32, Dtype::kF32}) {
    UnitRig rig(8);
    if (type == Dtype::kF32) rig.FillFloats(0, 120);
    const int32_t bytes = static_cast<int32_t>(SizeBytes(type));
    // [2][3][4][5] read in the order that makes the result [5][3][2][4].
    const int32_t extents[] = {4, 2, 3, 5};
    const int32_t strides[] = {5, 60, 20, 1};
    rig.Do(isa::VShape{4, 2, 3, 5});
    rig.Do(isa::VView{View::kA, strides[0] * bytes, strides[1] * bytes, strides[2] * bytes,
                      strides[3] * bytes});
    Contiguous(rig, View::kDst, type, 4, 2, 3);
    rig.Do(isa::VUnary{.op = UnaryOp::kCopy, .dtype = type, .dst = 2000, .a = 0});
    for (int i = 0; i < 120; ++i) {
      int rest = i, from = 0;
      for (int d = 0; d < 4; ++d) {
        from += rest % extents[d] * strides[d];
        rest /= extents[d];
      }
      ASSERT_EQ(Value(rig, 2000 + i * bytes, type), Value(rig, from * bytes, type))
          << Where(type, i, 0);
    }
  }
}

TEST(VectorTypesTest, ReducesEveryType) {
  for (Dtype type : kAll) {
    for (ReduceOp op : {ReduceOp::kSum, ReduceOp::kMax, ReduceOp::kMin, ReduceOp::kMean}) {
      UnitRig rig(9);
      constexpr int kChannels = 7, kPixels = 40;
      if (type == Dtype::kF32) rig.FillFloats(0, kChannels * kPixels);
      const int64_t bytes = SizeBytes(type);
      rig.Do(isa::VShape{kChannels, kPixels, 1, 1});
      Contiguous(rig, View::kA, type, kChannels, kPixels, 1);
      Contiguous(rig, View::kDst, type, kChannels, 1, 1);
      // Integers: the mean's count, or for the sum a scale that keeps it in range.
      const Multiplier m(1.0 / kPixels);
      rig.Do(isa::VQuant{.view = View::kA, .zp = 3});
      rig.Do(isa::VQuant{View::kDst, 2, m.mult, m.shift});
      rig.Do(isa::VReduce{.op = op, .dims = 2, .dtype = type, .out = type, .dst = 20000, .a = 0});
      for (int c = 0; c < kChannels; ++c) {
        double sum = 0, most = -1e30, least = 1e30;
        for (int p = 0; p < kPixels; ++p) {
          const double value = Value(rig, (p * kChannels + c) * bytes, type);
          sum += value;
          most = std::max(most, value);
          least = std::min(least, value);
        }
        const double got = Value(rig, 20000 + c * bytes, type);
        if (op == ReduceOp::kMax || op == ReduceOp::kMin) {
          ASSERT_EQ(got, op == ReduceOp::kMax ? most : least) << Where(type, c, 0);
        } else if (type == Dtype::kF32) {
          ASSERT_NEAR(got, op == ReduceOp::kMean ? sum / kPixels : sum, 1e-4) << Where(type, c, 0);
        } else {
          ASSERT_NEAR(got, Saturated((sum - 3 * kPixels) / kPixels + 2, type), 1)
              << Where(type, c, 0);
        }
      }
    }
  }
}

TEST(VectorTypesTest, FloatDepthwiseIsNearTheRealNumbers) {
  for (uint32_t multiplier : {1u, 2u, 3u}) {
    UnitRig rig(multiplier);
    rig.FillFloats(0, 16000);
    const uint32_t in_channels = 5, channels = in_channels * multiplier;
    rig.Do(isa::VShape{channels, 4, 3, 1});
    rig.Do(isa::VWindow{3, 2, 2, 1, 1, 2, multiplier});
    rig.Do(isa::VInput{6, 6, 6 * 20, 20, -1, -1});
    Contiguous(rig, View::kDst, Dtype::kF32, channels, 4, 3);
    rig.Do(isa::VParams{
        .addr = 8000, .tap_stride = static_cast<int32_t>(channels * 4), .record_stride = 4});
    rig.Do(isa::VDepthwise{.dtype = Dtype::kF32, .dst = 60000, .a = 0, .weights = 4000});
    for (uint32_t i = 0; i < 12 * channels; ++i) {
      const int64_t c = i % channels, ox = i / channels % 4, oy = i / channels / 4;
      double sum = Value(rig, 8000 + 4 * c, Dtype::kF32);
      for (int64_t ky = 0; ky < 3; ++ky) {
        for (int64_t kx = 0; kx < 2; ++kx) {
          const int64_t y = oy * 2 + ky - 1, x = ox + 2 * kx - 1;
          if (y < 0 || y >= 6 || x < 0 || x >= 6) continue;
          sum += Value(rig, (y * 6 + x) * 20 + c / multiplier * 4, Dtype::kF32) *
                 Value(rig, 4000 + ((ky * 2 + kx) * channels + c) * 4, Dtype::kF32);
        }
      }
      ASSERT_NEAR(Value(rig, 60000 + 4 * i, Dtype::kF32), sum, 1e-4) << i;
    }
  }
}

}  // namespace
}  // namespace acme
