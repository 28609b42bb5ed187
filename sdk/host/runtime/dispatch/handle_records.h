// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What a dispatch library recorded of a run, by debug handle (npukit/delegate_debug.h).

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_HANDLE_RECORDS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_HANDLE_RECORDS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "litert/c/litert_model_types.h"
#include "npukit/delegate_debug.h"

namespace npukit {

struct HandleEvent {
  uint32_t handle = NPUKIT_NO_DEBUG_HANDLE;
  std::string unit;
  uint64_t start_cycle = 0;
  uint64_t end_cycle = 0;
};

// What a library says of the last run that failed.
struct HandleError {
  uint32_t handle = NPUKIT_NO_DEBUG_HANDLE;  // where it failed, if that is known
  std::string message;                       // empty: the last run went well
};

struct HandleValue {
  LiteRtRankedTensorType type = {};
  std::vector<uint8_t> bytes;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_HANDLE_RECORDS_H_
