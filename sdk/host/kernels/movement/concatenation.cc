// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include <cmath>
#include <limits>
#include <string>

#include "sdk/host/kernels/elementwise/checked_input.h"
#include "sdk/host/kernels/fixed_point/quantization_rules.h"
#include "sdk/host/kernels/fixed_point/requantizer.h"
#include "sdk/host/kernels/movement/movement.h"
#include "sdk/host/kernels/movement/strided_copy.h"
#include "sdk/host/kernels/operator.h"
#include "sdk/host/kernels/oracle/kernel_oracle.h"
#include "sdk/host/kernels/oracle/oracle.h"
#include "sdk/host/kernels/shape_rules.h"
#include "sdk/host/model/options/op_options.h"

namespace npukit::kernels {
namespace {

// Scalars make a vector.
litert::Expected<int32_t> AxisOf(const Node& node) {
  const auto* options = node.op->OptionsAs<ConcatenationOptions>();
  const int32_t axis = options == nullptr ? 0 : options->axis;
  return ResolveAxis(node, axis, std::max<size_t>(node.inputs[0]->shape.size(), 1));
}

bool SameParams(const Operand& a, const Operand& b) {
  const bool scaled = HasScale(a) && HasScale(b);
  return !scaled || (a.quantization().scale[0] == b.quantization().scale[0] &&
                     a.quantization().ZeroPointOf(0) == b.quantization().ZeroPointOf(0));
}

litert::Expected<void> CheckInput(const Node& node, const Operand& first, const Operand& input,
                                  int32_t axis) {
  bool fits = input.shape.size() == first.shape.size();
  for (size_t d = 0; fits && d < first.shape.size(); ++d)
    fits = static_cast<int32_t>(d) == axis || input.shape[d] == first.shape[d];
  if (!fits)
    return InvalidNode(node, &input, "does not fit " + OperandName(&first) + " beside the axis");
  const LiteRtElementType type = first.type();
  const Operand& out = *node.outputs[0];
  if (type == kLiteRtElementTypeInt8 && !SameParams(input, out))
    return InvalidNode(node, &input, "must have the scale and zero point of " + OperandName(&out));
  return {};
}

litert::Expected<Inferred> Infer(const Node& node) {
  const Operand& first = *node.inputs[0];
  const auto* options = node.op->OptionsAs<ConcatenationOptions>();
  if (options != nullptr && options->fused_activation_function != ActivationFunctionType::kNone)
    return UnsupportedNode(node, "a fused activation is not supported");
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  int64_t sum = 0;
  for (const Operand* input : node.inputs) {
    LITERT_RETURN_IF_ERROR(CheckInput(node, first, *input, axis));
    sum += input->shape.empty() ? 1 : input->shape[axis];
  }
  std::vector<int64_t> dims(first.shape.begin(), first.shape.end());
  if (dims.empty()) dims.push_back(0);
  dims[axis] = sum;
  LITERT_ASSIGN_OR_RETURN(Shape shape, NarrowShape(node, dims));
  return Inferred{.shapes = {std::move(shape)}};
}

litert::Expected<std::unique_ptr<Kernel>> Make(const Node& node, size_t elem_bytes) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  const Shape& out = node.outputs[0]->shape;
  const int64_t inner = ElemsOf(out, axis + 1, out.size());
  const int64_t outer = ElemsOf(out, 0, axis);
  std::vector<StridedCopy> copies;
  int64_t at = 0;
  for (size_t i = 0; i < node.inputs.size(); ++i) {
    const Shape& in = node.inputs[i]->shape;
    const int64_t run = (in.empty() ? 1 : in[axis]) * inner;
    copies.push_back({.input = i,
                      .out_offset = at,
                      .dims = {{.extent = outer, .in_stride = run, .out_stride = out[axis] * inner},
                               {.extent = run, .in_stride = 1, .out_stride = 1}}});
    at += run;
  }
  return MakeCopies(std::move(copies), elem_bytes);
}

// Legacy uint8, whose inputs may have scales of their own: a table for each.
class ScalingKernel final : public Kernel {
 public:
  using Table = std::array<uint8_t, 256>;
  struct Input {
    Table table;
    int64_t run = 0;  // contiguous elements
  };
  ScalingKernel(std::vector<Input> inputs, int64_t outer)
      : inputs_(std::move(inputs)), outer_(outer) {}

