// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// RANDOM_UNIFORM, RANDOM_STANDARD_NORMAL and MULTINOMIAL: the numbers that TFLite draws with the same
// seeds. Each op goes on from run to run where it stopped.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/random/counter_generators.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/runtime/control/special_kernels.h"
#include "sdk/host/runtime/execution/owned_values.h"

namespace npukit {
namespace {

using kernels::Node;
using kernels::PhiloxBlock;
using kernels::PhiloxStream;
using kernels::Shape;

litert::Expected<PhiloxStream*> StreamOf(const GraphContext& context, const Node& node) {
  const auto* options = node.op->OptionsAs<RandomOptions>();
  if (options == nullptr) return kernels::InvalidNode(node, "has no options");
  return &context.state->RandomStream(*node.op, static_cast<uint64_t>(options->seed),
                                      static_cast<uint64_t>(options->seed2));
}

// The output's memory: the plan's, or of a size that only a run knows.
class RandomKernel : public kernels::Kernel {
 public:
  RandomKernel(const Node& node, PhiloxStream& stream)
      : name_(kernels::NodeName(node)),
        type_(node.outputs[0]->type()),
        stream_(stream),
        owned_(1) {}

  const RunTimeOutputs& run_time_outputs() const { return owned_; }
  void set_static() { is_static_ = true; }

 protected:
  litert::Expected<std::span<uint8_t>> OutputOf(const kernels::RunContext& context,
                                                std::span<const int32_t> shape) const {
    if (is_static_) return context.outputs.front();
    for (int32_t dim : shape) {
      if (dim < 0) return Invalid(fmt::format("is asked for a dimension of {}", dim));
    }
    const auto size_bytes = DenseBytes(type_, shape);
    if (!size_bytes) return Invalid("is asked for more elements than fit into memory");
    auto memory = owned_.Resize(0, shape, *size_bytes);
    if (!memory) return Invalid(memory.Error().Message());
    return *memory;
  }
  litert::Unexpected Invalid(const std::string& what) const {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("{}: {}", name_, what));
  }
  PhiloxStream& stream() const { return stream_; }
  LiteRtElementType type() const { return type_; }

 private:
  std::string name_;
  LiteRtElementType type_;
  PhiloxStream& stream_;
  bool is_static_ = false;
  mutable OwnedValues owned_;  // unless static
};

using FloatBlock = std::array<float, 4>;

FloatBlock UniformBlock(const PhiloxBlock& bits) {
  FloatBlock values;
  std::ranges::transform(bits, values.begin(), kernels::UnitFloat);
  return values;
}

FloatBlock NormalBlock(const PhiloxBlock& bits) {
  const auto first = kernels::NormalPair(bits[0], bits[1]);
  const auto second = kernels::NormalPair(bits[2], bits[3]);
  return {first[0], first[1], second[0], second[1]};
}

class FloatsKernel final : public RandomKernel {
 public:
  using Draw = FloatBlock (*)(const PhiloxBlock& bits);
  FloatsKernel(const Node& node, PhiloxStream& stream, Draw draw)
      : RandomKernel(node, stream), draw_(draw) {}

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    const std::span<const int32_t> shape(kernels::DataOf<int32_t>(context.inputs[0]),
                                         context.inputs[0].size() / sizeof(int32_t));
    LITERT_ASSIGN_OR_RETURN(const std::span<uint8_t> out, OutputOf(context, shape));
    for (size_t at = 0; at < out.size();) {
      const FloatBlock values = draw_(stream().Next());
      const size_t size_bytes = std::min(sizeof(values), out.size() - at);
      std::memcpy(out.data() + at, values.data(), size_bytes);
      at += size_bytes;
    }
    return {};
  }

 private:
  Draw draw_;
};

// Classes by the weights exp(logit): the first at which the sum of weights exceeds the number drawn.
class MultinomialKernel final : public RandomKernel {
 public:
  MultinomialKernel(const Node& node, PhiloxStream& stream)
      : RandomKernel(node, stream),
        batches_(node.inputs[0]->shape[0]),
        classes_(node.inputs[0]->shape[1]) {
    scratch_bytes_ = static_cast<size_t>(classes_) * sizeof(double);
  }

  litert::Expected<void> Run(const kernels::RunContext& context) const override {
    int32_t samples = 0;
    std::memcpy(&samples, context.inputs[1].data(), sizeof(samples));
    LITERT_ASSIGN_OR_RETURN(const std::span<uint8_t> out,
                            OutputOf(context, Shape{batches_, samples}));
    // Far more than is drawn, so that runs do not overlap, as in TensorFlow.
    PhiloxStream drawn = stream();
    constexpr uint64_t kBlocksPerSample = uint64_t{2} * 256;
    stream().Skip(static_cast<uint64_t>(batches_) * ((static_cast<uint64_t>(samples) + 3) / 4 * 4) *
                  kBlocksPerSample);
    PhiloxBlock bits{};
    size_t used = bits.size();
    int64_t at = 0;
    for (int32_t batch = 0; batch < batches_; ++batch) {
      const std::span<const double> sums = Accumulate(
          kernels::DataOf<float>(context.inputs[0]) + int64_t{batch} * classes_, context.scratch);
      for (int32_t i = 0; i < samples; ++i, ++at) {
        if (used == bits.size()) {
          bits = drawn.Next();
          used = 0;
        }
        const double wanted = kernels::UnitDouble(bits[used], bits[used + 1]) * sums.back();
        used += 2;
        Put(out, at, std::upper_bound(sums.begin(), sums.end(), wanted) - sums.begin());
      }
    }
    return {};
  }

