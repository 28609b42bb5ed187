// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <flatbuffers/flexbuffers.h>

#include <vector>

#include "sdk/host/kernels/testing/custom_node.h"
#include "sdk/host/kernels/testing/shorthand.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::CustomNode;
using ::testing::ElementsAre;
using testing::Floats;
using ::testing::HasSubstr;
using testing::kF32;
using testing::kI8;
using testing::ValuesOf;

std::vector<uint8_t> Options(float tolerance, bool fails) {
  flexbuffers::Builder options;
  options.Map([&] {
    options.Float("tolerance", tolerance);
    options.Bool("log_if_failed", fails);
  });
  options.Finish();
  return options.GetBuffer();
}

TEST(NumericVerify, GivesDifferences) {
  for (const bool fails : {false, true}) {
    CustomNode node("NumericVerify", Options(5, fails));
    node.Input(kI8, {3}, Affine(0.5F, 2)).Input(kF32, {3}).Output(kF32);
    const auto outputs = node.Run({{2, 4, 0xFE}, BytesOf(Floats{0, 2, -2})});
    ASSERT_TRUE(outputs) << outputs.Error();
    EXPECT_THAT(ValuesOf<float>((*outputs)[0]), ElementsAre(0, -1, 0));
  }
}

TEST(NumericVerify, TooLargeADifferenceIsAnError) {
  CustomNode node("NumericVerify", Options(1, true));
  node.Input(kI8, {2}, Affine(0.5F, 0)).Input(kF32, {2}).Output(kF32);
  const auto outputs = node.Run({{2, 4}, BytesOf(Floats{1, 3})});
  ASSERT_FALSE(outputs);
  EXPECT_THAT(outputs.Error().Message(), HasSubstr("'in0'"));
  EXPECT_THAT(outputs.Error().Message(), HasSubstr("element 1"));
}

}  // namespace
}  // namespace npukit::kernels
