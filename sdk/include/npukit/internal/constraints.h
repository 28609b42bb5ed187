// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_CONSTRAINTS_H_
#define NPUKIT_INTERNAL_CONSTRAINTS_H_

// Constraints that many rows of a support table need.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_text.h"
#include "npukit/internal/namespace.h"
#include "npukit/support_table.h"

NPUKIT_NAMESPACE_BEGIN

namespace internal {

inline bool HaveOneShape(const ::litert::Tensor& a, const ::litert::Tensor& b) {
  const auto type_a = a.RankedTensorType();
  const auto type_b = b.RankedTensorType();
  return type_a && type_b && type_a->Layout().Dimensions() == type_b->Layout().Dimensions();
}

}  // namespace internal

inline Constraint NumInputs(size_t min_inputs, size_t max_inputs) {
  return {::litert::internal::Text(
              {"the number of inputs is not in [", min_inputs, ", ", max_inputs, "]"}),
          [=](const ::litert::Op& op) {
            const size_t n = op.Inputs().size();
            return n >= min_inputs && n <= max_inputs;
          }};
}

// All inputs and outputs: no broadcasting.
inline Constraint OperandsHaveOneShape() {
  return {"the operands differ in shape, and broadcasting is not supported",
          [](const ::litert::Op& op) {
            const auto outputs = op.Outputs();
            if (outputs.empty()) return false;
            for (const auto& tensor : op.Inputs()) {
              if (!internal::HaveOneShape(tensor, outputs[0])) return false;
            }
            for (const auto& tensor : outputs) {
              if (!internal::HaveOneShape(tensor, outputs[0])) return false;
            }
            return true;
          }};
}

// True as well if the op has no such input.
inline Constraint InputIsConstant(size_t input) {
  return {::litert::internal::Text({"input ", input, " is not constant"}),
          [=](const ::litert::Op& op) {
            const auto tensor = op.Input(input);
            return !tensor || tensor->IsConstant();
          }};
}
inline Constraint InputIsNotConstant(size_t input) {
  return {::litert::internal::Text({"input ", input, " is constant"}), [=](const ::litert::Op& op) {
            const auto tensor = op.Input(input);
            return !tensor || !tensor->IsConstant();
          }};
}

// `get` is a C getter of the op's fused activation, such as
// LiteRtGetAddFusedActivationOption; `activations` are values of
// litert::ActivationFunctionType.
inline Constraint FusedActivationIn(LiteRtStatus (*get)(LiteRtOp, uint32_t*),
                                    std::vector<uint32_t> activations) {
  return {"the fused activation is not supported",
          [get, allowed = std::move(activations)](const ::litert::Op& op) {
            uint32_t activation = 0;
            return get(op.Get(), &activation) == kLiteRtStatusOk &&
                   std::find(allowed.begin(), allowed.end(), activation) != allowed.end();
          }};
}

// Every input and output that is not constant is quantized with one scale and
// zero point.
inline Constraint ActivationsArePerTensorQuantized() {
  return {"an operand is not quantized per tensor", [](const ::litert::Op& op) {
            const auto ok = [](const ::litert::Tensor& tensor) {
              return tensor.IsConstant() || tensor.QTypeId() == kLiteRtQuantizationPerTensor;
            };
            for (const auto& tensor : op.Inputs()) {
              if (!ok(tensor)) return false;
            }
            for (const auto& tensor : op.Outputs()) {
              if (!ok(tensor)) return false;
            }
            return true;
          }};
}

NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_CONSTRAINTS_H_
