// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// FULLY_CONNECTED: a convolution of single pixels, with an output shape of its own; and its form with
// shuffled weights.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "sdk/host/kernels/convolution/convolution.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"

namespace npukit::kernels {
namespace {

// Activations of any shape, taken as [rows, depth]; weights [units, depth], bias [units]: a
// convolution of single pixels.
litert::Expected<Convolution> FullyConnectedOf(const Node& node) {
  const Operand& in = *node.inputs[0];
  const Operand& weights = *node.inputs[1];
  if (weights.shape.size() != 2) return InvalidNode(node, &weights, "must have 2 dimensions");
  const int64_t depth = weights.shape[1];
  if (depth < 1 || in.elems() % depth != 0) {
    return InvalidNode(node, &in,
                       fmt::format("must have a multiple of the weights' depth, {}", depth));
  }
  const auto* options = node.op->OptionsAs<FullyConnectedOptions>();
  static const FullyConnectedOptions kDefaults;
  if (options == nullptr) options = &kDefaults;
  // With weights scaled block by block TFLite knows no other way.
  const bool asymmetric =
      options->asymmetric_quantize_inputs || weights.quantization().blockwise.has_value();
  Convolution convolution{.activation = options->fused_activation_function,
                          .requantizer = Requantizer::Kind::kReal,
                          .asymmetric_hybrid = asymmetric,
                          .rounds_asymmetrically = asymmetric};
  ConvGeometry& geometry = convolution.geometry;
  geometry.batches = in.elems() / depth;
  geometry.in_channels = depth;
  geometry.out_channels = weights.shape[0];
  geometry.channels_per_filter = depth;
  geometry.filters_per_group = weights.shape[0];
  geometry.weight_stride = {.o = depth, .y = depth, .x = depth, .c = 1};
  return convolution;
}

// Without depth there is nothing to add up: TFLite gives zeros, with no look at bias or zero points.
bool HasNoDepth(const Node& node) {
  const Shape& weights = node.inputs[1]->shape;
  return weights.size() == 2 && weights[1] == 0;
}

litert::Expected<Inferred> InferWithoutDepth(const Node& node) {
  Shape shape = node.inputs[0]->shape;
  if (shape.empty()) return InvalidNode(node, node.inputs[0], "must have at least one dimension");
  const auto* options = node.op->OptionsAs<FullyConnectedOptions>();
  const int32_t units = node.inputs[1]->shape[0];
  if (options != nullptr && options->keep_num_dims) {
    shape.back() = units;
    return Inferred{.shapes = {std::move(shape)}};
  }
  const int64_t rows = ElemsOf(shape, 0, shape.size() - 1);
  LITERT_ASSIGN_OR_RETURN(shape, NarrowShape(node, std::vector<int64_t>{rows, units}));
  return Inferred{.shapes = {std::move(shape)}};
}

class ZerosKernel final : public Kernel {
 public:
  litert::Expected<void> Run(const RunContext& context) const override {
    std::ranges::fill(context.outputs[0], uint8_t{0});
    return {};
  }
};

// Weights in the format SHUFFLED4x16INT8 lie in blocks of 4 units by 16 of the depth, and have lost
// their zero point, 128: they are signed. The input loses the same as it is copied to the second
// output, which holds it as the weights' loop of TFLite reads it.
constexpr int64_t kBlockUnits = 4;
constexpr int64_t kBlockDepth = 16;

bool IsShuffled(const Node& node) {
  const auto* options = node.op->OptionsAs<FullyConnectedOptions>();
  return options != nullptr &&
         options->weights_format == FullyConnectedOptionsWeightsFormat::kShuffled4x16Int8;
}

litert::Expected<void> CheckShuffled(const Node& node, const ConvGeometry& geometry) {
  if (!IsShuffled(node)) return InvalidNode(node, "has two outputs, but weights as they are");
  if (node.outputs.size() != 2)
    return InvalidNode(node, "has shuffled weights and no second output for the shuffled input");
  if (node.input(2) == nullptr) return InvalidNode(node, "has shuffled weights and no bias");
  if (geometry.out_channels % kBlockUnits != 0 || geometry.in_channels % kBlockDepth != 0) {
    return InvalidNode(node, node.inputs[1],
                       fmt::format("must have multiples of {} units and of {} in depth",
                                   kBlockUnits, kBlockDepth));
  }
  if (geometry.batches == 1 || geometry.batches == 4) return {};
  return InvalidNode(node, node.inputs[0],
                     fmt::format("has {} rows; shuffled weights take 1 or 4", geometry.batches));
}

class ShuffledKernel final : public Kernel {
 public:
  ShuffledKernel(const ConvGeometry& geometry, Requantizer requantizer)
      : rows_(geometry.batches),
        depth_(geometry.in_channels),
        units_(geometry.out_channels),
        requantizer_(std::move(requantizer)) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    const uint8_t* in = context.inputs[0].data();
    const auto* weights = DataOf<int8_t>(context.inputs[1]);
    const auto* bias = DataOf<int32_t>(context.inputs[2]);
    auto* out = DataOf<int16_t>(context.outputs[0]);
    uint8_t* shuffled = context.outputs[1].data();
    for (int64_t row = 0; row < rows_; ++row) {
      for (int64_t d = 0; d < depth_; ++d)
        shuffled[ShuffledAt(row, rows_, d)] = in[row * depth_ + d] ^ 0x80;
    }
    const auto* signed_in = reinterpret_cast<const int8_t*>(shuffled);
    for (int64_t row = 0; row < rows_; ++row) {
      for (int64_t unit = 0; unit < units_; ++unit) {
        int64_t sum = bias[unit];
        const int8_t* block = weights + unit / kBlockUnits * kBlockUnits * depth_;
        for (int64_t d = 0; d < depth_; ++d) {
          sum += block[ShuffledAt(unit % kBlockUnits, kBlockUnits, d)] *
                 signed_in[ShuffledAt(row, rows_, d)];
        }
        out[row * units_ + unit] = static_cast<int16_t>(requantizer_.Apply(sum, unit));
      }
    }
    return {};
  }

