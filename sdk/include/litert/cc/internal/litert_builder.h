// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_BUILDER_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_BUILDER_H_

// The builder through which a transformation rewrites a graph. What it does
// takes effect when the transformation returns success.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_detail.h"
#include "litert/cc/internal/litert_extended_model.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_op_options.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_layout.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert {

// What a new tensor is to be.
struct RankedTensorSpec {
  RankedTensorType ranked_tensor_type;
  std::optional<Weights> weights = std::nullopt;
  std::optional<LiteRtQuantizationPerTensor> per_tensor_quantization = std::nullopt;
  std::optional<LiteRtQuantizationPerChannel> per_channel_quantization = std::nullopt;
#if defined(NPUKIT_ABI_2_2)
  std::optional<LiteRtQuantizationBlockWise> block_wise_quantization = std::nullopt;
#endif
  std::optional<std::string> tensor_name = std::nullopt;
};

// RankedTensorSpecBuilder(type).WithTensorName("x").Build().
class RankedTensorSpecBuilder {
 public:
  explicit RankedTensorSpecBuilder(RankedTensorType type) : spec_{type} {}

  // By value, as LiteRT has it.
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  RankedTensorSpecBuilder&& WithWeights(Weights w) && {
    spec_.weights = w;
    return std::move(*this);
  }
  RankedTensorSpecBuilder&& WithPerTensorQuantization(LiteRtQuantizationPerTensor q) && {
    spec_.per_tensor_quantization = q;
    return std::move(*this);
  }
  RankedTensorSpecBuilder&& WithPerChannelQuantization(LiteRtQuantizationPerChannel q) && {
    spec_.per_channel_quantization = q;
    return std::move(*this);
  }
#if defined(NPUKIT_ABI_2_2)
  // The tensors of scales and zero points are of the graph or of the builder.
  RankedTensorSpecBuilder&& WithBlockWiseQuantization(LiteRtQuantizationBlockWise q) && {
    spec_.block_wise_quantization = q;
    return std::move(*this);
  }
#endif
  RankedTensorSpecBuilder&& WithTensorName(std::string name) && {
    spec_.tensor_name = std::move(name);
    return std::move(*this);
  }
  RankedTensorSpec Build() && { return std::move(spec_); }

 private:
  RankedTensorSpec spec_;
};

template <typename T>
RankedTensorSpec TensorType(const std::vector<int32_t>& dims) {
  return RankedTensorSpecBuilder(MakeRankedTensorType<T>(dims)).Build();
}

class Builder : public internal::NonOwnedHandle<LiteRtBuilder> {
 public:
  explicit Builder(LiteRtBuilder builder) : NonOwnedHandle(builder) {}

