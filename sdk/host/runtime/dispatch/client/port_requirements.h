// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a dispatch library requires of the memory behind an input or output, read and checked.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_PORT_REQUIREMENTS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_PORT_REQUIREMENTS_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "litert/cc/litert_expected.h"

namespace npukit {

// An input or output of an invocation.
struct DispatchPort {
  bool is_input = true;
  int index = 0;
  std::string tensor;  // its name, for errors
  LiteRtRankedTensorType type = {};
  size_t dense_bytes = 0;
};

struct PortRequirements {
  // The first that the library names and the host can make: host memory, or a type of the library's
  // own.
  LiteRtTensorBufferType buffer_type = kLiteRtTensorBufferTypeHostMemory;
  bool accepts_host_memory = true;  // as the first, or as another
  // The first of the library's own types that it accepts; unknown for none.
  LiteRtTensorBufferType own_type = kLiteRtTensorBufferTypeUnknown;
  size_t size_bytes = 0;
  size_t alignment_bytes = 1;
  // Distance in elements between neighbours of each dimension; empty: dense, in C order.
  std::vector<uint32_t> strides_elems;
};

// Says what is wrong with them: no type of buffer that can be made is accepted, or they contradict the
// tensor. Strides that are dense come back as none. `handled` are the types of the library's own.
litert::Expected<PortRequirements> ReadRequirements(
    LiteRtTensorBufferRequirements handle, const DispatchPort& port,
    std::span<const LiteRtTensorBufferType> handled = {});

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_PORT_REQUIREMENTS_H_
