// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The builder through which a transformation rewrites a graph, for pattern functions that get the
// table first: (context, builder, op). What it does takes effect when the transformation returns
// success. As litert/cc/internal/litert_builder.h, but an op that the host refuses is an error that
// is returned.
//
// Where the table has no functions of the builder (LiteRT before minor version 1), the host's
// library is asked for them.

#ifndef ODML_LITERT_LITERT_COMPILER_CC_LITERT_BUILDER_H_
#define ODML_LITERT_LITERT_COMPILER_CC_LITERT_BUILDER_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/litert_builder.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_tensor_spec.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"
#include "litert/compiler/cc/litert_model.h"
#include "litert/compiler/cc/litert_op_options.h"
#include "npukit/abi.h"

namespace litert::compiler {

// What a new tensor is to be.
using RankedTensorSpec = ::litert::internal::TensorSpec<Weights>;
// RankedTensorSpecBuilder(type).WithTensorName("x").Build().
using RankedTensorSpecBuilder = ::litert::internal::TensorSpecBuilder<Weights>;

template <typename T>
RankedTensorSpec TensorType(const std::vector<int32_t>& dims) {
  return RankedTensorSpecBuilder(MakeRankedTensorType<T>(dims)).Build();
}

class Builder {
 public:
  explicit Builder(const LiteRtCompilerContext* ctx, LiteRtBuilder builder)
      : ctx_(ctx), builder_(builder) {}

  LiteRtBuilder Get() const { return builder_; }
  const LiteRtCompilerContext* Context() const { return ctx_; }

  Expected<Tensor> BuildTensor(const RankedTensorSpec& spec) const {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx_));
    LITERT_ASSIGN_OR_RETURN(const LiteRtTensor tensor,
                            ::litert::internal::BuildTensor(builder_, spec));
    return Tensor(ctx_, tensor);
  }

  // A tensor with the type, weights, quantization and name of another one.
  Expected<Tensor> CloneTensor(const Tensor& src) const {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx_));
    LITERT_ASSIGN_OR_RETURN(const RankedTensorSpec spec, ::litert::internal::SpecOf<Weights>(src));
    return BuildTensor(spec);
  }

  // A tensor without a rank.
  Expected<Tensor> BuildScalar(LiteRtElementType element_type,
                               const std::optional<std::string>& name = std::nullopt) const {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx_));
    LITERT_ASSIGN_OR_RETURN(const LiteRtTensor tensor,
                            ::litert::internal::BuildScalar(builder_, element_type, name));
    return Tensor(ctx_, tensor);
  }

  // Gives `tensor` constant data, which is copied.
  Expected<Weights> BuildWeights(const uint8_t* data, size_t size, const Tensor& tensor) const {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx_));
    LiteRtWeights weights = nullptr;
    LITERT_RETURN_IF_ERROR(LiteRtBuilderBuildWeights(builder_, data, size, tensor.Get(), &weights));
    return Weights(ctx_, weights);
  }
  template <typename T>
  Expected<Weights> BuildWeights(::litert::internal::Span<const T> data,
                                 const Tensor& tensor) const {
    return BuildWeights(reinterpret_cast<const uint8_t*>(data.data()), data.size() * sizeof(T),
                        tensor);
  }

  // The outputs may be those of an op that is erased.
  Expected<Op> BuildOp(LiteRtOpCode op_code, ::litert::internal::Span<const Tensor> inputs,
                       ::litert::internal::Span<const Tensor> outputs) const {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx_));
    LITERT_ASSIGN_OR_RETURN(const LiteRtOp op,
                            ::litert::internal::BuildOp(builder_, op_code, inputs, outputs));
    return Op(ctx_, op);
  }
  Expected<Op> BuildOp(const Op& src, ::litert::internal::Span<const Tensor> inputs,
                       ::litert::internal::Span<const Tensor> outputs) const {
    return BuildOp(src.Code(), inputs, outputs);
  }

  // Gives options to an op that this builder built.
  template <typename T>
  Expected<void> SetOpOptions(const Op& op, T&& options) const {
    static_assert(std::is_base_of_v<OpOptions, std::decay_t<T>>);
    options.op = op.Get();
    return options.SetOpOptions(ctx_, builder_);
  }

  Expected<void> EraseOp(const Op& op) const {
    LITERT_RETURN_IF_ERROR(NpukitUseCompilerContext(ctx_));
    LITERT_RETURN_IF_ERROR(LiteRtBuilderEraseOp(builder_, op.Get()));
    return {};
  }

  // Builds the outputs too, and returns them.
  Expected<std::vector<Tensor>> CreateOpWithOutputSpec(
      LiteRtOpCode code, ::litert::internal::Span<const Tensor> inputs,
      ::litert::internal::Span<const RankedTensorSpec> output_specs) const {
    std::vector<Tensor> outputs;
    for (const RankedTensorSpec& spec : output_specs) {
      LITERT_ASSIGN_OR_RETURN(const Tensor output, BuildTensor(spec));
      outputs.push_back(output);
    }
    LITERT_RETURN_IF_ERROR(BuildOp(code, inputs, outputs));
    return outputs;
  }
  Expected<Tensor> CreateOpWithOutputSpec(LiteRtOpCode code,
                                          ::litert::internal::Span<const Tensor> inputs,
                                          const RankedTensorSpec& output_spec) const {
    LITERT_ASSIGN_OR_RETURN(const Tensor output, BuildTensor(output_spec));
    LITERT_RETURN_IF_ERROR(BuildOp(code, inputs, {&output, 1}));
    return output;
  }

  // An op of another code in the place of `op`, which is erased; an op without a handle, and `op`
  // stays, if the host refuses it.
  Op ReplaceOp(const Op& op, LiteRtOpCode new_code,
               ::litert::internal::Span<const Tensor> inputs) const {
    const auto new_op = BuildOp(new_code, inputs, op.Outputs());
    if (!new_op || !EraseOp(op)) return Op(ctx_, nullptr);
    return *new_op;
  }

 private:
  const LiteRtCompilerContext* ctx_;
  LiteRtBuilder builder_;
};

}  // namespace litert::compiler

#endif  // ODML_LITERT_LITERT_COMPILER_CC_LITERT_BUILDER_H_
