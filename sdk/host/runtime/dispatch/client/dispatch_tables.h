// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The tables of a dispatch library of any of LiteRT's releases, in the signatures of abi 2.1
// whatever its own are (dispatch_generation.h reads them).

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_TABLES_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_TABLES_H_

#include <memory>

#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#include "litert/c/litert_profiler_types.h"
#include "litert/vendors/c/litert_dispatch_api.h"

namespace npukit {

enum class DispatchGeneration {
  kV210,     // 2.1.0, 2.1.1: 22 functions, LiteRtEnvironmentOptions at initialize
  kV212,     // 2.1.2: check_runtime_compatibility
  kV213,     // 2.1.3, 2.1.4: LiteRtEnvironment at initialize, scheduling, options per invocation
  kV215,     // 2.1.5, 2.1.6: a table of the host's functions
  kV220,     // 2.2.0, and main of August 2026: headers
  kQueried,  // main of September 2026: tables that are queried, each with a header
};

// What queried tables have behind the rest.
struct DispatchExtras {
  using GetHooks = LiteRtStatus (*)(LiteRtDispatchDeviceContext, LiteRtHook*, void**);
  using BindEdge = LiteRtStatus (*)(LiteRtDispatchInvocationContext, LiteRtDispatchEdgeId,
                                    LiteRtTensorBufferHandle);
  using GetScratchpad = LiteRtStatus (*)(LiteRtDispatchDeviceContext,
                                         LiteRtDispatchExecutableHandle, const char*,
                                         LiteRtTensorBufferRequirements*);
  using AttachScratchpad = LiteRtStatus (*)(LiteRtDispatchDeviceContext,
                                            LiteRtDispatchExecutableHandle, const char*,
                                            LiteRtTensorBufferHandle);
  GetHooks get_hooks = nullptr;
  BindEdge attach_edge_buffer = nullptr;
  BindEdge detach_edge_buffer = nullptr;
  // Of the graph interface.
  GetScratchpad get_scratchpad_requirements = nullptr;
  AttachScratchpad attach_scratchpad_buffer = nullptr;
};

struct DispatchTables {
  DispatchGeneration generation = DispatchGeneration::kV213;
  LiteRtApiVersion version = {};
  // Entries that the library lacks are null, but for check_runtime_compatibility where its release
  // had none.
  LiteRtDispatchInterface basic = {};
  // As in all releases. Null if the library has none.
  const LiteRtDispatchAsyncInterface* async = nullptr;
  const LiteRtDispatchGraphInterface* graph = nullptr;
  DispatchExtras extras;
  // For tensor buffers in memory of its own; null if the library has none, or is of 2.1.5 or earlier.
  const LiteRtCustomTensorBufferHandlersDef* buffer_handlers = nullptr;
  // Copies that the two pointers above lead to, where the library's own tables begin otherwise.
  std::shared_ptr<const void> copies;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_CLIENT_DISPATCH_TABLES_H_
