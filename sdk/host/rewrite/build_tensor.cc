// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// LiteRtBuilderBuildTensor of litert_builder.h, for both numbers of arguments.
//
// v2.2.0 put one more argument before the last two, under the same name. On x86-64 all arguments
// from per_channel_quantization on lie one after the other on the stack: where a caller of v2.2.0
// has put block_wise_quantization, one of v2.1 has put the last two. The builder knows which plugin
// it was made for.

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
      quantization.zero_point.assign(per_channel.zero_points, per_channel.zero_points + count);
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

#if defined(__x86_64__)
LastArguments LastArgumentsOfV21(const LiteRtQuantizationBlockWise& in_their_place) {
  static_assert(sizeof(LastArguments) <= sizeof in_their_place);
  LastArguments arguments;
  std::memcpy(&arguments, &in_their_place, sizeof arguments);
  return arguments;
}
#else
#error "how other processors pass LiteRtBuilderBuildTensor's arguments has not been worked out"
#endif

}  // namespace

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
    last = LastArgumentsOfV21(block_wise_argument);
  }
  const auto [name, new_tensor] = last;
  if (!new_tensor) return kLiteRtStatusErrorInvalidArgument;
  if (tensor_type_id != kLiteRtRankedTensorType) return kLiteRtStatusErrorUnsupported;
  LiteRtTensorT value;
  if (!SetType(ranked_tensor_type, value) ||
      !SetQuantization({quantization_type_id, per_tensor_quantization, per_channel_quantization,
                        block_wise_quantization},
                       value)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (name) value.name = name;
  LiteRtTensorT& tensor = builder->BuildTensor(value);
  if (weights) tensor.weights = *weights;
  if (quantization_type_id == kLiteRtQuantizationBlockWise &&
      !builder->SetBlockWise(tensor, block_wise_quantization)) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *new_tensor = &tensor;
  return kLiteRtStatusOk;
}