 private:
  // Of `rows` rows of some depth: 16 of each row, then the next 16 of each.
  static int64_t ShuffledAt(int64_t row, int64_t rows, int64_t d) {
    return d / kBlockDepth * kBlockDepth * rows + row * kBlockDepth + d % kBlockDepth;
  }

  int64_t rows_;
  int64_t depth_;
  int64_t units_;
  Requantizer requantizer_;
};

// The multiplier is made as convolutions have it.
litert::Expected<std::unique_ptr<Kernel>> PrepareShuffled(const Node& node,
                                                          Convolution convolution) {
  convolution.requantizer = Requantizer::Kind::kFixed32;
  LITERT_ASSIGN_OR_RETURN(ConvQuantization quantization, QuantizationOf(node, convolution));
  quantization.requantizer.zero_point = 0;  // TFLite does not look at it
  return std::unique_ptr<Kernel>(
      std::make_unique<ShuffledKernel>(convolution.geometry, std::move(quantization.requantizer)));
}

// With quantised weights and float activations TFLite has two more fused activations; where it does
// not, they are passed over.
ActivationFunctionType AppliedLater(const Node& node) {
  const auto* options = node.op->OptionsAs<FullyConnectedOptions>();
  const bool hybrid = node.inputs[0]->type() == kLiteRtElementTypeFloat32 &&
                      node.inputs[1]->type() != kLiteRtElementTypeFloat32;
  if (!hybrid || options == nullptr) return ActivationFunctionType::kNone;
  const ActivationFunctionType activation = options->fused_activation_function;
  const bool later =
      activation == ActivationFunctionType::kTanh || activation == ActivationFunctionType::kSignBit;
  return later ? activation : ActivationFunctionType::kNone;
}

class ActivatedKernel final : public Kernel {
 public:
  ActivatedKernel(std::unique_ptr<Kernel> inner, ActivationFunctionType activation)
      : inner_(std::move(inner)), activation_(activation) {
    scratch_bytes_ = inner_->scratch_bytes();
    packed_bytes_ = inner_->packed_bytes();
  }

  litert::Expected<void> Run(const RunContext& context) const override {
    LITERT_RETURN_IF_ERROR(inner_->Run(context));
    const std::span<float> out(DataOf<float>(context.outputs[0]),
                               context.outputs[0].size() / sizeof(float));
    for (float& x : out) {
      x = activation_ == ActivationFunctionType::kTanh ? std::tanh(x)
                                                       : static_cast<float>(std::signbit(x));
    }
    return {};
  }

