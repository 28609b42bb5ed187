// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Views of a model for a compiler plugin of abi 2.2: as litert::Model and so on, but through the
// table of functions that the plugin was created with. Views own nothing; handles that the table's
// functions refuse end the process, as only the calling code can be wrong about them. A null table,
// or one that lacks a function, gives empty answers.

#ifndef ODML_LITERT_LITERT_COMPILER_CC_LITERT_MODEL_H_
#define ODML_LITERT_LITERT_COMPILER_CC_LITERT_MODEL_H_

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "litert/c/internal/litert_compiler_context.h"
#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_consts.h"  // IWYU pragma: export
#include "litert/cc/internal/litert_detail.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert::compiler {

class Op;
class Tensor;

namespace internal {

// A handle and the table to ask about it.
template <typename Handle>
class View {
 public:
  View(const LiteRtCompilerContext* ctx, Handle handle) : ctx_(ctx), handle_(handle) {}

  Handle Get() const { return handle_; }
  const LiteRtCompilerContext* ctx() const { return ctx_; }
  const LiteRtCompilerContext* Context() const { return ctx_; }

 protected:
  template <typename Function>
  using Member = Function(LiteRtCompilerContext::*);

  // Whether the table has a function.
  template <typename Function>
  bool Has(Member<Function> function) const {
    return ctx_ != nullptr && ctx_->*function != nullptr;
  }

  // Its answer, by the last argument; `otherwise` if it is not there.
  template <typename Answer, typename Function, typename... Args>
  Answer Ask(Answer otherwise, Member<Function> function, Args... args) const {
    if (!Has(function)) return otherwise;
    Answer answer = otherwise;
    ::litert::internal::AssertOk(ctx_->*function, handle_, args..., &answer);
    return answer;
  }

  // The same, with the error it gives.
  template <typename Answer, typename Function, typename... Args>
  Expected<Answer> Try(Member<Function> function, Args... args) const {
    if (!Has(function)) return Unexpected(Status::kErrorNotFound);
    Answer answer{};
    LITERT_RETURN_IF_ERROR((ctx_->*function)(handle_, args..., &answer));
    return answer;
  }

  // One of them; none where there are fewer.
  template <typename Element, typename Item, typename Count, typename Read>
  std::optional<Element> At(LiteRtParamIndex index, Member<Count> count, Member<Read> read) const {
    if (!Has(read) || index >= Ask(LiteRtParamIndex{0}, count)) return std::nullopt;
    return Element(ctx_, Ask(Item{}, read, index));
  }

  // Elements that are counted and read by index.
  template <typename Element, typename Item, typename Count, typename Read>
  std::vector<Element> All(Member<Count> count, Member<Read> read) const {
    std::vector<Element> elements;
    const auto size = Has(read) ? Ask(LiteRtParamIndex{0}, count) : 0;
    elements.reserve(size);
    for (LiteRtParamIndex i = 0; i < size; ++i) {
      elements.emplace_back(ctx_, Ask(Item{}, read, i));
    }
    return elements;
  }

  const LiteRtCompilerContext* ctx_;
  Handle handle_;
};

}  // namespace internal

class Weights : public internal::View<LiteRtWeights> {
 public:
  using View::View;

  int32_t BufferId() const {
    return Ask(int32_t{-1}, &LiteRtCompilerContext::get_weights_buffer_id);
  }

  ::litert::internal::View<const uint8_t> Bytes() const {
    const void* address = nullptr;
    size_t size = 0;
    if (Has(&LiteRtCompilerContext::get_weights_bytes)) {
      ::litert::internal::AssertOk(ctx_->get_weights_bytes, handle_, &address, &size);
    }
    return {static_cast<const uint8_t*>(address), size};
  }
  ::litert::internal::StringView StrView() const {
    const auto bytes = Bytes();
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }
};

class Tensor : public internal::View<LiteRtTensor> {
 public:
  Tensor() : View(nullptr, nullptr) {}
  using View::View;

  ::litert::internal::StringView Name() const {
    const char* const name =
        Ask(static_cast<const char*>(nullptr), &LiteRtCompilerContext::get_tensor_name);
    return name != nullptr ? name : "";
  }
  uint32_t TensorIndex() const {
    return Ask(uint32_t{0}, &LiteRtCompilerContext::get_tensor_index);
  }

