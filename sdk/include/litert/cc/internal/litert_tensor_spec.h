// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What the two builders share, that of litert/cc/internal/litert_builder.h and that of
// litert/compiler/cc: what a new tensor is to be, and the calls that make tensors and ops.

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_SPEC_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_SPEC_H_

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert::internal {

template <typename Weights>
struct TensorSpec {
  RankedTensorType ranked_tensor_type;
  std::optional<Weights> weights = std::nullopt;
  std::optional<LiteRtQuantizationPerTensor> per_tensor_quantization = std::nullopt;
  std::optional<LiteRtQuantizationPerChannel> per_channel_quantization = std::nullopt;
#if defined(NPUKIT_ABI_2_2)
  std::optional<LiteRtQuantizationBlockWise> block_wise_quantization = std::nullopt;
#endif
  std::optional<std::string> tensor_name = std::nullopt;
};

template <typename Weights>
class TensorSpecBuilder {
 public:
  explicit TensorSpecBuilder(RankedTensorType type) : spec_{type} {}

  // By value, as LiteRT has it.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  TensorSpecBuilder&& WithWeights(Weights w) && {
    spec_.weights = w;
    return std::move(*this);
  }
  TensorSpecBuilder&& WithPerTensorQuantization(LiteRtQuantizationPerTensor q) && {
    spec_.per_tensor_quantization = q;
    return std::move(*this);
  }
  TensorSpecBuilder&& WithPerChannelQuantization(LiteRtQuantizationPerChannel q) && {
    spec_.per_channel_quantization = q;
    return std::move(*this);
  }
#if defined(NPUKIT_ABI_2_2)
  // The tensors of scales and zero points are of the graph or of the builder.
  TensorSpecBuilder&& WithBlockWiseQuantization(LiteRtQuantizationBlockWise q) && {
    spec_.block_wise_quantization = q;
    return std::move(*this);
  }
#endif
  TensorSpecBuilder&& WithTensorName(const std::string& name) && {
    spec_.tensor_name = name;
    return std::move(*this);
  }
  TensorSpec<Weights> Build() && { return std::move(spec_); }

 private:
  TensorSpec<Weights> spec_;
};

// That of a tensor which is there.
template <typename Weights, typename Tensor>
Expected<TensorSpec<Weights>> SpecOf(const Tensor& tensor) {
  LITERT_ASSIGN_OR_RETURN(const auto type, tensor.RankedTensorType());
  TensorSpec<Weights> spec{type};
  spec.tensor_name = std::string(tensor.Name());
  if (tensor.HasWeights()) spec.weights = tensor.Weights();
  if (tensor.QTypeId() == kLiteRtQuantizationPerTensor) {
    spec.per_tensor_quantization = tensor.PerTensorQuantization();
  } else if (tensor.QTypeId() == kLiteRtQuantizationPerChannel) {
    spec.per_channel_quantization = tensor.PerChannelQuantization();
#if defined(NPUKIT_ABI_2_2)
  } else if (tensor.QTypeId() == kLiteRtQuantizationBlockWise) {
    spec.block_wise_quantization = tensor.BlockWiseQuantization();
    if (spec.block_wise_quantization->scales == nullptr)
      return Unexpected(kLiteRtStatusErrorUnsupported, "this host does not tell a tensor's blocks");
#endif
  }
  return spec;
}

template <typename Weights>
Expected<LiteRtTensor> BuildTensor(LiteRtBuilder builder, const TensorSpec<Weights>& spec) {
  LiteRtQuantizationTypeId quantization = kLiteRtQuantizationNone;
  if (spec.per_tensor_quantization) quantization = kLiteRtQuantizationPerTensor;
  if (spec.per_channel_quantization) quantization = kLiteRtQuantizationPerChannel;
#if defined(NPUKIT_ABI_2_2)
  if (spec.block_wise_quantization) quantization = kLiteRtQuantizationBlockWise;
#endif
  LiteRtTensor tensor = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildTensor(
      builder, kLiteRtRankedTensorType,
      static_cast<LiteRtRankedTensorType>(spec.ranked_tensor_type), LiteRtUnrankedTensorType{},
      spec.weights ? spec.weights->Get() : nullptr, quantization,
      spec.per_tensor_quantization.value_or(LiteRtQuantizationPerTensor{}),
      spec.per_channel_quantization.value_or(LiteRtQuantizationPerChannel{}),
#if defined(NPUKIT_ABI_2_2)
      spec.block_wise_quantization.value_or(LiteRtQuantizationBlockWise{}),
#endif
      spec.tensor_name ? spec.tensor_name->c_str() : nullptr, &tensor));
  return tensor;
}

// A tensor without a rank.
inline Expected<LiteRtTensor> BuildScalar(LiteRtBuilder builder, LiteRtElementType element_type,
                                          const std::optional<std::string>& name) {
  LiteRtTensor tensor = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildTensor(
      builder, kLiteRtUnrankedTensorType, LiteRtRankedTensorType{},
      LiteRtUnrankedTensorType{element_type}, nullptr, kLiteRtQuantizationNone,
      LiteRtQuantizationPerTensor{}, LiteRtQuantizationPerChannel{},
#if defined(NPUKIT_ABI_2_2)
      LiteRtQuantizationBlockWise{},
#endif
      name ? name->c_str() : nullptr, &tensor));
  return tensor;
}

// `inputs` and `outputs` are sequences of tensors.
template <typename Tensors>
Expected<LiteRtOp> BuildOp(LiteRtBuilder builder, LiteRtOpCode code, const Tensors& inputs,
                           const Tensors& outputs) {
  std::vector<LiteRtTensor> in;
  for (const auto& input : inputs) in.push_back(input.Get());
  std::vector<LiteRtTensor> out;
  for (const auto& output : outputs) out.push_back(output.Get());
  LiteRtOp op = nullptr;
  LITERT_RETURN_IF_ERROR(
      LiteRtBuilderBuildOp(builder, code, in.size(), in.data(), out.size(), out.data(), &op));
  return op;
}

}  // namespace litert::internal

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_SPEC_H_
