// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "conformance/oracle/graph_model.h"
#include "conformance/oracle/tensor_data.h"
#include "conformance/spec/graph/networks.h"
#include "conformance/spec/text/value_parser.h"
#include "sdk/host/model/testing/nested_composites.h"
#include "sdk/host/model/writing/model_writer.h"
#include "sdk/host/runtime/diagnostics/graph_oracle.h"

namespace npukit::conformance {
namespace {

using ::testing::HasSubstr;

template <typename T>
std::vector<T> As(const std::vector<uint8_t>& bytes) {
  std::vector<T> values(bytes.size() / sizeof(T));
  std::memcpy(values.data(), bytes.data(), values.size() * sizeof(T));
  return values;
}

std::vector<uint8_t> Make(LiteRtElementType type, std::vector<int32_t> shape,
                          DataSpec::Pattern pattern, ValueRange range = {}, uint64_t seed = 1) {
  auto bytes = MakeTensorData(type, shape, DataSpec{.pattern = pattern, .values = {}}, range, seed);
  EXPECT_TRUE(bytes);
  return bytes ? *bytes : std::vector<uint8_t>();
}

TEST(TensorData, IsReproducibleAndInRange) {
  const auto a = Make(kLiteRtElementTypeFloat32, {1000}, DataSpec::Pattern::kRandom,
                      std::make_pair(-2.0, 3.0));
  EXPECT_EQ(a, Make(kLiteRtElementTypeFloat32, {1000}, DataSpec::Pattern::kRandom,
                    std::make_pair(-2.0, 3.0)));
  EXPECT_NE(a, Make(kLiteRtElementTypeFloat32, {1000}, DataSpec::Pattern::kRandom,
                    std::make_pair(-2.0, 3.0), 2));
  const auto values = As<float>(a);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -2.0f);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), 3.0f);
  EXPECT_LT(*std::min_element(values.begin(), values.end()), -1.9f);
}

TEST(TensorData, IntegersCoverTheirType) {
  const auto values = As<int8_t>(Make(kLiteRtElementTypeInt8, {5000}, DataSpec::Pattern::kRandom));
  EXPECT_EQ(*std::min_element(values.begin(), values.end()), -128);
  EXPECT_EQ(*std::max_element(values.begin(), values.end()), 127);
  const auto extremes =
      As<int8_t>(Make(kLiteRtElementTypeInt8, {64}, DataSpec::Pattern::kExtremes));
  for (int8_t wanted : {-128, -127, 0, 1, 126, 127})
    EXPECT_THAT(extremes, ::testing::Contains(wanted));
}

TEST(TensorData, PackedAndHalfTypes) {
  const auto every = As<int8_t>(Make(kLiteRtElementTypeInt8, {257}, DataSpec::Pattern::kEvery));
  EXPECT_EQ(every[0], -128);
  EXPECT_EQ(every[255], 127);
  EXPECT_EQ(every[256], -128);
  EXPECT_EQ(Make(kLiteRtElementTypeInt4, {3}, DataSpec::Pattern::kIota),
            (std::vector<uint8_t>{0x10, 0x02}));
  EXPECT_EQ(As<uint16_t>(Make(kLiteRtElementTypeFloat16, {1}, DataSpec::Pattern::kOnes)),
            std::vector<uint16_t>{0x3c00});
  EXPECT_EQ(As<uint16_t>(Make(kLiteRtElementTypeBFloat16, {1}, DataSpec::Pattern::kOnes)),
            std::vector<uint16_t>{0x3f80});
  EXPECT_FALSE(MakeTensorData(kLiteRtElementTypeTfString, std::vector<int32_t>{1}, {}, {}, 1));
}

TEST(TensorData, SpecialFloats) {
  const auto values = As<float>(Make(kLiteRtElementTypeFloat32, {12}, DataSpec::Pattern::kSpecial));
  EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](float v) { return std::isnan(v); }));
  EXPECT_TRUE(std::any_of(values.begin(), values.end(), [](float v) { return std::isinf(v); }));
  EXPECT_TRUE(std::any_of(values.begin(), values.end(),
                          [](float v) { return v != 0 && std::fabs(v) < 0x1p-126f; }));
}

TEST(TensorData, FewSpecialFloats) {
  const auto values =
      As<float>(Make(kLiteRtElementTypeFloat32, {3, 1000}, DataSpec::Pattern::kRare, {}, 7));
  EXPECT_EQ(values.back(), std::numeric_limits<float>::infinity());
  const auto others = std::count_if(values.begin(), values.end() - 1, [](float v) {
    return !(std::fabs(v) <= 1 && std::fabs(v) > 0x1p-120f);
  });
  EXPECT_GE(others, 2);
  EXPECT_LE(others, 20);
  const auto bytes = As<int8_t>(Make(kLiteRtElementTypeInt8, {1000}, DataSpec::Pattern::kRare));
  EXPECT_EQ(bytes.back(), 127);
}

