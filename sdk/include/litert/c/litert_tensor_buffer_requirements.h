// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a tensor buffer must be like for whoever reads or writes it: the kinds
// of memory accepted, best first, the size, the strides and the alignment.
// Immutable once created.

#ifndef ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_REQUIREMENTS_H_
#define ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_REQUIREMENTS_H_

#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// Copies both arrays. `buffer_size` is in bytes; strides, if any, are one per
// dimension. Alignment is LITERT_HOST_MEMORY_BUFFER_ALIGNMENT.
LiteRtStatus LiteRtCreateTensorBufferRequirements(
    int num_supported_tensor_buffer_types,
    const LiteRtTensorBufferType* supported_tensor_buffer_types, size_t buffer_size,
    int num_strides, const uint32_t* strides, LiteRtTensorBufferRequirements* requirements);

// The same with an alignment in bytes, a power of two.
LiteRtStatus LiteRtCreateTensorBufferRequirementsWithAlignment(
    int num_supported_tensor_buffer_types,
    const LiteRtTensorBufferType* supported_tensor_buffer_types, size_t buffer_size,
    int num_strides, const uint32_t* strides, size_t alignment,
    LiteRtTensorBufferRequirements* requirements);

void LiteRtDestroyTensorBufferRequirements(LiteRtTensorBufferRequirements requirements);

// kLiteRtStatusErrorInvalidArgument for an index past the end.
LiteRtStatus LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(
    LiteRtTensorBufferRequirements requirements, int* num_types);
LiteRtStatus LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(
    LiteRtTensorBufferRequirements requirements, int type_index, LiteRtTensorBufferType* type);

LiteRtStatus LiteRtGetTensorBufferRequirementsBufferSize(
    LiteRtTensorBufferRequirements requirements, size_t* buffer_size);

// Lends the array.
LiteRtStatus LiteRtGetTensorBufferRequirementsStrides(LiteRtTensorBufferRequirements requirements,
                                                      int* num_strides, const uint32_t** strides);

LiteRtStatus LiteRtGetTensorBufferRequirementsAlignment(LiteRtTensorBufferRequirements requirements,
                                                        size_t* alignment);

// Requirements that satisfy both: the kinds common to the two in the order of
// the first, the larger size and the larger alignment. Fails if no kind is
// common or the strides differ.
LiteRtStatus LiteRtJoinTensorBufferRequirements(
    LiteRtTensorBufferRequirements src_requirements_1,
    LiteRtTensorBufferRequirements src_requirements_2,
    LiteRtTensorBufferRequirements* joined_requirements);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_REQUIREMENTS_H_
