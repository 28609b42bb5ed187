// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gtest/gtest.h>

#include "simulator/units/testing/softmax_tables.h"
#include "simulator/units/testing/unit_rig.h"
#include "simulator/units/vector_row.h"

namespace acme {
namespace {

constexpr int64_t kTables = 20000;

// One row of 16-bit softmax.
class Int16Softmax : public testing::Test {
 protected:
  Int16Softmax() : rig_(5) {
    WriteSoftmaxTables(rig_, kTables);
    rig_.Do(isa::VParams{.addr = kTables});
    // Times 8: a difference of 8192 is the table's whole range.
    rig_.Do(isa::VQuant{.view = View::kA, .mult = 1u << 30, .shift = 4});
  }

  void Run(uint32_t elems, uint32_t left_out, uint32_t dst) {
    rig_.Do(isa::VShape{elems, 1, 1, 1});
    for (View view : {View::kA, View::kDst}) rig_.Do(isa::VView{view, 2, 0, 0, 0});
    rig_.Do(isa::VQuant{.view = View::kB, .mult = left_out});
    rig_.Do(isa::VSoftmax{.dtype = Dtype::kI16, .out = Dtype::kI16, .dst = dst, .a = 0});
  }

  UnitRig rig_;
};

// Elements that stand before the table are its first entry each in the sum, there or not.
TEST_F(Int16Softmax, CountsWhatIsLeftOut) {
  constexpr int16_t kFirstEntry = 300;  // larger than that of -10, to be seen in shares
  constexpr uint32_t kAll = 40, kThere = 24;
  StoreAs(rig_.At(kTables), kFirstEntry);
  for (uint32_t i = 0; i < kAll; ++i)
    StoreAs(rig_.At(2 * i),
            static_cast<int16_t>(i < kThere ? 30000 - 31 * static_cast<int>(i) : -32768));
  Run(kAll, 0, 30000);
  Run(kThere, (kAll - kThere) * kFirstEntry, 31000);
  Run(kThere, 0, 32000);
  bool differs = false;
  for (uint32_t i = 0; i < kThere; ++i) {
    const auto whole = LoadAs<int16_t>(rig_.At(30000 + 2 * i));
    EXPECT_EQ(LoadAs<int16_t>(rig_.At(31000 + 2 * i)), whole) << i;
    differs |= LoadAs<int16_t>(rig_.At(32000 + 2 * i)) != whole;
  }
  EXPECT_TRUE(differs);
}

}  // namespace
}  // namespace acme
