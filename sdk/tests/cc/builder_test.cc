// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// A transformation written on the builder's wrapper, applied as the host does.

#include "litert/cc/internal/litert_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/rewrite/builder.h"
#include "sdk/tests/expect_ok.h"

namespace npukit {
namespace {

using ::testing::ElementsAre;

constexpr auto kFloat = kLiteRtElementTypeFloat32;

// ADD(x, y) becomes MUL(ABS(x), c) with a constant c like y, and MUL the fused
// activation of ADD.
LiteRtStatus AddToMul(LiteRtBuilder builder_handle, LiteRtOp op_handle) {
  const litert::Builder builder(builder_handle);
  litert::Op add(op_handle);
  litert::AddOptions add_options;
  LITERT_RETURN_IF_ERROR(add_options.InitFromOp(op_handle));
  LITERT_ASSIGN_OR_RETURN(const auto x, add.Input(0));
  LITERT_ASSIGN_OR_RETURN(auto c, builder.BuildTensor(litert::TensorType<float>({2})));
  const std::vector<float> values = {3, 4};
  LITERT_RETURN_IF_ERROR(builder.BuildWeights<float>(values, c));
  LITERT_ASSIGN_OR_RETURN(
      const auto abs,
      builder.CreateOpWithOutputSpec(kLiteRtOpCodeTflAbs, {x}, litert::TensorType<float>({2})));
  litert::Op mul = builder.ReplaceOp(add, kLiteRtOpCodeTflMul, {abs, c});
  litert::MulOptions mul_options;
  mul_options.fused_activation_function = add_options.fused_activation_function;
  LITERT_RETURN_IF_ERROR(builder.SetOpOptions(mul, mul_options));
  return kLiteRtStatusOk;
}

TEST(BuilderTest, RewritesAnOp) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {2});
  Tensor* y = b.Input("y", kFloat, {2});
  Tensor* z = b.Value("z", kFloat, {2});
  b.AddOp(kLiteRtOpCodeTflAdd,
          AddOptions{.fused_activation_function = ActivationFunctionType::kRelu}, {x, y}, {z});
  b.Output(z);
  const auto model = Ok(b.Build());
  Subgraph& subgraph = model->main_subgraph();

  RewriteBuilder builder(subgraph);
  ASSERT_EQ(AddToMul(&builder, subgraph.ops()[0].get()), kLiteRtStatusOk);
  Ok(builder.Apply());

  const auto ops = litert::Subgraph(&subgraph).Ops();
  ASSERT_EQ(ops.size(), 2u);
  EXPECT_TRUE(ops[0].Is(kLiteRtOpCodeTflAbs));
  EXPECT_TRUE(ops[1].Is(kLiteRtOpCodeTflMul));
  EXPECT_EQ(Ok(ops[1].InputDefiningOp(0)), ops[0]);
  EXPECT_THAT(Ok(Ok(ops[1].Input(1)).WeightsData<float>()), ElementsAre(3, 4));
  EXPECT_EQ(Ok(ops[1].Output(0)).Name(), "z");
  EXPECT_EQ(Ok(litert::GetOptionsAs<litert::MulOptions>(ops[1].Get())).fused_activation_function,
            litert::kActivationFunctionTypeRelu);
}

TEST(BuilderTest, ClonesTensorsWithTheirQuantization) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kLiteRtElementTypeInt8, {2}, PerTensor(0.5f, -3));
  Tensor* y = b.Value("y", kLiteRtElementTypeInt8, {2});
  b.AddOp(kLiteRtOpCodeTflAbs, {x}, {y});
  b.Output(y);
  const auto model = Ok(b.Build());
  RewriteBuilder graph_builder(model->main_subgraph());
  const litert::Builder builder(&graph_builder);
  const auto clone = Ok(builder.CloneTensor(litert::Tensor(x)));
  EXPECT_EQ(clone.Name(), "x");
  EXPECT_EQ(clone.PerTensorQuantization().zero_point, -3);
  EXPECT_EQ(clone.ElementType(), litert::ElementType::Int8);
}

}  // namespace
}  // namespace npukit
