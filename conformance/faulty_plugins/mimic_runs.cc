// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How Mimic's invocations run: on what is attached, at once or in the background.

#include <algorithm>
#include <atomic>
#include <cfenv>
#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <thread>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_async.h"
#include "conformance/faulty_plugins/mimic_device.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/extensions/event_status.h"

namespace npukit::conformance::mimic {
namespace {

// The memory behind the attached buffers; null where none is, or where it is empty. False if a buffer
// is missing.
bool FindMemory(LiteRtDispatchInvocationContextT& invocation,
                const std::vector<LiteRtTensorBufferHandle>& ports, std::vector<uint8_t*>& memory) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  bool complete = true;
  for (LiteRtTensorBufferHandle handle : ports) {
    const auto found = invocation.device->buffers.find(handle);
    const bool is_there = found != invocation.device->buffers.end();
    memory.push_back(is_there ? AddressOf(found->second) : nullptr);
    complete = complete && is_there;
  }
  return complete;
}

bool FindScratchpads(LiteRtDispatchInvocationContextT& invocation, std::vector<uint8_t*>& memory) {
  const std::vector<uint64_t> handles = invocation.program->Scratchpads();
  const bool is_complete = FindMemory(invocation, handles, memory);
  if (!Has(Fault::queried_scratchpad_unregistered)) return is_complete;
  static std::map<uint64_t, uint8_t*> known;
  for (size_t i = 0; i < handles.size(); ++i) {
    if (memory[i] != nullptr) known[handles[i]] = memory[i];
    memory[i] = known[handles[i]];
  }
  return true;
}

// Notes the device, runs, and gives wrong values if another device's run came between.
LiteRtStatus RunBesideOthers(LiteRtDispatchInvocationContextT& invocation,
                             const std::vector<uint8_t*>& inputs,
                             const std::vector<uint8_t*>& outputs) {
  static std::atomic<LiteRtDispatchDeviceContext> running = nullptr;
  running = invocation.device;
  std::this_thread::sleep_for(std::chrono::milliseconds(1));
  auto* program = dynamic_cast<Program*>(invocation.program.get());
  if (program != nullptr) program->set_crossed(running != invocation.device);
  return invocation.program->Run(inputs, outputs);
}

// The memory that a run has, as it is attached now.
struct RunMemory {
  std::vector<uint8_t*> scratchpads;
  std::vector<uint8_t*> inputs;
  std::vector<uint8_t*> outputs;
  bool is_complete = false;
};

RunMemory AttachedMemory(LiteRtDispatchInvocationContextT& invocation) {
  RunMemory memory;
  const bool has_inputs = FindMemory(invocation, invocation.inputs, memory.inputs);
  const bool has_outputs = FindMemory(invocation, invocation.outputs, memory.outputs);
  const bool has_scratchpads = FindScratchpads(invocation, memory.scratchpads);
  memory.is_complete = has_inputs && has_outputs && has_scratchpads;
  return memory;
}

void PlantInProfiledRun(const LiteRtDispatchInvocationContextT& invocation,
                        const RunMemory& memory) {
#if defined(NPUKIT_ABI_2_3)
  if (!Has(Fault::queried_hook_spoils_runs) || !is_in_profiled_run) return;
  for (size_t i = 0; i < memory.outputs.size(); ++i) {
    if (invocation.program->OutputBytes(i) > 0) memory.outputs[i][0] ^= 1;
  }
#else
  (void)invocation;
  (void)memory;
#endif
}

LiteRtStatus RunOn(LiteRtDispatchInvocationContextT& invocation, const RunMemory& memory) {
  if (!memory.is_complete) {
    Program::NoteFailedRun();
    return Has(Fault::invokes_unattached) ? kLiteRtStatusOk : kLiteRtStatusErrorRuntimeFailure;
  }
  invocation.program->UseScratchpads(memory.scratchpads);
  if (Has(Fault::forgets_float_mode)) fesetenv(FE_DFL_ENV);
  if (!Has(Fault::devices_race)) {
    const LiteRtStatus status = invocation.program->Run(memory.inputs, memory.outputs);
    PlantInProfiledRun(invocation, memory);
    return status;
  }
  return RunBesideOthers(invocation, memory.inputs, memory.outputs);
}

}  // namespace

LiteRtStatus Invoke(LiteRtDispatchInvocationContext invocation) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard<std::mutex> lock(invocation->mutex);
  if (!IsDevice(invocation->device)) return kLiteRtStatusErrorRuntimeFailure;
  const LiteRtStatus status = RunOn(*invocation, AttachedMemory(*invocation));
  if (status != kLiteRtStatusOk) {
    invocation->failure = Has(Fault::forgets_why_it_failed) ? "" : "an operator refused its inputs";
  } else if (!Has(Fault::tells_of_old_failure)) {
    invocation->failure.clear();
  }
  return status;
}

