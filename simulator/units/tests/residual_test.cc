// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A drain that adds a residual makes what a drain and v.binary add make of it, one after the other.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>

#include "simulator/isa/footprint.h"
#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

// Where things stand in the scratchpad.
constexpr uint32_t kDst = 64;
constexpr uint32_t kResidual = 20000;
constexpr uint32_t kRecords = 40000;
constexpr uint32_t kSums = 44000;  // of v.binary
constexpr uint32_t kWhole = 52000;

constexpr int32_t kZeroB = -7;  // the residual's zero point

struct ResidualCase {
  std::string name;
  Dtype acc = Dtype::kI32;
  Dtype out = Dtype::kI8;
  Extents shape = {1, 1, 1, 1};
  uint32_t dst = kDst;
  int32_t pitch_elems = 0;  // from row to row of the residual
  uint32_t left_shift = 20;
  uint32_t missing = 0;
};

class Residual : public ::testing::TestWithParam<ResidualCase> {
 protected:
  static void SetUpCase(UnitRig& rig, const ResidualCase& c) {
    const auto bytes = static_cast<int32_t>(SizeBytes(c.out));
    const auto row = static_cast<int32_t>(c.shape[0]);
    const auto rows = static_cast<int32_t>(c.shape[1]);
    rig.Do(isa::VShape{U(c.shape[0]), U(c.shape[1]), U(c.shape[2]), U(c.shape[3])});
    rig.Do(isa::VView{View::kDst, bytes, bytes * row, bytes * row * rows, 0});
    rig.Do(isa::VView{View::kB, bytes, bytes * c.pitch_elems, bytes * c.pitch_elems * rows, 0});
    if (c.out == Dtype::kF32) {
      rig.FillFloats(kResidual, int64_t{c.pitch_elems} * rows * c.shape[2]);
      rig.FillFloats(kRecords, c.shape[0]);
      for (int64_t r = 0; r < rig.hardware.accumulator_rows; ++r) {
        for (int64_t i = 0; i < 32; ++i)
          rig.units.memory().AccumulatorRow(r)[i] =
              std::bit_cast<int32_t>(static_cast<float>(rig.Pick(-900, 900)) / 64.0f);
      }
      rig.Do(isa::VParams{.record_stride = kFloatRecordBytes});
      rig.Do(isa::VClamp{std::bit_cast<int32_t>(-9.0f), std::bit_cast<int32_t>(10.0f)});
      return;
    }
    for (int64_t i = 0; i < c.shape[0]; ++i) {
      uint8_t* record = rig.At(kRecords + i * kIntegerRecordBytes);
      StoreAs(record, static_cast<uint32_t>(rig.Pick(-1000, 1000)));
      StoreAs(record + 4, static_cast<int8_t>(0));
      StoreAs(record + 5, rig.Pick(1 << 30, INT32_MAX));
      StoreAs(record + 9, static_cast<int8_t>(c.acc == Dtype::kI64 ? -18 : -24));
    }
    rig.Do(isa::VParams{.record_stride = kIntegerRecordBytes});
    rig.Do(isa::VClamp{-100, 110});
  }
  // The residual at kWhole, with rows of all columns; those that it does not have hold zero by kB.
  static void WriteWhole(UnitRig& rig, const ResidualCase& c) {
    const int64_t bytes = SizeBytes(c.out);
    const int32_t zero = c.out == Dtype::kF32 ? 0 : kZeroB;
    const int64_t rows = c.shape[1] * c.shape[2];
    for (int64_t i = 0; i < rows * c.shape[0]; ++i) {
      const int64_t row = i / c.shape[0];
      const int64_t column = i % c.shape[0];
      const void* from = rig.At(kResidual + (row * c.pitch_elems + column) * bytes);
      if (column >= c.shape[0] - c.missing) from = &zero;
      std::memcpy(rig.At(kWhole + i * bytes), from, static_cast<size_t>(bytes));
    }
  }
  static uint32_t U(int64_t value) { return static_cast<uint32_t>(value); }
};

constexpr isa::VQuant kDrained = {.view = View::kDst, .zp = 5, .rounding = Rounding::kDouble};
constexpr isa::VQuant kA = {.view = View::kA, .zp = 5, .mult = 1500000000, .shift = -1};
constexpr isa::VQuant kB = {.view = View::kB, .zp = kZeroB, .mult = 1800000000, .shift = 0};
constexpr isa::VQuant kSum = {
    .view = View::kC, .zp = -11, .mult = 1300000000, .shift = -17, .rounding = Rounding::kDouble};

