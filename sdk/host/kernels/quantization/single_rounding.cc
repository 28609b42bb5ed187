// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/kernels/quantization/single_rounding.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <memory>
#include <optional>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/packed_integers.h"

namespace npukit::kernels {
namespace {

// What a multiplier of 24 bits may be off, as a part of the result, and what is left of float64's errors.
constexpr double kMultiplierError = 0x1p-23;
constexpr double kArithmeticError = 0x1p-20;

bool IsStored(LiteRtElementType type) {
  return IsPacked(type) || HasSteps(type) || type == kLiteRtElementTypeInt32 ||
         type == kLiteRtElementTypeInt64;
}

// Input of the data, of the weights and of the bias of an op that sums products; -1: no bias.
struct ProductInputs {
  size_t data = 0;
  size_t weights = 1;
  size_t bias = 2;
};
std::optional<ProductInputs> ProductInputsOf(LiteRtOpCode code) {
  switch (code) {
    case kLiteRtOpCodeTflConv2d:
    case kLiteRtOpCodeTflConv3d:
    case kLiteRtOpCodeTflDepthwiseConv2d:
    case kLiteRtOpCodeTflFullyConnected:
      return ProductInputs();
    case kLiteRtOpCodeTflTransposeConv:
      return ProductInputs{.data = 2, .weights = 1, .bias = 3};
    default:
      return std::nullopt;
  }
}

// Scales and zero points of an input's elements.
class Scales {
 public:
  explicit Scales(const Operand& operand)
      : scale_(operand.quantization().scale.begin(), operand.quantization().scale.end()) {
    const Quantization& quantization = operand.quantization();
    for (size_t i = 0; i < scale_.size(); ++i)
      zero_point_.push_back(static_cast<double>(quantization.ZeroPointOf(i)));
    if (scale_.size() < 2) return;
    for (size_t d = static_cast<size_t>(quantization.quantized_dimension) + 1;
         d < operand.shape.size(); ++d)
      inner_ *= operand.shape[d];
  }
  // TFLite's kernels take a bias at the product of the scales, whatever its own say.
  Scales(const Operand& data, const Operand& weights) {
    for (const float scale : weights.quantization().scale)
      scale_.push_back(static_cast<double>(scale) * data.quantization().scale[0]);
    zero_point_.assign(scale_.size(), 0);
  }
  bool empty() const { return scale_.empty(); }
  double ValueOf(int64_t stored, int64_t elem) const {
    const size_t channel =
        scale_.size() < 2
            ? 0
            : static_cast<size_t>(elem / std::max<int64_t>(inner_, 1)) % scale_.size();
    return scale_[channel] * (static_cast<double>(stored) - zero_point_[channel]);
  }

 private:
  std::vector<double> scale_;
  std::vector<double> zero_point_;
  int64_t inner_ = 1;
};

// The node with float32 in the place of all that has a scale.
class RealNode {
 public:
  static litert::Expected<std::unique_ptr<RealNode>> Of(
      const Node& node, std::span<const OracleTensor* const> inputs) {
    std::unique_ptr<RealNode> real(new RealNode);
    real->op_ = *node.op;
    real->op_.inputs.clear();
    real->op_.outputs.clear();
    for (size_t i = 0; i < node.inputs.size(); ++i)
      LITERT_RETURN_IF_ERROR(real->AddInput(node, i, inputs[i]));
    for (const Operand* output : node.outputs) {
      Operand& operand = real->AddFloat(*output);
      real->op_.outputs.push_back(real->Tensor(operand));
      real->node_.outputs.push_back(&operand);
    }
    real->node_.op = &real->op_;
    return real;
  }

  // The outputs' values.
  litert::Expected<std::vector<OracleTensor>> Run() {
    // The op that only rounds has no real-valued form: its exact value is its input.
    if (op_.code == kLiteRtOpCodeTflQuantize) {
      const OracleTensor* in = pointers_.at(0);
      return std::vector<OracleTensor>{*in};
    }
    LITERT_ASSIGN_OR_RETURN(const Inferred inferred, InferNode(node_));
    if (inferred.needs_value_of) return UnsupportedNode(node_, "a shape is not known");
    return RunOracle(node_, pointers_);
  }

 private:
  RealNode() = default;

