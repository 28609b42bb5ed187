// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Kinds of memory that a tensor buffer can lie in.

#ifndef ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_TYPES_H_
#define ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_TYPES_H_

#include <stdbool.h>

#include "litert/c/litert_common.h"

#ifdef __cplusplus
extern "C" {
#endif

// Android's hardware buffer.
typedef struct AHardwareBuffer AHardwareBuffer;

// Host memory behind a tensor buffer starts at a multiple of this many bytes.
#define LITERT_HOST_MEMORY_BUFFER_ALIGNMENT 64

// Releases memory that was handed over with a tensor buffer; called once, when
// the last reference to the buffer goes.
typedef void (*LiteRtHostMemoryDeallocator)(void* addr);
typedef void (*LiteRtAhwbDeallocator)(AHardwareBuffer* ahwb);
typedef void (*LiteRtIonDeallocator)(void* ion_buffer_addr);
typedef void (*LiteRtDmaBufDeallocator)(void* dmabuf_buffer_addr);
typedef void (*LiteRtFastRpcDeallocator)(void* fastrpc_buffer_addr);
typedef void (*LiteRtOpenClDeallocator)(void* opencl_buffer_addr);
typedef void (*LiteRtGlBufferDeallocator)(void* gl_buffer_addr);
typedef void (*LiteRtGlTextureDeallocator)(void* gl_texture_addr);
typedef void (*LiteRtWebGpuBufferDeallocator)(void* webgpu_buffer_addr);
typedef void (*LiteRtWebGpuTextureDeallocator)(void* webgpu_texture_addr);
typedef void (*LiteRtMetalDeallocator)(void* metal_buffer_addr);
typedef void (*LiteRtVulkanMemoryDeallocator)(void* vulkan_memory_addr);

// ...Fp16 holds float16 for a float32 tensor; ...Packed has no padding.
typedef enum {
  kLiteRtTensorBufferTypeUnknown = 0,
  kLiteRtTensorBufferTypeHostMemory = 1,
  kLiteRtTensorBufferTypeAhwb = 2,
  kLiteRtTensorBufferTypeIon = 3,
  kLiteRtTensorBufferTypeDmaBuf = 4,
  kLiteRtTensorBufferTypeFastRpc = 5,
  kLiteRtTensorBufferTypeGlBuffer = 6,
  kLiteRtTensorBufferTypeGlTexture = 7,

  // OpenCL.
  kLiteRtTensorBufferTypeOpenClBuffer = 10,
  kLiteRtTensorBufferTypeOpenClBufferFp16 = 11,
  kLiteRtTensorBufferTypeOpenClTexture = 12,
  kLiteRtTensorBufferTypeOpenClTextureFp16 = 13,
  kLiteRtTensorBufferTypeOpenClBufferPacked = 14,
  kLiteRtTensorBufferTypeOpenClImageBuffer = 15,
  kLiteRtTensorBufferTypeOpenClImageBufferFp16 = 16,

  // WebGPU.
  kLiteRtTensorBufferTypeWebGpuBuffer = 20,
  kLiteRtTensorBufferTypeWebGpuBufferFp16 = 21,
  kLiteRtTensorBufferTypeWebGpuTexture = 22,
  kLiteRtTensorBufferTypeWebGpuTextureFp16 = 23,
  kLiteRtTensorBufferTypeWebGpuImageBuffer = 24,
  kLiteRtTensorBufferTypeWebGpuImageBufferFp16 = 25,
  kLiteRtTensorBufferTypeWebGpuBufferPacked = 26,

  // Metal.
  kLiteRtTensorBufferTypeMetalBuffer = 30,
  kLiteRtTensorBufferTypeMetalBufferFp16 = 31,
  kLiteRtTensorBufferTypeMetalTexture = 32,
  kLiteRtTensorBufferTypeMetalTextureFp16 = 33,
  kLiteRtTensorBufferTypeMetalBufferPacked = 34,

  // Vulkan.
  kLiteRtTensorBufferTypeVulkanBuffer = 40,
  kLiteRtTensorBufferTypeVulkanBufferFp16 = 41,
  kLiteRtTensorBufferTypeVulkanTexture = 42,
  kLiteRtTensorBufferTypeVulkanTextureFp16 = 43,
  kLiteRtTensorBufferTypeVulkanImageBuffer = 44,
  kLiteRtTensorBufferTypeVulkanImageBufferFp16 = 45,
  kLiteRtTensorBufferTypeVulkanBufferPacked = 46,

  // Of an accelerator's or vendor's own, up to ...End.
  kLiteRtTensorBufferTypeUserCustomBuffer = 100,
  kLiteRtTensorBufferTypeOpenVINOTensorBuffer = 100,
  kLiteRtTensorBufferTypeUserCustomBufferEnd = 199,
} LiteRtTensorBufferType;

// -- Families -----------------------------------------------------------------

static inline bool IsUserCustomBuffer(LiteRtTensorBufferType buffer_type) {
  const int type = (int)buffer_type;
  return type >= kLiteRtTensorBufferTypeUserCustomBuffer &&
         type <= kLiteRtTensorBufferTypeUserCustomBufferEnd;
}

static inline bool IsOpenClMemory(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeOpenClBuffer:
    case kLiteRtTensorBufferTypeOpenClBufferFp16:
    case kLiteRtTensorBufferTypeOpenClTexture:
    case kLiteRtTensorBufferTypeOpenClTextureFp16:
    case kLiteRtTensorBufferTypeOpenClBufferPacked:
    case kLiteRtTensorBufferTypeOpenClImageBuffer:
    case kLiteRtTensorBufferTypeOpenClImageBufferFp16:
      return true;
    default:
      return false;
  }
}

