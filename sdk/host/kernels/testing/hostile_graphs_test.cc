// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that lie. Each wrong op is an error that names the op and the tensor at fault; nothing
// crashes, reads or writes where it may not, or overflows: run this under the sanitizers. Here are
// known faults, with the words of the error; hostile_sweep_test.cc spoils ops in every way.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sdk/host/kernels/testing/node_mutations.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/kernels/testing/spec_shorthand.h"

namespace npukit::kernels {
namespace {

using ::testing::HasSubstr;

using testing::Bias;
using testing::Binary;
using testing::Constant;
using testing::Conv;
using testing::ConvFloat;
using testing::ConvInt8;
using testing::DepthwiseInt8;
using testing::Float;
using testing::FullyConnected;
using testing::Int16;
using testing::Int8;
using testing::kHuge;
using testing::kInt8;
using testing::kNan;
using testing::NodeSpec;
using testing::Pad;
using testing::Paddings;
using testing::Pool;
using testing::Reduce;
using testing::Reshape;
using testing::Unary;
using testing::Weights8;
using testing::With;
using testing::WithInput;
using testing::Without;
using testing::WithOutput;
using testing::WithScale;

struct HostileGraph {
  const char* what;
  NodeSpec spec;
  std::vector<std::string> words;  // of the error, beside the op
};

void ExpectErrors(const std::vector<HostileGraph>& cases) {
  for (const HostileGraph& c : cases) {
    SCOPED_TRACE(c.what);
    const auto tried = TryNode(c.spec);
    EXPECT_FALSE(tried) << "was accepted";
    if (tried) continue;
    EXPECT_THAT(tried.Error().Message(), HasSubstr(testing::NameOf(c.spec)));
    for (const std::string& word : c.words) EXPECT_THAT(tried.Error().Message(), HasSubstr(word));
  }
}

TEST(HostileGraphs, OfConvolutionTensors) {
  ExpectErrors({
      {"no weights", Without(ConvFloat(), 1), {"input 1 is missing"}},
      {"input of rank 3", WithInput(ConvFloat(), 0, Float({5, 5, 4})), {"'in0'", "4 dimensions"}},
      {"channels that do not divide",
       WithInput(ConvFloat(), 0, Float({1, 5, 5, 7})),
       {"'in1'", "7 channels"}},
      {"weights without channels",
       WithInput(ConvFloat(), 1, Float({6, 3, 3, 0})),
       {"'in1'", "divisor"}},
      {"bias of another size",
       WithInput(ConvFloat(), 2, Constant(Float({5}))),
       {"'in2'", "one element per output channel: 6"}},
      {"bias of another type",
       WithInput(ConvInt8(), 2, Constant(Float({6}))),
       {"'in2'", "unsupported element type"}},
      {"output of another type",
       WithOutput(ConvFloat(), Int8({})),
       {"'out0'", "supported: float32"}},
      {"dimensions whose product overflows",
       WithInput(ConvFloat(), 0, Float({kHuge, kHuge, kHuge, 4})),
       {"'in0'", "product is too large"}},
      {"an empty tensor whose other dimensions overflow",
       WithInput(ConvFloat(), 0, Float({0, kHuge, kHuge, 4})),
       {"'in0'", "product is too large"}},
      {"weights with too few bytes",
       With(ConvFloat(), [](NodeSpec& spec) { spec.inputs[1].constant.resize(8); }),
       {"'in1'", "has 8 bytes of data"}},
  });
}

TEST(HostileGraphs, OfConvolutionOptions) {
  ExpectErrors({
      {"stride 0", ConvFloat(Conv(0)), {"stride 0"}},
      {"negative stride", ConvFloat(Conv(-1)), {"stride -1"}},
      {"dilation 0", ConvFloat(Conv(1, 0)), {"dilation 0"}},
      {"dilation that reaches too far",
       ConvFloat(Conv(1, kHuge, Padding::kValid)),
       {"window of 4294967295 over only 5"}},
      {"unknown padding", ConvFloat(Conv(1, 1, static_cast<Padding>(9))), {"unknown padding"}},
      {"no options", With(ConvFloat(), [](NodeSpec& s) { s.options = {}; }), {"has no options"}},
  });
}

TEST(HostileGraphs, OfConvolutionQuantization) {
  ExpectErrors({
      {"input scale 0", WithInput(ConvInt8(), 0, Int8({1, 5, 5, 4}, 0)), {"'in0'", "scale 0"}},
      {"input scale NaN", WithInput(ConvInt8(), 0, Int8({1, 5, 5, 4}, kNan)), {"'in0'", "nan"}},
      {"input without a scale",
       WithInput(ConvInt8(), 0, {.type = kInt8, .shape = {1, 5, 5, 4}}),
       {"'in0'", "no scale"}},
      {"output scale NaN", WithOutput(ConvInt8(), Int8({}, kNan)), {"'out0'", "nan"}},
      {"output zero point 200", WithOutput(ConvInt8(), Int8({}, 1, 200)), {"'out0'", "200"}},
      {"scales that overflow the multiplier",
       WithOutput(ConvInt8(), Int8({}, 1e-38f)),
       {"no fixed-point number holds"}},
      {"weight scales for another number of channels",
       With(ConvInt8(),
            [](NodeSpec& s) {
              s.inputs[1] = WithScale(s.inputs[1], {1, 1, 1});
            }),
       {"'in1'", "3 scales for 6 channels"}},
      {"weight scales along another dimension",
       With(ConvInt8(),
            [](NodeSpec& s) {
              s.inputs[1] = WithScale(s.inputs[1], {1, 1, 1, 1, 1, 1}, 3);
            }),
       {"'in1'", "dimension 3"}},
      {"one weight scale of 0",
       With(ConvInt8(),
            [](NodeSpec& s) {
              s.inputs[1] = WithScale(s.inputs[1], {1, 1, 0, 1, 1, 1});
            }),
       {"'in1'", "scale 0"}},
  });
}

TEST(HostileGraphs, OfDepthwiseAndFullyConnected) {
  ExpectErrors({
      {"depthwise channels that do not divide",
       WithInput(DepthwiseInt8(), 0, Int8({1, 6, 5, 3})),
       {"'in1'", "3 channels"}},
      {"depthwise weights of two batches",
       WithInput(DepthwiseInt8(), 1, Weights8({2, 3, 3, 8})),
       {"'in1'", "first is 1"}},
      {"depthwise input without channels",
       WithInput(DepthwiseInt8(), 0, Int8({1, 6, 5, 0})),
       {"'in1'", "0 channels"}},
      {"fully connected: another depth",
       WithInput(FullyConnected(), 0, Int8({3, 7})),
       {"'in0'", "depth, 8"}},
      {"fully connected: weights of rank 3",
       WithInput(FullyConnected(), 1, Weights8({5, 4, 2})),
       {"'in1'", "2 dimensions"}},
      {"fully connected: bias of another size",
       WithInput(FullyConnected(), 2, Bias(4)),
       {"'in2'", "one element per output channel: 5"}},
      {"fully connected: no weights", Without(FullyConnected(), 1), {"input 1 is missing"}},
  });
}

TEST(HostileGraphs, OfPooling) {
  ExpectErrors({
      {"pool: filter 0",
       Unary(kLiteRtOpCodeTflMaxPool2d, Float({1, 4, 4, 2}), Float({}), Pool(0, 1)),
       {"filter of size 0"}},
      {"pool: stride 0",
       Unary(kLiteRtOpCodeTflAveragePool2d, Float({1, 4, 4, 2}), Float({}), Pool(2, 0)),
       {"stride 0"}},
      {"pool: window larger than the input",
       Unary(kLiteRtOpCodeTflAveragePool2d, Float({1, 4, 4, 2}), Float({}), Pool(6, 1)),
       {"window of 6 over only 4"}},
      {"pool: rank 2",
       Unary(kLiteRtOpCodeTflMaxPool2d, Float({4, 4}), Float({}), Pool(2, 1)),
       {"'in0'", "4 dimensions"}},
      {"pool: two inputs",
       With(Unary(kLiteRtOpCodeTflMaxPool2d, Float({1, 4, 4, 2}), Float({}), Pool(2, 1)),
            [](NodeSpec& spec) { spec.inputs.push_back(Float({1})); }),
       {"has 2 inputs"}},
  });
}

TEST(HostileGraphs, OfBinaryOperators) {
  ExpectErrors({
      {"add: shapes that do not broadcast",
       Binary(kLiteRtOpCodeTflAdd, Float({2, 3}), Float({2, 4}), Float({}), AddOptions{}),
       {"'in0'", "broadcast", "'in1'"}},
      {"add: types that differ",
       Binary(kLiteRtOpCodeTflAdd, Float({2}), Int8({2}), Float({}), AddOptions{}),
       {"'in1'", "element type"}},
      {"add: one input missing",
       Without(Binary(kLiteRtOpCodeTflAdd, Float({2}), Float({2}), Float({}), AddOptions{}), 1),
       {"input 1 is missing"}},
      {"add: a dimension that is not known",
       Binary(kLiteRtOpCodeTflAdd, Float({-1, 2}), Float({2}), Float({}), AddOptions{}),
       {"'in0'", "unresolved dimension"}},
      {"add: scale 0",
       Binary(kLiteRtOpCodeTflAdd, Int8({2}), Int8({2}, 0), Int8({}), AddOptions{}),
       {"'in1'", "scale 0"}},
      {"add: output scale NaN",
       Binary(kLiteRtOpCodeTflAdd, Int8({2}), Int8({2}), Int8({}, kNan), AddOptions{}),
       {"'out0'", "nan"}},
      {"add: a string tensor",
       Binary(kLiteRtOpCodeTflAdd, {.type = kLiteRtElementTypeTfString, .shape = {2}},
              {.type = kLiteRtElementTypeTfString, .shape = {2}},
              {.type = kLiteRtElementTypeTfString}, AddOptions{}),
       {"'in0'", "unsupported element type"}},
      {"mul: broadcast to a product that overflows",
       Binary(kLiteRtOpCodeTflMul, Float({kHuge, 1, kHuge, 1}), Float({1, kHuge, 1, 64}), Float({}),
              MulOptions{}),
       {"product is too large"}},
      {"mul: scales that overflow the multiplier",
       Binary(kLiteRtOpCodeTflMul, Int8({2}, 1e30f), Int8({2}, 1e30f), Int8({}, 1e-30f),
              MulOptions{}),
       {"multiplier"}},
  });
}

TEST(HostileGraphs, OfReductions) {
  ExpectErrors({
      {"mean: axis out of range",
       Reduce(kLiteRtOpCodeTflMean, Float({2, 3}), {2}),
       {"axis 2 is out of range"}},
      {"mean: negative axis out of range",
       Reduce(kLiteRtOpCodeTflMean, Float({2, 3}), {-3}),
       {"axis -3"}},
      {"mean: axes of another type",
       WithInput(Reduce(kLiteRtOpCodeTflMean, Float({2, 3}), {1}), 1, Constant(Float({1}))),
       {"'in1'", "unsupported element type"}},
      {"mean: an empty tensor whose strides overflow",
       Reduce(kLiteRtOpCodeTflMean, Float({0, kHuge, kHuge, kHuge}), {1}),
       {"'in0'", "product is too large"}},
      {"sum: axis out of range",
       Reduce(kLiteRtOpCodeTflSum, Float({2, 3}), {0, 7}),
       {"axis 7 is out of range"}},
      {"reduce_max: axis out of range",
       Reduce(kLiteRtOpCodeTflReduceMax, Int8({2, 3}), {kHuge}),
       {"axis 2147483647"}},
  });
}

TEST(HostileGraphs, OfSoftmax) {
  ExpectErrors({
      {"softmax: a scalar",
       Unary(kLiteRtOpCodeTflSoftmax, Float({}), Float({}), SoftmaxOptions{.beta = 1}),
       {"'in0'", "at least one dimension"}},
      {"softmax: scale NaN",
       Unary(kLiteRtOpCodeTflSoftmax, Int8({2, 4}, kNan), Int8({}), SoftmaxOptions{.beta = 1}),
       {"'in0'", "nan"}},
      {"softmax: another output scale",
       Unary(kLiteRtOpCodeTflSoftmax, Int8({2, 4}), Int8({}, 0.5f, 0), SoftmaxOptions{.beta = 1}),
       {"'out0'", "1/256"}},
      {"softmax: beta NaN",
       Unary(kLiteRtOpCodeTflSoftmax, Int8({2, 4}), Int8({}, 1.0f / 256, -128),
             SoftmaxOptions{.beta = kNan}),
       {"'in0'"}},
      {"softmax: int16 rows whose sum overflows",
       Unary(kLiteRtOpCodeTflSoftmax, Int16({1, 70000}), Int16({}, 1.0f / 32768),
             SoftmaxOptions{.beta = 1}),
       {"'in0'", "65536"}},
  });
}

TEST(HostileGraphs, OfQuantization) {
  ExpectErrors({
      {"quantize: no scale",
       Unary(kLiteRtOpCodeTflQuantize, Float({4}), {.type = kInt8}),
       {"'out0'", "no scale"}},
      {"quantize: scale infinite",
       Unary(kLiteRtOpCodeTflQuantize, Float({4}),
             Int8({}, std::numeric_limits<float>::infinity())),
       {"'out0'", "inf"}},
      {"quantize: scales that fit no dimension",
       Unary(kLiteRtOpCodeTflQuantize, Float({4}), WithScale(Int8({}), {1, 1, 1}, 0)),
       {"'out0'", "quantised dimension"}},
      {"quantize: scales along a dimension that there is not",
       Unary(kLiteRtOpCodeTflQuantize, Float({4}), WithScale(Int8({}), {1, 1, 1, 1}, 4)),
       {"'out0'", "quantised dimension"}},
      {"dequantize: negative scale",
       Unary(kLiteRtOpCodeTflDequantize, Int8({4}, -1), Float({})),
       {"'in0'", "scale -1"}},
      {"dequantize: a per-channel zero point that the type does not hold",
       With(Unary(kLiteRtOpCodeTflDequantize, WithScale(Int8({4}), {1, 1, 1, 1}), Float({})),
            [](NodeSpec& spec) {
              spec.inputs[0].quantization.zero_point = {0, 0, int64_t{1} << 40, 0};
            }),
       {"'in0'", "zero point 1099511627776"}},
  });
}

TEST(HostileGraphs, OfPaddingAndReshaping) {
  ExpectErrors({
      {"pad: negative", Pad({0, 0, -1, 0}), {"'in1'", "padding -1"}},
      {"pad: paddings for another rank",
       WithInput(Pad({0, 0, 0, 0}), 1, Paddings({0, 0, 0, 0, 0, 0}, 3)),
       {"'in1'", "[2,2]"}},
      {"pad: a dimension that overflows", Pad({0, 0, kHuge, 0}), {"2147483650"}},
      {"pad: a product that overflows", Pad({kHuge - 2, 0, kHuge - 3, 0}), {"'out0'", "too large"}},
      {"padv2: two values",
       With(Pad({0, 0, 0, 0}),
            [](NodeSpec& spec) {
              spec.code = kLiteRtOpCodeTflPadv2;
              spec.inputs.push_back(Constant(Int8({2})));
            }),
       {"'in2'", "one element"}},
      {"reshape: another number of elements", Reshape({5}), {"'in0'", "5 elements"}},
      {"reshape: two unknowns", Reshape({-1, -1}), {"-1 twice"}},
      {"reshape: a negative dimension", Reshape({-2, 6}), {"dimension -2"}},
      {"reshape: a product that overflows", Reshape({kHuge, kHuge, kHuge, kHuge}), {"dimension"}},
      {"reshape: nothing says the new shape",
       Unary(kLiteRtOpCodeTflReshape, Float({2}), Float({})),
       {"no new shape"}},
  });
}

TEST(HostileGraphs, OfNoOperator) {
  ExpectErrors({
      {"an operator that there is not",
       Unary(kLiteRtOpCodeTflConcatEmbeddings, Float({2}), Float({})),
       {"no CPU kernel"}},
  });
}

}  // namespace
}  // namespace npukit::kernels
