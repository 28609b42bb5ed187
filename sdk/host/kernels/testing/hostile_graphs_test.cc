// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Graphs that lie. Each wrong op is an error that names the op and the tensor at fault; nothing
// crashes, reads or writes where it may not, or overflows: run this under the sanitizers.
//   Table:  known faults, with the words of the error.
//   Sweep:  ops of many kinds, each spoilt in every way of testing/node_mutations.h.
//   Corpus: the same for the ops of the shared corpus, that is for every operator. One op of each
//           kind; NPUKIT_HOSTILE_ALL=1 takes all.

#include <fmt/format.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/testing/node_builder.h"
#include "sdk/host/kernels/testing/node_mutations.h"
#include "sdk/host/kernels/testing/shorthand.h"
#include "sdk/host/model/reading/model_reader.h"
#include "tests/support/shared_dir.h"

namespace npukit::kernels {
namespace {

using testing::BytesOf;
using ::testing::HasSubstr;
using testing::kNan;
using testing::NodeSpec;
using testing::TensorSpec;

constexpr auto kFloat = kLiteRtElementTypeFloat32;
constexpr auto kInt8 = kLiteRtElementTypeInt8;
constexpr auto kInt16 = kLiteRtElementTypeInt16;
constexpr auto kInt32 = kLiteRtElementTypeInt32;
constexpr int32_t kHuge = std::numeric_limits<int32_t>::max();

TensorSpec Float(Shape shape) { return {.type = kFloat, .shape = std::move(shape)}; }
TensorSpec Int8(Shape shape, float scale = 0.5f, int64_t zero_point = 3) {
  return {
      .type = kInt8, .shape = std::move(shape), .quantization = testing::Affine(scale, zero_point)};
}
TensorSpec Int16(Shape shape, float scale = 0.5f) {
  return {.type = kInt16, .shape = std::move(shape), .quantization = testing::Affine(scale, 0)};
}
TensorSpec Indices(const std::vector<int32_t>& values) {
  return {
      .type = kInt32, .shape = {static_cast<int32_t>(values.size())}, .constant = BytesOf(values)};
}
// Weights or a bias: all bytes 1.
TensorSpec Constant(TensorSpec spec) {
  spec.constant.assign(DenseBytes(spec.type, spec.shape).value_or(0), 1);
  return spec;
}
TensorSpec Bias(int32_t count) { return Constant({.type = kInt32, .shape = {count}}); }
TensorSpec Weights8(Shape shape) { return Constant(Int8(std::move(shape), 0.25f, 0)); }
TensorSpec WithScale(TensorSpec spec, std::vector<float> scales, int32_t dimension = 0) {
  spec.quantization = {.scale = std::move(scales), .quantized_dimension = dimension};
  return spec;
}

Conv2DOptions Conv(int32_t stride = 1, int32_t dilation = 1, Padding padding = Padding::kSame) {
  return {.padding = padding,
          .stride_w = stride,
          .stride_h = stride,
          .dilation_w_factor = dilation,
          .dilation_h_factor = dilation};
}
Pool2DOptions Pool(int32_t filter, int32_t stride, Padding padding = Padding::kValid) {
  return {.padding = padding,
          .stride_w = stride,
          .stride_h = stride,
          .filter_width = filter,
          .filter_height = filter};
}

NodeSpec ConvFloat(Conv2DOptions options = Conv()) {
  return {.code = kLiteRtOpCodeTflConv2d,
          .options = options,
          .inputs = {Float({1, 5, 5, 4}), Constant(Float({6, 3, 3, 4})), Constant(Float({6}))},
          .outputs = {Float({})}};
}
NodeSpec ConvInt8(Conv2DOptions options = Conv()) {
  return {.code = kLiteRtOpCodeTflConv2d,
          .options = options,
          .inputs = {Int8({1, 5, 5, 4}), Weights8({6, 3, 3, 4}), Bias(6)},
          .outputs = {Int8({})}};
}
NodeSpec DepthwiseInt8() {
  return {.code = kLiteRtOpCodeTflDepthwiseConv2d,
          .options = DepthwiseConv2DOptions{.stride_w = 1, .stride_h = 2, .depth_multiplier = 2},
          .inputs = {Int8({1, 6, 5, 4}), Weights8({1, 3, 3, 8}), Bias(8)},
          .outputs = {Int8({})}};
}
NodeSpec FullyConnected() {
  return {.code = kLiteRtOpCodeTflFullyConnected,
          .options = FullyConnectedOptions{},
          .inputs = {Int8({3, 8}), Weights8({5, 8}), Bias(5)},
          .outputs = {Int8({})}};
}
NodeSpec Unary(LiteRtOpCode code, TensorSpec in, TensorSpec out, OpOptions options = {}) {
  return {.code = code,
          .options = std::move(options),
          .inputs = {std::move(in)},
          .outputs = {std::move(out)}};
}
NodeSpec Binary(LiteRtOpCode code, TensorSpec a, TensorSpec b, TensorSpec out,
                OpOptions options = {}) {
  return {.code = code,
          .options = std::move(options),
          .inputs = {std::move(a), std::move(b)},
          .outputs = {std::move(out)}};
}
NodeSpec Reduce(LiteRtOpCode code, TensorSpec in, std::vector<int32_t> axes) {
  TensorSpec out = in;
  return Binary(code, std::move(in), Indices(std::move(axes)), std::move(out), ReducerOptions{});
}
TensorSpec Paddings(std::vector<int32_t> values, int32_t rank) {
  TensorSpec paddings = Indices(std::move(values));
  paddings.shape = {rank, 2};
  return paddings;
}
NodeSpec Pad(std::vector<int32_t> paddings) {
  return Binary(kLiteRtOpCodeTflPad, Int8({2, 3}), Paddings(std::move(paddings), 2), Int8({}));
}
NodeSpec Reshape(std::vector<int32_t> shape) {
  return Binary(kLiteRtOpCodeTflReshape, Float({2, 6}), Indices(std::move(shape)), Float({}));
}

// A copy with one change.
template <typename Edit>
NodeSpec With(NodeSpec spec, const Edit& edit) {
  edit(spec);
  return spec;
}
NodeSpec WithInput(NodeSpec spec, size_t index, TensorSpec tensor) {
  spec.inputs[index] = std::move(tensor);
  return spec;
}
NodeSpec WithOutput(NodeSpec spec, TensorSpec tensor) {
  spec.outputs[0] = std::move(tensor);
  return spec;
}
NodeSpec Without(NodeSpec spec, size_t index) {
  spec.inputs[index].is_omitted = true;
  return spec;
}

struct HostileGraph {
  const char* what;
  NodeSpec spec;
  std::vector<std::string> words;  // of the error, beside the op
};

std::vector<HostileGraph> ConvolutionCases() {
  return {
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
      {"stride 0", ConvFloat(Conv(0)), {"stride 0"}},
      {"negative stride", ConvFloat(Conv(-1)), {"stride -1"}},
      {"dilation 0", ConvFloat(Conv(1, 0)), {"dilation 0"}},
      {"dilation that reaches too far",
       ConvFloat(Conv(1, kHuge, Padding::kValid)),
       {"window of 4294967295 over only 5"}},
      {"unknown padding", ConvFloat(Conv(1, 1, static_cast<Padding>(9))), {"unknown padding"}},
      {"unknown activation",
       With(ConvInt8(),
            [](NodeSpec& spec) {
              spec.options.As<Conv2DOptions>()->fused_activation_function =
                  static_cast<ActivationFunctionType>(99);
            }),
       {"activation"}},
      {"no options", With(ConvFloat(), [](NodeSpec& s) { s.options = {}; }), {"has no options"}},
      {"dimensions whose product overflows",
       WithInput(ConvFloat(), 0, Float({kHuge, kHuge, kHuge, 4})),
       {"'in0'", "product is too large"}},
      {"an empty tensor whose other dimensions overflow",
       WithInput(ConvFloat(), 0, Float({0, kHuge, kHuge, 4})),
       {"'in0'", "product is too large"}},
      {"weights with too few bytes",
       With(ConvFloat(), [](NodeSpec& spec) { spec.inputs[1].constant.resize(8); }),
       {"'in1'", "has 8 bytes of data"}},
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
      {"fully connected: depth 0",
       WithInput(FullyConnected(), 1, Int8({5, 0}, 1, 0)),
       {"'in0'", "depth, 0"}},
      {"fully connected: weights of rank 3",
       WithInput(FullyConnected(), 1, Weights8({5, 4, 2})),
       {"'in1'", "2 dimensions"}},
      {"fully connected: bias of another size",
       WithInput(FullyConnected(), 2, Bias(4)),
       {"'in2'", "one element per output channel: 5"}},
      {"fully connected: no weights", Without(FullyConnected(), 1), {"input 1 is missing"}},
      {"pool: filter 0",
       Unary(kLiteRtOpCodeTflMaxPool2d, Float({1, 4, 4, 2}), Float({}), Pool(0, 1)),
       {"filter of size 0"}},
      {"pool: stride 0",
       Unary(kLiteRtOpCodeTflAveragePool2d, Float({1, 4, 4, 2}), Float({}), Pool(2, 0)),
       {"stride 0"}},
      {"pool: window larger than the input",
       Unary(kLiteRtOpCodeTflAveragePool2d, Float({1, 4, 4, 2}), Float({}), Pool(5, 1)),
       {"window of 5 over only 4"}},
      {"pool: rank 2",
       Unary(kLiteRtOpCodeTflMaxPool2d, Float({4, 4}), Float({}), Pool(2, 1)),
       {"'in0'", "4 dimensions"}},
      {"pool: two inputs",
       With(Unary(kLiteRtOpCodeTflMaxPool2d, Float({1, 4, 4, 2}), Float({}), Pool(2, 1)),
            [](NodeSpec& spec) { spec.inputs.push_back(Float({1})); }),
       {"has 2 inputs"}},
  };
}

std::vector<HostileGraph> OtherCases() {
  constexpr auto kAdd = kLiteRtOpCodeTflAdd;
  constexpr auto kMul = kLiteRtOpCodeTflMul;
  constexpr auto kMean = kLiteRtOpCodeTflMean;
  constexpr auto kSoftmax = kLiteRtOpCodeTflSoftmax;
  constexpr auto kQuantize = kLiteRtOpCodeTflQuantize;
  constexpr auto kDequantize = kLiteRtOpCodeTflDequantize;
  const SoftmaxOptions beta{.beta = 1};
  return {
      {"add: shapes that do not broadcast",
       Binary(kAdd, Float({2, 3}), Float({2, 4}), Float({}), AddOptions{}),
       {"'in0'", "broadcast", "'in1'"}},
      {"add: types that differ",
       Binary(kAdd, Float({2}), Int8({2}), Float({}), AddOptions{}),
       {"'in1'", "element type"}},
      {"add: one input missing",
       Without(Binary(kAdd, Float({2}), Float({2}), Float({}), AddOptions{}), 1),
       {"input 1 is missing"}},
      {"add: a dimension that is not known",
       Binary(kAdd, Float({-1, 2}), Float({2}), Float({}), AddOptions{}),
       {"'in0'", "unresolved dimension"}},
      {"add: scale 0",
       Binary(kAdd, Int8({2}), Int8({2}, 0), Int8({}), AddOptions{}),
       {"'in1'", "scale 0"}},
      {"add: output scale NaN",
       Binary(kAdd, Int8({2}), Int8({2}), Int8({}, kNan), AddOptions{}),
       {"'out0'", "nan"}},
      {"add: a string tensor",
       Binary(kAdd, {.type = kLiteRtElementTypeTfString, .shape = {2}},
              {.type = kLiteRtElementTypeTfString, .shape = {2}},
              {.type = kLiteRtElementTypeTfString}, AddOptions{}),
       {"'in0'", "unsupported element type"}},
      {"mul: broadcast to a product that overflows",
       Binary(kMul, Float({kHuge, 1, kHuge, 1}), Float({1, kHuge, 1, 64}), Float({}), MulOptions{}),
       {"product is too large"}},
      {"mul: scales that overflow the multiplier",
       Binary(kMul, Int8({2}, 1e30f), Int8({2}, 1e30f), Int8({}, 1e-30f), MulOptions{}),
       {"multiplier"}},
      {"mean: axis out of range", Reduce(kMean, Float({2, 3}), {2}), {"axis 2 is out of range"}},
      {"mean: negative axis out of range", Reduce(kMean, Float({2, 3}), {-3}), {"axis -3"}},
      {"mean: axes of another type",
       WithInput(Reduce(kMean, Float({2, 3}), {1}), 1, Constant(Float({1}))),
       {"'in1'", "unsupported element type"}},
      {"mean: of nothing", Reduce(kMean, Int8({2, 0}), {1}), {"'in0'", "no elements"}},
      {"mean: an empty tensor whose strides overflow",
       Reduce(kMean, Float({0, kHuge, kHuge, kHuge}), {1}),
       {"'in0'", "product is too large"}},
      {"sum: axis out of range",
       Reduce(kLiteRtOpCodeTflSum, Float({2, 3}), {0, 7}),
       {"axis 7 is out of range"}},
      {"reduce_max: axis out of range",
       Reduce(kLiteRtOpCodeTflReduceMax, Int8({2, 3}), {kHuge}),
       {"axis 2147483647"}},
      {"softmax: a scalar",
       Unary(kSoftmax, Float({}), Float({}), beta),
       {"'in0'", "at least one dimension"}},
      {"softmax: scale NaN", Unary(kSoftmax, Int8({2, 4}, kNan), Int8({}), beta), {"'in0'", "nan"}},
      {"softmax: another output scale",
       Unary(kSoftmax, Int8({2, 4}), Int8({}, 0.5f, 0), beta),
       {"'out0'", "1/256"}},
      {"softmax: beta NaN",
       Unary(kSoftmax, Int8({2, 4}), Int8({}, 1.0f / 256, -128), SoftmaxOptions{.beta = kNan}),
       {"'in0'"}},
      {"softmax: int16 rows whose sum overflows",
       Unary(kSoftmax, Int16({1, 70000}), Int16({}, 1.0f / 32768), beta),
       {"'in0'", "65536"}},
      {"quantize: no scale", Unary(kQuantize, Float({4}), {.type = kInt8}), {"'out0'", "no scale"}},
      {"quantize: scale infinite",
       Unary(kQuantize, Float({4}), Int8({}, std::numeric_limits<float>::infinity())),
       {"'out0'", "inf"}},
      {"quantize: scales that fit no dimension",
       Unary(kQuantize, Float({4}), WithScale(Int8({}), {1, 1, 1}, 0)),
       {"'out0'", "quantised dimension"}},
      {"quantize: scales along a dimension that there is not",
       Unary(kQuantize, Float({4}), WithScale(Int8({}), {1, 1, 1, 1}, 4)),
       {"'out0'", "quantised dimension"}},
      {"dequantize: negative scale",
       Unary(kDequantize, Int8({4}, -1), Float({})),
       {"'in0'", "scale -1"}},
      {"dequantize: a per-channel zero point that the type does not hold",
       With(Unary(kDequantize, WithScale(Int8({4}), {1, 1, 1, 1}), Float({})),
            [](NodeSpec& spec) {
              spec.inputs[0].quantization.zero_point = {0, 0, int64_t{1} << 40, 0};
            }),
       {"'in0'", "zero point 1099511627776"}},
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
      {"an operator that there is not",
       Unary(kLiteRtOpCodeTflHashtableLookup, Float({2}), Float({})),
       {"no CPU kernel"}},
  };
}

TEST(HostileGraphs, ErrorsNameOpAndTensor) {
  std::vector<HostileGraph> cases = ConvolutionCases();
  for (HostileGraph& c : OtherCases()) cases.push_back(std::move(c));
  for (const HostileGraph& c : cases) {
    SCOPED_TRACE(c.what);
    const auto tried = TryNode(c.spec);
    EXPECT_FALSE(tried) << "was accepted";
    if (tried) continue;
    EXPECT_THAT(tried.Error().Message(), HasSubstr(testing::NameOf(c.spec)));
    for (const std::string& word : c.words) EXPECT_THAT(tried.Error().Message(), HasSubstr(word));
  }
}

// Ops that are right, and stay right without elements.
std::vector<NodeSpec> GoodNodes() {
  const auto fixed = Int8({}, 1.0f / 256, -128);
  return {
      ConvFloat(),
      ConvFloat(Conv(2, 1, Padding::kValid)),
      ConvInt8(),
      ConvInt8(Conv(1, 2)),
      With(ConvInt8(),
           [](NodeSpec& s) {
             s.inputs[1] = WithScale(s.inputs[1], {1, 2, 3, 4, 5, 6});
           }),
      DepthwiseInt8(),
      FullyConnected(),
      Without(FullyConnected(), 2),
      Unary(kLiteRtOpCodeTflAveragePool2d, Int8({1, 5, 5, 3}), Int8({}), Pool(2, 2)),
      Unary(kLiteRtOpCodeTflAveragePool2d, Float({1, 5, 5, 3}), Float({}),
            Pool(3, 1, Padding::kSame)),
      Unary(kLiteRtOpCodeTflMaxPool2d, Int8({1, 5, 5, 3}), Int8({}), Pool(2, 1)),
      Unary(kLiteRtOpCodeTflSoftmax, Float({3, 5}), Float({}), SoftmaxOptions{.beta = 1}),
      Unary(kLiteRtOpCodeTflSoftmax, Int8({3, 5}), fixed, SoftmaxOptions{.beta = 1}),
      Unary(kLiteRtOpCodeTflSoftmax, Int16({3, 5}, 0.01f), Int16({}, 1.0f / 32768),
            SoftmaxOptions{.beta = 1}),
      Binary(kLiteRtOpCodeTflAdd, Int8({2, 3}), Int8({3}), Int8({}), AddOptions{}),
      Binary(kLiteRtOpCodeTflAdd, Float({2, 3}), Float({2, 1}), Float({}), AddOptions{}),
      Binary(kLiteRtOpCodeTflSub, Int16({2, 3}), Int16({3}), Int16({}), SubOptions{}),
      Binary(kLiteRtOpCodeTflMul, Int8({2, 3}), Int8({1, 3}), Int8({}), MulOptions{}),
      Reduce(kLiteRtOpCodeTflMean, Int8({2, 3, 4}), {1, -1}),
      Reduce(kLiteRtOpCodeTflSum, Float({2, 3, 4}), {0}),
      Reduce(kLiteRtOpCodeTflReduceMax, Int8({2, 3, 4}), {2}),
      Unary(kLiteRtOpCodeTflQuantize, Float({2, 4}), Int8({})),
      Unary(kLiteRtOpCodeTflQuantize, Float({2, 4}), WithScale(Int8({}), {1, 2, 3, 4}, 1)),
      Unary(kLiteRtOpCodeTflQuantize, Int8({2, 4}), Int16({})),
      Unary(kLiteRtOpCodeTflDequantize, Int8({2, 4}), Float({})),
      Unary(kLiteRtOpCodeTflDequantize, WithScale(Int8({2, 4}), {1, 2}, 0), Float({})),
      Pad({1, 2, 0, 1}),
      Reshape({3, -1}),
  };
}

// What the kernels throw would end the process of who calls them.
litert::Expected<void> TryNoThrow(const testing::Mutation& mutation) {
  try {
    return TryNode(mutation.spec);
  } catch (const std::exception& thrown) {
    return litert::Unexpected(kLiteRtStatusErrorUnknown, std::string("threw ") + thrown.what());
  }
}

// A hostile op may not take seconds to refuse or run: nothing here has more than 2^16 elements.
constexpr double kMostSeconds = 5;

// Spoils a node in every way; gives how many ways there were.
size_t CheckMutations(const NodeSpec& good) {
  size_t count = 0;
  testing::ForEachMutation(good, [&](const testing::Mutation& mutation) {
    ++count;
    const std::clock_t begin = std::clock();  // of this process alone
    const auto tried = TryNoThrow(mutation);
    const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
    EXPECT_LT(seconds, kMostSeconds) << NameOf(good) << ", " << mutation.what;
    if (tried) {
      EXPECT_EQ(mutation.verdict, testing::Verdict::kMayFail)
          << NameOf(good) << ", " << mutation.what << ": was accepted";
      return;
    }
    const std::string& message = tried.Error().Message();
    if (message.find(NameOf(mutation.spec)) == std::string::npos ||
        message.find(mutation.blamed) == std::string::npos) {
      ADD_FAILURE() << NameOf(good) << ", " << mutation.what << ": \"" << message
                    << "\" does not name the op or " << mutation.blamed;
    }
  });
  return count;
}

TEST(HostileGraphs, GoodNodesRun) {
  for (const NodeSpec& good : GoodNodes()) {
    const auto tried = TryNode(good);
    EXPECT_TRUE(tried) << tried.Error();
  }
}

TEST(HostileGraphs, ZeroSizedTensorsRun) {
  for (const NodeSpec& good : GoodNodes()) {
    NodeSpec empty = good;
    const size_t rank = good.inputs[0].shape.size();
    for (TensorSpec& input : empty.inputs) {
      if (input.constant.empty() && input.shape.size() == rank) input.shape[0] = 0;
    }
    if (empty.code == kLiteRtOpCodeTflReshape) empty.inputs[1] = Indices({0, 6});
    if (empty.inputs[0].quantization.is_per_channel())
      empty.inputs[0] = WithScale(Int8({0, 4}), {1, 2, 3, 4}, 1);
    const auto tried = TryNode(empty);
    EXPECT_TRUE(tried) << tried.Error();
  }
}

TEST(HostileGraphs, Sweep) {
  size_t count = 0;
  for (const NodeSpec& good : GoodNodes()) count += CheckMutations(good);
  RecordProperty("mutations", fmt::format("{}", count));
  EXPECT_GT(count, 3000u);
}

// Types, ranks and which tensors are constant: ops of one kind are spoilt once.
std::string KindOf(const NodeSpec& spec) {
  std::string kind = NameOf(spec);
  for (const auto* tensors : {&spec.inputs, &spec.outputs}) {
    for (const TensorSpec& tensor : *tensors) {
      kind += tensor.is_omitted ? " -" : fmt::format(" {}", ElementTypeName(tensor.type));
      kind += tensor.constant.empty() ? "" : "c";
      kind += tensor.quantization.is_per_channel() ? "p" : "";
    }
    kind += " >";
  }
  return kind;
}

TEST(HostileGraphs, Corpus) {
  namespace fs = std::filesystem;
  const fs::path corpus = fs::path(SharedDir()) / "ops";
  if (!fs::exists(corpus)) {
    GTEST_SKIP() << corpus << " is absent: only the ops of Sweep are spoilt, not every operator";
  }
  const bool all = std::getenv("NPUKIT_HOSTILE_ALL") != nullptr;
  std::set<std::string> kinds;
  std::set<std::string> operators;
  size_t count = 0;
  for (const auto& file : fs::recursive_directory_iterator(corpus)) {
    if (file.path().extension() != ".tflite") continue;
    auto model = LoadModel(file.path().string());
    ASSERT_TRUE(model) << model.Error();
    for (const auto& op : (*model)->main_subgraph().ops()) {
      if (FindOperator(*op) == nullptr) continue;
      const NodeSpec good = NodeSpec::Of(*op);
      if (!kinds.insert(KindOf(good)).second && !all) continue;
      SCOPED_TRACE(file.path().stem().string());
      operators.insert(OpName(*op));
      count += CheckMutations(good);
    }
  }
  RecordProperty("mutations", fmt::format("{}", count));
  std::cout << operators.size() << " operators in " << kinds.size() << " kinds, " << count
            << " mutations\n";
  EXPECT_GT(operators.size(), 50u);
}

}  // namespace
}  // namespace npukit::kernels
