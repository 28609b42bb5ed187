// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's dispatch library, against the bare C API.

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_device.h"
#include "conformance/faulty_plugins/mimic_graph.h"
#include "conformance/faulty_plugins/mimic_misconduct.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/vendors/c/litert_dispatch_api.h"

using npukit::conformance::mimic::Computation;
using npukit::conformance::mimic::Fault;
using npukit::conformance::mimic::handles_mutex;
using npukit::conformance::mimic::Has;
using npukit::conformance::mimic::Invoke;
using npukit::conformance::mimic::IsDevice;
using npukit::conformance::mimic::IsInvocation;
using npukit::conformance::mimic::kOwnMemory;
using npukit::conformance::mimic::LeakWithDevice;
using npukit::conformance::mimic::LeakWithInvocation;
using npukit::conformance::mimic::Program;

namespace {

// Every handle that was given out and not taken back.
std::set<LiteRtDispatchDeviceContext> devices;
std::set<LiteRtDispatchInvocationContext> invocations;
LiteRtTensorBufferHandle next_buffer_handle = 1;

}  // namespace

namespace npukit::conformance::mimic {

std::mutex handles_mutex;

bool IsDevice(LiteRtDispatchDeviceContext device) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  return devices.contains(device);
}

bool IsInvocation(LiteRtDispatchInvocationContext invocation) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  return invocations.contains(invocation);
}

}  // namespace npukit::conformance::mimic

namespace {

#if defined(NPUKIT_ABI_2_3)
constexpr int kQueriedCapabilities =
    kLiteRtDispatchCapabilitiesEdgeBufferBinding | kLiteRtDispatchCapabilitiesScratchpad;
#else
constexpr int kQueriedCapabilities = 0;
#endif

bool IsCompatible(const LiteRtApiVersion& version) {
  return version.major == LITERT_API_VERSION_MAJOR || Has(Fault::any_runtime_version);
}

// -- Library

LiteRtStatus Initialize(LiteRtEnvironment, LiteRtOptions) {
  static int calls = 0;
  return Has(Fault::initializes_once) && ++calls > 1 ? kLiteRtStatusErrorRuntimeFailure
                                                     : kLiteRtStatusOk;
}

LiteRtStatus GetVendorId(const char** id) {
  if (id == nullptr && !Has(Fault::vendor_id_null_crash)) return kLiteRtStatusErrorInvalidArgument;
  *id = Has(Fault::unnamed_vendor) ? "" : "Mimic";
  return kLiteRtStatusOk;
}

LiteRtStatus GetBuildId(const char** id) {
  if (id == nullptr) return kLiteRtStatusErrorInvalidArgument;
  static int calls = 0;
  *id = Has(Fault::build_id_changes) && ++calls % 2 == 0 ? "mimic 2" : "mimic 1";
  return kLiteRtStatusOk;
}

LiteRtStatus GetCapabilities(int* capabilities) {
  if (capabilities == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *capabilities = Has(Fault::no_basic_capability)
                      ? kLiteRtDispatchCapabilitiesNone
                      : kLiteRtDispatchCapabilitiesBasic | kLiteRtDispatchCapabilitiesAsync |
                            kLiteRtDispatchCapabilitiesGraph | kQueriedCapabilities;
  return kLiteRtStatusOk;
}

LiteRtStatus CheckRuntimeCompatibility(LiteRtApiVersion version, LiteRtEnvironmentOptions,
                                       LiteRtOptions) {
  return IsCompatible(version) ? kLiteRtStatusOk : kLiteRtStatusErrorUnsupportedRuntimeVersion;
}

// -- Device

LiteRtStatus CreateDevice(LiteRtOptions, LiteRtDispatchDeviceContext* out) {
  if (out == nullptr && !Has(Fault::device_null_crash)) return kLiteRtStatusErrorInvalidArgument;
  LeakWithDevice();
  auto device = std::make_unique<LiteRtDispatchDeviceContextT>();
  const std::lock_guard<std::mutex> lock(handles_mutex);
  devices.insert(device.get());
  *out = device.release();
  return kLiteRtStatusOk;
}

LiteRtStatus DestroyDevice(LiteRtDispatchDeviceContext device) {
  const std::lock_guard<std::mutex> lock(handles_mutex);
  if (device == nullptr && Has(Fault::destroys_nothing)) return kLiteRtStatusOk;
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
  LeakWithInvocation();
  const std::lock_guard<std::mutex> lock(handles_mutex);
  invocations.insert(invocation.get());
  Program::set_contexts_alive(invocations.size());
  return invocation.release();
}

constexpr int kJitHandle = 3;  // abi 2.2's kLiteRtDispatchExecutableTypeJitHandle

LiteRtStatus CreateInvocation(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType type,
                              const LiteRtMemBuffer* bytecode, const char* entry_point,
                              int num_inputs, int num_outputs,
                              LiteRtDispatchInvocationContext* out) {
  if (!IsDevice(device) || bytecode == nullptr || out == nullptr || num_inputs < 0 ||
      num_outputs < 0) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  if (static_cast<int>(type) == kJitHandle) return kLiteRtStatusErrorUnsupported;
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
    // Volatile, or the compiler would drop a block that nobody uses, and the fault with it.
    void* volatile block = malloc(40);
    free(block);
    free(block);
  }
  return kLiteRtStatusOk;
}

#if defined(NPUKIT_ABI_2_3)
constexpr bool kHasOwnMemory = true;

template <bool kIsAttached>
LiteRtStatus BindEdge(LiteRtDispatchInvocationContext invocation, LiteRtDispatchEdgeId edge,
                      LiteRtTensorBufferHandle handle) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  const std::lock_guard<std::mutex> lock(handles_mutex);
  const auto found = invocation->device->buffers.find(handle);
  if (found == invocation->device->buffers.end()) return kLiteRtStatusErrorNotFound;
  if (!kIsAttached) return invocation->program->BindEdge(edge, {});
  size_t size_bytes = 0;
  LiteRtGetTensorBufferSize(found->second, &size_bytes);
  return invocation->program->BindEdge(
      edge, {npukit::conformance::mimic::AddressOf(found->second), size_bytes});
}
#else
constexpr bool kHasOwnMemory = false;
#endif

