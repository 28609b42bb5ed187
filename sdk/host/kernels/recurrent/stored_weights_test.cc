// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Weights of 8 bits under float activations: signed bytes, whether a file calls them int8 or, as
// converters did before int8 was a type for weights, uint8.

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "sdk/host/kernels/testing/node_builder.h"

namespace npukit::kernels {
namespace {

using testing::Affine;
using testing::BytesOf;
using testing::NodeBuilder;

constexpr LiteRtElementType kFloat = kLiteRtElementTypeFloat32;

std::vector<uint8_t> Bytes(int64_t count) {
  std::mt19937 random(static_cast<uint32_t>(count));
  std::vector<uint8_t> bytes(static_cast<size_t>(count));
  for (uint8_t& byte : bytes) byte = static_cast<uint8_t>(random());
  return bytes;
}

std::vector<uint8_t> Floats(int64_t count) {
  std::mt19937 random(static_cast<uint32_t>(count));
  std::vector<float> values(static_cast<size_t>(count));
  for (float& value : values) value = std::uniform_real_distribution<float>(-1, 1)(random);
  return BytesOf(values);
}

class Layer {
 public:
  Layer(NodeBuilder& builder, LiteRtElementType type, int64_t zero_point)
      : builder_(builder), type_(type), zero_point_(zero_point) {}
  const Layer& Weights(int32_t rows, int32_t cols) const {
    builder_.Constant(type_, {rows, cols}, Bytes(int64_t{rows} * cols), Affine(0.01f, zero_point_));
    return *this;
  }
  const Layer& Bias(int32_t count) const {
    builder_.Constant(kFloat, {count}, Floats(count));
    return *this;
  }
  const Layer& State(int32_t batches, int32_t count) const {
    builder_.Variable(kFloat, {batches, count});
    return *this;
  }
  const Layer& Omitted(int count) const {
    for (int i = 0; i < count; ++i) builder_.Omitted();
    return *this;
  }
  // The weights of all gates, and their biases.
  const Layer& Gates(int32_t inputs, int32_t cells) const {
    for (int gate = 0; gate < 4; ++gate) Weights(cells, inputs);
    for (int gate = 0; gate < 4; ++gate) Weights(cells, cells);
    Omitted(3);
    for (int gate = 0; gate < 4; ++gate) Bias(cells);
    return Omitted(2);
  }

 private:
  NodeBuilder& builder_;
  LiteRtElementType type_;
  int64_t zero_point_;
};

struct Operator {
  std::string name;
  LiteRtOpCode code;
  OpOptions options;
  Shape in;
  std::function<void(const Layer&)> add;
};

std::vector<Operator> Operators() {
  constexpr auto kTanh = ActivationFunctionType::kTanh;
  return {
      {"SVDF",
       kLiteRtOpCodeTflSvdf,
       SVDFOptions{.rank = 2},
       {2, 7},
       [](const Layer& layer) { layer.Weights(6, 7).Weights(6, 3).Bias(3).State(2, 18); }},
      {"RNN",
       kLiteRtOpCodeTflRnn,
       RNNOptions{.fused_activation_function = kTanh},
       {2, 5},
       [](const Layer& layer) { layer.Weights(4, 5).Weights(4, 4).Bias(4).State(2, 4); }},
      {"LSTM",
       kLiteRtOpCodeTflLstm,
       LSTMOptions{.fused_activation_function = kTanh},
       {2, 6},
       [](const Layer& layer) { layer.Gates(6, 4).State(2, 4).State(2, 4).Omitted(4); }},
      {"UNIDIRECTIONAL_SEQUENCE_LSTM",
       kLiteRtOpCodeTflUnidirectionalSequenceLstm,
       UnidirectionalSequenceLSTMOptions{.fused_activation_function = kTanh},
       {2, 3, 6},
       [](const Layer& layer) { layer.Gates(6, 4).State(2, 4).State(2, 4).Omitted(4); }},
      {"BIDIRECTIONAL_SEQUENCE_LSTM",
       kLiteRtOpCodeTflBidirectionalSequenceLstm,
       BidirectionalSequenceLSTMOptions{
           .fused_activation_function = kTanh, .merge_outputs = true, .time_major = false},
       {2, 3, 6},
       [](const Layer& layer) {
         layer.Gates(6, 4).Gates(6, 4);
         for (int state = 0; state < 4; ++state) layer.State(2, 4);
         layer.Omitted(9);
       }},
  };
}

litert::Expected<std::vector<std::vector<uint8_t>>> RunOf(const Operator& op,
                                                          LiteRtElementType type,
                                                          int64_t zero_point) {
  NodeBuilder builder(op.code, op.options);
  builder.Input(kFloat, op.in);
  op.add(Layer(builder, type, zero_point));
  builder.Output(kFloat);
  int64_t count = 1;
  for (int32_t dimension : op.in) count *= dimension;
  return builder.Run({Floats(count)});
}

TEST(StoredWeights, AreSignedWhateverTheirTypeIsCalled) {
  for (const Operator& op : Operators()) {
    SCOPED_TRACE(op.name);
    const auto expected = RunOf(op, kLiteRtElementTypeInt8, 0);
    ASSERT_TRUE(expected) << expected.Error().Message();
    const auto actual = RunOf(op, kLiteRtElementTypeUInt8, 0);
    ASSERT_TRUE(actual) << actual.Error().Message();
    EXPECT_EQ(*actual, *expected);
  }
}

TEST(StoredWeights, HaveNoZeroPoint) {
  for (const Operator& op : Operators()) {
    const auto actual = RunOf(op, kLiteRtElementTypeUInt8, 128);
    ASSERT_FALSE(actual) << op.name;
    EXPECT_NE(actual.Error().Message().find("zero point"), std::string::npos)
        << actual.Error().Message();
  }
}

}  // namespace
}  // namespace npukit::kernels
