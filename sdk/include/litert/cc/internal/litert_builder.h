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
#include "litert/cc/internal/litert_tensor_spec.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_layout.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert {

// What a new tensor is to be.
using RankedTensorSpec = internal::TensorSpec<Weights>;
// RankedTensorSpecBuilder(type).WithTensorName("x").Build().
using RankedTensorSpecBuilder = internal::TensorSpecBuilder<Weights>;

template <typename T>
RankedTensorSpec TensorType(const std::vector<int32_t>& dims) {
  return RankedTensorSpecBuilder(MakeRankedTensorType<T>(dims)).Build();
}

class Builder : public internal::NonOwnedHandle<LiteRtBuilder> {
 public:
  explicit Builder(LiteRtBuilder builder) : NonOwnedHandle(builder) {}

  Expected<Tensor> BuildTensor(const RankedTensorSpec& spec) const {
    LITERT_ASSIGN_OR_RETURN(const LiteRtTensor tensor, internal::BuildTensor(Get(), spec));
    return Tensor(tensor);
  }

  // A tensor with the type, weights, quantization and name of another one.
  Expected<Tensor> CloneTensor(const Tensor& src) const {
    LITERT_ASSIGN_OR_RETURN(const RankedTensorSpec spec, internal::SpecOf<Weights>(src));
    return BuildTensor(spec);
  }

  // A tensor without a rank.
  Expected<Tensor> BuildScalar(LiteRtElementType element_type,
                               const std::optional<std::string>& name = std::nullopt) const {
    LITERT_ASSIGN_OR_RETURN(const LiteRtTensor tensor,
                            internal::BuildScalar(Get(), element_type, name));
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
    const auto op = internal::BuildOp(Get(), op_code, inputs, outputs);
    internal::AssertOk(
        [&] { return op ? kLiteRtStatusOk : static_cast<LiteRtStatus>(op.Error().Status()); });
    return Op(*op);
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
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_BUILDER_H_
