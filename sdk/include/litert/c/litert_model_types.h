// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values that describe tensors and graphs: element types, tensor types,
// quantisation, edges.

#ifndef ODML_LITERT_LITERT_C_LITERT_MODEL_TYPES_H_
#define ODML_LITERT_LITERT_C_LITERT_MODEL_TYPES_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_layout.h"

#ifdef __cplusplus
extern "C" {
#endif

// -- Tensor types -------------------------------------------------------------
// The values are TFLite's run-time type numbers (TfLiteType), not those of the
// TensorType enum in a .tflite file.
// clang-format off
typedef enum {
  kLiteRtElementTypeNone = 0,
  kLiteRtElementTypeFloat32 = 1,
  kLiteRtElementTypeInt32 = 2,
  kLiteRtElementTypeUInt8 = 3,
  kLiteRtElementTypeInt64 = 4,
  kLiteRtElementTypeTfString = 5,
  kLiteRtElementTypeBool = 6,
  kLiteRtElementTypeInt16 = 7,
  kLiteRtElementTypeComplex64 = 8,
  kLiteRtElementTypeInt8 = 9,
  kLiteRtElementTypeFloat16 = 10,
  kLiteRtElementTypeFloat64 = 11,
  kLiteRtElementTypeComplex128 = 12,
  kLiteRtElementTypeUInt64 = 13,
  kLiteRtElementTypeTfResource = 14,
  kLiteRtElementTypeTfVariant = 15,
  kLiteRtElementTypeUInt32 = 16,
  kLiteRtElementTypeUInt16 = 17,
  kLiteRtElementTypeInt4 = 18,  // Two to a byte.
  kLiteRtElementTypeBFloat16 = 19,
  kLiteRtElementTypeInt2 = 20, NPUKIT_ELEMENT_TYPES_SINCE_2_2  // Int2: four to a byte.
} LiteRtElementType;
// clang-format on
// A tensor whose rank is known only at run time.
typedef struct {
  LiteRtElementType element_type;
} LiteRtUnrankedTensorType;

LITERT_ABI_ASSERT(sizeof(LiteRtUnrankedTensorType) == 4);

// A tensor of known rank; single dimensions may still be dynamic.
typedef struct {
  LiteRtElementType element_type;
  LiteRtLayout layout;
} LiteRtRankedTensorType;

LITERT_ABI_ASSERT(sizeof(LiteRtRankedTensorType) == 72);
LITERT_ABI_ASSERT(offsetof(LiteRtRankedTensorType, layout) == 4);

// Neither pointer may be null.
static inline bool LiteRtIsSameUnrankedTensorType(const LiteRtUnrankedTensorType* type1,
                                                  const LiteRtUnrankedTensorType* type2) {
  return type1->element_type == type2->element_type;
}

// Which of the two tensor types a tensor has.
typedef enum {
  kLiteRtRankedTensorType = 0,
  kLiteRtUnrankedTensorType = 1,
} LiteRtTensorTypeId;

// -- Quantisation -------------------------------------------------------------
// real = scale * (stored - zero_point)

// One scale for the whole tensor.
typedef struct {
  float scale;
  int64_t zero_point;
} LiteRtQuantizationPerTensor;

LITERT_ABI_ASSERT(sizeof(LiteRtQuantizationPerTensor) == 16);

// One scale per index along one dimension.
typedef struct {
  // The dimension that the channels lie along.
  int32_t quantized_dimension;
  // Entries in each of the arrays below.
  uint64_t num_channels;
  // Both owned by whatever the struct was read from.
  float* scales;
  int64_t* zero_points;
} LiteRtQuantizationPerChannel;

LITERT_ABI_ASSERT(sizeof(LiteRtQuantizationPerChannel) == 32);

typedef enum {
  kLiteRtQuantizationNone = 0,
  kLiteRtQuantizationPerTensor = 1,
  kLiteRtQuantizationPerChannel = 2,
  // One scale per fixed number of elements. abi 2.1 has no function that
  // reads its parameters.
  kLiteRtQuantizationBlockWise = 3,
} LiteRtQuantizationTypeId;

// -- Tensor queries -----------------------------------------------------------
// LiteRT declares these five here as well as in litert_model.h, where their
// contracts stand.

LiteRtStatus LiteRtGetTensorName(LiteRtTensor tensor, const char** name);
LiteRtStatus LiteRtGetTensorIndex(LiteRtTensor tensor, uint32_t* tensor_index);
LiteRtStatus LiteRtGetQuantizationTypeId(LiteRtTensor tensor, LiteRtQuantizationTypeId* q_type_id);
LiteRtStatus LiteRtGetPerTensorQuantization(LiteRtTensor tensor,
                                            LiteRtQuantizationPerTensor* per_tensor_quantization);
LiteRtStatus LiteRtGetPerChannelQuantization(
    LiteRtTensor tensor, LiteRtQuantizationPerChannel* per_channel_quantization);

// -- Edges --------------------------------------------------------------------

// Where a tensor comes from: output `op_output_index` of `op`.
typedef struct LiteRtTensorDefiningOp {
  LiteRtOp op;
  LiteRtParamIndex op_output_index;
} LiteRtTensorDefiningOp;

// Where a tensor goes to: input `op_input_index` of `op`.
typedef struct LiteRtTensorUserOp {
  LiteRtOp op;
  LiteRtParamIndex op_input_index;
} LiteRtTensorUserOp;

// -- Writing models -----------------------------------------------------------

typedef struct LiteRtModelSerializationOptions {
  // Each bytecode appended after the FlatBuffer starts at a multiple of this
  // many bytes from the first byte of the file.
  size_t bytecode_alignment;
} LiteRtModelSerializationOptions;

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_MODEL_TYPES_H_
