// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Products of matrices on every chip: BATCH_MATMUL of computed and of constant operands, and
// FULLY_CONNECTED. The larger shapes do not fit the smaller chips' scratchpads.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "reference_plugin/tests/npu_and_cpu.h"
#include "reference_plugin/tests/random_constants.h"

namespace npukit {
namespace {

struct Factors {
  Shape a;
  Shape b;
  Shape y;
  bool transposed = false;
  bool constant = false;
  bool a_transposed = false;
};

// Types of the operands and of the result.
struct Types {
  LiteRtElementType a;
  LiteRtElementType b;
  LiteRtElementType y;
};

OpCase MatMulCase(const Types& types, const Factors& f) {
  OpCase test;
  test.name = Name(types.a) + Name(types.b) + Name(types.y) + Name(f.a) + "_by" + Name(f.b) +
              (f.transposed ? "_transposed" : "") + (f.a_transposed ? "_turned" : "") +
              (f.constant ? "_constant" : "");
  const int32_t depth = f.a[f.a.size() - (f.a_transposed ? 2 : 1)];
  if (types.a == kF32) test.absolute = SumBound(depth);
  const bool wide = types.a == kI16;
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("a", types.a, f.a, Quant(types.a, 0.05f, -3));
    Tensor* w = nullptr;
    const Quantization quant = wide ? PerTensor(0.02f) : Quant(types.b, 0.02f, 5);
    if (!f.constant) {
      w = b.Input("b", types.b, f.b, quant);
    } else if (types.b == kI8) {
      w = AddConstant<int8_t>(b, "b", f.b, quant, -128, 127);
    } else if (types.b == kI16) {
      w = AddConstant<int16_t>(b, "b", f.b, quant, -32768, 32767);
    } else {
      w = AddConstant<float>(b, "b", f.b, {}, -7, 7);
    }
    // int16's results are scaled by 200 more here; a second factor of int16 is 256 times larger.
    const float out = 0.05f * 0.02f * 20 * static_cast<float>(depth) *
                      (types.b == kI16 ? 256.0f
                       : wide          ? 4.0f
                                       : 1.0f);
    Tensor* y = b.Value("y", types.y, f.y, Quant(types.y, out, 2));
    b.AddOp(kLiteRtOpCodeTflBatchMatmul,
            BatchMatMulOptions{.adj_x = f.a_transposed, .adj_y = f.transposed}, {x, w}, {y});
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
      {.a = {5, 3}, .b = {5, 4}, .y = {3, 4}, .a_transposed = true},
      {.a = {2, 33, 40}, .b = {17, 33}, .y = {2, 40, 17}, .transposed = true, .a_transposed = true},
      {.a = {300, 129}, .b = {300, 70}, .y = {129, 70}, .constant = true, .a_transposed = true},
  };
  constexpr Types kTypes[] = {
      {kI8, kI8, kI8}, {kI8, kI8, kI32}, {kI16, kI8, kI16}, {kI16, kI16, kI16}, {kF32, kF32, kF32}};
  std::vector<OpCase> cases;
  for (const Types& types : kTypes) {
    // Large ones only where all types are alike; the others differ in a single instruction.
    const bool alike = types.a == types.b && types.b == types.y;
    for (const Factors& factors : kFactors) {
      if (alike || Elems(factors.y) < 10000) cases.push_back(MatMulCase(types, factors));
    }
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
    Tensor* x = b.Input("x", type, {rows, depth}, Quant(type, 0.05f, -8));
    Tensor* w = type == kU8
                    ? AddConstant<uint8_t>(b, "w", {units, depth}, Quant(type, 0.01f, 3), 0, 255)
                    : AddConstant<float>(b, "w", {units, depth}, {}, -7, 7);
    Tensor* c = nullptr;
    if (bias) {
      c = type == kU8 ? AddConstant<int32_t>(b, "b", {units}, PerTensor(0.05f * 0.01f), -3000, 3000)
                      : AddConstant<float>(b, "b", {units}, {}, -7, 7);
    }
    const float out = 0.05f * 0.01f * 20 * static_cast<float>(depth);
    Tensor* y = b.Value("y", type, {rows, units}, Quant(type, out, -28));
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

// int16 activations by int8 weights, with each bias.
OpCase Int16FullyConnectedCase(int32_t rows, int32_t depth, int32_t units, int bias_bits,
                               bool per_channel, float out_scale) {
  OpCase test;
  test.name = fmt::format("fc_i16{}_b{}{}_s{}", Name({rows, depth, units}), bias_bits,
                          per_channel ? "_channels" : "", static_cast<int>(1 / out_scale));
  test.build = [=](ModelBuilder& b) {
    Tensor* x = b.Input("x", kI16, {rows, depth}, PerTensor(0.0004f));
    std::vector<float> scales;
    for (int32_t i = 0; i < units; ++i)
      scales.push_back(0.01f + 0.0007f * static_cast<float>(i % 11));
    Tensor* w = AddConstant<int8_t>(
        b, "w", {units, depth}, per_channel ? PerChannel(scales, 0) : PerTensor(0.01f), -40, 40);
    Tensor* c = nullptr;
    if (bias_bits == 32)
      c = AddConstant<int32_t>(b, "b", {units}, PerTensor(4e-6f), -3000000, 3000000);
    if (bias_bits == 64)
      c = AddConstant<int64_t>(b, "b", {units}, PerTensor(4e-6f), -3000000000, 3000000000);
    Tensor* y = b.Value("y", kI16, {rows, units}, PerTensor(out_scale));
    b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, w, c}, {y}, 7);
    b.Output(y);
  };
  return test;
}

std::vector<OpCase> Int16FullyConnectedCases() {
  std::vector<OpCase> cases;
  for (int bias_bits : {0, 32, 64}) {
    for (bool per_channel : {false, true}) {
      // From results that all differ in their last step to ones that are mostly clamped.
      for (float out_scale : {0.013f, 0.00037f})
        cases.push_back(Int16FullyConnectedCase(40, 100, 67, bias_bits, per_channel, out_scale));
      cases.push_back(Int16FullyConnectedCase(300, 700, 130, bias_bits, per_channel, 0.0019f));
    }
  }
  return cases;
}

// int8 with a deep sum, a large bias and a scale for which no multiplier of 31 bits is exact.
OpCase Int8WithoutMultiplier() {
  OpCase test;
  test.name = "fc_i8_real";
  test.build = [](ModelBuilder& b) {
    Tensor* x = b.Input("x", kI8, {60, 1500}, PerTensor(0.11f, -7));
    Tensor* w = AddConstant<int8_t>(b, "w", {33, 1500}, PerTensor(0.017f), -127, 127);
    Tensor* c = AddConstant<int32_t>(b, "b", {33}, PerTensor(0.00187f), -900000000, 900000000);
    Tensor* y = b.Value("y", kI8, {60, 33}, PerTensor(24000.13f, 5));
    b.AddOp(kLiteRtOpCodeTflFullyConnected, FullyConnectedOptions{}, {x, w, c}, {y}, 4);
    b.Output(y);
  };
  return test;
}

TEST(AcmeProductsDeclines, Int16SumsThatTheCpuWouldWrapAround) {
  OpCase test = Int16FullyConnectedCase(2, 4000, 3, 32, false, 0.1f);
  ExpectDeclined(test, "acme_a1");
}

// Requantised in float64 by the CPU.
std::vector<OpCase> FullyConnectedInFloat64Cases() {
  std::vector<OpCase> cases = Int16FullyConnectedCases();
  cases.push_back(Int8WithoutMultiplier());
  return cases;
}

class AcmeProducts : public OnSoc {};

TEST_P(AcmeProducts, EqualTheCpu) { ExpectNpuEqualsCpu(); }

INSTANTIATE_TEST_SUITE_P(MatMul, AcmeProducts, OnEverySoc(MatMulCases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(FullyConnectedInFloat64, AcmeProducts,
                         OnEverySoc(FullyConnectedInFloat64Cases()), OnSoc::Name);
INSTANTIATE_TEST_SUITE_P(FullyConnected, AcmeProducts, OnEverySoc(FullyConnectedCases()),
                         OnSoc::Name);

}  // namespace
}  // namespace npukit
