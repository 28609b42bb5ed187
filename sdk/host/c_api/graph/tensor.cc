// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Tensors and weights of litert_model.h.

#include "sdk/host/model/graph/tensor.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "litert/c/litert_model.h"
#include "sdk/host/c_api/graph/operands.h"
#include "sdk/host/model/graph/op.h"
#include "sdk/host/model/graph/subgraph.h"

namespace {

// `count` times `value`, alive until the process ends. LiteRT hands out one
// zero point per channel also where a model stores one for all, or none.
int64_t* Repeated(int64_t value, size_t count) {
  static std::mutex mutex;
  static auto* arrays = new std::map<std::pair<int64_t, size_t>, std::unique_ptr<int64_t[]>>();
  const std::lock_guard lock(mutex);
  std::unique_ptr<int64_t[]>& array = (*arrays)[{value, count}];
  if (!array) {
    array = std::make_unique<int64_t[]>(count);
    std::fill_n(array.get(), count, value);
  }
  return array.get();
}

LiteRtQuantizationTypeId QuantizationType(const npukit::Tensor& tensor) {
  if (tensor.quantization.blockwise) return kLiteRtQuantizationBlockWise;
  if (tensor.quantization.is_per_tensor()) return kLiteRtQuantizationPerTensor;
  if (tensor.quantization.is_per_channel()) {
    return kLiteRtQuantizationPerChannel;
  }
  return kLiteRtQuantizationNone;
}

// Null for a tensor that no op names.
const npukit::Subgraph* SubgraphOf(const npukit::Tensor& tensor) {
  if (tensor.defining_op) return tensor.defining_op->subgraph;
  return tensor.users.empty() ? nullptr : tensor.users.front().op->subgraph;
}

}  // namespace