litert::Expected<CaseModel> FromYaml(const std::string& yaml) {
  auto value = ParseValue(yaml, "g.yaml");
  EXPECT_TRUE(value) << (value ? "" : value.Error().Message());
  auto graph = ReadGraph(*value);
  EXPECT_TRUE(graph) << (graph ? "" : graph.Error().Message());
  return MakeModel(*graph, nullptr, 7);
}

constexpr char kAddMul[] = R"(
inputs:
  x: {type: float32, shape: [2, 3]}
constants:
  c: {type: float32, shape: [3], data: [1, 2, 3]}
ops:
  - {op: ADD, in: [x, c], out: y}
  - {op: MUL, in: [y, y], out: z}
outputs: [z, y]
)";

TEST(GraphModel, InfersShapesAndTypes) {
  auto made = FromYaml(kAddMul);
  ASSERT_TRUE(made) << made.Error().Message();
  const Subgraph& subgraph = made->model->main_subgraph();
  EXPECT_EQ(subgraph.outputs[0]->shape, (std::vector<int32_t>{2, 3}));
  EXPECT_EQ(subgraph.outputs[0]->element_type, kLiteRtElementTypeFloat32);
  EXPECT_EQ(As<float>({subgraph.op(0).inputs[1]->weights.bytes().begin(),
                       subgraph.op(0).inputs[1]->weights.bytes().end()}),
            (std::vector<float>{1, 2, 3}));
}

TEST(GraphModel, ErrorsNameThePlace) {
  auto made = FromYaml(
      "inputs: {x: {type: float32, shape: [2]}}\nconstants: {c: {type: float32, shape: [3]}}\n"
      "ops:\n  - {op: ADD, in: [x, c], out: y}\noutputs: [y]\n");
  ASSERT_FALSE(made);
  EXPECT_THAT(made.Error().Message(), HasSubstr("g.yaml:4:5: "));
}

TEST(GraphOracle, RefusesCompositesThatUnfoldWithoutEnd) {
  const auto model = DoublingComposites(40);
  GraphOracle oracle(*model, model->main_subgraph());
  const auto ran = oracle.Run(std::vector<std::vector<uint8_t>>{std::vector<uint8_t>(8)});
  ASSERT_FALSE(ran);
  EXPECT_THAT(ran.Error().Message(), HasSubstr("composites unfold to more than"));
}

TEST(GraphOracle, ComparesEveryOutputWithItsBound) {
  auto made = FromYaml(kAddMul);
  ASSERT_TRUE(made);
  GraphOracle oracle(*made->model, made->model->main_subgraph());
  const std::vector<float> x = {0.1f, 0.2f, 0.3f, 0.4f, 0.5f, 0.6f};
  std::vector<uint8_t> bytes(24);
  std::memcpy(bytes.data(), x.data(), 24);
  ASSERT_TRUE(oracle.Run(std::vector<std::vector<uint8_t>>{bytes}));
  std::vector<float> y(6);
  std::vector<float> z(6);
  for (int i = 0; i < 6; ++i) {
    y[i] = x[i] + static_cast<float>(i % 3 + 1);
    z[i] = y[i] * y[i];
  }
  auto compare = [&](size_t index, const std::vector<float>& values) {
    std::vector<uint8_t> actual(24);
    std::memcpy(actual.data(), values.data(), 24);
    auto comparison = oracle.Compare(index, actual);
    EXPECT_TRUE(comparison);
    return *comparison;
  };
  EXPECT_TRUE(compare(0, z).ok());
  EXPECT_TRUE(compare(1, y).ok());
  EXPECT_GT(compare(0, z).max_bound_use, 0);
  z[4] *= 1.00001f;
  const kernels::Comparison wrong = compare(0, z);
  EXPECT_EQ(wrong.differing_elems, 1);
  EXPECT_EQ(wrong.worst[0].elem, 4);
  EXPECT_THAT(DescribeComparison(wrong, 6), HasSubstr("elem 4 is"));
  EXPECT_THAT(DescribeComparison(wrong, 6), HasSubstr("1 of 6 elements differ"));
  EXPECT_FALSE(oracle.Compare(0, std::vector<uint8_t>(8)));
}

TEST(Networks, AllBuildAndSave) {
  for (const std::string& name : NetworkNames()) {
    auto model = BuildNetwork(name);
    ASSERT_TRUE(model) << name << ": " << model.Error().Message();
    EXPECT_TRUE(SerializeModel(**model)) << name;
  }
  EXPECT_FALSE(BuildNetwork("no_such_network"));
}

}  // namespace
}  // namespace npukit::conformance
