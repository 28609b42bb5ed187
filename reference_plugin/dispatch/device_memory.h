// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The simulated NPU's own memory, as tensor buffers of a type of its own: pages that a host makes, maps
// and frees by AcmeCorp's functions, in LiteRT from 2.2.0 on. The simulator needs none; the functions
// show how a vendor brings memory that its device reads without a copy.

#ifndef NPUKIT_REFERENCE_PLUGIN_DISPATCH_DEVICE_MEMORY_H_
#define NPUKIT_REFERENCE_PLUGIN_DISPATCH_DEVICE_MEMORY_H_

#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_types.h"

namespace acme::dispatch {

inline constexpr LiteRtTensorBufferType kDeviceMemory = kLiteRtTensorBufferTypeUserCustomBuffer;

extern const LiteRtCustomTensorBufferHandlersDef kDeviceMemoryHandlers;

// Where the bytes of a buffer lie, by its handle (LiteRtGetTensorBufferCustomTensorBufferHandle), for
// the device.
void* DeviceAddress(HwMemoryHandle memory);

}  // namespace acme::dispatch

#endif  // NPUKIT_REFERENCE_PLUGIN_DISPATCH_DEVICE_MEMORY_H_
