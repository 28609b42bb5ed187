// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_BUFFERS_TENSOR_BUFFER_REQUIREMENTS_H_
#define NPUKIT_SDK_HOST_C_API_BUFFERS_TENSOR_BUFFER_REQUIREMENTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "litert/c/litert_tensor_buffer_requirements.h"

// What a tensor buffer must be like for one reader or writer.
class LiteRtTensorBufferRequirementsT {
 public:
  std::vector<LiteRtTensorBufferType> types;  // best first, never empty
  size_t size_bytes = 0;
  std::vector<uint32_t> strides;  // empty: none demanded
  size_t alignment_bytes = LITERT_HOST_MEMORY_BUFFER_ALIGNMENT;

  bool Accepts(LiteRtTensorBufferType type) const {
    return std::find(types.begin(), types.end(), type) != types.end();
  }
};

#endif  // NPUKIT_SDK_HOST_C_API_BUFFERS_TENSOR_BUFFER_REQUIREMENTS_H_
