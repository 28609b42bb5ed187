// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is behind the handles of Mimic's dispatch library.

#ifndef NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_OBJECTS_H_
#define NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_OBJECTS_H_

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "conformance/faulty_plugins/mimic_async.h"
#include "conformance/faulty_plugins/mimic_device.h"
#include "litert/c/internal/litert_custom_tensor_buffer_handlers_def.h"
#include "litert/c/litert_tensor_buffer_types.h"
#include "litert/vendors/c/litert_dispatch_api.h"

class LiteRtDispatchDeviceContextT {
 public:
  std::map<LiteRtTensorBufferHandle, LiteRtTensorBuffer> buffers;
};

class LiteRtDispatchInvocationContextT {
 public:
  LiteRtDispatchDeviceContext device = nullptr;
  std::unique_ptr<npukit::conformance::mimic::Computation> program;
  LiteRtDispatchGraph graph = nullptr;           // that it was made from
  std::vector<LiteRtTensorBufferHandle> inputs;  // 0: none attached
  std::vector<LiteRtTensorBufferHandle> outputs;
  std::vector<uint8_t> scratch;
  uint64_t runs_at_start = 0;
  int metrics_level = 0;  // NPUKIT_METRICS_DETAIL_*
  bool records_profile = false;
  bool has_recorded_profile = false;
  bool records_intermediates = false;
  std::string failure;  // of the last run; empty: it went well
  std::mutex mutex;
  npukit::conformance::mimic::AsyncRuns runs;  // end before what they use
};

namespace npukit::conformance::mimic {

// For a device's buffers and what is attached of them.
extern std::mutex handles_mutex;
// Whether it was given out and not taken back.
bool IsDevice(LiteRtDispatchDeviceContext device);
bool IsInvocation(LiteRtDispatchInvocationContext invocation);

// mimic_dispatch.cc: what the library's tables hold.
LiteRtDispatchInterface BasicFunctions();
LiteRtDispatchGraphInterface GraphFunctionsOfContexts();

// mimic_runs.cc
LiteRtStatus Invoke(LiteRtDispatchInvocationContext invocation);
LiteRtDispatchAsyncInterface AsyncFunctions();

#if defined(NPUKIT_ABI_2_3)
// mimic_dispatch.cc
void AddEdgeFunctions(LiteRtDispatchInterface_V1& table);
// mimic_entries.cc: between the hooks around a run.
extern std::atomic<bool> is_in_profiled_run;
#endif

// mimic_memory.cc
inline constexpr LiteRtTensorBufferType kOwnMemory = kLiteRtTensorBufferTypeUserCustomBuffer;
const LiteRtCustomTensorBufferHandlersDef& MemoryHandlers();
// Where a tensor buffer lies for the device: in the host's memory or in Mimic's. Null: in neither.
uint8_t* AddressOf(LiteRtTensorBuffer buffer);

// mimic_scratchpads.cc: the buffer that a function of an executable has as its scratchpad, for
// invocations that are made now; 0 for none.
LiteRtTensorBufferHandle ScratchpadOf(LiteRtDispatchExecutableHandle executable,
                                      const std::string& function);
#if defined(NPUKIT_ABI_2_3)
void AddScratchpadFunctions(LiteRtDispatchGraphInterface_V1& table);
#endif

// mimic_metrics.cc
void AddMetrics(LiteRtDispatchInterface& table);

}  // namespace npukit::conformance::mimic

#endif  // NPUKIT_CONFORMANCE_FAULTY_PLUGINS_MIMIC_OBJECTS_H_
