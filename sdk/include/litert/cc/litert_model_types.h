// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_MODEL_TYPES_H_
#define ODML_LITERT_LITERT_CC_LITERT_MODEL_TYPES_H_

// What is known of a tensor and of a signature without a graph around them.
// Names point into the model, which must outlive these objects.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "litert/c/litert_block_wise_quantization.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/cc/internal/litert_string_view.h"
#include "litert/cc/internal/litert_text.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_element_type.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "litert/cc/litert_ranked_tensor_type.h"

namespace litert {

// LiteRtQuantizationTypeId, which it also compares with.
enum class QuantizationTypeId {
  None = kLiteRtQuantizationNone,
  PerTensor = kLiteRtQuantizationPerTensor,
  PerChannel = kLiteRtQuantizationPerChannel,
  BlockWise = kLiteRtQuantizationBlockWise,
};
inline bool operator==(QuantizationTypeId a, LiteRtQuantizationTypeId b) {
  return static_cast<LiteRtQuantizationTypeId>(a) == b;
}
inline bool operator==(LiteRtQuantizationTypeId a, QuantizationTypeId b) { return b == a; }
inline bool operator!=(QuantizationTypeId a, LiteRtQuantizationTypeId b) { return !(a == b); }
inline bool operator!=(LiteRtQuantizationTypeId a, QuantizationTypeId b) { return !(b == a); }

using QuantizationPerTensor = LiteRtQuantizationPerTensor;
using QuantizationPerChannel = LiteRtQuantizationPerChannel;
using QuantizationBlockWise = LiteRtQuantizationBlockWise;

// A tensor's index, name, type and quantisation. The arrays of scales and zero points are the
// model's.
class SimpleTensor {
 public:
  using TypeVariant = std::variant<LiteRtUnrankedTensorType, litert::RankedTensorType>;

  explicit SimpleTensor(LiteRtParamIndex index, internal::StringView name,
                        LiteRtTensorTypeId type_id, TypeVariant&& type,
                        QuantizationTypeId quantization_type_id = QuantizationTypeId::None,
                        QuantizationPerTensor per_tensor_quantization = {},
                        QuantizationPerChannel per_channel_quantization = {},
                        QuantizationBlockWise block_wise_quantization = {})
      : index_(static_cast<uint32_t>(index)),
        name_(name),
        type_id_(type_id),
        type_(type),
        quantization_type_id_(quantization_type_id),
        per_tensor_quantization_(per_tensor_quantization),
        per_channel_quantization_(per_channel_quantization),
        block_wise_quantization_(block_wise_quantization) {}
  SimpleTensor(const SimpleTensor&) = default;
  SimpleTensor(SimpleTensor&&) = default;
  SimpleTensor& operator=(const SimpleTensor&) = default;
  SimpleTensor& operator=(SimpleTensor&&) = default;
  virtual ~SimpleTensor() = default;

  ::litert::ElementType ElementType() const {
    if (const auto* ranked = std::get_if<litert::RankedTensorType>(&type_)) {
      return ranked->ElementType();
    }
    return static_cast<::litert::ElementType>(
        std::get<LiteRtUnrankedTensorType>(type_).element_type);
  }

  bool HasType(const ::litert::RankedTensorType& type) const {
    const auto own = RankedTensorType();
    return own && *own == type;
  }
  bool HasType(const LiteRtRankedTensorType& type) const {
    return HasType(::litert::RankedTensorType(type));
  }

  LiteRtTensorTypeId TypeId() const { return type_id_; }

  Expected<LiteRtUnrankedTensorType> UnrankedTensorType() const {
    if (type_id_ != kLiteRtUnrankedTensorType) {
      return Error(Status::kErrorInvalidArgument, "the tensor has a rank");
    }
    return std::get<LiteRtUnrankedTensorType>(type_);
  }

