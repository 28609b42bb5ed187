// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What is behind the test device's handles.

#ifndef NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_OBJECTS_H_
#define NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_OBJECTS_H_

#include <cstdint>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/runtime/test_dispatch/test_dispatch.h"
#include "sdk/host/runtime/test_dispatch/test_program.h"

class LiteRtDispatchDeviceContextT {
 public:
  struct Buffer {
    LiteRtTensorBuffer buffer = nullptr;
    int attachments = 0;
  };
  std::map<LiteRtTensorBufferHandle, Buffer> buffers;
  LiteRtTensorBufferHandle next_handle = 100;
  int invocations = 0;
};

class LiteRtDispatchInvocationContextT {
 public:
  LiteRtDispatchDeviceContext device = nullptr;
  std::string name;
  npukit::test_dispatch::Function function;
  std::vector<LiteRtTensorBufferHandle> inputs;  // 0: not attached
  std::vector<LiteRtTensorBufferHandle> outputs;
  std::map<std::pair<bool, int>, npukit::test_dispatch::FunctionRequirements>
      requirements;  // is input, index
  int metrics_level = -1;
  int64_t metered_invokes = 0;
  bool is_running = false;  // a run that was started and whose end the host has not seen
  std::vector<LiteRtEvent> input_events;
};

class LiteRtDispatchMetricsT {
 public:
  std::vector<LiteRtMetric> metrics;
};

namespace npukit::test_dispatch {

State* GlobalState();
bool Fault(const char* name);
void Log(std::string call);
// Writes it down; the status to refuse the call with.
LiteRtStatus Violation(std::string what);

// All that live.
template <class Handle>
class Living {
 public:
  void insert(Handle handle) {
    const std::lock_guard lock(mutex_);
    handles_.insert(handle);
  }
  size_t erase(Handle handle) {
    const std::lock_guard lock(mutex_);
    return handles_.erase(handle);
  }
  bool contains(Handle handle) {
    const std::lock_guard lock(mutex_);
    return handles_.contains(handle);
  }

 private:
  std::mutex mutex_;
  std::set<Handle> handles_;
};
Living<LiteRtDispatchDeviceContext>& Devices();
Living<LiteRtDispatchInvocationContext>& Invocations();

// The memory behind the ports, without a lock: that would wait for the event of a run under way.
// False if one is not attached.
bool CollectPorts(LiteRtDispatchInvocationContext context, std::vector<PortMemory>& inputs,
                  std::vector<PortMemory>& outputs);

// test_async.cc
LiteRtDispatchAsyncInterface* AsyncInterface();

// test_metrics.cc
LiteRtStatus StartMetrics(LiteRtDispatchInvocationContext context, int detail_level);
LiteRtStatus StopMetrics(LiteRtDispatchInvocationContext context, LiteRtDispatchMetrics* metrics);
LiteRtStatus GetNumMetrics(LiteRtDispatchMetrics metrics, int* count);
LiteRtStatus GetMetric(LiteRtDispatchMetrics metrics, int index, LiteRtMetric* metric);
LiteRtStatus DestroyMetrics(LiteRtDispatchMetrics metrics);

}  // namespace npukit::test_dispatch

#endif  // NPUKIT_SDK_HOST_RUNTIME_TEST_DISPATCH_TEST_OBJECTS_H_
