// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_H_

// Weights and Tensor: handles into a model, cheap to copy, which must not
// outlive it. A null or dangling handle ends the process. What needs Op is
// defined in litert_graph.h.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_op_code.h"
#include "litert/cc/internal/litert_detail.h"
#include "litert/cc/internal/litert_handle.h"
#include "litert/cc/internal/litert_span.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/litert_abseil.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_model_types.h"

namespace litert {

namespace internal {

// LiteRtGetBlockWiseQuantization, which LiteRT has since 2.2 and its table since minor version 1: a
// library that asks must load in older hosts nevertheless. This reference is weak, whatever others
// are.
extern "C" {
__attribute__((unused)) static LiteRtStatus GetBlockWiseIfThere(LiteRtTensor,
                                                                LiteRtQuantizationBlockWise*)
    __attribute__((weakref("LiteRtGetBlockWiseQuantization")));
}

// kLiteRtStatusErrorUnsupported where the host has no such function.
inline LiteRtStatus ReadBlockWise(LiteRtTensor tensor, LiteRtQuantizationBlockWise* quantization) {
  if (GetBlockWiseIfThere == nullptr) return kLiteRtStatusErrorUnsupported;
  return GetBlockWiseIfThere(tensor, quantization);
}

}  // namespace internal

class Op;

// The constant data of a tensor: empty for a tensor that has none.
class Weights : public internal::CopyableHandle<LiteRtWeights> {
 public:
  explicit Weights(LiteRtWeights weights) : CopyableHandle(weights) {}

  int32_t BufferId() const {
    int32_t buffer_id = 0;
    internal::AssertOk(LiteRtGetWeightsBufferId, Get(), &buffer_id);
    return buffer_id;
  }

  internal::View<const uint8_t> Bytes() const {
    size_t size = 0;
    const void* addr = nullptr;
    internal::AssertOk(LiteRtGetWeightsBytes, Get(), &addr, &size);
    return {static_cast<const uint8_t*>(addr), size};
  }
};

// A value of a graph.
class Tensor : public internal::CopyableHandle<LiteRtTensor>, public litert::SimpleTensor {
 public:
  explicit Tensor(LiteRtTensor tensor) : CopyableHandle(tensor), SimpleTensor(Fetch(tensor)) {}

  LiteRtQuantizationTypeId QTypeId() const {
    LiteRtQuantizationTypeId id = kLiteRtQuantizationNone;
    internal::AssertOk(LiteRtGetQuantizationTypeId, Get(), &id);
    return id;
  }
  bool HasQuantization() const { return QTypeId() != kLiteRtQuantizationNone; }

  // Only for a tensor with that kind of quantization. The arrays of the second
  // belong to the model.
  LiteRtQuantizationPerTensor PerTensorQuantization() const {
    LiteRtQuantizationPerTensor quantization{};
    internal::AssertOk(LiteRtGetPerTensorQuantization, Get(), &quantization);
    return quantization;
  }
  LiteRtQuantizationPerChannel PerChannelQuantization() const {
    LiteRtQuantizationPerChannel quantization{};
    internal::AssertOk(LiteRtGetPerChannelQuantization, Get(), &quantization);
    return quantization;
  }

  bool HasWeights() const { return !Weights().Bytes().empty(); }
  ::litert::Weights Weights() const {
    LiteRtWeights weights = nullptr;
    internal::AssertOk(LiteRtGetTensorWeights, Get(), &weights);
    return ::litert::Weights(weights);
  }

  // The constant data as NumElements() values of type T. An error if there is
  // none, or its element type or size is another.
  template <typename T>
  Expected<internal::View<const T>> WeightsData() const {
    LITERT_ASSIGN_OR_RETURN(const auto type, RankedTensorType());
    const auto bytes = Weights().Bytes();
    if (type.ElementType() != GetElementType<T>() || bytes.empty()) {
      return Unexpected(Status::kErrorInvalidArgument, bytes.empty()
                                                           ? "the tensor has no constant data"
                                                           : "the tensor has other elements");
    }
    LITERT_ASSIGN_OR_RETURN(const size_t num_elements, type.Layout().NumElements());
    LITERT_ASSIGN_OR_RETURN(const size_t num_bytes, type.Bytes());
    if (num_bytes != bytes.size()) {
      return Unexpected(Status::kErrorInvalidArgument,
                        "the constant data is not of the tensor's size");
    }
    return internal::View<const T>(reinterpret_cast<const T*>(bytes.data()), num_elements);
  }