  Expected<Tensor> BuildTensor(const RankedTensorSpec& spec) const {
    LiteRtQuantizationTypeId quantization = kLiteRtQuantizationNone;
    if (spec.per_tensor_quantization) quantization = kLiteRtQuantizationPerTensor;
    if (spec.per_channel_quantization) quantization = kLiteRtQuantizationPerChannel;
#if defined(NPUKIT_ABI_2_2)
    if (spec.block_wise_quantization) quantization = kLiteRtQuantizationBlockWise;
#endif
    LiteRtTensor tensor = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildTensor(
        Get(), kLiteRtRankedTensorType,
        static_cast<LiteRtRankedTensorType>(spec.ranked_tensor_type), LiteRtUnrankedTensorType{},
        spec.weights ? spec.weights->Get() : nullptr, quantization,
        spec.per_tensor_quantization.value_or(LiteRtQuantizationPerTensor{}),
        spec.per_channel_quantization.value_or(LiteRtQuantizationPerChannel{}),
#if defined(NPUKIT_ABI_2_2)
        spec.block_wise_quantization.value_or(LiteRtQuantizationBlockWise{}),
#endif
        spec.tensor_name ? spec.tensor_name->c_str() : nullptr, &tensor));
    return Tensor(tensor);
  }

  // A tensor with the type, weights, quantization and name of another one.
  Expected<Tensor> CloneTensor(const Tensor& src) const {
    LITERT_ASSIGN_OR_RETURN(const auto type, src.RankedTensorType());
    RankedTensorSpec spec{type};
    spec.tensor_name = std::string(src.Name());
    if (src.HasWeights()) spec.weights = src.Weights();
    if (src.QTypeId() == kLiteRtQuantizationPerTensor) {
      spec.per_tensor_quantization = src.PerTensorQuantization();
    } else if (src.QTypeId() == kLiteRtQuantizationPerChannel) {
      spec.per_channel_quantization = src.PerChannelQuantization();
#if defined(NPUKIT_ABI_2_2)
    } else if (src.QTypeId() == kLiteRtQuantizationBlockWise) {
      spec.block_wise_quantization.emplace();
      LITERT_RETURN_IF_ERROR(
          LiteRtGetBlockWiseQuantization(src.Get(), &*spec.block_wise_quantization));
#endif
    }
    return BuildTensor(spec);
  }

  // A tensor without a rank.
  Expected<Tensor> BuildScalar(LiteRtElementType element_type,
                               std::optional<std::string> name = std::nullopt) const {
    LiteRtTensor tensor = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildTensor(
        Get(), kLiteRtUnrankedTensorType, LiteRtRankedTensorType{},
        LiteRtUnrankedTensorType{element_type}, nullptr, kLiteRtQuantizationNone,
        LiteRtQuantizationPerTensor{}, LiteRtQuantizationPerChannel{},
#if defined(NPUKIT_ABI_2_2)
        LiteRtQuantizationBlockWise{},
#endif
        name ? name->c_str() : nullptr, &tensor));
    return Tensor(tensor);
  }

  // Gives `tensor` constant data, which is copied.
  template <typename T>
  Expected<Weights> BuildWeights(internal::Span<const T> data, Tensor& tensor) const {
    LiteRtWeights weights = nullptr;
    LITERT_RETURN_IF_ERROR(
        LiteRtBuilderBuildWeights(Get(), reinterpret_cast<const uint8_t*>(data.data()),
                                  data.size() * sizeof(T), tensor.Get(), &weights));
    return Weights(weights);
  }

  // The outputs may be those of an op that is erased.
  Op BuildOp(LiteRtOpCode op_code, const std::vector<Tensor>& inputs,
             const std::vector<Tensor>& outputs) const {
    std::vector<LiteRtTensor> in = Handles(inputs);
    std::vector<LiteRtTensor> out = Handles(outputs);
    LiteRtOp op = nullptr;
    internal::AssertOk(LiteRtBuilderBuildOp, Get(), op_code, in.size(), in.data(), out.size(),
                       out.data(), &op);
    return Op(op);
  }
  Op BuildOp(Op& src, const std::vector<Tensor>& inputs, const std::vector<Tensor>& outputs) {
    return BuildOp(src.Code(), inputs, outputs);
  }

  // Builds the outputs too, and returns them.
  Expected<std::vector<Tensor>> CreateOpWithOutputSpec(
      LiteRtOpCode code, const std::vector<Tensor>& inputs,
      const std::vector<RankedTensorSpec>& output_specs) const {
    std::vector<Tensor> outputs;
    for (const RankedTensorSpec& spec : output_specs) {
      LITERT_ASSIGN_OR_RETURN(const Tensor output, BuildTensor(spec));
      outputs.push_back(output);
    }
    BuildOp(code, inputs, outputs);
    return outputs;
  }
  Expected<Tensor> CreateOpWithOutputSpec(LiteRtOpCode code, const std::vector<Tensor>& inputs,
                                          const RankedTensorSpec& output_spec) const {
    LITERT_ASSIGN_OR_RETURN(const Tensor output, BuildTensor(output_spec));
    BuildOp(code, inputs, {output});
    return output;
  }

  // An op of another code in the place of `op`, which is erased.
  Op ReplaceOp(Op& op, LiteRtOpCode new_code, const std::vector<Tensor>& inputs) const {
    const Op new_op = BuildOp(new_code, inputs, op.Outputs());
    EraseOp(op);
    return new_op;
  }

  // Gives options to an op that this builder built.
  template <typename T>
  Expected<void> SetOpOptions(Op& op, T&& options) const {
    static_assert(std::is_base_of_v<OpOptions, std::decay_t<T>>);
    options.op = op.Get();
    return options.SetOpOptions(Get());
  }

  void EraseOp(Op& op) const { internal::AssertOk(LiteRtBuilderEraseOp, Get(), op.Get()); }

 private:
  static std::vector<LiteRtTensor> Handles(const std::vector<Tensor>& tensors) {
    std::vector<LiteRtTensor> handles;
    for (const Tensor& tensor : tensors) handles.push_back(tensor.Get());
    return handles;
  }
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_BUILDER_H_
