// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// v.binary with operands and results that are converted on their way: as v.convert, v.binary and
// v.convert one after the other.

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <tuple>
#include <vector>

#include "simulator/isa/text.h"
#include "simulator/units/testing/unit_rig.h"

namespace acme {
namespace {

constexpr uint32_t kA = 0;  // of bytes
constexpr uint32_t kB = 1024;
constexpr uint32_t kRealA = 2048;  // converted
constexpr uint32_t kRealB = 8192;
constexpr uint32_t kReal = 16384;      // results
constexpr uint32_t kExpected = 24576;  // of bytes
constexpr uint32_t kActual = 32768;
constexpr uint32_t kElems = 1000;  // no multiple of lanes or blocks

isa::VQuant RealScale(View view, float scale, int32_t zp) {
  return {.view = view, .zp = zp, .mult = std::bit_cast<uint32_t>(scale)};
}

class ConvertedOperands : public testing::Test {
 protected:
  ConvertedOperands() {
    rig_.Do(isa::VShape{kElems, 1, 1, 1});
    for (uint32_t i = 0; i < kElems; ++i) {
      StoreAs(rig_.At(kA + i), static_cast<int8_t>(i * 37));
      StoreAs(rig_.At(kB + i), static_cast<int8_t>(i * 101 + 5));
    }
  }

  void Strides(int32_t dst, int32_t a, int32_t b) {
    rig_.Do(isa::VView{View::kDst, dst, 0, 0, 0});
    rig_.Do(isa::VView{View::kA, a, 0, 0, 0});
    rig_.Do(isa::VView{View::kB, b, 0, 0, 0});
  }
  void Quantisation(View view, const isa::VQuant& from) {
    isa::VQuant quant = from;
    quant.view = view;
    rig_.Do(quant);
  }
  void Clamp(float lo, float hi) {
    rig_.Do(isa::VClamp{std::bit_cast<int32_t>(lo), std::bit_cast<int32_t>(hi)});
  }
  std::vector<int8_t> Bytes(uint32_t at) {
    std::vector<int8_t> bytes(kElems);
    for (uint32_t i = 0; i < kElems; ++i) bytes[i] = LoadAs<int8_t>(rig_.At(at + i));
    return bytes;
  }

  UnitRig rig_{/*seed=*/1};
};

TEST_F(ConvertedOperands, AreThoseOfConversionsBeforeAndAfter) {
  const isa::VQuant a = RealScale(View::kA, 0.037F, -3);
  const isa::VQuant b = RealScale(View::kB, 0.0211F, 17);
  const isa::VQuant dst = RealScale(View::kDst, 0.09F, -128);
  for (const BinaryOp op : {BinaryOp::kAdd, BinaryOp::kSub, BinaryOp::kMul, BinaryOp::kDiv,
                            BinaryOp::kSquaredDifference, BinaryOp::kMax, BinaryOp::kMin}) {
    Clamp(-1e30F, 1e30F);
    Strides(4, 1, 0);
    for (const auto& [quant, from, to] : {std::tuple(a, kA, kRealA), std::tuple(b, kB, kRealB)}) {
      Quantisation(View::kA, quant);
      rig_.Do(isa::VConvert{.op = ConvertOp::kDequantize,
                            .dtype = Dtype::kI8,
                            .out = Dtype::kF32,
                            .dst = to,
                            .a = from});
    }
    Strides(4, 4, 4);
    Clamp(-2.5F, 9.0F);
    rig_.Do(isa::VBinary{.op = op, .dtype = Dtype::kF32, .dst = kReal, .a = kRealA, .b = kRealB});
    rig_.Do(isa::VClamp{-128, 127});
    Strides(1, 4, 0);
    Quantisation(View::kDst, dst);
    rig_.Do(isa::VConvert{.op = ConvertOp::kQuantize,
                          .dtype = Dtype::kF32,
                          .out = Dtype::kI8,
                          .dst = kExpected,
                          .a = kReal});
    Clamp(-2.5F, 9.0F);
    for (const isa::VQuant& quant : {a, b, dst}) rig_.Do(quant);
    // Each alone, and all.
    for (int which = 1; which < 8; ++which) {
      const bool first = (which & 1) != 0, second = (which & 2) != 0, result = (which & 4) != 0;
      Strides(result ? 1 : 4, first ? 1 : 4, second ? 1 : 4);
      rig_.Do(isa::VBinary{.op = op,
                           .dtype = Dtype::kF32,
                           .dst = kActual,
                           .a = first ? kA : kRealA,
                           .b = second ? kB : kRealB,
                           .convert_a = first,
                           .convert_b = second,
                           .convert_dst = result});
      if (result) {
        EXPECT_EQ(Bytes(kActual), Bytes(kExpected)) << NameOf(op) << " " << which;
        continue;
      }
      for (uint32_t i = 0; i < kElems; ++i) {
        ASSERT_EQ(LoadAs<uint32_t>(rig_.At(kActual + 4 * i)),
                  LoadAs<uint32_t>(rig_.At(kReal + 4 * i)))
            << NameOf(op) << " " << which << " element " << i;
      }
    }
  }
}

TEST_F(ConvertedOperands, OfBytesAreRequantised) {
  // 0.81 and 1.3 as multipliers: saturation is among what they give.
  const isa::VQuant a{.view = View::kA, .zp = -9, .mult = 1739461754, .shift = 0};
  const isa::VQuant b{.view = View::kB, .zp = 4, .mult = 1395864371, .shift = 1};
  const isa::VQuant dst{.view = View::kDst, .zp = 11, .rounding = Rounding::kDouble};
  rig_.Do(isa::VClamp{-128, 127});
  Strides(1, 1, 1);
  for (const auto& [quant, from, to] : {std::tuple(a, kA, kRealA), std::tuple(b, kB, kRealB)}) {
    Quantisation(View::kA, quant);
    isa::VQuant by = quant;
    by.zp = dst.zp;
    by.rounding = Rounding::kDouble;
    Quantisation(View::kDst, by);
    rig_.Do(isa::VConvert{.op = ConvertOp::kRequantize,
                          .dtype = Dtype::kI8,
                          .out = Dtype::kI8,
                          .dst = to,
                          .a = from});
  }
  rig_.Do(isa::VClamp{-100, 110});
  for (const isa::VQuant& quant : {a, b, dst}) rig_.Do(quant);
  for (const BinaryOp op : {BinaryOp::kMax, BinaryOp::kMin}) {
    rig_.Do(
        isa::VBinary{.op = op, .dtype = Dtype::kI8, .dst = kExpected, .a = kRealA, .b = kRealB});
    for (int which = 1; which < 4; ++which) {
      const bool first = (which & 1) != 0, second = (which & 2) != 0;
      rig_.Do(isa::VBinary{.op = op,
                           .dtype = Dtype::kI8,
                           .dst = kActual,
                           .a = first ? kA : kRealA,
                           .b = second ? kB : kRealB,
                           .convert_a = first,
                           .convert_b = second});
      EXPECT_EQ(Bytes(kActual), Bytes(kExpected)) << NameOf(op) << " " << which;
    }
  }
}

}  // namespace
}  // namespace acme
