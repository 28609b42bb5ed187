// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The element types that few operators take, for WithElementType.

#ifndef NPUKIT_SDK_HOST_KERNELS_WIDE_ELEMENT_TYPES_H_
#define NPUKIT_SDK_HOST_KERNELS_WIDE_ELEMENT_TYPES_H_

#include "sdk/host/kernels/element_types.h"

namespace npukit::kernels {

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

}  // namespace npukit::kernels

#endif  // NPUKIT_SDK_HOST_KERNELS_WIDE_ELEMENT_TYPES_H_
