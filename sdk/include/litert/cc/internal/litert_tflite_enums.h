// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TFLITE_ENUMS_H_
#define ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TFLITE_ENUMS_H_

// The enums of the TFLite schema that op options hold, under LiteRT's names.

#include <cstdint>

#include "litert/c/litert_model_types.h"

namespace litert {

// TFLite's tensor types and the element types they are:
// X(TFLite name, value, element type).
#define LITERT_INTERNAL_TFLITE_TENSOR_TYPES(X) \
  X(FLOAT32, 0, Float32)                       \
  X(FLOAT16, 1, Float16)                       \
  X(INT32, 2, Int32)                           \
  X(UINT8, 3, UInt8)                           \
  X(INT64, 4, Int64)                           \
  X(STRING, 5, TfString)                       \
  X(BOOL, 6, Bool)                             \
  X(INT16, 7, Int16)                           \
  X(COMPLEX64, 8, Complex64)                   \
  X(INT8, 9, Int8)                             \
  X(FLOAT64, 10, Float64)                      \
  X(COMPLEX128, 11, Complex128)                \
  X(UINT64, 12, UInt64)                        \
  X(RESOURCE, 13, TfResource)                  \
  X(VARIANT, 14, TfVariant)                    \
  X(UINT32, 15, UInt32)                        \
  X(UINT16, 16, UInt16)                        \
  X(INT4, 17, Int4)                            \
  X(BFLOAT16, 18, BFloat16)

enum TfliteTensorType : uint32_t {
#define LITERT_INTERNAL_ENUMERATOR(name, value, element_type) TensorType_##name = value,
  LITERT_INTERNAL_TFLITE_TENSOR_TYPES(LITERT_INTERNAL_ENUMERATOR)
#undef LITERT_INTERNAL_ENUMERATOR
      TensorType_MIN = TensorType_FLOAT32,
  TensorType_MAX = TensorType_BFLOAT16
};

// kLiteRtElementTypeNone for a value that is no tensor type.
constexpr LiteRtElementType GetElementType(uint32_t tflite_element_type) {
  switch (tflite_element_type) {
#define LITERT_INTERNAL_CASE(name, value, element_type) \
  case value:                                           \
    return kLiteRtElementType##element_type;
    LITERT_INTERNAL_TFLITE_TENSOR_TYPES(LITERT_INTERNAL_CASE)
#undef LITERT_INTERNAL_CASE
    default:
      return kLiteRtElementTypeNone;
  }
}

// TensorType_FLOAT32, the schema's default, for types that TFLite lacks.
constexpr uint32_t GetTfliteTensorType(LiteRtElementType element_type) {
  switch (element_type) {
#define LITERT_INTERNAL_CASE(name, value, element_type) \
  case kLiteRtElementType##element_type:                \
    return value;
    LITERT_INTERNAL_TFLITE_TENSOR_TYPES(LITERT_INTERNAL_CASE)
#undef LITERT_INTERNAL_CASE
    default:
      return TensorType_FLOAT32;
  }
}

using ActivationFunction = uint32_t;
enum ActivationFunctionType : uint32_t {
  kActivationFunctionTypeNone = 0,
  kActivationFunctionTypeRelu = 1,
  kActivationFunctionTypeReluN1To1 = 2,
  kActivationFunctionTypeRelu6 = 3,
  kActivationFunctionTypeTanh = 4,
  kActivationFunctionTypeSignBit = 5,
  kActivationFunctionTypeMin = kActivationFunctionTypeNone,
  kActivationFunctionTypeMax = kActivationFunctionTypeSignBit,
};

using FullyConnectedOptionsWeightsFormat = uint32_t;
enum FullyConnectedOptionsWeightsFormatType : uint32_t {
  kFullyConnectedOptionsWeightsFormatDefault = 0,
  kFullyConnectedOptionsWeightsFormatShuffled4x16Int8 = 1,
  kFullyConnectedOptionsWeightsFormatMin = kFullyConnectedOptionsWeightsFormatDefault,
  kFullyConnectedOptionsWeightsFormatMax = kFullyConnectedOptionsWeightsFormatShuffled4x16Int8
};

using Padding = uint32_t;
enum PaddingType : uint32_t {
  kPaddingSame = 0,
  kPaddingValid = 1,
  kPaddingMin = kPaddingSame,
  kPaddingMax = kPaddingValid,
};

using MirrorPadMode = uint32_t;
enum MirrorPadModeType : uint32_t {
  kMirrorPadModeReflect = 0,
  kMirrorPadModeSymmetric = 1,
  kMirrorPadModeMin = kMirrorPadModeReflect,
  kMirrorPadModeMax = kMirrorPadModeSymmetric,
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_INTERNAL_LITERT_TFLITE_ENUMS_H_
