// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// From an element type known when a node is prepared to code compiled for it.

#ifndef NPUKIT_SDK_HOST_KERNELS_ELEMENT_TYPES_H_
#define NPUKIT_SDK_HOST_KERNELS_ELEMENT_TYPES_H_

#include <cstdint>

#include "litert/c/litert_model_types.h"
#include "sdk/host/kernels/half.h"

namespace npukit::kernels {

template <typename T>
inline constexpr LiteRtElementType kElementTypeOf = kLiteRtElementTypeNone;
template <>
inline constexpr LiteRtElementType kElementTypeOf<float> = kLiteRtElementTypeFloat32;
template <>
inline constexpr LiteRtElementType kElementTypeOf<int8_t> = kLiteRtElementTypeInt8;
template <>
inline constexpr LiteRtElementType kElementTypeOf<uint8_t> = kLiteRtElementTypeUInt8;
template <>
inline constexpr LiteRtElementType kElementTypeOf<int16_t> = kLiteRtElementTypeInt16;
template <>
inline constexpr LiteRtElementType kElementTypeOf<int32_t> = kLiteRtElementTypeInt32;
template <>
inline constexpr LiteRtElementType kElementTypeOf<int64_t> = kLiteRtElementTypeInt64;
template <>
inline constexpr LiteRtElementType kElementTypeOf<uint16_t> = kLiteRtElementTypeUInt16;
template <>
inline constexpr LiteRtElementType kElementTypeOf<uint32_t> = kLiteRtElementTypeUInt32;
template <>
inline constexpr LiteRtElementType kElementTypeOf<uint64_t> = kLiteRtElementTypeUInt64;
template <>
inline constexpr LiteRtElementType kElementTypeOf<bool> = kLiteRtElementTypeBool;
template <>
inline constexpr LiteRtElementType kElementTypeOf<double> = kLiteRtElementTypeFloat64;
template <>
inline constexpr LiteRtElementType kElementTypeOf<Float16> = kLiteRtElementTypeFloat16;
template <>
inline constexpr LiteRtElementType kElementTypeOf<BFloat16> = kLiteRtElementTypeBFloat16;

// fn(T{}) for that of the types that `type` is; the last if it is none of them. An operator lists what
// its signature allows, so that there is no other.
template <typename First, typename... Rest, typename Fn>
auto WithElementType(LiteRtElementType type, const Fn& fn) {
  if constexpr (sizeof...(Rest) == 0) {
    return fn(First{});
  } else {
    return type == kElementTypeOf<First> ? fn(First{}) : WithElementType<Rest...>(type, fn);
  }
}

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_ELEMENT_TYPES_H_