TEST_P(Residual, IsADrainThenASum) {
  const ResidualCase& c = GetParam();
  const bool real = c.out == Dtype::kF32;
  const int32_t lo = real ? std::bit_cast<int32_t>(-12.5f) : -90;
  const int32_t hi = real ? std::bit_cast<int32_t>(13.5f) : 95;
  ForAllKernels([&](const std::string& kernels) {
    UnitRig fused(3);
    UnitRig apart(3);
    const isa::VDrain drain{
        .acc = 8, .dst = c.dst, .params = kRecords, .acc_type = c.acc, .out = c.out};
    for (UnitRig* rig : {&fused, &apart}) {
      SetUpCase(*rig, c);
      rig->Do(kDrained);
      isa::VQuant a = kA;
      a.left_shift = c.left_shift;
      rig->Do(a);
      rig->Do(kB);
    }
    fused.Do(kSum);
    fused.Do(isa::VResidual{.addr = kResidual, .lo = lo, .hi = hi});
    isa::VDrain with_residual = drain;
    with_residual.residual = true;
    with_residual.missing = c.missing;
    fused.Do(with_residual);

    WriteWhole(apart, c);
    isa::VDrain aside = drain;
    aside.dst = kSums;  // what the drain writes must not be where it reads
    apart.Do(aside);
    isa::VQuant sum = kSum;
    sum.view = View::kDst;
    apart.Do(sum);
    apart.Do(isa::VClamp{lo, hi});
    const Strides stride = apart.state.vector.StrideOf(View::kDst);
    for (const View view : {View::kA, View::kB})
      apart.Do(isa::VView{view, static_cast<int32_t>(stride[0]), static_cast<int32_t>(stride[1]),
                          static_cast<int32_t>(stride[2]), 0});
    apart.Do(
        isa::VBinary{.op = BinaryOp::kAdd, .dtype = c.out, .dst = kSums, .a = kSums, .b = kWhole});
    const int64_t bytes = Count(c.shape) * SizeBytes(c.out);
    bool varies = false;
    for (int64_t i = 0; i < bytes; ++i) {
      ASSERT_EQ(*fused.At(c.dst + i), *apart.At(kSums + i))
          << fmt::format("{} byte {} with {}", c.name, i, kernels);
      varies = varies || *fused.At(c.dst + i) != *fused.At(c.dst);
    }
    EXPECT_TRUE(varies) << c.name;
  });
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Residual,
    ::testing::Values(
        // More than 1,024 elements, which go by tables, and fewer.
        ResidualCase{.name = "i8_many", .shape = {29, 13, 3, 1}, .pitch_elems = 40},
        ResidualCase{.name = "i8_few", .shape = {7, 3, 2, 1}, .pitch_elems = 7},
        ResidualCase{.name = "u8", .out = Dtype::kU8, .shape = {16, 4, 2, 1}, .pitch_elems = 16},
        ResidualCase{.name = "i16",
                     .acc = Dtype::kI64,
                     .out = Dtype::kI16,
                     .shape = {11, 5, 2, 1},
                     .pitch_elems = 12,
                     .left_shift = 15},
        ResidualCase{.name = "f32",
                     .acc = Dtype::kF32,
                     .out = Dtype::kF32,
                     .shape = {30, 6, 2, 1},
                     .pitch_elems = 33},
        ResidualCase{.name = "i8_of_fewer_columns",
                     .shape = {29, 13, 3, 1},
                     .pitch_elems = 24,
                     .missing = 5},
        ResidualCase{.name = "i16_of_fewer_columns",
                     .acc = Dtype::kI64,
                     .out = Dtype::kI16,
                     .shape = {11, 5, 2, 1},
                     .pitch_elems = 12,
                     .left_shift = 15,
                     .missing = 4},
        ResidualCase{.name = "f32_of_fewer_columns",
                     .acc = Dtype::kF32,
                     .out = Dtype::kF32,
                     .shape = {30, 6, 2, 1},
                     .pitch_elems = 33,
                     .missing = 3},
        ResidualCase{
            .name = "of_no_columns", .shape = {8, 5, 2, 1}, .pitch_elems = 8, .missing = 8},
        // The sum takes the residual's place.
        ResidualCase{
            .name = "in_place", .shape = {32, 5, 2, 1}, .dst = kResidual, .pitch_elems = 32}),
    [](const auto& test) { return test.param.name; });

// The rows of results stand where later rows of the residual do: all of it is read first.
TEST(Residual, IsReadBeforeResultsAreWritten) {
  UnitRig rig(4);
  rig.Do(isa::VShape{4, 3, 1, 1});
  rig.Do(isa::VView{View::kDst, 4, 16, 0, 0});
  rig.Do(isa::VView{View::kB, 4, 16, 0, 0});
  rig.Do(isa::VParams{.record_stride = kFloatRecordBytes});
  for (int i = 0; i < 4; ++i) StoreAs(rig.At(kRecords + 4 * i), 0.0f);
  for (int i = 0; i < 12; ++i) {
    StoreAs(rig.At(kResidual + 4 * i), static_cast<float>(i));
    rig.units.memory().AccumulatorRow(i / 4)[i % 4] = std::bit_cast<int32_t>(100.0f);
  }
  rig.Do(isa::VResidual{.addr = kResidual,
                        .lo = std::bit_cast<int32_t>(-1000.0f),
                        .hi = std::bit_cast<int32_t>(1000.0f)});
  rig.Do(isa::VDrain{.dst = kResidual + 16,
                     .params = kRecords,
                     .acc_type = Dtype::kF32,
                     .out = Dtype::kF32,
                     .residual = true});
  for (int i = 0; i < 12; ++i)
    EXPECT_EQ(LoadAs<float>(rig.At(kResidual + 16 + 4 * i)), 100.0f + static_cast<float>(i));
}

}  // namespace
}  // namespace acme
