// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An operation with `lookup` makes what it and v.lut make, one after the other.

#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <string>

#include "simulator/isa/footprint.h"
#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

// Where things stand in the scratchpad.
constexpr uint32_t kDst = 64;
constexpr uint32_t kImage = 20000;
constexpr uint32_t kRecords = 40000;
constexpr uint32_t kWeights = 42000;
constexpr uint32_t kAside = 44000;
constexpr uint32_t kTable = 46000;

struct LookupCase {
  const char* name;
  Dtype type;
  bool depthwise;
  bool residual;
  int32_t step = 1;  // from channel to channel of the result
};

class Lookup : public ::testing::TestWithParam<LookupCase> {
 protected:
  static constexpr int32_t kChannels = 20;
  static constexpr int32_t kCols = 5;
  static constexpr int32_t kRows = 3;

  static void SetUpCase(UnitRig& rig, const LookupCase& c) {
    rig.Do(isa::VShape{kChannels, kCols, kRows, 1});
    const int32_t pixel = kChannels * c.step;
    rig.Do(isa::VView{View::kDst, c.step, pixel, pixel * kCols, 0});
    rig.Do(isa::VView{View::kB, 1, kChannels, kChannels * kCols, 0});
    for (int64_t i = 0; i < kChannels; ++i) {
      uint8_t* record = rig.At(kRecords + i * kIntegerRecordBytes);
      StoreAs(record, static_cast<uint32_t>(rig.Pick(-1000, 1000)));
      StoreAs(record + 4, static_cast<int8_t>(0));
      StoreAs(record + 5, rig.Pick(1 << 30, INT32_MAX));
      StoreAs(record + 9, static_cast<int8_t>(c.depthwise ? -7 : -24));
    }
    rig.Do(isa::VParams{
        .addr = kRecords, .tap_stride = kChannels, .record_stride = kIntegerRecordBytes});
    rig.Do(isa::VWindow{2, 2, 1, 1, 1, 1, 1});
    rig.Do(isa::VInput{kRows + 1, kCols + 1, (kCols + 1) * kChannels, kChannels, 0, 0});
    const int32_t zero = c.type == Dtype::kI8 ? 0 : 128;
    rig.Do(isa::VQuant{.view = View::kDst, .zp = zero, .rounding = Rounding::kDouble});
    rig.Do(isa::VQuant{.view = View::kC,
                       .zp = zero,
                       .mult = 1300000000,
                       .shift = -17,
                       .rounding = Rounding::kDouble});
    for (const View view : {View::kA, View::kB}) {
      rig.Do(
          isa::VQuant{.view = view, .zp = zero, .mult = 1500000000, .shift = -1, .left_shift = 20});
    }
    if (!c.depthwise) rig.Do(isa::VResidual{.addr = kImage, .lo = -128, .hi = 255});
    rig.Do(isa::VLookup{.addr = kTable});
  }
  static void DoWork(UnitRig& rig, const LookupCase& c, uint32_t dst, bool lookup) {
    if (c.depthwise) {
      rig.Do(isa::VDepthwise{
          .dtype = c.type, .dst = dst, .a = kImage, .weights = kWeights, .lookup = lookup});
    } else {
      rig.Do(isa::VDrain{.acc = 8,
                         .dst = dst,
                         .params = kRecords,
                         .acc_type = Dtype::kI32,
                         .out = c.type,
                         .residual = c.residual,
                         .lookup = lookup});
    }
  }
};

TEST_P(Lookup, IsTheOperationThenATable) {
  const LookupCase& c = GetParam();
  ForAllKernels([&](const std::string& kernels) {
    UnitRig fused(3);
    UnitRig apart(3);
    for (UnitRig* rig : {&fused, &apart}) SetUpCase(*rig, c);
    DoWork(fused, c, kDst, /*lookup=*/true);
    DoWork(apart, c, kAside, /*lookup=*/false);
    apart.Do(isa::VParams{.addr = kTable});
    const Strides stride = apart.state.vector.StrideOf(View::kDst);
    apart.Do(isa::VView{View::kA, static_cast<int32_t>(stride[0]), static_cast<int32_t>(stride[1]),
                        static_cast<int32_t>(stride[2]), 0});
    apart.Do(isa::VLut{.dtype = c.type, .out = c.type, .dst = kDst, .a = kAside});
    std::set<uint8_t> seen;
    for (int64_t i = 0; i < int64_t{kChannels} * kCols * kRows; ++i) {
      ASSERT_EQ(*fused.At(kDst + i * c.step), *apart.At(kDst + i * c.step)) << i << " " << kernels;
      seen.insert(*fused.At(kDst + i * c.step));
    }
    EXPECT_GT(seen.size(), 20u);
    // What lies between results is not theirs.
    for (int64_t i = 0; c.step > 1 && i + 1 < int64_t{kChannels} * kCols * kRows; ++i)
      ASSERT_EQ(*fused.At(kDst + i * c.step + 1), *apart.At(kDst + i * c.step + 1)) << i;
  });
}

INSTANTIATE_TEST_SUITE_P(
    Cases, Lookup,
    ::testing::Values(LookupCase{"drain_i8", Dtype::kI8, false, false},
                      LookupCase{"drain_u8", Dtype::kU8, false, false},
                      LookupCase{"drain_with_gaps", Dtype::kI8, false, false, 3},
                      LookupCase{"drain_with_residual", Dtype::kI8, false, true},
                      LookupCase{"depthwise_i8", Dtype::kI8, true, false},
                      LookupCase{"depthwise_u8", Dtype::kU8, true, false}),
    [](const auto& test) { return std::string(test.param.name); });

TEST(Lookup, ReadsItsTableBeforeResultsAreWritten) {
  UnitRig rig(5);
  rig.Do(isa::VShape{4, 1, 1, 1});
  rig.Do(isa::VView{View::kDst, 1, 4, 4, 0});
  rig.Do(isa::VClamp{-128, 127});
  for (int i = 0; i < 256; ++i) StoreAs(rig.At(kTable + i), static_cast<uint8_t>(i));
  for (int i = 0; i < 4; ++i) {
    StoreAs(rig.At(kRecords + i * 10), uint32_t{0});
    StoreAs(rig.At(kRecords + i * 10 + 4), int8_t{0});
    StoreAs(rig.At(kRecords + i * 10 + 5), int32_t{1 << 30});
    StoreAs(rig.At(kRecords + i * 10 + 9), int8_t{1});
    rig.units.memory().AccumulatorRow(0)[i] = -128 + i;
  }
  rig.Do(isa::VParams{.record_stride = kIntegerRecordBytes});
  rig.Do(isa::VQuant{.view = View::kDst, .rounding = Rounding::kDouble});
  rig.Do(isa::VLookup{.addr = kTable});
  rig.Do(isa::VDrain{.dst = kTable,
                     .params = kRecords,
                     .acc_type = Dtype::kI32,
                     .out = Dtype::kI8,
                     .lookup = true});
  for (int i = 0; i < 4; ++i) EXPECT_EQ(*rig.At(kTable + i), i);
}

}  // namespace
}  // namespace acme
