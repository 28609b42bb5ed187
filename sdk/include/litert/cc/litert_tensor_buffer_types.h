// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_TYPES_H_
#define ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_TYPES_H_

#include <cstddef>
#include <string>

#include "litert/c/litert_tensor_buffer_types.h"

namespace litert {

// Alignment in bytes that host memory must have.
inline constexpr size_t kHostMemoryBufferAlignment = LITERT_HOST_MEMORY_BUFFER_ALIGNMENT;

// Every kind of memory, once. Values are those of LiteRtTensorBufferType.
#define LITERT_INTERNAL_BUFFER_TYPES(X) \
  X(Unknown)                            \
  X(HostMemory)                         \
  X(Ahwb)                               \
  X(Ion)                                \
  X(DmaBuf)                             \
  X(FastRpc)                            \
  X(GlBuffer)                           \
  X(GlTexture)                          \
  X(OpenClBuffer)                       \
  X(OpenClBufferFp16)                   \
  X(OpenClTexture)                      \
  X(OpenClTextureFp16)                  \
  X(OpenClBufferPacked)                 \
  X(OpenClImageBuffer)                  \
  X(OpenClImageBufferFp16)              \
  X(WebGpuBuffer)                       \
  X(WebGpuBufferFp16)                   \
  X(WebGpuTexture)                      \
  X(WebGpuTextureFp16)                  \
  X(WebGpuImageBuffer)                  \
  X(WebGpuImageBufferFp16)              \
  X(WebGpuBufferPacked)                 \
  X(MetalBuffer)                        \
  X(MetalBufferFp16)                    \
  X(MetalTexture)                       \
  X(MetalTextureFp16)                   \
  X(MetalBufferPacked)                  \
  X(VulkanBuffer)                       \
  X(VulkanBufferFp16)                   \
  X(VulkanTexture)                      \
  X(VulkanTextureFp16)                  \
  X(VulkanImageBuffer)                  \
  X(VulkanImageBufferFp16)              \
  X(VulkanBufferPacked)

enum class TensorBufferType {
#define LITERT_INTERNAL_ENUMERATOR(name) k##name = kLiteRtTensorBufferType##name,
  LITERT_INTERNAL_BUFFER_TYPES(LITERT_INTERNAL_ENUMERATOR)
#undef LITERT_INTERNAL_ENUMERATOR
};

// "HostMemory"; the number for a type without a name.
inline std::string BufferTypeToStringCC(TensorBufferType buffer_type) {
  switch (buffer_type) {
#define LITERT_INTERNAL_CASE(name) \
  case TensorBufferType::k##name:  \
    return #name;
    LITERT_INTERNAL_BUFFER_TYPES(LITERT_INTERNAL_CASE)
#undef LITERT_INTERNAL_CASE
  }
  return std::to_string(static_cast<int>(buffer_type));
}

#define LITERT_INTERNAL_PREDICATE(name)                              \
  inline bool name(TensorBufferType buffer_type) {                   \
    return ::name(static_cast<LiteRtTensorBufferType>(buffer_type)); \
  }
LITERT_INTERNAL_PREDICATE(IsOpenClMemory)
LITERT_INTERNAL_PREDICATE(IsWebGpuMemory)
LITERT_INTERNAL_PREDICATE(IsMetalMemory)
LITERT_INTERNAL_PREDICATE(IsVulkanMemory)
LITERT_INTERNAL_PREDICATE(IsGpuBuffer)
LITERT_INTERNAL_PREDICATE(IsGpuTexture)
LITERT_INTERNAL_PREDICATE(IsGpuImageBuffer)
LITERT_INTERNAL_PREDICATE(IsGpuFloat16Memory)
#undef LITERT_INTERNAL_PREDICATE

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_TYPES_H_
