// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Windows whose elements are combined by a subgraph that is one logical or bitwise op, on integers too:
// as TFLite has it, 1 where all, or any, are not 0.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

// Windows of two of five numbers, combined by `code`, from `first` on.
template <typename T>
std::vector<uint8_t> ReduceWindows(LiteRtOpCode code, T first, const std::vector<T>& values) {
  constexpr LiteRtElementType kType = ElementTypeOf<T>();
  ModelBuilder b;
  Tensor* x = b.Input("x", kType, {5});
  Tensor* begin = b.Constant<T>("first", {}, {first});
  Tensor* y = b.Value("y", kType, {4});
  const int32_t body = b.BeginSubgraph("body");
  Tensor* left = b.Input("left", kType, {});
  Tensor* right = b.Input("right", kType, {});
  Tensor* both = b.Value("both", kType, {});
  b.AddOp(code, {left, right}, {both});
  b.Output(both);
  b.SelectSubgraph(0);
  b.AddOp(kLiteRtOpCodeShloWindow,
          StablehloReduceWindowOptions{.window_dimensions = {2}, .body_subgraph_index = body},
          {x, begin}, {y});
  b.Output(y);
  const auto model = b.BuildUnchecked();
  auto runner = SignatureRunner::Create(*model, model->main_subgraph(), {}, nullptr, nullptr);
  EXPECT_TRUE(runner) << runner.Error();
  if (!runner) return {};
  const auto* bytes = reinterpret_cast<const uint8_t*>(values.data());
  EXPECT_TRUE((*runner)->SetInput(0, std::vector<uint8_t>(bytes, bytes + sizeof(T) * 5)));
  const auto run = (*runner)->Run();
  EXPECT_TRUE(run) << run.Error();
  const std::span<const uint8_t> out = (*runner)->output(0);
  std::vector<uint8_t> lowest;  // byte of each element
  for (size_t i = 0; i < out.size(); i += sizeof(T)) lowest.push_back(out[i]);
  return lowest;
}

TEST(ReduceWindow, OfIntegersTellsWhetherAllOrAnyAreNotZero) {
  const std::vector<int32_t> wide = {0, 2, 4, 256, 0};
  for (const auto code : {kLiteRtOpCodeTflLogicalAnd, kLiteRtOpCodeShloAnd}) {
    EXPECT_THAT(ReduceWindows<int32_t>(code, -1, wide), ElementsAre(0, 1, 1, 0));
    EXPECT_THAT(ReduceWindows<int8_t>(code, 1, {0, 2, 4, -8, 0}), ElementsAre(0, 1, 1, 0));
  }
  // Of STABLEHLO_OR TFLite has no kernel.
  constexpr auto kOr = kLiteRtOpCodeTflLogicalOr;
  EXPECT_THAT(ReduceWindows<int32_t>(kOr, 0, wide), ElementsAre(1, 1, 1, 1));
  EXPECT_THAT(ReduceWindows<int8_t>(kOr, 0, {0, 0, 4, 0, 0}), ElementsAre(0, 1, 1, 0));
}

}  // namespace
}  // namespace npukit