 private:
  // Sums of the weights so far; what is not finite weighs nothing.
  std::span<const double> Accumulate(const float* logits, std::span<uint8_t> scratch) const {
    const std::span<double> sums(kernels::DataOf<double>(scratch), static_cast<size_t>(classes_));
    float largest = std::numeric_limits<float>::lowest();
    for (int32_t c = 0; c < classes_; ++c) {
      if (std::isfinite(logits[c])) largest = std::max(largest, logits[c]);
    }
    double sum = 0;
    for (int32_t c = 0; c < classes_; ++c) {
      if (std::isfinite(logits[c])) sum += std::exp(logits[c] - static_cast<double>(largest));
      sums[static_cast<size_t>(c)] = sum;
    }
    return sums;
  }

  void Put(std::span<uint8_t> out, int64_t at, int64_t chosen) const {
    if (type() == kLiteRtElementTypeInt64) {
      kernels::DataOf<int64_t>(out)[at] = chosen;
    } else {
      kernels::DataOf<int32_t>(out)[at] = static_cast<int32_t>(chosen);
    }
  }

  int32_t batches_;
  int32_t classes_;
};

// `shape` where it is known by now.
SpecialStep StepWith(std::unique_ptr<RandomKernel> kernel, std::optional<Shape> shape) {
  SpecialStep step;
  if (shape) kernel->set_static();
  step.shapes = {std::move(shape)};
  step.run_time_outputs = &kernel->run_time_outputs();
  step.kernel = std::move(kernel);
  return step;
}

litert::Expected<SpecialStep> MakeFloats(const GraphContext& context, const Node& node,
                                         FloatsKernel::Draw draw) {
  if (node.inputs.size() != 1 || node.inputs[0] == nullptr || node.outputs.size() != 1)
    return kernels::InvalidNode(node, "expected one input and one output");
  const kernels::Operand& dims = *node.inputs[0];
  if (dims.type() != kLiteRtElementTypeInt32 || dims.shape.size() != 1)
    return kernels::InvalidNode(node, &dims, "must be int32 with one dimension");
  if (node.outputs[0]->type() != kLiteRtElementTypeFloat32)
    return kernels::UnsupportedNode(node, node.outputs[0], "must be float32");
  LITERT_ASSIGN_OR_RETURN(PhiloxStream * stream, StreamOf(context, node));
  std::optional<Shape> shape;
  if (!kernels::IsUnknown(dims)) {
    LITERT_ASSIGN_OR_RETURN(const auto values, kernels::IntegerValues(node, dims));
    LITERT_ASSIGN_OR_RETURN(shape, kernels::NarrowShape(node, values));
  }
  return StepWith(std::make_unique<FloatsKernel>(node, *stream, draw), std::move(shape));
}

}  // namespace

litert::Expected<SpecialStep> MakeRandomUniform(const GraphContext& context, const Node& node) {
  return MakeFloats(context, node, UniformBlock);
}

litert::Expected<SpecialStep> MakeRandomNormal(const GraphContext& context, const Node& node) {
  return MakeFloats(context, node, NormalBlock);
}

litert::Expected<SpecialStep> MakeMultinomial(const GraphContext& context, const Node& node) {
  if (node.inputs.size() != 2 || node.inputs[0] == nullptr || node.inputs[1] == nullptr ||
      node.outputs.size() != 1) {
    return kernels::InvalidNode(node, "expected two inputs and one output");
  }
  const kernels::Operand& logits = *node.inputs[0];
  const kernels::Operand& samples = *node.inputs[1];
  if (logits.type() != kLiteRtElementTypeFloat32 || logits.shape.size() != 2 ||
      logits.shape[1] < 1) {
    return kernels::InvalidNode(node, &logits,
                                "must be float32 with a row for each batch and at least one class");
  }
  if (samples.type() != kLiteRtElementTypeInt32 || samples.elems() != 1)
    return kernels::InvalidNode(node, &samples, "must be one int32");
  const LiteRtElementType type = node.outputs[0]->type();
  if (type != kLiteRtElementTypeInt32 && type != kLiteRtElementTypeInt64)
    return kernels::UnsupportedNode(node, node.outputs[0], "must be int32 or int64");
  LITERT_ASSIGN_OR_RETURN(PhiloxStream * stream, StreamOf(context, node));
  std::optional<Shape> shape;
  if (samples.has_constant()) {
    LITERT_ASSIGN_OR_RETURN(const auto values, kernels::IntegerValues(node, samples));
    LITERT_ASSIGN_OR_RETURN(
        shape, kernels::NarrowShape(node, std::vector<int64_t>{logits.shape[0], values[0]}));
  }
  return StepWith(std::make_unique<MultinomialKernel>(node, *stream), std::move(shape));
}

}  // namespace npukit
