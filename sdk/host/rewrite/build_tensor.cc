// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// LiteRtBuilderBuildTensor of litert_builder.h, for both numbers of arguments.
//
// v2.2.0 put one more argument before the last two, under the same name. The builder knows which
// plugin it was made for, and where the arguments lie then follows from how the processor passes
// them: see the two functions at the end.

#define NPUKIT_ABI_2_2  // The signature to check this one against.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "litert/c/litert_builder.h"
#include "sdk/host/model/graph/tensor.h"
#include "sdk/host/rewrite/builder.h"

namespace {

// The part of a tensor type that the IR keeps; false for what it can't express.
bool SetType(const LiteRtRankedTensorType& type, LiteRtTensorT& tensor) {
  if (type.layout.rank > LITERT_TENSOR_MAX_RANK) return false;
  tensor.element_type = type.element_type;
  tensor.has_rank = true;
  bool is_dynamic = false;
  std::vector<int32_t> dims(type.layout.dimensions, type.layout.dimensions + type.layout.rank);
  for (int32_t& dim : dims) {
    is_dynamic |= dim < 0;
    tensor.shape.push_back(dim < 0 ? 1 : dim);
    dim = std::max(dim, -1);
  }
  if (is_dynamic) tensor.shape_signature = std::move(dims);
  return true;
}

struct QuantizationArguments {
  LiteRtQuantizationTypeId id;
  const LiteRtQuantizationPerTensor& per_tensor;
  const LiteRtQuantizationPerChannel& per_channel;
  const LiteRtQuantizationBlockWise& block_wise;
};

// All but blockwise, which names other tensors.
bool SetQuantization(const QuantizationArguments& arguments, LiteRtTensorT& tensor) {
  const auto& [id, per_tensor, per_channel, block_wise] = arguments;
  npukit::Quantization& quantization = tensor.quantization;
  switch (id) {
    case kLiteRtQuantizationNone:
      return true;
    case kLiteRtQuantizationPerTensor:
      quantization.scale = {per_tensor.scale};
      quantization.zero_point = {per_tensor.zero_point};
      break;
    case kLiteRtQuantizationPerChannel: {
      const size_t count = per_channel.num_channels;
      if (count == 0 || !per_channel.scales || !per_channel.zero_points) {
        return false;
      }
      quantization.scale.assign(per_channel.scales, per_channel.scales + count);
      quantization.zero_point =
          std::vector<int64_t>(per_channel.zero_points, per_channel.zero_points + count);
      quantization.quantized_dimension = per_channel.quantized_dimension;
      break;
    }
    case kLiteRtQuantizationBlockWise:
      if (block_wise.scales == nullptr || block_wise.block_size <= 0) return false;
      break;
    default:
      return false;
  }
  tensor.has_quantization = true;
  return true;
}

struct LastArguments {
  const char* name;
  LiteRtTensor* new_tensor;
};

struct TensorArguments {
  LiteRtBuilder builder;
  LiteRtTensorTypeId type_id;
  const LiteRtRankedTensorType& ranked_type;
  LiteRtWeights weights;
  QuantizationArguments quantization;
  LastArguments last;
};

LiteRtStatus BuildTensor(const TensorArguments& arguments) {
  const auto& [builder, tensor_type_id, ranked_tensor_type, weights, quantization, last] =
      arguments;
  const auto& [name, new_tensor] = last;
  if (!new_tensor) return kLiteRtStatusErrorInvalidArgument;
  if (tensor_type_id != kLiteRtRankedTensorType) return kLiteRtStatusErrorUnsupported;
  LiteRtTensorT value;
  if (!SetType(ranked_tensor_type, value) || !SetQuantization(quantization, value)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (name) value.name = name;
  LiteRtTensorT& tensor = builder->BuildTensor(value);
  if (weights) tensor.weights = *weights;
  if (quantization.id == kLiteRtQuantizationBlockWise &&
      !builder->SetBlockWise(tensor, quantization.block_wise)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *new_tensor = &tensor;
  return kLiteRtStatusOk;
}

}  // namespace

#if defined(__x86_64__)

// All arguments from per_channel_quantization on lie one after the other on the stack: where a
// caller of v2.2.0 has put block_wise_quantization, one of v2.1 has put the last two.
extern "C" LiteRtStatus LiteRtBuilderBuildTensor(
    LiteRtBuilder builder, LiteRtTensorTypeId tensor_type_id,
    LiteRtRankedTensorType ranked_tensor_type, LiteRtUnrankedTensorType, LiteRtWeights weights,
    LiteRtQuantizationTypeId quantization_type_id,
    LiteRtQuantizationPerTensor per_tensor_quantization,
    LiteRtQuantizationPerChannel per_channel_quantization,
    const LiteRtQuantizationBlockWise block_wise_argument, const char* const name_argument,
    LiteRtTensor* const new_tensor_argument) {
  if (!builder) return kLiteRtStatusErrorInvalidArgument;
  // Copies: where a caller of v2.1 has put less, its own variables follow, not ours to write to.
  LiteRtQuantizationBlockWise block_wise_quantization = {};
  LastArguments last;
  if (builder->has_block_wise_argument()) {
    block_wise_quantization = block_wise_argument;
    last = {name_argument, new_tensor_argument};
  } else {
    static_assert(sizeof(LastArguments) <= sizeof block_wise_argument);
    std::memcpy(&last, &block_wise_argument, sizeof last);
  }
  return BuildTensor({builder,
                      tensor_type_id,
                      ranked_tensor_type,
                      weights,
                      {quantization_type_id, per_tensor_quantization, per_channel_quantization,
                       block_wise_quantization},
                      last});
}

#elif defined(__aarch64__)

// A structure of more than 16 bytes is passed as a pointer to the caller's copy, in the place of any
// other pointer: where a caller of v2.2.0 has put that of block_wise_quantization, one of v2.1 has
// put the name, and so on. Hence three pointers, of a function that C++ knows by another name, since
// the header has declared this one.
static_assert(sizeof(LiteRtQuantizationBlockWise) > 16);

extern "C" __attribute__((visibility("default"))) LiteRtStatus BuildTensorByPointers(
    LiteRtBuilder builder, LiteRtTensorTypeId tensor_type_id,
    LiteRtRankedTensorType ranked_tensor_type, LiteRtUnrankedTensorType, LiteRtWeights weights,
    LiteRtQuantizationTypeId quantization_type_id,
    LiteRtQuantizationPerTensor per_tensor_quantization,
    LiteRtQuantizationPerChannel per_channel_quantization, const void* block_wise_or_name,
    void* name_or_new_tensor, void* new_tensor_or_nothing) __asm__("LiteRtBuilderBuildTensor");

extern "C" LiteRtStatus BuildTensorByPointers(
    LiteRtBuilder builder, LiteRtTensorTypeId tensor_type_id,
    LiteRtRankedTensorType ranked_tensor_type, LiteRtUnrankedTensorType, LiteRtWeights weights,
    LiteRtQuantizationTypeId quantization_type_id,
    LiteRtQuantizationPerTensor per_tensor_quantization,
    LiteRtQuantizationPerChannel per_channel_quantization, const void* block_wise_or_name,
    void* name_or_new_tensor, void* new_tensor_or_nothing) {
  if (!builder) return kLiteRtStatusErrorInvalidArgument;
  LiteRtQuantizationBlockWise block_wise_quantization = {};
  LastArguments last;
  if (builder->has_block_wise_argument()) {
    std::memcpy(&block_wise_quantization, block_wise_or_name, sizeof block_wise_quantization);
    last = {static_cast<const char*>(name_or_new_tensor),
            static_cast<LiteRtTensor*>(new_tensor_or_nothing)};
  } else {
    last = {static_cast<const char*>(block_wise_or_name),
            static_cast<LiteRtTensor*>(name_or_new_tensor)};
  }
  return BuildTensor({builder,
                      tensor_type_id,
                      ranked_tensor_type,
                      weights,
                      {quantization_type_id, per_tensor_quantization, per_channel_quantization,
                       block_wise_quantization},
                      last});
}

#else
#error "how this processor passes LiteRtBuilderBuildTensor's arguments has not been worked out"
#endif
