// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Asynchronous runs of the test device.

#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "npukit/extensions/event_status.h"
#include "npukit/internal/sanitizers.h"
#include "sdk/host/runtime/test_dispatch/test_objects.h"

#if defined(NPUKIT_INTERNAL_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace npukit::test_dispatch {
namespace {

// One run. Its thread touches nothing else, but the memory of the ports.
struct Run {
  LiteRtDispatchInvocationContext context = nullptr;
  Function function;
  std::vector<PortMemory> inputs;
  std::vector<PortMemory> outputs;
  std::vector<LiteRtEvent> wait_for;
  bool fails = false;
  std::vector<LiteRtTensorBuffer> output_buffers;
  std::vector<int> fds;  // written to at the end, one for each output
  LiteRtStatus status = kLiteRtStatusOk;
  std::string violation;
  std::thread thread;
};

struct Async {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_held = false;
  int under_way = 0;
  std::map<LiteRtEvent, std::shared_ptr<Run>> runs;  // the host's thread only
};
Async& Shared() {
  static auto* const async = new Async;
  return *async;
}

std::vector<std::vector<uint8_t>> ReadInputs(const Run& run) {
  std::vector<std::vector<uint8_t>> bytes;
  for (const PortMemory& input : run.inputs) {
    const size_t size_bytes = RequirementsOf(run.function, input.type).size_bytes;
    bytes.emplace_back(input.memory, input.memory + size_bytes);
  }
  return bytes;
}

// What an event orders, the thread sanitizer does not see: it follows no poll() of a descriptor.
// These tell it, by an address that all copies of this library share: that of the host's function.
#if defined(NPUKIT_INTERNAL_THREAD_SANITIZER)
void BeforeEvents() { __tsan_release(reinterpret_cast<void*>(&LiteRtWaitEvent)); }
void AfterEvents() { __tsan_acquire(reinterpret_cast<void*>(&LiteRtWaitEvent)); }
#else
void BeforeEvents() {}
void AfterEvents() {}
#endif

// False if it took too long.
bool WaitWhileHeld() {
  std::unique_lock lock(Shared().mutex);
  return Shared().changed.wait_for(lock, std::chrono::seconds(30),
                                   [] { return !Shared().is_held; });
}

void Work(Run& run) {
  for (LiteRtEvent event : run.wait_for) {
    if (LiteRtWaitEvent(event, -1) != kLiteRtStatusOk)
      run.status = kLiteRtStatusErrorRuntimeFailure;
  }
  AfterEvents();
  const auto before = ReadInputs(run);
  if (!WaitWhileHeld()) run.status = kLiteRtStatusErrorTimeoutExpired;
  if (ReadInputs(run) != before) run.violation = "an input of a run under way was written to";
  if (run.fails) run.status = kLiteRtStatusErrorRuntimeFailure;
  if (run.status == kLiteRtStatusOk && !RunFunction(run.function, run.inputs, run.outputs))
    run.violation = "invoke_async: wrong ports";
  {
    const std::lock_guard lock(Shared().mutex);
    --Shared().under_way;
  }
  BeforeEvents();
  for (int fd : run.fds) {
    eventfd_write(fd, 1);
    close(fd);
  }
}

LiteRtStatus AttachInputEvent(LiteRtDispatchInvocationContext context, int index,
                              LiteRtEvent event) {
  if (!Invocations().contains(context)) return Violation("attach_input_event: no such context");
  if (index < 0 || static_cast<size_t>(index) >= context->inputs.size() || event == nullptr)
    return Violation("attach_input_event: no such input, or no event");
  Log("attach_input_event(" + context->name + ", " + std::to_string(index) + ")");
  context->input_events.push_back(event);
  return kLiteRtStatusOk;
}

LiteRtStatus InvokeAsync(LiteRtDispatchInvocationContext context, int num_events,
                         LiteRtEvent* events) {
  if (!Invocations().contains(context)) return Violation("invoke_async: no such context");
  if (context->is_running) return Violation("invoke_async: while a run is under way");
  if (num_events < 0 || static_cast<size_t>(num_events) != context->outputs.size())
    return Violation("invoke_async: wrong number of events");
  Log("invoke_async(" + context->name + ")");
  ++GlobalState()->async_invokes;
  auto run = std::make_shared<Run>();
  run->wait_for.swap(context->input_events);
  if (Fault("start_fails")) return kLiteRtStatusErrorRuntimeFailure;
  run->context = context;
  run->function = context->function;
  run->fails = Fault("async_fails");
  if (!CollectPorts(context, run->inputs, run->outputs))
    return Violation("invoke_async: a port is not attached or not in host memory");
  for (int i = 0; i < num_events; ++i) {
    const int fd = eventfd(0, EFD_CLOEXEC);
    run->fds.push_back(dup(fd));
    run->output_buffers.push_back(
        context->device->buffers[context->outputs[static_cast<size_t>(i)]].buffer);
    LiteRtCreateEventFromSyncFenceFd(nullptr, fd, /*owns_fd=*/true, &events[i]);
    Shared().runs[events[i]] = run;
  }
  if (Fault("null_event")) {
    Shared().runs.erase(events[0]);
    LiteRtDestroyEvent(events[0]);
    events[0] = nullptr;
    for (int fd : run->fds) close(fd);
    return kLiteRtStatusOk;
  }
  context->is_running = true;
  {
    const std::lock_guard lock(Shared().mutex);
    ++Shared().under_way;
  }
  run->thread = std::thread([run] { Work(*run); });
  return kLiteRtStatusOk;
}

}  // namespace