 private:
  std::unique_ptr<Kernel> inner_;
  ActivationFunctionType activation_;
};

// 1 for numbers below 0, 0 for others: either where the sign is in doubt.
Bounded SignBit(Bounded x) {
  const double value = x.value < 0 ? 1 : 0;
  return {value, x.low() < 0 && x.high() >= 0 ? 1.0 : 0.0};
}

litert::Expected<Shape> OutputShape(const Node& node, const ConvGeometry& geometry) {
  const auto* options = node.op->OptionsAs<FullyConnectedOptions>();
  const Operand& in = *node.inputs[0];
  const auto units = static_cast<int32_t>(geometry.out_channels);
  if (options == nullptr || !options->keep_num_dims)
    return NarrowShape(node, std::vector<int64_t>{geometry.batches, units});
  if (in.shape.empty() || in.shape.back() != geometry.in_channels) {
    return InvalidNode(node, &in,
                       fmt::format("must end with the weights' depth, {}", geometry.in_channels));
  }
  Shape shape = in.shape;
  shape.back() = units;
  return shape;
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_RETURN_IF_ERROR(CheckWeights(node));
  if (HasNoDepth(node)) return InferWithoutDepth(node);
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, FullyConnectedOf(node));
  LITERT_RETURN_IF_ERROR(CheckBias(node, convolution.geometry.out_channels));
  LITERT_ASSIGN_OR_RETURN(Shape shape, OutputShape(node, convolution.geometry));
  if (!IsShuffled(node) && node.outputs.size() == 1) return Inferred{.shapes = {std::move(shape)}};
  LITERT_RETURN_IF_ERROR(CheckShuffled(node, convolution.geometry));
  return Inferred{.shapes = {std::move(shape), node.inputs[0]->shape}};
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node, const PrepareOptions& options) {
  if (HasNoDepth(node)) return std::unique_ptr<Kernel>(std::make_unique<ZerosKernel>());
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, FullyConnectedOf(node));
  if (IsShuffled(node)) return PrepareShuffled(node, convolution);
  LITERT_ASSIGN_OR_RETURN(std::unique_ptr<Kernel> kernel,
                          PrepareConvolution(node, convolution, options));
  const ActivationFunctionType later = AppliedLater(node);
  if (later == ActivationFunctionType::kNone) return kernel;
  return std::unique_ptr<Kernel>(std::make_unique<ActivatedKernel>(std::move(kernel), later));
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (HasNoDepth(node)) return {};  // outputs hold zeros
  if (IsShuffled(node)) return OracleByKernel(node, inputs, outputs);
  LITERT_ASSIGN_OR_RETURN(const Convolution convolution, FullyConnectedOf(node));
  LITERT_RETURN_IF_ERROR(ConvolutionOracle(node, convolution, inputs, outputs));
  const ActivationFunctionType later = AppliedLater(node);
  if (later == ActivationFunctionType::kNone) return {};
  for (int64_t i = 0; i < outputs[0].elems(); ++i) {
    const Bounded sum = At(outputs[0], i);
    Put(outputs[0], i,
        later == ActivationFunctionType::kTanh
            ? Monotone([](double v) { return std::tanh(v); }, sum, FunctionUlps::kTanh)
            : SignBit(sum));
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(FullyConnected) = {
    .doc = {.formula = "out[r,o] = activation(bias[o] + sum over c of in[r,c] w[o,c]); int8, "
                       "uint8: accumulated in int32, times s_in s_w[o] / s_out in float64, rounded "
                       "half away from zero; with weights SHUFFLED4x16INT8 as CONV_2D",
            .source = "TFLite FULLY_CONNECTED, reference kernels"},
    .signature =
        "float32, float32|int8|uint8|int4|int2, float32? -> float32; "
        "int8, int8|int4|int2, int32? -> int8; uint8, uint8, int32? -> uint8|int16; "
        "int16, int8|int4|int2|int16, int32|int64? -> int16; "
        "uint8, uint8, int32 -> int16, uint8",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
