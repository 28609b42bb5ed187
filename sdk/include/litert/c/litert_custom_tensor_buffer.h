// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The functions by which an accelerator brings its own kind of tensor buffer.

#ifndef THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_CUSTOM_TENSOR_BUFFER_H_
#define THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_CUSTOM_TENSOR_BUFFER_H_

#include <stddef.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer_types.h"

#ifdef __cplusplus
extern "C" {
#endif

// The device and the queue in which a buffer lives, as the environment's
// options name them (for WebGPU a WGPUDevice and a WGPUQueue, say).
typedef void* LiteRtGpuDeviceId;
typedef void* LiteRtGpuQueueId;

// The buffer as its own API knows it (a cl_mem, a WGPUBuffer, ...).
typedef void* HwMemoryHandle;

// What the accelerator keeps for one buffer; it allocates a larger struct that
// starts with this one.
struct HwMemoryInfo {
  HwMemoryHandle memory_handle;
  void* raw_handle;
};

typedef struct HwMemoryInfo* HwMemoryInfoPtr;

// Allocates a buffer of `bytes`; `packed_bytes` of them are the tensor without
// padding.
typedef LiteRtStatus (*CreateCustomTensorBuffer)(LiteRtGpuDeviceId device_id,
                                                 LiteRtGpuQueueId queue_id,
                                                 const LiteRtRankedTensorType* tensor_type,
                                                 LiteRtTensorBufferType buffer_type, size_t bytes,
                                                 size_t packed_bytes,
                                                 HwMemoryInfoPtr* hw_memory_info);

// Wraps an existing buffer, which stays its owner's.
typedef LiteRtStatus (*ImportCustomTensorBuffer)(LiteRtGpuDeviceId device_id,
                                                 LiteRtGpuQueueId queue_id,
                                                 const LiteRtRankedTensorType* tensor_type,
                                                 LiteRtTensorBufferType buffer_type,
                                                 HwMemoryHandle hw_buffer_handle, size_t bytes,
                                                 size_t packed_bytes,
                                                 HwMemoryInfoPtr* hw_memory_info);

typedef LiteRtStatus (*DestroyCustomTensorBuffer)(HwMemoryInfoPtr hw_memory_info);

// Maps the buffer for the CPU until it is unlocked.
typedef LiteRtStatus (*LockCustomTensorBuffer)(HwMemoryInfoPtr hw_memory_info,
                                               LiteRtTensorBufferLockMode mode,
                                               void** host_memory_ptr);
typedef LiteRtStatus (*UnlockCustomTensorBuffer)(HwMemoryInfoPtr hw_memory_info);

// Sets all bytes to 0.
typedef LiteRtStatus (*ClearCustomTensorBuffer)(HwMemoryInfoPtr hw_memory_info);

#ifdef __cplusplus
}
#endif

#endif  // THIRD_PARTY_ODML_LITERT_LITERT_C_LITERT_CUSTOM_TENSOR_BUFFER_H_