LiteRtDispatchAsyncInterface* AsyncInterface() {
  static LiteRtDispatchAsyncInterface interface = {AttachInputEvent, InvokeAsync};
  // A function that the test wants null.
  const char* const asked = std::getenv("NPUKIT_TEST_NULL_MEMBER");
  if (asked != nullptr && std::string_view(asked) == "async 0")
    interface.attach_input_event = nullptr;
  if (asked != nullptr && std::string_view(asked) == "async 1") interface.invoke_async = nullptr;
  return &interface;
}

}  // namespace npukit::test_dispatch

extern "C" LITERT_CAPI_EXPORT void TestDispatchHold(bool hold) {
  auto& state = npukit::test_dispatch::Shared();
  {
    const std::lock_guard lock(state.mutex);
    state.is_held = hold;
  }
  state.changed.notify_all();
}

extern "C" LITERT_CAPI_EXPORT int TestDispatchRunsUnderWay() {
  auto& state = npukit::test_dispatch::Shared();
  const std::lock_guard lock(state.mutex);
  return state.under_way;
}

extern "C" LiteRtStatus NpukitDispatchGetEventStatus(LiteRtEvent event, LiteRtStatus* status,
                                                     NpukitDebugHandle* handle, char*, size_t) {
  using namespace npukit::test_dispatch;
  const auto known = Shared().runs.find(event);
  if (known == Shared().runs.end()) return Violation("NpukitDispatchGetEventStatus: no such event");
  const std::shared_ptr<Run> run = known->second;
  Shared().runs.erase(known);
  if (run->thread.joinable()) run->thread.join();
  // As LiteRT's, the host sets each event on its output's buffer.
  const bool is_set = std::any_of(
      run->output_buffers.begin(), run->output_buffers.end(), [&](LiteRtTensorBuffer buffer) {
        LiteRtEvent set = nullptr;
        return LiteRtGetTensorBufferEvent(buffer, &set) == kLiteRtStatusOk && set == event;
      });
  if (!is_set) Violation("invoke_async: the host left an output's buffer without its event");
  run->context->is_running = false;
  if (!run->violation.empty()) Violation(run->violation);
  *status = run->status;
  *handle = NPUKIT_NO_DEBUG_HANDLE;
  return kLiteRtStatusOk;
}
