// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a dispatch library requires of the memory behind an input or output, read and checked.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_PORT_REQUIREMENTS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_PORT_REQUIREMENTS_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_model_types.h"
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
  size_t size_bytes = 0;
  size_t alignment_bytes = 1;
  // Distance in elements between neighbours of each dimension; empty: dense, in C order.
  std::vector<uint32_t> strides_elems;
};

// Says what is wrong with them: host memory is not accepted, or they contradict the tensor. Strides
// that are dense come back as none.
litert::Expected<PortRequirements> ReadRequirements(LiteRtTensorBufferRequirements handle,
                                                    const DispatchPort& port);

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_PORT_REQUIREMENTS_H_