static inline bool IsWebGpuMemory(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeWebGpuBuffer:
    case kLiteRtTensorBufferTypeWebGpuBufferFp16:
    case kLiteRtTensorBufferTypeWebGpuTexture:
    case kLiteRtTensorBufferTypeWebGpuTextureFp16:
    case kLiteRtTensorBufferTypeWebGpuImageBuffer:
    case kLiteRtTensorBufferTypeWebGpuImageBufferFp16:
    case kLiteRtTensorBufferTypeWebGpuBufferPacked:
      return true;
    default:
      return false;
  }
}

static inline bool IsMetalMemory(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeMetalBuffer:
    case kLiteRtTensorBufferTypeMetalBufferFp16:
    case kLiteRtTensorBufferTypeMetalTexture:
    case kLiteRtTensorBufferTypeMetalTextureFp16:
    case kLiteRtTensorBufferTypeMetalBufferPacked:
      return true;
    default:
      return false;
  }
}

static inline bool IsVulkanMemory(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeVulkanBuffer:
    case kLiteRtTensorBufferTypeVulkanBufferFp16:
    case kLiteRtTensorBufferTypeVulkanTexture:
    case kLiteRtTensorBufferTypeVulkanTextureFp16:
    case kLiteRtTensorBufferTypeVulkanImageBuffer:
    case kLiteRtTensorBufferTypeVulkanImageBufferFp16:
    case kLiteRtTensorBufferTypeVulkanBufferPacked:
      return true;
    default:
      return false;
  }
}

// Linear GPU memory.
static inline bool IsGpuBuffer(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeGlBuffer:
    case kLiteRtTensorBufferTypeOpenClBuffer:
    case kLiteRtTensorBufferTypeOpenClBufferFp16:
    case kLiteRtTensorBufferTypeOpenClBufferPacked:
    case kLiteRtTensorBufferTypeWebGpuBuffer:
    case kLiteRtTensorBufferTypeWebGpuBufferFp16:
    case kLiteRtTensorBufferTypeWebGpuBufferPacked:
    case kLiteRtTensorBufferTypeMetalBuffer:
    case kLiteRtTensorBufferTypeMetalBufferFp16:
    case kLiteRtTensorBufferTypeMetalBufferPacked:
    case kLiteRtTensorBufferTypeVulkanBuffer:
    case kLiteRtTensorBufferTypeVulkanBufferFp16:
    case kLiteRtTensorBufferTypeVulkanBufferPacked:
      return true;
    default:
      return false;
  }
}

// GPU textures.
static inline bool IsGpuTexture(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeGlTexture:
    case kLiteRtTensorBufferTypeOpenClTexture:
    case kLiteRtTensorBufferTypeOpenClTextureFp16:
    case kLiteRtTensorBufferTypeWebGpuTexture:
    case kLiteRtTensorBufferTypeWebGpuTextureFp16:
    case kLiteRtTensorBufferTypeMetalTexture:
    case kLiteRtTensorBufferTypeMetalTextureFp16:
    case kLiteRtTensorBufferTypeVulkanTexture:
    case kLiteRtTensorBufferTypeVulkanTextureFp16:
      return true;
    default:
      return false;
  }
}

// Images that view linear GPU memory.
static inline bool IsGpuImageBuffer(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeOpenClImageBuffer:
    case kLiteRtTensorBufferTypeOpenClImageBufferFp16:
    case kLiteRtTensorBufferTypeWebGpuImageBuffer:
    case kLiteRtTensorBufferTypeWebGpuImageBufferFp16:
    case kLiteRtTensorBufferTypeVulkanImageBuffer:
    case kLiteRtTensorBufferTypeVulkanImageBufferFp16:
      return true;
    default:
      return false;
  }
}

// GPU memory that holds float16 for a float32 tensor.
static inline bool IsGpuFloat16Memory(LiteRtTensorBufferType buffer_type) {
  switch (buffer_type) {
    case kLiteRtTensorBufferTypeOpenClBufferFp16:
    case kLiteRtTensorBufferTypeOpenClTextureFp16:
    case kLiteRtTensorBufferTypeOpenClImageBufferFp16:
    case kLiteRtTensorBufferTypeWebGpuBufferFp16:
    case kLiteRtTensorBufferTypeWebGpuTextureFp16:
    case kLiteRtTensorBufferTypeWebGpuImageBufferFp16:
    case kLiteRtTensorBufferTypeMetalBufferFp16:
    case kLiteRtTensorBufferTypeMetalTextureFp16:
    case kLiteRtTensorBufferTypeVulkanBufferFp16:
    case kLiteRtTensorBufferTypeVulkanTextureFp16:
    case kLiteRtTensorBufferTypeVulkanImageBufferFp16:
      return true;
    default:
      return false;
  }
}

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_LITERT_TENSOR_BUFFER_TYPES_H_