  LiteRtTensorTypeId TypeId() const {
    return Ask(kLiteRtRankedTensorType, &LiteRtCompilerContext::get_tensor_type_id);
  }
  Expected<litert::RankedTensorType> RankedTensorType() const {
    LITERT_ASSIGN_OR_RETURN(const auto type, Try<LiteRtRankedTensorType>(
                                                 &LiteRtCompilerContext::get_ranked_tensor_type));
    return litert::RankedTensorType(type);
  }
  Expected<LiteRtUnrankedTensorType> UnrankedTensorType() const {
    return Try<LiteRtUnrankedTensorType>(&LiteRtCompilerContext::get_unranked_tensor_type);
  }
  litert::ElementType ElementType() const {
    if (const auto type = RankedTensorType()) return type->ElementType();
    const auto unranked = UnrankedTensorType();
    return unranked ? static_cast<litert::ElementType>(unranked->element_type)
                    : litert::ElementType::None;
  }

  LiteRtQuantizationTypeId QTypeId() const {
    return Ask(kLiteRtQuantizationNone, &LiteRtCompilerContext::get_quantization_type_id);
  }
  bool HasQuantization() const { return QTypeId() != kLiteRtQuantizationNone; }
  LiteRtQuantizationPerTensor PerTensorQuantization() const {
    return Ask(LiteRtQuantizationPerTensor{}, &LiteRtCompilerContext::get_per_tensor_quantization);
  }
  LiteRtQuantizationPerChannel PerChannelQuantization() const {
    return Ask(LiteRtQuantizationPerChannel{},
               &LiteRtCompilerContext::get_per_channel_quantization);
  }
  // The table of 2.2.0 has no such function: no tensors then.
  LiteRtQuantizationBlockWise BlockWiseQuantization() const {
#if defined(NPUKIT_ABI_2_3)
    return Ask(LiteRtQuantizationBlockWise{}, &LiteRtCompilerContext::get_block_wise_quantization);
#else
    return {};
#endif
  }

  class Weights Weights() const {
    return {ctx_, Ask(LiteRtWeights{nullptr}, &LiteRtCompilerContext::get_tensor_weights)};
  }
  bool HasWeights() const { return !Weights().Bytes().empty(); }
  // The constant data as elements of type T; an error if it is not of that type and the type's
  // size.
  template <typename T>
  Expected<::litert::internal::View<const T>> WeightsData() const {
    LITERT_ASSIGN_OR_RETURN(const auto type, RankedTensorType());
    const auto bytes = Weights().Bytes();
    LITERT_ASSIGN_OR_RETURN(const size_t num_elements, type.Layout().NumElements());
    LITERT_ASSIGN_OR_RETURN(const size_t num_bytes, type.Bytes());
    if (bytes.empty() || type.ElementType() != GetElementType<T>() || num_bytes != bytes.size()) {
      return Unexpected(Status::kErrorInvalidArgument);
    }
    return ::litert::internal::View<const T>(reinterpret_cast<const T*>(bytes.data()),
                                             num_elements);
  }

  std::optional<LiteRtTensorDefiningOp> DefiningOp() const {
    bool has_defining_op = false;
    LiteRtTensorDefiningOp defining_op{};
    if (Has(&LiteRtCompilerContext::get_tensor_defining_op)) {
      ::litert::internal::AssertOk(ctx_->get_tensor_defining_op, handle_, &has_defining_op,
                                   &defining_op);
    }
    if (!has_defining_op) return std::nullopt;
    return defining_op;
  }
  Expected<Op> GetDefiningOp() const;
  bool IsConstant() const { return HasWeights() && !DefiningOp().has_value(); }
  bool IsSubgraphInput() const { return !HasWeights() && !DefiningOp().has_value(); }

  struct TensorUse;
  std::vector<TensorUse> Uses() const;

  bool operator==(const Tensor& other) const { return Get() == other.Get(); }
  bool operator!=(const Tensor& other) const { return Get() != other.Get(); }
};

class Op : public internal::View<LiteRtOp> {
 public:
  Op() : View(nullptr, nullptr) {}
  using View::View;

  LiteRtOpCode Code() const {
    return Ask(kLiteRtOpCodeTflCustom, &LiteRtCompilerContext::get_op_code);
  }
  bool Is(LiteRtOpCode code) const { return Code() == code; }

