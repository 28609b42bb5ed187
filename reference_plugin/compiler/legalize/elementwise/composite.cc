// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// StableHLO composites that the NPU runs as one operator, known by name. odml.rms_norm(x, weight)
// in float32 over the last dimension; attribute epsilon.

#include <flatbuffers/flexbuffers.h>
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <span>

#include "litert/c/litert_op_options.h"
#include "reference_plugin/compiler/legalize/legalize.h"
#include "reference_plugin/compiler/lower/elementwise/rms_norm.h"
#include "reference_plugin/compiler/lower/lowering.h"

namespace acme::compiler {
namespace {

// The attribute as a number; an error if there is none, or the attributes are no FlexBuffer map.
Expected<float> ReadFloatAttribute(const litert::Op& op, const char* name) {
  const uint8_t* data = nullptr;
  int32_t size = 0;
  if (LiteRtGetSHLOCompositeOpAttributes(op.Get(), &data, &size) != kLiteRtStatusOk ||
      data == nullptr || size <= 0) {
    return Unsupported("the composite has no attributes");
  }
  if (!flexbuffers::VerifyBuffer(data, static_cast<size_t>(size), nullptr))
    return Unsupported("the composite's attributes are damaged");
  // flatbuffers 2.0's verifier accepts keys without an end; the zero ends the last one.
  std::vector<uint8_t> bytes(data, data + size);
  bytes.push_back(0);
  const flexbuffers::Reference root = flexbuffers::GetRoot(bytes.data(), bytes.size() - 1);
  if (!root.IsMap()) return Unsupported("the composite's attributes are no map");
  const flexbuffers::Reference value = root.AsMap()[name];
  if (!value.IsNumeric())
    return Unsupported(fmt::format("the composite has no attribute {}", name));
  return value.AsFloat();
}

Expected<void> CheckRmsNorm(const TensorInfo& x, const TensorInfo& y, float epsilon,
                            const Hardware& hardware) {
  if (x.value.dtype != Dtype::kF32 || y.value.dtype != Dtype::kF32) {
    return Unsupported(fmt::format("odml.rms_norm is supported in float32 only, not {}",
                                   DtypeName(x.value.dtype)));
  }
  if (x.value.shape.empty() || x.value.shape != y.value.shape) {
    return Unsupported(
        fmt::format("odml.rms_norm needs a result of its operand's shape, {} is not {}",
                    ShapeName(x.value.shape), ShapeName(y.value.shape)));
  }
  if (!std::isfinite(epsilon) || epsilon < 0)
    return Unsupported("odml.rms_norm: epsilon is not a number above 0");
  const int64_t row_bytes = RmsNormRowBytes(x.value.shape.back());
  if (row_bytes > GuaranteedStepBytes(hardware)) {
    return Unsupported(fmt::format(
        "odml.rms_norm: a row of {} elements needs {} bytes of scratchpad, {} has {} for it",
        x.value.shape.back(), row_bytes, hardware.name, GuaranteedStepBytes(hardware)));
  }
  return {};
}

Expected<void> LegalizeRmsNorm(const litert::Op& op, const Hardware& hardware,
                               NetworkBuilder& builder) {
  const auto inputs = op.Inputs();
  const auto outputs = op.Outputs();
  if (inputs.empty() || inputs.size() > 2 || outputs.size() != 1) {
    return Unsupported("odml.rms_norm must have one or two inputs and one output");
  }
  ACME_ASSIGN_OR_RETURN(const float epsilon, ReadFloatAttribute(op, "epsilon"));
  ACME_ASSIGN_OR_RETURN(const TensorInfo x, ReadTensor(inputs[0]));
  ACME_ASSIGN_OR_RETURN(const TensorInfo y, ReadTensor(outputs[0]));
  ACME_RETURN_IF_ERROR(CheckRmsNorm(x, y, epsilon, hardware));
  RmsNorm norm;
  norm.cols = x.value.shape.back();
  norm.rows = static_cast<int32_t>(x.value.Elems() / norm.cols);
  norm.epsilon = epsilon;
  if (inputs.size() == 2) {
    ACME_ASSIGN_OR_RETURN(const TensorInfo weight, ReadTensor(inputs[1]));
    if (weight.value.dtype != Dtype::kF32 || weight.value.Elems() != norm.cols) {
      return Unsupported(fmt::format("odml.rms_norm needs {} float32 weights, it has {}{}",
                                     norm.cols, DtypeName(weight.value.dtype),
                                     ShapeName(weight.value.shape)));
    }
    ACME_ASSIGN_OR_RETURN(norm.weight, builder.AddTensor(inputs[1]));
  }
  ACME_ASSIGN_OR_RETURN(norm.x, builder.AddTensor(inputs[0]));
  return builder.AddLayer(outputs[0], std::make_shared<RmsNorm>(norm));
}

}  // namespace

Expected<void> LegalizeComposite(const litert::Op& op, const Hardware& hardware,
                                 NetworkBuilder& builder) {
  const char* name = nullptr;
  if (LiteRtGetSHLOCompositeOpName(op.Get(), &name) != kLiteRtStatusOk || name == nullptr) {
    return Unsupported("the op has no composite name");
  }
  if (std::strcmp(name, "odml.rms_norm") == 0) return LegalizeRmsNorm(op, hardware, builder);
  return Unsupported(fmt::format("the NPU does not know the composite {}", name));
}

}  // namespace acme::compiler
