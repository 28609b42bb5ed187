// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/oracle/misfits.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"

namespace npukit::conformance {
namespace {

using Kind = Misfit::Kind;
using Shape = std::vector<int32_t>;

// FULLY_CONNECTED of int8, weights of two channels with a scale each.
std::unique_ptr<Model> MakeLayer() {
  ModelBuilder m;
  Tensor* x = m.Input("x", kLiteRtElementTypeInt8, {2, 3}, PerTensor(0.5f));
  Tensor* w = m.Constant<int8_t>("w", {2, 3}, {1, 2, 3, 4, 5, 6}, PerChannel({0.1f, 0.2f}, 0));
  Tensor* y = m.Value("y", kLiteRtElementTypeInt8, {2, 2}, PerTensor(1.0f));
  m.AddOp(kLiteRtOpCodeTflFullyConnected, {x, w, nullptr}, {y});
  m.Output(y);
  return m.BuildUnchecked();
}

// The layer with one misfit, which must be possible.
std::unique_ptr<Model> MakeLayerWith(const Misfit& misfit) {
  std::unique_ptr<Model> model = MakeLayer();
  const auto made = MakeMisfit(misfit, *model, model->main_subgraph().op(0));
  EXPECT_TRUE(made) << misfit.ToString();
  return model;
}

TEST(Misfits, OfEachOperandAllKindsThatItHas) {
  const auto model = MakeLayer();
  std::vector<std::string> texts;
  for (const Misfit& misfit : PossibleMisfits(model->main_subgraph().op(0)))
    texts.push_back(misfit.ToString());
  EXPECT_EQ(texts, (std::vector<std::string>{
                       "input 0 is longer by one in dimension 0",
                       "input 0 is longer by one in dimension 1",
                       "input 0 has another rank",
                       "input 0 has nothing in dimension 0",
                       "input 0 has nothing in dimension 0, nor has any other in one of that size",
                       "input 0 has nothing in dimension 1",
                       "input 0 has nothing in dimension 1, nor has any other in one of that size",
                       "input 0 is of another type",
                       "input 0 is omitted",
                       "input 0 has no quantisation",
                       "input 0 has a scale too many",
                       "input 1 is longer by one in dimension 0",
                       "input 1 is longer by one in dimension 1",
                       "input 1 has another rank",
                       "input 1 is omitted",
                       "input 1 has no quantisation",
                       "input 1 has a scale too many",
                       "output 0 is longer by one in dimension 0",
                       "output 0 is longer by one in dimension 1",
                       "output 0 has another rank",
                       "output 0 has nothing in dimension 0",
                       "output 0 has nothing in dimension 1",
                       "output 0 is of another type",
                       "output 0 has no quantisation",
                       "output 0 has a scale too many",
                   }));
}

TEST(Misfits, EachChangesTheModelAndLeavesConstantsWithTheirBytes) {
  const auto before = MakeLayer();
  for (const Misfit& misfit : PossibleMisfits(before->main_subgraph().op(0))) {
    const auto model = MakeLayerWith(misfit);
    bool is_changed = false;
    const Op& op = model->main_subgraph().op(0);
    const Op& old = before->main_subgraph().op(0);
    for (const auto operands : {&Op::inputs, &Op::outputs}) {
      for (size_t i = 0; i < (op.*operands).size(); ++i) {
        const Tensor* now = (op.*operands)[i];
        const Tensor* was = (old.*operands)[i];
        is_changed |= (now == nullptr) != (was == nullptr);
        if (now == nullptr || was == nullptr) continue;
        is_changed |= now->shape != was->shape || now->element_type != was->element_type ||
                      now->quantization != was->quantization;
        if (now->is_constant()) {
          EXPECT_EQ(now->weights.bytes().size(), DenseBytes(now->element_type, now->shape));
        }
      }
    }
    EXPECT_TRUE(is_changed) << misfit.ToString();
  }
}

TEST(Misfits, ALongerConstantKeepsItsBytesAndGetsZeros) {
  const auto model = MakeLayerWith({.kind = Kind::kLonger, .operand = 1, .axis = 0});
  const Tensor& w = *model->main_subgraph().op(0).inputs[1];
  EXPECT_EQ(w.shape, (Shape{3, 3}));
  const auto bytes = w.weights.bytes();
  EXPECT_EQ(std::vector<uint8_t>(bytes.begin(), bytes.end()),
            (std::vector<uint8_t>{1, 2, 3, 4, 5, 6, 0, 0, 0}));
}

TEST(Misfits, NothingOfASizeIsNothingInEveryActivation) {
  const auto model = MakeLayerWith({.kind = Kind::kNoneOfSize, .operand = 0, .axis = 0});
  const Op& op = model->main_subgraph().op(0);
  EXPECT_EQ(op.inputs[0]->shape, (Shape{0, 3}));
  EXPECT_EQ(op.inputs[1]->shape, (Shape{2, 3}));  // a constant
  EXPECT_EQ(op.outputs[0]->shape, (Shape{0, 0}));
}

TEST(Misfits, AScaleTooManyIsOneMoreThanChannels) {
  const auto model = MakeLayerWith({.kind = Kind::kMoreScales, .operand = 1});
  EXPECT_EQ(model->main_subgraph().op(0).inputs[1]->quantization.scale.size(), 3U);
}

TEST(Misfits, WhatTheOpDoesNotHaveIsAnError) {
  const auto model = MakeLayer();
  Op& op = model->main_subgraph().op(0);
  for (const Misfit& misfit : {
           Misfit{.kind = Kind::kLonger, .operand = 9},                     // no such operand
           Misfit{.kind = Kind::kLonger, .operand = 2},                     // omitted
           Misfit{.kind = Kind::kLonger, .operand = 0, .axis = 2},          // no such dimension
           Misfit{.kind = Kind::kOmitted, .is_output = true, .operand = 0}  // outputs never are
       }) {
    const auto made = MakeMisfit(misfit, *model, op);
    ASSERT_FALSE(made) << misfit.ToString();
    EXPECT_EQ(made.Error().Message(), "FULLY_CONNECTED has no such misfit: " + misfit.ToString());
  }
}

TEST(Misfits, ThoseThatNothingCouldComputeAreTold) {
  EXPECT_EQ(Contradiction(MakeLayer()->main_subgraph().op(0)), "");
  const auto of = [](Kind kind, bool is_output, size_t operand, size_t axis) {
    return Contradiction(MakeLayerWith({kind, is_output, operand, axis})->main_subgraph().op(0));
  };
  // Of a FULLY_CONNECTED of 2 rows by 3 the result has as many rows, and as many columns as weights have rows.
  EXPECT_EQ(of(Kind::kLonger, true, 0, 0), "output 0 has 6 bytes, and 4 follow from the inputs");
  EXPECT_NE(of(Kind::kLonger, false, 0, 1), "");
  EXPECT_NE(of(Kind::kLonger, false, 1, 0), "");
  EXPECT_NE(of(Kind::kOmitted, false, 1, 0), "");
  // The same elements in another shape.
  EXPECT_EQ(of(Kind::kFlat, true, 0, 0), "");
}

}  // namespace
}  // namespace npukit::conformance