  Expected<::litert::RankedTensorType> RankedTensorType() const {
    if (type_id_ != kLiteRtRankedTensorType) {
      return Error(Status::kErrorInvalidArgument, "the tensor has no rank");
    }
    return std::get<::litert::RankedTensorType>(type_);
  }

  internal::StringView Name() const { return name_; }
  // Among the tensors of its subgraph.
  uint32_t TensorIndex() const { return index_; }

  QuantizationTypeId QTypeId() const { return quantization_type_id_; }
  bool HasQuantization() const { return quantization_type_id_ != QuantizationTypeId::None; }
  // Zeros and null for a tensor of another kind.
  QuantizationPerTensor PerTensorQuantization() const { return per_tensor_quantization_; }
  QuantizationPerChannel PerChannelQuantization() const { return per_channel_quantization_; }
  QuantizationBlockWise BlockWiseQuantization() const { return block_wise_quantization_; }

 private:
  uint32_t index_;
  internal::StringView name_;
  LiteRtTensorTypeId type_id_;
  TypeVariant type_;
  QuantizationTypeId quantization_type_id_;
  QuantizationPerTensor per_tensor_quantization_;
  QuantizationPerChannel per_channel_quantization_;
  QuantizationBlockWise block_wise_quantization_;
};

// A signature: its key, and its inputs and outputs by position or name.
class SimpleSignature {
 public:
  using Tensors = std::vector<std::unique_ptr<SimpleTensor>>;
  using Names = std::vector<internal::StringView>;

  explicit SimpleSignature(internal::StringView key, Names input_names, Tensors input_tensors,
                           Names output_names, Tensors output_tensors)
      : key_(key),
        inputs_{std::move(input_names), std::move(input_tensors), "input"},
        outputs_{std::move(output_names), std::move(output_tensors), "output"} {}
  SimpleSignature(SimpleSignature&&) = default;
  SimpleSignature& operator=(SimpleSignature&&) = default;
  virtual ~SimpleSignature() = default;

  internal::StringView Key() const { return key_; }
  Names InputNames() const { return inputs_.names; }
  Names OutputNames() const { return outputs_.names; }

  Expected<const SimpleTensor&> InputTensor(internal::StringView name) const {
    return inputs_.Find(name);
  }
  Expected<const SimpleTensor&> InputTensor(size_t index) const { return inputs_.At(index); }
  Expected<const SimpleTensor&> OutputTensor(internal::StringView name) const {
    return outputs_.Find(name);
  }
  Expected<const SimpleTensor&> OutputTensor(size_t index) const { return outputs_.At(index); }

  // The type of an input or output, by name or index.
  template <class NameOrIndex>
  Expected<RankedTensorType> InputTensorType(const NameOrIndex& which) const {
    LITERT_ASSIGN_OR_RETURN(const SimpleTensor& tensor, InputTensor(which));
    return tensor.RankedTensorType();
  }
  template <class NameOrIndex>
  Expected<RankedTensorType> OutputTensorType(const NameOrIndex& which) const {
    LITERT_ASSIGN_OR_RETURN(const SimpleTensor& tensor, OutputTensor(which));
    return tensor.RankedTensorType();
  }

 private:
  struct Side {
    Names names;
    Tensors tensors;
    const char* what;

    Expected<const SimpleTensor&> Find(internal::StringView name) const {
      for (size_t i = 0; i < names.size(); ++i) {
        if (names[i] == name) return *tensors[i];
      }
      return Error(Status::kErrorNotFound, internal::Text({"no ", what, " named '", name, "'"}));
    }
    Expected<const SimpleTensor&> At(size_t index) const {
      if (index < tensors.size()) return *tensors[index];
      return Error(Status::kErrorInvalidArgument,
                   internal::Text({"no ", what, " ", index, ", there are ", tensors.size()}));
    }
  };

  internal::StringView key_;
  Side inputs_;
  Side outputs_;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_MODEL_TYPES_H_