LiteRtStatus Requirements(LiteRtDispatchInvocationContext invocation, size_t count, int index,
                          size_t size_bytes, LiteRtTensorBufferRequirements* out) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  if (out == nullptr && !Has(Fault::requirements_null_crash))
    return kLiteRtStatusErrorInvalidArgument;
  const bool in_range = index >= 0 && static_cast<size_t>(index) < count;
  if (!in_range && !Has(Fault::port_index_unchecked)) return kLiteRtStatusErrorIndexOOB;
  if (Has(Fault::small_requirements) && size_bytes > 0) --size_bytes;
  static size_t calls = 0;
  if (Has(Fault::requirements_grow)) size_bytes += ++calls;
  const LiteRtTensorBufferType types[] = {Has(Fault::wants_other_memory)
                                              ? kLiteRtTensorBufferTypeAhwb
                                              : kLiteRtTensorBufferTypeHostMemory,
                                          kOwnMemory};
  LiteRtTensorBufferRequirements made = nullptr;
  const LiteRtStatus status = LiteRtCreateTensorBufferRequirements(kHasOwnMemory ? 2 : 1, types,
                                                                   size_bytes, 0, nullptr, &made);
  *out = made;
  return status;
}

template <bool kIsInput>
LiteRtStatus PortRequirements(LiteRtDispatchInvocationContext invocation, int index,
                              const LiteRtRankedTensorType* type,
                              LiteRtTensorBufferRequirements* out) {
  if (!IsInvocation(invocation) || type == nullptr) return kLiteRtStatusErrorInvalidArgument;
  const auto position = static_cast<size_t>(index);
  const Computation& program = *invocation->program;
  const size_t size_bytes = kIsInput ? program.InputBytes(position) : program.OutputBytes(position);
  const size_t count = (kIsInput ? invocation->inputs : invocation->outputs).size();
  return Requirements(invocation, count, index, size_bytes, out);
}

using Ports = std::vector<LiteRtTensorBufferHandle> LiteRtDispatchInvocationContextT::*;

template <Ports kPorts>
LiteRtStatus Attach(LiteRtDispatchInvocationContext invocation, int index,
                    LiteRtTensorBufferHandle handle) {
  if (!IsInvocation(invocation)) return kLiteRtStatusErrorInvalidArgument;
  auto& ports = invocation->*kPorts;
  if (Has(Fault::attach_index_unchecked) && index >= static_cast<int>(ports.size()))
    return kLiteRtStatusOk;
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
  if (!Has(Fault::async_uses_detached) && !Has(Fault::async_forgets_unregistered))
    invocation->runs.Wait();
  ports[static_cast<size_t>(index)] = 0;
  return kLiteRtStatusOk;
}

// The same for hosts that put a table of their functions first: Mimic is linked with its host.
#if defined(NPUKIT_ABI_2_2)
template <auto kFunction>
struct BehindContext;
template <typename... Args, LiteRtStatus (*kFunction)(Args...)>
struct BehindContext<kFunction> {
  static LiteRtStatus Call(const LiteRtRuntimeContext*, Args... args) { return kFunction(args...); }
};

template <auto kFunction>
constexpr auto kForHost = BehindContext<kFunction>::Call;
#else
template <auto kFunction>
constexpr auto kForHost = kFunction;
#endif

}  // namespace

LiteRtDispatchInterface npukit::conformance::mimic::BasicFunctions() {
  LiteRtDispatchInterface table = {};
  table.initialize = kForHost<Initialize>;
  table.get_vendor_id = GetVendorId;
  table.get_build_id = GetBuildId;
  table.get_capabilities = GetCapabilities;
  table.device_context_create = kForHost<CreateDevice>;
  table.device_context_destroy = DestroyDevice;
  table.get_input_requirements = PortRequirements<true>;
  table.get_output_requirements = PortRequirements<false>;
  table.register_tensor_buffer = RegisterBuffer;
  table.unregister_tensor_buffer = UnregisterBuffer;
  table.invocation_context_create = kForHost<CreateInvocation>;
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

#if defined(NPUKIT_ABI_2_3)
void npukit::conformance::mimic::AddEdgeFunctions(LiteRtDispatchInterface_V1& table) {
  table.attach_edge_buffer = BindEdge<true>;
  table.detach_edge_buffer = BindEdge<false>;
}
#endif

LiteRtDispatchGraphInterface npukit::conformance::mimic::GraphFunctionsOfContexts() {
  LiteRtDispatchGraphInterface table = npukit::conformance::mimic::GraphFunctions();
  table.invocation_context_create_from_graph = CreateInvocationFromGraph;
  table.invocation_context_get_graph = GetGraph;
  return table;
}
