// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory of a kind that a library brings by functions of its own.

#ifndef NPUKIT_SDK_HOST_C_API_BUFFERS_CUSTOM_MEMORY_H_
#define NPUKIT_SDK_HOST_C_API_BUFFERS_CUSTOM_MEMORY_H_

#include "litert/c/litert_custom_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "sdk/host/c_api/environment/custom_memory_handlers.h"

namespace npukit {

// What one buffer lies in.
struct CustomMemory {
  LiteRtTensorBufferType buffer_type;
  CustomMemoryHandlers handlers;
  HwMemoryInfoPtr info;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_C_API_BUFFERS_CUSTOM_MEMORY_H_
