// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The sets of types that operators.def names.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_TYPE_SETS_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_TYPE_SETS_H_

#include "reference_plugin/compiler/legalize/support.h"

namespace acme::compiler::type_sets {

constexpr TypeRow All(Dtype dtype) { return {dtype, dtype, dtype}; }
constexpr TypeRow From(Dtype in, Dtype out) { return {in, out, in}; }

inline constexpr TypeRow kI8 = All(Dtype::kI8);
inline constexpr TypeRow kU8 = All(Dtype::kU8);
inline constexpr TypeRow kI16 = All(Dtype::kI16);
inline constexpr TypeRow kI32 = All(Dtype::kI32);
inline constexpr TypeRow kF32 = All(Dtype::kF32);
// int16 by weights of int8.
inline constexpr TypeRow kI16ByI8 = {Dtype::kI16, Dtype::kI16, Dtype::kI8};

inline constexpr TypeRow kBool = All(Dtype::kBool);
// By weights of int4.
constexpr TypeRow ByInt4(Dtype dtype) { return {dtype, dtype, Dtype::kI8, true}; }
constexpr TypeRow Compared(Dtype dtype) { return {dtype, Dtype::kBool, dtype}; }
constexpr TypeRow Selected(Dtype dtype) { return {Dtype::kBool, dtype, dtype}; }
// By indices of int32.
constexpr TypeRow Gathered(Dtype dtype) { return {dtype, dtype, Dtype::kI32}; }
// From a table of the type, by indices of int32.
constexpr TypeRow Embedded(Dtype dtype) { return {Dtype::kI32, dtype, dtype}; }

inline constexpr TypeRow kFloat[] = {kF32};
inline constexpr TypeRow kArithmetic[] = {kI8, kU8, kI16, kF32};
inline constexpr TypeRow kBytesAndFloat[] = {kI8, kU8, kF32};
inline constexpr TypeRow kSignedAndFloat[] = {kI8, kI16, kF32};
inline constexpr TypeRow kInt8AndFloat[] = {kI8, kF32};
inline constexpr TypeRow kIntegerArithmetic[] = {kI8, kU8, kI16, kI32, kF32};
inline constexpr TypeRow kInt32[] = {kI32};
inline constexpr TypeRow kInt32AndFloat[] = {kI32, kF32};
// Places of int32 or int64.
inline constexpr TypeRow kArgExtremes[] = {From(Dtype::kI8, Dtype::kI32),
                                           From(Dtype::kI8, Dtype::kI64),
                                           From(Dtype::kU8, Dtype::kI32),
                                           From(Dtype::kU8, Dtype::kI64),
                                           From(Dtype::kI16, Dtype::kI32),
                                           From(Dtype::kI16, Dtype::kI64),
                                           kI32,
                                           From(Dtype::kI32, Dtype::kI64),
                                           From(Dtype::kF32, Dtype::kI32),
                                           From(Dtype::kF32, Dtype::kI64)};
inline constexpr TypeRow kBools[] = {kBool};
inline constexpr TypeRow kComparisons[] = {Compared(Dtype::kI32), Compared(Dtype::kF32)};
inline constexpr TypeRow kSelections[] = {Selected(Dtype::kI8), Selected(Dtype::kU8),
                                          Selected(Dtype::kI16), Selected(Dtype::kI32),
                                          Selected(Dtype::kF32)};
inline constexpr TypeRow kGathers[] = {Gathered(Dtype::kI8), Gathered(Dtype::kU8),
                                       Gathered(Dtype::kI16), Gathered(Dtype::kI32),
                                       Gathered(Dtype::kF32)};
// Quantised tables give float32.
inline constexpr TypeRow kEmbeddings[] = {Embedded(Dtype::kI8),
                                          Embedded(Dtype::kU8),
                                          Embedded(Dtype::kI16),
                                          Embedded(Dtype::kI32),
                                          Embedded(Dtype::kF32),
                                          {Dtype::kI32, Dtype::kF32, Dtype::kI8},
                                          {Dtype::kI32, Dtype::kF32, Dtype::kI8, true}};
inline constexpr TypeRow kCasts[] = {
    From(Dtype::kI8, Dtype::kF32),   From(Dtype::kU8, Dtype::kF32),
    From(Dtype::kI16, Dtype::kF32),  From(Dtype::kI32, Dtype::kF32),
    From(Dtype::kBool, Dtype::kF32), From(Dtype::kF32, Dtype::kI8),
    From(Dtype::kF32, Dtype::kU8),   From(Dtype::kF32, Dtype::kI16),
    From(Dtype::kF32, Dtype::kI32),  From(Dtype::kF32, Dtype::kBool),
    From(Dtype::kI8, Dtype::kI32),   From(Dtype::kU8, Dtype::kI32),
    From(Dtype::kBool, Dtype::kI32), From(Dtype::kI32, Dtype::kBool),
    From(Dtype::kI32, Dtype::kI64),  From(Dtype::kI64, Dtype::kI32),
    From(Dtype::kI64, Dtype::kF32)};
// Where elements are moved or compared as they are stored.
inline constexpr TypeRow kStored[] = {kI8, kU8, kI16, kI32, kF32};
inline constexpr TypeRow kWeighted[] = {kI8, kU8, kI16ByI8, kF32};
// float32 by integers: the activations are rounded to int8 image by image.
inline constexpr TypeRow kF32ByI8 = {Dtype::kF32, Dtype::kF32, Dtype::kI8};
inline constexpr TypeRow kConvolutions[] = {kI8, kU8, kI16ByI8, kF32, kF32ByI8};
// float32 by integers: the activations are rounded to int8 row by row.
inline constexpr TypeRow kFullyConnected[] = {kI8,
                                              kU8,
                                              kI16ByI8,
                                              kF32,
                                              ByInt4(Dtype::kI8),
                                              ByInt4(Dtype::kI16),
                                              kF32ByI8,
                                              ByInt4(Dtype::kF32)};
// int32: the sums of int8 as they are.
inline constexpr TypeRow kMatrixProducts[] = {kF32, kI8, From(Dtype::kI8, Dtype::kI32), kI16ByI8,
                                              kI16};
inline constexpr TypeRow kSoftmaxes[] = {
    kI8, kU8, From(Dtype::kI8, Dtype::kI16), From(Dtype::kU8, Dtype::kI16), kI16, kF32};
inline constexpr TypeRow kQuantizations[] = {
    From(Dtype::kF32, Dtype::kI8),  From(Dtype::kF32, Dtype::kU8),
    From(Dtype::kF32, Dtype::kI16), kI8,
    From(Dtype::kI8, Dtype::kU8),   From(Dtype::kI8, Dtype::kI16),
    From(Dtype::kU8, Dtype::kI8),   kU8,
    From(Dtype::kU8, Dtype::kI16),  From(Dtype::kI16, Dtype::kI8),
    From(Dtype::kI16, Dtype::kU8),  kI16,
    From(Dtype::kI32, Dtype::kI8),  From(Dtype::kI32, Dtype::kI16),
    From(Dtype::kI16, Dtype::kI32)};
inline constexpr TypeRow kDequantizations[] = {
    From(Dtype::kI8, Dtype::kF32),
    From(Dtype::kU8, Dtype::kF32),
    From(Dtype::kI16, Dtype::kF32),
    {Dtype::kF32, Dtype::kF32, Dtype::kF32, /*int4=*/false, /*half=*/true}};

}  // namespace acme::compiler::type_sets

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_LEGALIZE_TYPE_SETS_H_
