// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MODEL_PREDICATES_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MODEL_PREDICATES_H_

// Questions about tensors and ops. What an expectation leaves out matches
// anything.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert {

struct TensorTypeInfo {
  std::optional<ElementType> element_type = std::nullopt;
  std::optional<std::vector<int32_t>> dims = std::nullopt;

  explicit TensorTypeInfo(ElementType element_type) : element_type(element_type) {}
  explicit TensorTypeInfo(std::vector<int32_t> dims) : dims(std::move(dims)) {}
  TensorTypeInfo(ElementType element_type, std::vector<int32_t> dims)
      : element_type(element_type), dims(std::move(dims)) {}
};

struct UseInfo {
  std::optional<LiteRtOpCode> op_code = std::nullopt;
  std::optional<LiteRtParamIndex> user_param_ind = std::nullopt;
};

inline bool MatchRankedTensorType(const RankedTensorType& tensor_type,
                                  const TensorTypeInfo& expected) {
  if (expected.element_type && tensor_type.ElementType() != *expected.element_type) {
    return false;
  }
  return !expected.dims || tensor_type.Layout().Dimensions() == *expected.dims;
}

namespace internal {

inline bool MatchTensors(const std::vector<Tensor>& tensors,
                         const std::vector<std::optional<TensorTypeInfo>>& expected) {
  if (tensors.size() != expected.size()) return false;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!expected[i]) continue;
    const auto type = tensors[i].RankedTensorType();
    if (!type || !MatchRankedTensorType(*type, *expected[i])) return false;
  }
  return true;
}

inline bool MatchOneUse(const Tensor::TensorUse& use, const UseInfo& expected) {
  return (!expected.op_code || use.user.Code() == *expected.op_code) &&
         (!expected.user_param_ind || use.user_arg_ind == *expected.user_param_ind);
}

}  // namespace internal

// Whether the op's inputs and outputs are as expected, in number and type.
inline bool MatchOpType(const Op& op,
                        const std::vector<std::optional<TensorTypeInfo>>& expected_inputs,
                        const std::vector<std::optional<TensorTypeInfo>>& expected_outputs) {
  return internal::MatchTensors(op.Inputs(), expected_inputs) &&
         internal::MatchTensors(op.Outputs(), expected_outputs);
}

// Whether the tensor is constant with exactly these values.
template <typename T>
bool MatchWeights(const Tensor& tensor, internal::Span<const T> expected_data) {
  const auto weights = tensor.WeightsData<T>();
  return weights.HasValue() && *weights == expected_data;
}

// Whether any use is as expected.
inline bool MatchUse(const Tensor& tensor, const UseInfo& expected_use) {
  const auto uses = tensor.Uses();
  return std::any_of(uses.begin(), uses.end(),
                     [&](const auto& use) { return internal::MatchOneUse(use, expected_use); });
}

// Whether each expectation is met by a use of its own; `strict`: and there are
// no other uses.
inline bool MatchUses(const Tensor& tensor, const std::vector<UseInfo>& expected_uses,
                      bool strict = true) {
  auto uses = tensor.Uses();
  if (strict && uses.size() != expected_uses.size()) return false;
  for (const UseInfo& expected : expected_uses) {
    const auto it = std::find_if(uses.begin(), uses.end(), [&](const auto& use) {
      return internal::MatchOneUse(use, expected);
    });
    if (it == uses.end()) return false;
    uses.erase(it);
  }
  return true;
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_MODEL_PREDICATES_H_