  // The op that writes the tensor: none for inputs and constants.
  std::optional<LiteRtTensorDefiningOp> DefiningOp() const {
    bool has_defining_op = false;
    LiteRtTensorDefiningOp defining_op{};
    internal::AssertOk(LiteRtGetTensorDefiningOp, Get(), &has_defining_op, &defining_op);
    if (!has_defining_op) return std::nullopt;
    return defining_op;
  }
  Expected<Op> GetDefiningOp() const;

  // The ops that read the tensor, one entry per operand.
  struct TensorUse;
  using TensorUses = std::vector<TensorUse>;
  TensorUses Uses() const;

  // A rank-1 tensor of no elements stands for an operand left out, and is no
  // input.
  bool IsSubgraphInput() const {
    const auto type = RankedTensorType();
    if (type && type->Layout().Rank() == 1 && type->Layout().Dimensions()[0] == 0) {
      return false;
    }
    return !HasWeights() && !DefiningOp().has_value();
  }
  bool IsConstant() const { return HasWeights() && !DefiningOp().has_value(); }

  bool operator==(const Tensor& other) const { return Get() == other.Get(); }
  bool operator!=(const Tensor& other) const { return Get() != other.Get(); }

 private:
  static SimpleTensor Fetch(LiteRtTensor tensor);
  static SimpleTensor FetchQuantized(LiteRtTensor tensor, uint32_t index, internal::StringView name,
                                     const ::litert::RankedTensorType& type);
};

inline SimpleTensor Tensor::FetchQuantized(LiteRtTensor tensor, uint32_t index,
                                           internal::StringView name,
                                           const ::litert::RankedTensorType& type) {
  LiteRtQuantizationTypeId id = kLiteRtQuantizationNone;
  internal::AssertOk(LiteRtGetQuantizationTypeId, tensor, &id);
  LiteRtQuantizationPerTensor per_tensor{};
  LiteRtQuantizationPerChannel per_channel{};
  LiteRtQuantizationBlockWise block_wise{};
  if (id == kLiteRtQuantizationPerTensor) {
    internal::AssertOk(LiteRtGetPerTensorQuantization, tensor, &per_tensor);
  } else if (id == kLiteRtQuantizationPerChannel) {
    internal::AssertOk(LiteRtGetPerChannelQuantization, tensor, &per_channel);
  }
  // Its tensors are null in a host before 2.2, and where nothing reads or writes the tensor, which
  // then has no graph.
  if (id == kLiteRtQuantizationBlockWise) internal::ReadBlockWise(tensor, &block_wise);
  return SimpleTensor(index, name, kLiteRtRankedTensorType, type,
                      static_cast<QuantizationTypeId>(id), per_tensor, per_channel, block_wise);
}

inline SimpleTensor Tensor::Fetch(LiteRtTensor tensor) {
  if (tensor == nullptr) {
    return SimpleTensor(0, "", kLiteRtUnrankedTensorType, LiteRtUnrankedTensorType{});
  }
  const char* name = nullptr;
  internal::AssertOk(LiteRtGetTensorName, tensor, &name);
  uint32_t index = 0;
  internal::AssertOk(LiteRtGetTensorIndex, tensor, &index);
  LiteRtTensorTypeId type_id{};
  internal::AssertOk(LiteRtGetTensorTypeId, tensor, &type_id);
  const internal::StringView name_view = name != nullptr ? name : "";
  if (type_id == kLiteRtRankedTensorType) {
    LiteRtRankedTensorType type{};
    // A rank above LITERT_TENSOR_MAX_RANK is the model's doing, not the caller's: RankedTensorType() then
    // gives an error.
    if (LiteRtGetRankedTensorType(tensor, &type) != kLiteRtStatusOk)
      return SimpleTensor(index, name_view, kLiteRtUnrankedTensorType, LiteRtUnrankedTensorType{});
    return FetchQuantized(tensor, index, name_view, ::litert::RankedTensorType(type));
  }
  LiteRtUnrankedTensorType type{};
  internal::AssertOk(LiteRtGetUnrankedTensorType, tensor, &type);
  return SimpleTensor(index, name_view, type_id, type);
}

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TENSOR_H_
