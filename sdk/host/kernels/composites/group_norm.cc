// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "sdk/host/kernels/composites/composite_attributes.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/bounded.h"
#include "sdk/host/kernels/oracle/oracle.h"

namespace npukit::kernels {
namespace {

constexpr auto kFloat = kLiteRtElementTypeFloat32;

// The input is [batches, pixels, groups, depth]; pixels and depth of a group are normalised
// together. Inputs 1 and 2, factors and summands per channel, may be omitted.
struct GroupNorm {
  int64_t batches = 1;
  int64_t pixels = 1;
  int64_t groups = 1;
  int64_t depth = 1;  // channels of a group
  float epsilon = 0;

  int64_t channels() const { return groups * depth; }
};

litert::Expected<GroupNorm> Read(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(
      const auto attributes,
      CompositeAttributes::Read(node, {"num_groups", "epsilon", "channel_axis"}));
  LITERT_ASSIGN_OR_RETURN(const float epsilon, attributes.Epsilon());
  LITERT_ASSIGN_OR_RETURN(const int64_t groups, attributes.Integer("num_groups", 0));
  LITERT_ASSIGN_OR_RETURN(const int64_t axis, attributes.Integer("channel_axis", -1));
  const Shape& shape = node.inputs[0]->shape;
  if (shape.size() != 4 || (axis != -1 && axis != 3))
    return UnsupportedNode(node, "is known for 4 dimensions with the channels last");
  if (groups < 1 || shape[3] % groups != 0)
    return InvalidNode(node, node.inputs[0],
                       fmt::format("has channels that do not make {} groups", groups));
  return GroupNorm{.batches = shape[0],
                   .pixels = int64_t{shape[1]} * shape[2],
                   .groups = groups,
                   .depth = shape[3] / groups,
                   .epsilon = epsilon};
}

litert::Expected<Inferred> Infer(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const GroupNorm norm, Read(node));
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Operand* operand = node.inputs[i];
    if (operand == nullptr) continue;
    if (i > 0 && operand->elems() != norm.channels())
      return InvalidNode(node, operand, "must have as many elements as there are channels");
  }
  return Inferred{.shapes = {node.inputs[0]->shape}};
}

class GroupNormKernel final : public Kernel {
 public:
  GroupNormKernel(const Node& node, GroupNorm norm)
      : norm_(norm), scaled_(node.input(1) != nullptr), shifted_(node.input(2) != nullptr) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    if (context.outputs[0].empty()) return {};
    const float* scale = scaled_ ? DataOf<float>(context.inputs[1]) : nullptr;
    const float* shift = shifted_ ? DataOf<float>(context.inputs[2]) : nullptr;
    const float* in = DataOf<float>(context.inputs[0]);
    float* out = DataOf<float>(context.outputs[0]);
    const int64_t image = norm_.pixels * norm_.channels();
    for (int64_t b = 0; b < norm_.batches; ++b) {
      for (int64_t g = 0; g < norm_.groups; ++g) {
        const int64_t first = g * norm_.depth;
        RunGroup(in + b * image + first, scale == nullptr ? nullptr : scale + first,
                 shift == nullptr ? nullptr : shift + first, out + b * image + first);
      }
    }
    return {};
  }

 private:
  void RunGroup(const float* in, const float* scale, const float* shift, float* out) const {
    const auto count = static_cast<float>(norm_.pixels * norm_.depth);
    const int64_t step = norm_.channels();
    float sum = 0;
    for (int64_t p = 0; p < norm_.pixels; ++p) {
      for (int64_t c = 0; c < norm_.depth; ++c) sum += in[p * step + c];
    }
    const float mean = sum / count;
    float squares = 0;
    for (int64_t p = 0; p < norm_.pixels; ++p) {
      for (int64_t c = 0; c < norm_.depth; ++c) {
        const float centred = in[p * step + c] - mean;
        squares += centred * centred;
      }
    }
    const float factor = 1.0f / std::sqrt(squares / count + norm_.epsilon);
    for (int64_t p = 0; p < norm_.pixels; ++p) {
      for (int64_t c = 0; c < norm_.depth; ++c) {
        float y = (in[p * step + c] - mean) * factor;
        if (scale != nullptr) y *= scale[c];
        if (shift != nullptr) y += shift[c];
        out[p * step + c] = y;
      }
    }
  }

  GroupNorm norm_;
  bool scaled_;
  bool shifted_;
};

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  LITERT_ASSIGN_OR_RETURN(const GroupNorm norm, Read(node));
  return std::unique_ptr<Kernel>(std::make_unique<GroupNormKernel>(node, norm));
}

// Mean, the mean of centred squares, and the products, each rounded; sums in any order.
void GroupOracle(const GroupNorm& norm, int64_t base, int64_t channel,
                 std::span<const OracleTensor* const> inputs, OracleTensor& out) {
  const int64_t count = norm.pixels * norm.depth;
  auto position = [&](int64_t i) {
    return base + i / norm.depth * norm.channels() + i % norm.depth;
  };
  const Bounded terms{static_cast<double>(count), 0};
  BoundedSum sum;
  for (int64_t i = 0; i < count; ++i) sum.Add(At(*inputs[0], position(i)));
  const Bounded mean = Div(sum.Result(0), terms);
  BoundedSum squares;
  for (int64_t i = 0; i < count; ++i) {
    const Bounded centred = Sub(At(*inputs[0], position(i)), mean);
    squares.Add(ExactProduct(centred, centred));
  }
  const Bounded shifted = Add(Div(squares.Result(1), terms), {norm.epsilon, 0});
  const Bounded factor = Monotone([](double v) { return 1.0 / std::sqrt(std::max(v, 0.0)); },
                                  shifted, FunctionUlps::kRsqrt);
  for (int64_t i = 0; i < count; ++i) {
    Bounded y = Mul(Sub(At(*inputs[0], position(i)), mean), factor);
    const int64_t c = channel + i % norm.depth;
    if (inputs.size() > 1 && inputs[1] != nullptr) y = Mul(y, At(*inputs[1], c));
    if (inputs.size() > 2 && inputs[2] != nullptr) y = Add(y, At(*inputs[2], c));
    Put(out, position(i), y);
  }
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  LITERT_ASSIGN_OR_RETURN(const GroupNorm norm, Read(node));
  const int64_t image = norm.pixels * norm.channels();
  for (int64_t b = 0; b < norm.batches; ++b) {
    for (int64_t g = 0; g < norm.groups; ++g)
      GroupOracle(norm, b * image + g * norm.depth, g * norm.depth, inputs, outputs[0]);
  }
  return {};
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(GroupNorm) = {
    .doc = {.formula = "(x - mean) / sqrt(variance + epsilon) * scale + shift, over the pixels and "
                       "channels of each group",
            .source = "the composite odml.group_norm for [batch, height, width, channels]"},
    .signature = "float32, float32?, float32? -> float32",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kRoundedFloats,
};

}  // namespace npukit::kernels
