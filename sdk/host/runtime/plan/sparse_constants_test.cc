// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Ops on constants of which the file holds only what is not zero: through DENSIFY and by themselves.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "sdk/host/model/graph/model_builder.h"
#include "sdk/host/runtime/runner/signature_runner.h"

namespace npukit {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kFloat = kLiteRtElementTypeFloat32;

// x * [[0, 2], [3, 0]] transposed.
std::unique_ptr<Model> Product(bool densifies, int32_t last_index) {
  ModelBuilder b;
  Tensor* x = b.Input("x", kFloat, {1, 2});
  Tensor* weights = b.Constant<float>("weights", {2, 2}, {2, 3});
  weights->sparsity =
      Sparsity{.traversal_order = {0, 1},
               .block_map = {},
               .dimensions = {{.format = Sparsity::DimensionFormat::kDense,
                               .dense_size = 2,
                               .array_segments = {},
                               .array_indices = {}},
                              {.format = Sparsity::DimensionFormat::kSparseCsr,
                               .dense_size = 0,
                               .array_segments = std::vector<int32_t>{0, 1, 2},
                               .array_indices = std::vector<int32_t>{1, last_index}}}};
  if (densifies) {
    Tensor* dense = b.Value("dense", kFloat, {2, 2});
    b.AddOp(kLiteRtOpCodeTflDensify, DensifyOptions{}, {weights}, {dense});
    weights = dense;
  }
  Tensor* y = b.Value("y", kFloat, {1, 2});
  b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, weights, nullptr}, {y});
  b.Output(y);
  return b.BuildUnchecked();
}

litert::Expected<std::unique_ptr<SignatureRunner>> Prepare(const Model& model) {
  return SignatureRunner::Create(model, model.main_subgraph(), {}, nullptr, nullptr);
}

TEST(SparseConstants, AreWholeForKernels) {
  for (bool densifies : {true, false}) {
    const auto model = Product(densifies, 0);
    auto runner = Prepare(*model);
    ASSERT_TRUE(runner) << runner.Error();
    const float x[2] = {10, 100};
    ASSERT_TRUE((*runner)->SetInput(0, {reinterpret_cast<const uint8_t*>(x), sizeof(x)}));
    ASSERT_TRUE((*runner)->Run());
    std::vector<float> y(2);
    std::memcpy(y.data(), (*runner)->output(0).data(), sizeof(x));
    EXPECT_THAT(y, ElementsAre(200, 30));
  }
}

TEST(SparseConstants, ErrorsNameTheTensor) {
  const auto model = Product(true, 5);
  const auto runner = Prepare(*model);
  ASSERT_FALSE(runner);
  EXPECT_THAT(runner.Error().Message(), AllOf(HasSubstr("'weights'"), HasSubstr("index 5")));
}

}  // namespace
}  // namespace npukit