extern "C" {

LiteRtStatus LiteRtGetTensorName(LiteRtTensor tensor, const char** name) {
  if (!tensor || !name) return kLiteRtStatusErrorInvalidArgument;
  *name = tensor->name.c_str();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorIndex(LiteRtTensor tensor, uint32_t* tensor_index) {
  if (!tensor || !tensor_index) return kLiteRtStatusErrorInvalidArgument;
  *tensor_index = tensor->index;
  return kLiteRtStatusOk;
}

// As in LiteRT every tensor of a loaded model is ranked: one whose file gives
// no rank has the rank of its shape.
LiteRtStatus LiteRtGetTensorTypeId(LiteRtTensor tensor, LiteRtTensorTypeId* type_id) {
  if (!tensor || !type_id) return kLiteRtStatusErrorInvalidArgument;
  *type_id = kLiteRtRankedTensorType;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetUnrankedTensorType(LiteRtTensor tensor,
                                         LiteRtUnrankedTensorType* unranked_tensor_type) {
  if (!tensor || !unranked_tensor_type) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  return kLiteRtStatusErrorInvalidIrType;
}

LiteRtStatus LiteRtGetRankedTensorType(LiteRtTensor tensor,
                                       LiteRtRankedTensorType* ranked_tensor_type) {
  if (!tensor || !ranked_tensor_type) return kLiteRtStatusErrorInvalidArgument;
  // The signature has -1 where the shape has the size to start with.
  const std::vector<int32_t>& dims = tensor->shape_signature.size() == tensor->shape.size()
                                         ? tensor->shape_signature
                                         : tensor->shape;
  const auto layout = npukit::LayoutOf(tensor->name, dims);
  if (!layout) return layout.Error().Status();
  *ranked_tensor_type = {.element_type = tensor->element_type, .layout = *layout};
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetQuantizationTypeId(LiteRtTensor tensor, LiteRtQuantizationTypeId* q_type_id) {
  if (!tensor || !q_type_id) return kLiteRtStatusErrorInvalidArgument;
  *q_type_id = QuantizationType(*tensor);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetPerTensorQuantization(LiteRtTensor tensor,
                                            LiteRtQuantizationPerTensor* per_tensor_quantization) {
  if (!tensor || !per_tensor_quantization) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (QuantizationType(*tensor) != kLiteRtQuantizationPerTensor) {
    return kLiteRtStatusErrorInvalidIrType;
  }
  per_tensor_quantization->scale = tensor->quantization.scale[0];
  per_tensor_quantization->zero_point = tensor->quantization.ZeroPointOf(0);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetPerChannelQuantization(
    LiteRtTensor tensor, LiteRtQuantizationPerChannel* per_channel_quantization) {
  if (!tensor || !per_channel_quantization) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (QuantizationType(*tensor) != kLiteRtQuantizationPerChannel) {
    return kLiteRtStatusErrorInvalidIrType;
  }
  npukit::Quantization& quantization = tensor->quantization;
  const size_t channels = quantization.scale.size();
  LiteRtQuantizationPerChannel answer = {};
  answer.quantized_dimension = quantization.quantized_dimension;
  answer.num_channels = channels;
  answer.scales = quantization.scale.data();
  std::vector<int64_t>* several = quantization.zero_point.several();
  answer.zero_points = several != nullptr && several->size() >= channels
                           ? several->data()
                           : Repeated(quantization.ZeroPointOf(0), channels);
  *per_channel_quantization = answer;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetBlockWiseQuantization(LiteRtTensor tensor,
                                            LiteRtQuantizationBlockWise* block_wise_quantization) {
  if (!tensor || !block_wise_quantization) return kLiteRtStatusErrorInvalidArgument;
  const auto& block_wise = tensor->quantization.blockwise;
  if (!block_wise) return kLiteRtStatusErrorInvalidIrType;
  const npukit::Subgraph* subgraph = SubgraphOf(*tensor);
  if (!subgraph) return kLiteRtStatusErrorNotFound;
  const auto at = [&](int32_t index) {
    const auto tensors = subgraph->tensors();
    return index >= 0 && static_cast<size_t>(index) < tensors.size() ? tensors[index].get()
                                                                     : nullptr;
  };
  *block_wise_quantization = {.scales = at(block_wise->scales_tensor),
                              .zero_points = at(block_wise->zero_points_tensor),
                              .block_size = block_wise->block_size_elems};
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetNumTensorUses(LiteRtTensor tensor, LiteRtParamIndex* num_uses) {
  if (!tensor || !num_uses) return kLiteRtStatusErrorInvalidArgument;
  *num_uses = tensor->users.size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorUse(LiteRtTensor tensor, LiteRtParamIndex use_index, LiteRtOp* user,
                                LiteRtParamIndex* user_arg_index) {
  if (!tensor || !user || !user_arg_index) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (use_index >= tensor->users.size()) return kLiteRtStatusErrorIndexOOB;
  const npukit::Tensor::User& use = tensor->users[use_index];
  *user = use.op;
  *user_arg_index = npukit::PresentInputIndex(*use.op, use.input_index);
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorDefiningOp(LiteRtTensor tensor, bool* has_defining_op,
                                       LiteRtTensorDefiningOp* defining_op) {
  if (!tensor || !has_defining_op || !defining_op) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *has_defining_op = tensor->defining_op != nullptr;
  if (tensor->defining_op) {
    *defining_op = {tensor->defining_op, tensor->defining_output_index};
  }
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorWeights(LiteRtTensor tensor, LiteRtWeights* weights) {
  if (!tensor || !weights) return kLiteRtStatusErrorInvalidArgument;
  *weights = &tensor->weights;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetWeightsBytes(LiteRtWeights weights, const void** addr, size_t* size) {
  if (!weights || !addr || !size) return kLiteRtStatusErrorInvalidArgument;
  *addr = weights->bytes().data();
  *size = weights->bytes().size();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetWeightsBufferId(LiteRtWeights weights, int32_t* buffer_id) {
  if (!weights || !buffer_id) return kLiteRtStatusErrorInvalidArgument;
  *buffer_id = static_cast<int32_t>(weights->buffer_id);
  return kLiteRtStatusOk;
}

}  // extern "C"