  litert::Expected<void> AddInput(const Node& node, size_t i, const OracleTensor* value) {
    const Operand* operand = node.inputs[i];
    if (operand == nullptr) {
      op_.inputs.push_back(nullptr);
      node_.inputs.push_back(nullptr);
      pointers_.push_back(nullptr);
      return {};
    }
    OracleTensor given;
    if (value == nullptr) {
      given = OracleTensor::FromBytes(operand->type(), operand->shape, operand->constant);
      value = &given;
    }
    if (value->is_uncertain()) return UnsupportedNode(node, operand, "is not known exactly");
    const auto products = ProductInputsOf(node.op->code);
    const bool is_bias = products && i == products->bias;
    const Scales scales =
        is_bias && operand->type() != kLiteRtElementTypeFloat32
            ? Scales(*node.inputs[products->data], *node.inputs[products->weights])
            : Scales(*operand);
    if (scales.empty() || !IsStored(operand->type())) {  // axes, shapes, indices, floats
      Operand& same = operands_.emplace_back(*operand);
      op_.inputs.push_back(const_cast<npukit::Tensor*>(operand->tensor));  // is not changed
      node_.inputs.push_back(&same);
      pointers_.push_back(&values_.emplace_back(*value));
      return {};
    }
    Operand& operand_of_floats = AddFloat(*operand);
    op_.inputs.push_back(Tensor(operand_of_floats));
    node_.inputs.push_back(&operand_of_floats);
    OracleTensor real{.type = kLiteRtElementTypeFloat32, .shape = operand->shape};
    real.values.resize(static_cast<size_t>(real.elems()));
    real.bounds.resize(real.values.size());
    for (int64_t e = 0; e < real.elems(); ++e)
      real.values[static_cast<size_t>(e)] =
          scales.ValueOf(IntegerAt(operand->type(), value->bytes, e), e);
    pointers_.push_back(&values_.emplace_back(std::move(real)));
    return {};
  }

  Operand& AddFloat(const Operand& quantised) {
    npukit::Tensor& tensor = tensors_.emplace_back();
    tensor.name = quantised.tensor->name;
    tensor.element_type = kLiteRtElementTypeFloat32;
    tensor.shape = quantised.shape;
    return operands_.emplace_back(
        Operand{.tensor = &tensor, .shape = quantised.shape, .constant = {}});
  }
  static npukit::Tensor* Tensor(const Operand& operand) {
    return const_cast<npukit::Tensor*>(operand.tensor);  // of tensors_
  }

  npukit::Op op_;
  Node node_;
  std::deque<npukit::Tensor> tensors_;
  std::deque<Operand> operands_;
  std::deque<OracleTensor> values_;
  std::vector<const OracleTensor*> pointers_;
};

}  // namespace

bool HasSteps(LiteRtElementType type) {
  return type == kLiteRtElementTypeInt8 || type == kLiteRtElementTypeUInt8 ||
         type == kLiteRtElementTypeInt16;
}

litert::Expected<std::vector<double>> RealSteps(const Node& node,
                                                std::span<const OracleTensor* const> inputs,
                                                size_t index) {
  const Operand& output = *node.outputs[index];
  const Quantization& quantization = output.quantization();
  if (!HasSteps(output.type()) || quantization.scale.size() != 1)
    return UnsupportedNode(node, &output, "has no scale");
  LITERT_ASSIGN_OR_RETURN(const auto real, RealNode::Of(node, inputs));
  LITERT_ASSIGN_OR_RETURN(const std::vector<OracleTensor> outputs, real->Run());
  const OracleTensor& values = outputs.at(index);
  if (!values.is_float() || values.elems() != output.elems())
    return UnsupportedNode(node, &output, "has no real value");
  const IntegerRange range = RangeOf(output.type());
  const auto zero_point = static_cast<double>(quantization.ZeroPointOf(0));
  std::vector<double> steps;
  for (const double value : values.values)
    steps.push_back(std::clamp(value / static_cast<double>(quantization.scale[0]) + zero_point,
                               static_cast<double>(range.min), static_cast<double>(range.max)));
  return steps;
}

litert::Expected<RoundedOnce> CompareRoundedOnce(const Node& node,
                                                 std::span<const OracleTensor* const> inputs,
                                                 size_t index, const OracleTensor& expected,
                                                 std::span<const uint8_t> actual) {
  RoundedOnce rounded;
  LITERT_ASSIGN_OR_RETURN(rounded.comparison, CompareWithOracle(node, expected, actual));
  if (rounded.comparison.ok() || !HasSteps(expected.type)) return rounded;
  LITERT_ASSIGN_OR_RETURN(const std::vector<double> real, RealSteps(node, inputs, index));
  const auto zero_point = static_cast<double>(node.outputs[index]->quantization().ZeroPointOf(0));
  Comparison& comparison = rounded.comparison;
  comparison.differing_elems = 0;
  comparison.worst.clear();
  for (int64_t e = 0; e < expected.elems(); ++e) {
    const auto have = static_cast<double>(IntegerAt(expected.type, actual, e));
    const auto want = static_cast<double>(IntegerAt(expected.type, expected.bytes, e));
    if (have == want) continue;
    const double value = real[static_cast<size_t>(e)];
    const double allowed =
        0.5 + std::fabs(value - zero_point) * kMultiplierError + kArithmeticError;
    if (std::fabs(have - want) <= 1 && std::fabs(have - value) <= allowed) {
      ++rounded.elems;
      continue;
    }
    ++comparison.differing_elems;
    if (comparison.worst.size() < kMaxMismatches)
      comparison.worst.push_back(
          {.elem = e, .expected = value, .actual = have, .allowed = allowed});
  }
  return rounded;
}

}  // namespace npukit::kernels
