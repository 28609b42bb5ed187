// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_TFLITE_SCHEMA_SCHEMA_GENERATED_H_
#define NPUKIT_TFLITE_SCHEMA_SCHEMA_GENERATED_H_

// Stands where LiteRT has what flatc makes of TFLite's schema. Vendors' sources use it for the enums
// that op options hold as plain numbers, and their names: those are here, and need no FlatBuffers.
// Who needs the tables too has flatc make them (docs/abi.md) and puts the folder first.

#include <cstddef>
#include <cstdint>

namespace tflite {

// An enum as flatc makes it: its values, an array of them, their names by value with a null at the
// end, and one name ("" for what is no value).
#define NPUKIT_TFLITE_ENUMERATOR(Enum, name, value) Enum##_##name = value,
#define NPUKIT_TFLITE_VALUE(Enum, name, value) Enum##_##name,
#define NPUKIT_TFLITE_NAME(Enum, name, value) #name,
#define NPUKIT_TFLITE_ENUM(Enum, VALUES, first, last)                                             \
  enum Enum : int8_t {                                                                            \
    VALUES(NPUKIT_TFLITE_ENUMERATOR, Enum) Enum##_MIN = Enum##_##first,                           \
    Enum##_MAX = Enum##_##last                                                                    \
  };                                                                                              \
  inline const Enum(&EnumValues##Enum())[Enum##_MAX + 1] {                                        \
    static constexpr Enum kValues[] = {VALUES(NPUKIT_TFLITE_VALUE, Enum)};                        \
    return kValues;                                                                               \
  }                                                                                               \
  inline const char* const* EnumNames##Enum() {                                                   \
    static constexpr const char* kNames[] = {VALUES(NPUKIT_TFLITE_NAME, Enum) nullptr};           \
    return kNames;                                                                                \
  }                                                                                               \
  inline const char* EnumName##Enum(Enum value) {                                                 \
    return value < Enum##_MIN || value > Enum##_MAX ? "" : EnumNames##Enum()[size_t(int(value))]; \
  }

// X(enum, name, value); every value from 0 on.
#define NPUKIT_TFLITE_ACTIVATIONS(X, E) \
  X(E, NONE, 0) X(E, RELU, 1) X(E, RELU_N1_TO_1, 2) X(E, RELU6, 3) X(E, TANH, 4) X(E, SIGN_BIT, 5)
#define NPUKIT_TFLITE_PADDINGS(X, E) X(E, SAME, 0) X(E, VALID, 1)
#define NPUKIT_TFLITE_MIRROR_PAD_MODES(X, E) X(E, REFLECT, 0) X(E, SYMMETRIC, 1)
#define NPUKIT_TFLITE_WEIGHTS_FORMATS(X, E) X(E, DEFAULT, 0) X(E, SHUFFLED4x16INT8, 1)
// clang-format off
#define NPUKIT_TFLITE_TENSOR_TYPES(X, E)                                                         \
  X(E, FLOAT32, 0) X(E, FLOAT16, 1) X(E, INT32, 2) X(E, UINT8, 3) X(E, INT64, 4) X(E, STRING, 5) \
  X(E, BOOL, 6) X(E, INT16, 7) X(E, COMPLEX64, 8) X(E, INT8, 9) X(E, FLOAT64, 10)                \
  X(E, COMPLEX128, 11) X(E, UINT64, 12) X(E, RESOURCE, 13) X(E, VARIANT, 14) X(E, UINT32, 15)    \
  X(E, UINT16, 16) X(E, INT4, 17) X(E, BFLOAT16, 18)
// clang-format on

NPUKIT_TFLITE_ENUM(ActivationFunctionType, NPUKIT_TFLITE_ACTIVATIONS, NONE, SIGN_BIT)
NPUKIT_TFLITE_ENUM(Padding, NPUKIT_TFLITE_PADDINGS, SAME, VALID)
NPUKIT_TFLITE_ENUM(MirrorPadMode, NPUKIT_TFLITE_MIRROR_PAD_MODES, REFLECT, SYMMETRIC)
NPUKIT_TFLITE_ENUM(FullyConnectedOptionsWeightsFormat, NPUKIT_TFLITE_WEIGHTS_FORMATS, DEFAULT,
                   SHUFFLED4x16INT8)
NPUKIT_TFLITE_ENUM(TensorType, NPUKIT_TFLITE_TENSOR_TYPES, FLOAT32, BFLOAT16)

#undef NPUKIT_TFLITE_TENSOR_TYPES
#undef NPUKIT_TFLITE_WEIGHTS_FORMATS
#undef NPUKIT_TFLITE_MIRROR_PAD_MODES
#undef NPUKIT_TFLITE_PADDINGS
#undef NPUKIT_TFLITE_ACTIVATIONS
#undef NPUKIT_TFLITE_ENUM
#undef NPUKIT_TFLITE_NAME
#undef NPUKIT_TFLITE_VALUE
#undef NPUKIT_TFLITE_ENUMERATOR

}  // namespace tflite

#endif  // NPUKIT_TFLITE_SCHEMA_SCHEMA_GENERATED_H_