  litert::Expected<void> Run(const RunContext& context) const override {
    uint8_t* out = context.outputs[0].data();
    for (int64_t o = 0; o < outer_; ++o) {
      for (size_t i = 0; i < inputs_.size(); ++i) {
        const uint8_t* in = context.inputs[i].data() + o * inputs_[i].run;
        for (int64_t k = 0; k < inputs_[i].run; ++k) *out++ = inputs_[i].table[in[k]];
      }
    }
    return {};
  }

 private:
  std::vector<Input> inputs_;
  int64_t outer_;
};

// In float32, as TFLite computes it.
ScalingKernel::Table TableOf(const AffineParams& in, const AffineParams& out) {
  const float scale = in.scale * (1.0f / out.scale);
  const float bias = static_cast<float>(-in.zero_point) * scale;
  ScalingKernel::Table table;
  for (int value = 0; value < 256; ++value) {
    const float real = std::round(static_cast<float>(value) * scale + bias);
    const auto shifted = std::clamp<int64_t>(int64_t{CutToInt32(real)} + out.zero_point, 0, 255);
    const bool same = in.scale == out.scale && in.zero_point == out.zero_point;
    table[value] = same ? static_cast<uint8_t>(value) : static_cast<uint8_t>(shifted);
  }
  return table;
}

bool NeedsScaling(const Node& node) {
  if (node.outputs[0]->type() != kLiteRtElementTypeUInt8) return false;
  return !std::all_of(node.inputs.begin(), node.inputs.end(),
                      [&](const Operand* input) { return SameParams(*input, *node.outputs[0]); });
}

litert::Expected<std::unique_ptr<Kernel>> PrepareScaling(const Node& node) {
  LITERT_ASSIGN_OR_RETURN(const int32_t axis, AxisOf(node));
  LITERT_ASSIGN_OR_RETURN(const AffineParams out, PerTensorParams(node, *node.outputs[0]));
  const Shape& shape = node.outputs[0]->shape;
  const int64_t inner = ElemsOf(shape, axis + 1, shape.size());
  std::vector<ScalingKernel::Input> inputs;
  for (const Operand* input : node.inputs) {
    LITERT_ASSIGN_OR_RETURN(const AffineParams in, PerTensorParams(node, *input));
    const int64_t along = input->shape.empty() ? 1 : input->shape[axis];
    inputs.push_back({.table = TableOf(in, out), .run = along * inner});
  }
  return std::unique_ptr<Kernel>(
      std::make_unique<ScalingKernel>(std::move(inputs), ElemsOf(shape, 0, axis)));
}

litert::Expected<std::unique_ptr<Kernel>> Prepare(const Node& node,
                                                  const PrepareOptions& /*options*/) {
  return NeedsScaling(node) ? PrepareScaling(node) : PrepareMovement(node, Make);
}

litert::Expected<void> Oracle(const Node& node, std::span<const OracleTensor* const> inputs,
                              std::span<OracleTensor> outputs) {
  if (NeedsScaling(node)) return OracleByKernel(node, inputs, outputs);
  return OracleByMoving(node, inputs, outputs, Make, kAllInputs);
}

}  // namespace

NPUKIT_DEFINE_OPERATOR(Concatenation) = {
    .doc = {.formula =
                "the inputs one behind the other along axis; legacy uint8 inputs with scales of "
                "their own are rescaled: round((x - zp) scale / out_scale) + out_zp",
            .source = "TFLite CONCATENATION, reference kernels"},
    .signature = "T+ -> T; int4+ -> int4; T = bytes",
    .infer = Infer,
    .prepare = Prepare,
    .oracle = Oracle,
    .tolerance = kExactResult,
};

}  // namespace npukit::kernels
