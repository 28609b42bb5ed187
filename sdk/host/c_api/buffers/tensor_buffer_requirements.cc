// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/c_api/buffers/tensor_buffer_requirements.h"

#include <bit>
#include <memory>

#include "litert/c/litert_tensor_buffer_requirements.h"

extern "C" {

LiteRtStatus LiteRtCreateTensorBufferRequirements(
    int num_supported_tensor_buffer_types,
    const LiteRtTensorBufferType* supported_tensor_buffer_types, size_t buffer_size,
    int num_strides, const uint32_t* strides, LiteRtTensorBufferRequirements* requirements) {
  return LiteRtCreateTensorBufferRequirementsWithAlignment(
      num_supported_tensor_buffer_types, supported_tensor_buffer_types, buffer_size, num_strides,
      strides, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT, requirements);
}

LiteRtStatus LiteRtCreateTensorBufferRequirementsWithAlignment(
    int num_supported_tensor_buffer_types,
    const LiteRtTensorBufferType* supported_tensor_buffer_types, size_t buffer_size,
    int num_strides, const uint32_t* strides, size_t alignment,
    LiteRtTensorBufferRequirements* requirements) {
  if (num_supported_tensor_buffer_types < 1 || !supported_tensor_buffer_types || num_strides < 0 ||
      (num_strides > 0 && !strides) || !std::has_single_bit(alignment) || !requirements) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  auto created = std::make_unique<LiteRtTensorBufferRequirementsT>();
  created->types.assign(supported_tensor_buffer_types,
                        supported_tensor_buffer_types + num_supported_tensor_buffer_types);
  created->size_bytes = buffer_size;
  if (num_strides > 0) created->strides.assign(strides, strides + num_strides);
  created->alignment_bytes = alignment;
  *requirements = created.release();
  return kLiteRtStatusOk;
}

void LiteRtDestroyTensorBufferRequirements(LiteRtTensorBufferRequirements requirements) {
  delete requirements;
}

LiteRtStatus LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(
    LiteRtTensorBufferRequirements requirements, int* num_types) {
  if (!requirements || !num_types) return kLiteRtStatusErrorInvalidArgument;
  *num_types = static_cast<int>(requirements->types.size());
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(
    LiteRtTensorBufferRequirements requirements, int type_index, LiteRtTensorBufferType* type) {
  if (!requirements || !type || type_index < 0 ||
      static_cast<size_t>(type_index) >= requirements->types.size()) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *type = requirements->types[static_cast<size_t>(type_index)];
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferRequirementsBufferSize(
    LiteRtTensorBufferRequirements requirements, size_t* buffer_size) {
  if (!requirements || !buffer_size) return kLiteRtStatusErrorInvalidArgument;
  *buffer_size = requirements->size_bytes;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferRequirementsStrides(LiteRtTensorBufferRequirements requirements,
                                                      int* num_strides, const uint32_t** strides) {
  if (!requirements || !num_strides || !strides) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *num_strides = static_cast<int>(requirements->strides.size());
  *strides = requirements->strides.data();
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtGetTensorBufferRequirementsAlignment(LiteRtTensorBufferRequirements requirements,
                                                        size_t* alignment) {
  if (!requirements || !alignment) return kLiteRtStatusErrorInvalidArgument;
  *alignment = requirements->alignment_bytes;
  return kLiteRtStatusOk;
}

LiteRtStatus LiteRtJoinTensorBufferRequirements(
    LiteRtTensorBufferRequirements src_requirements_1,
    LiteRtTensorBufferRequirements src_requirements_2,
    LiteRtTensorBufferRequirements* joined_requirements) {
  if (!src_requirements_1 || !src_requirements_2 || !joined_requirements ||
      src_requirements_1->strides != src_requirements_2->strides) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  auto joined = std::make_unique<LiteRtTensorBufferRequirementsT>();
  for (LiteRtTensorBufferType type : src_requirements_1->types) {
    if (src_requirements_2->Accepts(type)) joined->types.push_back(type);
  }
  if (joined->types.empty()) return kLiteRtStatusErrorInvalidArgument;
  joined->size_bytes = std::max(src_requirements_1->size_bytes, src_requirements_2->size_bytes);
  joined->strides = src_requirements_1->strides;
  joined->alignment_bytes =
      std::max(src_requirements_1->alignment_bytes, src_requirements_2->alignment_bytes);
  *joined_requirements = joined.release();
  return kLiteRtStatusOk;
}

}  // extern "C"