// -- Asynchronous runs

namespace {

// The buffers of the outputs that a run locks which should lock none.
std::vector<LiteRtTensorBuffer> BuffersToLock(LiteRtDispatchInvocationContextT& invocation) {
  std::vector<LiteRtTensorBuffer> buffers;
  const std::lock_guard<std::mutex> lock(handles_mutex);
  for (LiteRtTensorBufferHandle handle : invocation.outputs) {
    const auto found = invocation.device->buffers.find(handle);
    if (found == invocation.device->buffers.end()) continue;
    bool has_event = false;
    LiteRtHasTensorBufferEvent(found->second, &has_event);
    if (has_event == Has(Fault::async_locks_outputs)) buffers.push_back(found->second);
  }
  return buffers;
}

LiteRtStatus InvokeLocked(LiteRtDispatchInvocationContext invocation) {
  const std::vector<LiteRtTensorBuffer> buffers = BuffersToLock(*invocation);
  std::vector<LiteRtTensorBuffer> locked;
  for (LiteRtTensorBuffer buffer : buffers) {
    void* address = nullptr;
    if (LiteRtLockTensorBuffer(buffer, &address, kLiteRtTensorBufferLockModeWrite) ==
        kLiteRtStatusOk)
      locked.push_back(buffer);
  }
  const LiteRtStatus status =
      locked.size() == buffers.size() ? Invoke(invocation) : kLiteRtStatusOk;
  for (LiteRtTensorBuffer buffer : locked) LiteRtUnlockTensorBuffer(buffer);
  return status;
}

std::atomic<LiteRtDispatchInvocationContext> last_started;

bool AreRegistered(LiteRtDispatchInvocationContextT& invocation,
                   const std::vector<LiteRtTensorBufferHandle>& handles) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  return std::all_of(handles.begin(), handles.end(), [&](LiteRtTensorBufferHandle handle) {
    return handle == 0 || invocation.device->buffers.contains(handle);
  });
}

// What an asynchronous run does when it begins, on what was attached when it was started.
std::function<LiteRtStatus()> InBackground(LiteRtDispatchInvocationContext invocation) {
  if (Has(Fault::async_locks_outputs) || Has(Fault::async_gives_up_on_locks))
    return [invocation] { return InvokeLocked(invocation); };
  if (Has(Fault::async_shares_context)) return [] { return Invoke(last_started.load()); };
  if (Has(Fault::async_takes_later_buffers)) return [invocation] { return Invoke(invocation); };
  return [invocation, memory = AttachedMemory(*invocation), outputs = invocation->outputs] {
    // Long enough for the host to let buffers go meanwhile.
    if (Has(Fault::async_uses_detached)) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    const std::lock_guard<std::mutex> lock(invocation->mutex);
    if (Has(Fault::async_forgets_unregistered) && !AreRegistered(*invocation, outputs))
      return kLiteRtStatusOk;
    return RunOn(*invocation, memory);
  };
}

LiteRtStatus AttachInputEvent(LiteRtDispatchInvocationContext invocation, int index,
                              LiteRtEvent event) {
  if (!IsInvocation(invocation) || event == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (index < 0 || static_cast<size_t>(index) >= invocation->inputs.size())
    return kLiteRtStatusErrorIndexOOB;
  invocation->runs.Attach(event);
  return kLiteRtStatusOk;
}

LiteRtStatus InvokeAsync(LiteRtDispatchInvocationContext invocation, int num_events,
                         LiteRtEvent* events) {
  if (!IsInvocation(invocation) || num_events < 0 || events == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  if (static_cast<size_t>(num_events) != invocation->outputs.size() && !Has(Fault::any_event_count))
    return kLiteRtStatusErrorInvalidArgument;
  last_started = invocation;
  return invocation->runs.Start(InBackground(invocation), num_events, events);
}

}  // namespace

LiteRtDispatchAsyncInterface AsyncFunctions() { return {AttachInputEvent, InvokeAsync}; }

}  // namespace npukit::conformance::mimic

extern "C" __attribute__((visibility("default"))) LiteRtStatus NpukitDispatchGetEventStatus(
    LiteRtEvent event, LiteRtStatus* status, NpukitDebugHandle* handle, char* buffer,
    size_t size_bytes) {
  if (event == nullptr || status == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (handle != nullptr) *handle = NPUKIT_NO_DEBUG_HANDLE;
  if (buffer != nullptr && size_bytes > 0) buffer[0] = '\0';
  return npukit::conformance::mimic::AsyncRuns::StatusOf(event, status);
}
