// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Integers made of floats that are not known exactly: how much is left open where the conversion wraps,
// or replaces what does not fit.

#include "sdk/host/kernels/oracle/integer_doubt.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::kF32;
using testing::kI32;
using testing::kI8;
using testing::kU8;
using testing::NodeBuilder;

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

struct Case {
  Bounded x;
  double doubt;
};

void ExpectDoubts(LiteRtOpCode code, LiteRtElementType to, const Quantization& quantization,
                  const std::vector<Case>& cases) {
  for (const Case& c : cases) {
    SCOPED_TRACE(::testing::Message() << c.x.value << " +- " << c.x.bound);
    NodeBuilder node(code, DefaultOptions(code));
    node.Input(kF32, {1}).Output(to, quantization);
    ASSERT_TRUE(node.Infer());
    const OracleTensor in{.type = kF32, .shape = {1}, .values = {c.x.value}, .bounds = {c.x.bound}};
    const OracleTensor* const inputs[] = {&in};
    const auto out = RunOracle(node.node(), inputs);
    ASSERT_TRUE(out) << out.Error().Message();
    EXPECT_EQ(out->front().bounds.front(), c.doubt);
  }
}

// Steps that do not fit int32 are left to the machine.
TEST(IntegerDoubt, QuantizedBeyondInt32) {
  ExpectDoubts(kLiteRtOpCodeTflQuantize, kU8, Affine(0.5f, 255),
               {{{-50, 0}, 0},
                {{-50, 10}, 20},
                {{1e9, 0}, 0},
                {{-1e6, kInfinity}, 255},
                {{10, kInfinity}, 255},
                {{-1e6, 1e12}, 255},
                {{1e20, 0}, 255},
                {{kInfinity, 0}, 255},
                {{kInfinity, kInfinity}, 255},
                {{kNan, 0}, 255}});
}

TEST(IntegerDoubt, CastToWhatWraps) {
  ExpectDoubts(
      kLiteRtOpCodeTflCast, kI8, {},
      {{{100.5, 2}, 2}, {{126, 1}, 1}, {{126, 2}, 254}, {{-1, 1e9}, 255 - 127}, {{5, 0}, 0}});
}

TEST(IntegerDoubt, CastToWhatSaturates) {
  ExpectDoubts(kLiteRtOpCodeTflCast, kU8, {},
               {{{300, 10}, 0}, {{250, 10}, 10}, {{-3, kInfinity}, 255}});
}

TEST(IntegerDoubt, CastToBool) {
  ExpectDoubts(kLiteRtOpCodeTflCast, kLiteRtElementTypeBool, {},
               {{{0.5, 1}, 1}, {{0.5, 0.25}, 0}, {{-2, 1}, 0}, {{0, 0}, 0}, {{0, 1}, 1}});
}

// Nothing is known of a number whose bound is none.
TEST(IntegerDoubt, ABoundThatIsNoNumber) {
  OracleTensor tensor{.type = kF32, .shape = {2}, .values = {0, 0}, .bounds = {0, 0}};
  Put(tensor, 0, {1, kNan});
  Put(tensor, 1, {kNan, kNan});
  EXPECT_EQ(tensor.bounds, (std::vector<double>{kInfinity, 0}));
}

}  // namespace
}  // namespace npukit::kernels
