// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's dispatch library, against the bare C API.

#include <fcntl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_async.h"
#include "conformance/faulty_plugins/mimic_device.h"
#include "conformance/faulty_plugins/mimic_graph.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/event_status.h"

using npukit::conformance::mimic::AsyncRuns;
using npukit::conformance::mimic::Computation;
using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::Has;
using npukit::conformance::mimic::IsInvocation;
using npukit::conformance::mimic::Program;

namespace {

// Every handle that was given out and not taken back.
std::mutex handles_mutex;
std::set<LiteRtDispatchDeviceContext> devices;
std::set<LiteRtDispatchInvocationContext> invocations;
LiteRtTensorBufferHandle next_buffer_handle = 1;

bool IsDevice(LiteRtDispatchDeviceContext device) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  return devices.contains(device);
}

}  // namespace

bool npukit::conformance::mimic::IsInvocation(LiteRtDispatchInvocationContext invocation) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  return invocations.contains(invocation);
}

namespace {

bool IsCompatible(const LiteRtApiVersion& version) {
  return version.major == LITERT_API_VERSION_MAJOR || Has(Fault::any_runtime_version);
}

// -- Library

LiteRtStatus Initialize(LiteRtEnvironment, LiteRtOptions) { return kLiteRtStatusOk; }

LiteRtStatus GetVendorId(const char** id) {
  if (id == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *id = Has(Fault::unnamed_vendor) ? "" : "Mimic";
  return kLiteRtStatusOk;
}

LiteRtStatus GetBuildId(const char** id) {
  if (id == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *id = "mimic 1";
  return kLiteRtStatusOk;
}

LiteRtStatus GetCapabilities(int* capabilities) {
  if (capabilities == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *capabilities = Has(Fault::no_basic_capability)
                      ? kLiteRtDispatchCapabilitiesNone
                      : kLiteRtDispatchCapabilitiesBasic | kLiteRtDispatchCapabilitiesAsync |
                            kLiteRtDispatchCapabilitiesGraph;
  return kLiteRtStatusOk;
}

LiteRtStatus CheckRuntimeCompatibility(LiteRtApiVersion version, LiteRtEnvironmentOptions,
                                       LiteRtOptions) {
  return IsCompatible(version) ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupportedRuntimeVersion;
}

// -- Device

void PlantInDevice() {
  if (Has(Fault::device_leak)) new LiteRtDispatchDeviceContextT;
  if (Has(Fault::descriptor_leak)) (void)open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (Has(Fault::thread_leak)) {
    std::thread([] {
      while (true) pause();
    }).detach();
  }
}

LiteRtStatus CreateDevice(LiteRtOptions, LiteRtDispatchDeviceContext* out) {
  if (out == nullptr) return kLiteRtStatusErrorInvalidArgument;
  PlantInDevice();
  auto device = std::make_unique<LiteRtDispatchDeviceContextT>();
  const std::lock_guard<std::mutex> lock(handles_mutex);
  devices.insert(device.get());
  *out = device.release();
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext device) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  if (devices.erase(device) == 0) return kLiteRtStatusErrorInvalidArgument;
  delete device;
  if (Has(Fault::devices_share_life)) devices.clear();
  return kLiteRtStatusOk;
}

LiteRtStatus RegisterBuffer(LiteRtDispatchDeviceContext device, LiteRtTensorBuffer buffer,
                            LiteRtTensorBufferHandle* handle) {
  if (!IsDevice(device) || buffer == nullptr || handle == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard<std::mutex> lock(handles_mutex);
  *handle = next_buffer_handle++;
  device->buffers[*handle] = buffer;
  return kLiteRtStatusOk;
}

LiteRtStatus UnregisterBuffer(LiteRtDispatchDeviceContext device, LiteRtTensorBufferHandle handle) {
  if (!IsDevice(device)) return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard<std::mutex> lock(handles_mutex);
  return device->buffers.erase(handle) == 1 ? kLiteRtStatusOk : kLiteRtStatusErrorNotFound;
}

// -- Invocation

LiteRtDispatchInvocationContext MakeInvocation(LiteRtDispatchDeviceContext device,
                                               std::unique_ptr<Computation> program,
                                               LiteRtDispatchGraph graph) {
  auto invocation = std::make_unique<LiteRtDispatchInvocationContextT>();
  invocation->device = device;
  invocation->program = std::move(program);
  invocation->graph = graph;
  invocation->inputs.resize(invocation->program->num_inputs());
  invocation->outputs.resize(invocation->program->num_outputs());
  if (Has(Fault::invocation_leak)) {
    [[maybe_unused]] static void* volatile lost;
    lost = malloc(100);
  }
  const std::lock_guard<std::mutex> lock(handles_mutex);
  invocations.insert(invocation.get());
  Program::set_contexts_alive(invocations.size());
  return invocation.release();
}

LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType,
                              const LiteRtMemBuffer* bytecode, const char* entry_point,
                              int num_inputs, int num_outputs,
                              LiteRtDispatchInvocationContext* out) {
  if (!IsDevice(device) || bytecode == nullptr || out == nullptr || num_inputs < 0 ||
      num_outputs < 0) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (bytecode->base_addr == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto* begin = static_cast<const uint8_t*>(bytecode->base_addr) + bytecode->offset;
  auto program = Program::Load({begin, bytecode->size}, entry_point,
                               static_cast<size_t>(num_inputs), static_cast<size_t>(num_outputs));
  if (!program) return program.Error().Status();
  *out = MakeInvocation(device, std::move(*program), /*graph=*/nullptr);
  return kLiteRtStatusOk;
}

LiteRtStatus CreateInvocationFromGraph(LiteRtDispatchDeviceContext device,
                                       LiteRtDispatchGraph graph,
                                       LiteRtDispatchInvocationContext* out) {
  if (!IsDevice(device) || out == nullptr) return kLiteRtStatusErrorInvalidArgument;
  auto program = npukit::conformance::mimic::LoadGraph(graph);
  if (!program) return program.Error().Status();
  *out = MakeInvocation(device, std::move(*program), graph);
  return kLiteRtStatusOk;
}

LiteRtStatus GetGraph(LiteRtDispatchInvocationContext invocation, LiteRtDispatchGraph* graph) {
  if (!IsInvocation(invocation) || graph == nullptr || invocation->graph == nullptr)
    return kLiteRtStatusErrorInvalidArgument;
  *graph = invocation->graph;
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyInvocation(LiteRtDispatchInvocationContext invocation) {
  if (IsInvocation(invocation)) invocation->runs.Wait();
  const std::lock_guard<std::mutex> lock(handles_mutex);
  if (invocations.erase(invocation) == 0) return kLiteRtStatusErrorInvalidArgument;
  delete invocation;
  Program::set_contexts_alive(invocations.size());
  if (Has(Fault::frees_twice)) {
    void* volatile block = malloc(40);
    free(block);
    free(block);
  }
  return kLiteRtStatusOk;
}

LiteRtStatus Requirements(LiteRtDispatchInvocationContext invocation, size_t count, int index,
                          size_t size_bytes, LiteRtTensorBufferRequirements* out) {
  if (!IsInvocation(invocation) || out == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const bool in_range = index >= 0 && static_cast<size_t>(index) < count;
  if (!in_range && !Has(Fault::port_index_unchecked)) return kLiteRtStatusErrorIndexOOB;
  if (Has(Fault::small_requirements) && size_bytes > 0) --size_bytes;
  const LiteRtTensorBufferType host_memory = kLiteRtTensorBufferTypeHostMemory;
  return LiteRtCreateTensorBufferRequirements(1, &host_memory, size_bytes, 0, nullptr, out);
}

LiteRtStatus InputRequirements(LiteRtDispatchInvocationContext invocation, int index,
                               const LiteRtRankedTensorType* type,
                               LiteRtTensorBufferRequirements* out) {
  if (!IsInvocation(invocation) || type == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const size_t size_bytes = invocation->program->InputBytes(static_cast<size_t>(index));
  return Requirements(invocation, invocation->inputs.size(), index, size_bytes, out);
}

LiteRtStatus OutputRequirements(LiteRtDispatchInvocationContext invocation, int index,
                                const LiteRtRankedTensorType* type,
                                LiteRtTensorBufferRequirements* out) {
  if (!IsInvocation(invocation) || type == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const size_t size_bytes = invocation->program->OutputBytes(static_cast<size_t>(index));
  return Requirements(invocation, invocation->outputs.size(), index, size_bytes, out);
}

using Ports = std::vector<LiteRtTensorBufferHandle> LiteRtDispatchInvocationContextT::*;

template <Ports kPorts>
LiteRtStatus Attach(LiteRtDispatchInvocationContext invocation, int index,
                    LiteRtTensorBufferHandle handle) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  auto& ports = invocation->*kPorts;
  if (index < 0 || static_cast<size_t>(index) >= ports.size()) return kLiteRtStatusErrorIndexOOB;
  const std::lock_guard<std::mutex> lock(handles_mutex);
  if (!invocation->device->buffers.contains(handle) && !Has(Fault::any_handle))
    return kLiteRtStatusErrorNotFound;
  if (Has(Fault::keeps_first_buffers) && ports[static_cast<size_t>(index)] != 0)
    return kLiteRtStatusOk;
  ports[static_cast<size_t>(index)] = handle;
  return kLiteRtStatusOk;
}

template <Ports kPorts>
LiteRtStatus Detach(LiteRtDispatchInvocationContext invocation, int index,
                    LiteRtTensorBufferHandle handle) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  auto& ports = invocation->*kPorts;
  if (index < 0 || static_cast<size_t>(index) >= ports.size()) return kLiteRtStatusErrorIndexOOB;
  if (Has(Fault::keeps_first_buffers)) return kLiteRtStatusOk;
  if (ports[static_cast<size_t>(index)] != handle) return kLiteRtStatusErrorNotFound;
  ports[static_cast<size_t>(index)] = 0;
  return kLiteRtStatusOk;
}

// The memory behind the attached buffers; null where none is, or where it is empty. False if a buffer
// is missing.
bool FindMemory(LiteRtDispatchInvocationContextT& invocation,
                const std::vector<LiteRtTensorBufferHandle>& ports, std::vector<uint8_t*>& memory) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  bool complete = true;
  for (LiteRtTensorBufferHandle handle : ports) {
    void* address = nullptr;
    const auto found = invocation.device->buffers.find(handle);
    if (found != invocation.device->buffers.end())
      LiteRtGetTensorBufferHostMemory(found->second, &address);
    memory.push_back(static_cast<uint8_t*>(address));
    complete = complete && found != invocation.device->buffers.end();
  }
  return complete;
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

LiteRtStatus Invoke(LiteRtDispatchInvocationContext invocation) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard<std::mutex> lock(invocation->mutex);
  if (!IsDevice(invocation->device)) return kLiteRtStatusErrorRuntimeFailure;
  std::vector<uint8_t*> inputs;
  std::vector<uint8_t*> outputs;
  const bool has_inputs = FindMemory(*invocation, invocation->inputs, inputs);
  const bool has_outputs = FindMemory(*invocation, invocation->outputs, outputs);
  if (!has_inputs || !has_outputs) {
    Program::NoteFailedRun();
    return Has(Fault::invokes_unattached) ? kLiteRtStatusOk : kLiteRtStatusErrorRuntimeFailure;
  }
  if (!Has(Fault::devices_race)) return invocation->program->Run(inputs, outputs);
  return RunBesideOthers(*invocation, inputs, outputs);
}

// -- Asynchronous runs

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

LiteRtStatus InvokeInBackground(LiteRtDispatchInvocationContext invocation) {
  if (Has(Fault::async_locks_outputs) || Has(Fault::async_gives_up_on_locks))
    return InvokeLocked(invocation);
  return Invoke(Has(Fault::async_shares_context) ? last_started.load() : invocation);
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
  return invocation->runs.Start(InvokeInBackground, invocation, num_events, events);
}

LiteRtDispatchInterface MakeInterface() {
  LiteRtDispatchInterface table = {};
  table.initialize = Initialize;
  table.get_vendor_id = GetVendorId;
  table.get_build_id = GetBuildId;
  table.get_capabilities = GetCapabilities;
  table.device_context_create = CreateDevice;
  table.device_context_destroy = DestroyDevice;
  table.get_input_requirements = InputRequirements;
  table.get_output_requirements = OutputRequirements;
  table.register_tensor_buffer = RegisterBuffer;
  table.unregister_tensor_buffer = UnregisterBuffer;
  table.invocation_context_create = CreateInvocation;
  table.invocation_context_destroy = DestroyInvocation;
  table.attach_input = Attach<&LiteRtDispatchInvocationContextT::inputs>;
  table.attach_output = Attach<&LiteRtDispatchInvocationContextT::outputs>;
  table.detach_input = Detach<&LiteRtDispatchInvocationContextT::inputs>;
  table.detach_output = Detach<&LiteRtDispatchInvocationContextT::outputs>;
  table.invoke = Invoke;
  npukit::conformance::mimic::AddMetrics(table);
  table.check_runtime_compatibility = CheckRuntimeCompatibility;
  return table;
}

LiteRtDispatchGraphInterface MakeGraphInterface() {
  LiteRtDispatchGraphInterface table = npukit::conformance::mimic::GraphFunctions();
  table.invocation_context_create_from_graph = CreateInvocationFromGraph;
  table.invocation_context_get_graph = GetGraph;
  return table;
}

}  // namespace

extern "C" __attribute__((visibility("default"))) LiteRtStatus NpukitDispatchGetEventStatus(
    LiteRtEvent event, LiteRtStatus* status, NpukitDebugHandle* handle, char* buffer,
    size_t size_bytes) {
  if (event == nullptr || status == nullptr) return kLiteRtStatusErrorInvalidArgument;
  if (handle != nullptr) *handle = NPUKIT_NO_DEBUG_HANDLE;
  if (buffer != nullptr && size_bytes > 0) buffer[0] = '\0';
  return AsyncRuns::StatusOf(event, status);
}

extern "C" __attribute__((visibility("default"))) LiteRtStatus LiteRtDispatchGetApi(
    LiteRtDispatchApi* api) {
  static LiteRtDispatchInterface interface = MakeInterface();
  if (api == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *api = {};
  api->version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  api->interface = &interface;
  static LiteRtDispatchAsyncInterface async = {AttachInputEvent, InvokeAsync};
  if (!Has(Fault::async_without_table)) api->async_interface = &async;
  static LiteRtDispatchGraphInterface graph = MakeGraphInterface();
  api->graph_interface = &graph;
  return kLiteRtStatusOk;
}