  std::vector<Tensor> Inputs() const {
    return All<Tensor, LiteRtTensor>(&LiteRtCompilerContext::get_num_op_inputs,
                                     &LiteRtCompilerContext::get_op_input);
  }
  std::optional<Tensor> Input(size_t index) const {
    return At<Tensor, LiteRtTensor>(index, &LiteRtCompilerContext::get_num_op_inputs,
                                    &LiteRtCompilerContext::get_op_input);
  }
  std::vector<Tensor> Outputs() const {
    return All<Tensor, LiteRtTensor>(&LiteRtCompilerContext::get_num_op_outputs,
                                     &LiteRtCompilerContext::get_op_output);
  }
  std::optional<Tensor> Output(size_t index) const {
    return At<Tensor, LiteRtTensor>(index, &LiteRtCompilerContext::get_num_op_outputs,
                                    &LiteRtCompilerContext::get_op_output);
  }

  // Errors unless this is a custom op.
  Expected<::litert::internal::StringView> CustomCode() const {
    LITERT_ASSIGN_OR_RETURN(const char* code,
                            Try<const char*>(&LiteRtCompilerContext::get_custom_code));
    return ::litert::internal::StringView(code);
  }
  Expected<::litert::internal::Span<const uint8_t>> CustomOptions() const {
    if (!Has(&LiteRtCompilerContext::get_custom_options)) return Unexpected(Status::kErrorNotFound);
    const uint8_t* data = nullptr;
    int32_t size = 0;
    LITERT_RETURN_IF_ERROR(ctx_->get_custom_options(handle_, &data, &size));
    return ::litert::internal::Span<const uint8_t>(data, static_cast<size_t>(size));
  }

  bool operator==(const Op& other) const { return Get() == other.Get(); }
  bool operator!=(const Op& other) const { return Get() != other.Get(); }
};

using OpInputs = std::vector<Tensor>;
using OpOutputs = std::vector<Tensor>;

struct Tensor::TensorUse {
  Op user;
  LiteRtParamIndex user_arg_ind;
};

inline Expected<Op> Tensor::GetDefiningOp() const {
  const auto defining_op = DefiningOp();
  if (!defining_op) return Unexpected(Status::kErrorNotFound);
  return Op(ctx_, defining_op->op);
}

inline std::vector<Tensor::TensorUse> Tensor::Uses() const {
  std::vector<TensorUse> uses;
  if (!Has(&LiteRtCompilerContext::get_tensor_use)) return uses;
  const auto count = Ask(LiteRtParamIndex{0}, &LiteRtCompilerContext::get_num_tensor_uses);
  for (LiteRtParamIndex i = 0; i < count; ++i) {
    LiteRtOp user = nullptr;
    LiteRtParamIndex index = 0;
    ::litert::internal::AssertOk(ctx_->get_tensor_use, handle_, i, &user, &index);
    uses.push_back({Op(ctx_, user), index});
  }
  return uses;
}

class Subgraph : public internal::View<LiteRtSubgraph> {
 public:
  using View::View;

  std::vector<Tensor> Inputs() const {
    return All<Tensor, LiteRtTensor>(&LiteRtCompilerContext::get_num_subgraph_inputs,
                                     &LiteRtCompilerContext::get_subgraph_input);
  }
  std::vector<Tensor> Outputs() const {
    return All<Tensor, LiteRtTensor>(&LiteRtCompilerContext::get_num_subgraph_outputs,
                                     &LiteRtCompilerContext::get_subgraph_output);
  }
  std::vector<Op> Ops() const {
    return All<Op, LiteRtOp>(&LiteRtCompilerContext::get_num_subgraph_ops,
                             &LiteRtCompilerContext::get_subgraph_op);
  }
};

class Model : public internal::View<LiteRtModel> {
 public:
  using View::View;

  size_t NumSubgraphs() const {
    return Ask(LiteRtParamIndex{0}, &LiteRtCompilerContext::get_num_model_subgraphs);
  }
  Expected<class Subgraph> Subgraph(size_t index) const {
    LITERT_ASSIGN_OR_RETURN(
        const LiteRtSubgraph subgraph,
        Try<LiteRtSubgraph>(&LiteRtCompilerContext::get_model_subgraph, LiteRtParamIndex{index}));
    return compiler::Subgraph(ctx_, subgraph);
  }
  Expected<class Subgraph> MainSubgraph() const { return this->Subgraph(0); }
};

}  // namespace litert::compiler

#endif  // ODML_LITERT_LITERT_COMPILER_CC_LITERT_MODEL_H_
