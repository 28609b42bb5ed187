// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices on every chip: BATCH_MATMUL of computed and of constant operands, and
// FULLY_CONNECTED beside int8. The larger shapes do not fit the smaller chips' scratchpads.

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

Quantization Quant(LiteRtElementType type, float scale, int64_t zero_point) {
  return type == kF32 ? Quantization{} : PerTensor(scale, zero_point);
}

struct Factors {
  Shape a;
  Shape b;
  Shape y;
  bool transposed = false;
  bool constant = false;
};

OpCase MatMulCase(LiteRtElementType type, const Factors& f) {
  OpCase test;
  test.name = Name(type) + Name(f.a) + "_by" + Name(f.b) + (f.transposed ? "_transposed" : "") +
              (f.constant ? "_constant" : "");
  if (type == kF32) test.absolute = SumBound(f.a.back());
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("a", type, f.a, Quant(type, 0.05f, -3));
    Tensor* w = nullptr;
    if (!f.constant) {
      w = b.Input("b", type, f.b, Quant(type, 0.02f, 5));
    } else if (type == kI8) {
      w = AddConstant<int8_t>(b, "b", f.b, Quant(type, 0.02f, 5), -128, 127);
    } else {
      w = AddConstant<float>(b, "b", f.b, {}, -7, 7);
    }
    const float out = 0.05f * 0.02f * 20 * static_cast<float>(f.a.back());
    Tensor* y = b.Value("y", type, f.y, Quant(type, out, 2));
    b.AddOp(kLiteRtOpCodeTflBatchMatmul, BatchMatMulOptions{.adj_x = false, .adj_y = f.transposed},
            {x, w}, {y});
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> MatMulCases() {
  const Factors kFactors[] = {
      {.a = {3, 5}, .b = {5, 4}, .y = {3, 4}},
      {.a = {1, 1}, .b = {1, 1}, .y = {1, 1}},
      {.a = {2, 7, 33}, .b = {2, 9, 33}, .y = {2, 7, 9}, .transposed = true},
      {.a = {2, 3, 17, 40}, .b = {3, 40, 35}, .y = {2, 3, 17, 35}},
      {.a = {1, 5, 70}, .b = {4, 1, 70, 37}, .y = {4, 1, 5, 37}},
      {.a = {4, 5, 33}, .b = {33, 19}, .y = {4, 5, 19}, .constant = true},
      {.a = {2, 70}, .b = {65, 70}, .y = {2, 65}, .transposed = true, .constant = true},
      {.a = {700, 300}, .b = {300, 290}, .y = {700, 290}},
      {.a = {2, 129, 1100}, .b = {2, 500, 1100}, .y = {2, 129, 500}, .transposed = true},
      {.a = {5000, 6}, .b = {6, 3}, .y = {5000, 3}},
  };
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kI8, kF32}) {
    for (const Factors& factors : kFactors) cases.push_back(MatMulCase(type, factors));
  }
  return cases;
}

OpCase FullyConnectedCase(LiteRtElementType type, int32_t rows, int32_t depth, int32_t units,
                          bool bias, ActivationFunctionType activation) {
  OpCase test;
  test.name = "fc_" + Name(type) + Name({rows, depth, units}) + (bias ? "_bias" : "") +
              (activation == ActivationFunctionType::kNone ? "" : "_activation");
  if (type == kF32) test.absolute = SumBound(depth + 1);
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", type, {rows, depth}, Quant(type, 0.05f, 120));
    Tensor* w = type == kU8
                    ? AddConstant<uint8_t>(b, "w", {units, depth}, Quant(type, 0.01f, 131), 0, 255)
                    : AddConstant<float>(b, "w", {units, depth}, {}, -7, 7);
    Tensor* c = nullptr;
    if (bias) {
      c = type == kU8 ? AddConstant<int32_t>(b, "b", {units}, PerTensor(0.05f * 0.01f), -3000, 3000)
                      : AddConstant<float>(b, "b", {units}, {}, -7, 7);
    }
    const float out = 0.05f * 0.01f * 20 * static_cast<float>(depth);
    Tensor* y = b.Value("y", type, {rows, units}, Quant(type, out, 100));
    FullyConnectedOptions options;
    options.fused_activation_function = activation;
    b.AddOp(kLiteRtOpCodeTflFullyConnected, options, {x, w, c}, {y}, 4);
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> FullyConnectedCases() {
  std::vector<OpCase> cases;
  for (LiteRtElementType type : {kU8, kF32}) {
    for (bool bias : {false, true}) {
      cases.push_back(FullyConnectedCase(type, 1, 17, 5, bias, ActivationFunctionType::kNone));
      cases.push_back(FullyConnectedCase(type, 33, 100, 67, bias, ActivationFunctionType::kRelu));
    }
    cases.push_back(FullyConnectedCase(type, 300, 1030, 333, true, ActivationFunctionType::kRelu6));
  }
  return cases;
}

class AcmeProducts : public testing::TestWithParam<std::tuple<OpCase, const char*>> {};

TEST_P(AcmeProducts, EqualTheCpu) {
  const auto& [test, soc] = GetParam();
  ExpectNpuEqualsCpu(test, soc);
}

std::string CaseName(const testing::TestParamInfo<std::tuple<OpCase, const char*>>& info) {
  return std::get<0>(info.param).name + "_" + std::get<1>(info.param);
}

INSTANTIATE_TEST_SUITE_P(MatMul, AcmeProducts,
                         testing::Combine(testing::ValuesIn(MatMulCases()),
                                          testing::ValuesIn(kSocs)),
                         CaseName);
INSTANTIATE_TEST_SUITE_P(FullyConnected, AcmeProducts,
                         testing::Combine(testing::ValuesIn(FullyConnectedCases()),
                                          testing::ValuesIn(kSocs)),
                         CaseName);

}  // namespace
}  // namespace npukit
