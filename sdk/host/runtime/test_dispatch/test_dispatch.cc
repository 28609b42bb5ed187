// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/test_dispatch/test_dispatch.h"

#include <sys/socket.h>
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <utility>

#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "npukit/compile_spec.h"
#include "sdk/host/runtime/test_dispatch/test_objects.h"
#include "sdk/host/runtime/test_dispatch/test_program.h"
#include "sdk/host/runtime/test_dispatch/test_variant.h"

namespace npukit::test_dispatch {
namespace {

bool Variant(const char* name) { return std::string(kVariant) == name; }

bool g_initialized = false;

// The begin of a message of docs/remote.md to whoever is at the other end of this process's sockets.
void WriteHalfAMessage() {
  for (int fd = 3; fd < 1024; ++fd) (void)send(fd, "npuk", 4, MSG_NOSIGNAL | MSG_DONTWAIT);
}

LiteRtStatus Initialize(LiteRtEnvironment environment, LiteRtOptions) {
  Log("initialize");
  if (Variant("half_a_message") || Variant("half_a_message_and_dies")) WriteHalfAMessage();
  if (Variant("slow_init")) usleep(200'000);
  if (Variant("half_a_message")) pause();
  if (Variant("half_a_message_and_dies")) std::abort();
  if (Variant("init_fails")) return kLiteRtStatusErrorRuntimeFailure;
  if (g_initialized) return Violation("initialize: called twice");
  if (environment == nullptr) return Violation("initialize: no environment");
  g_initialized = true;
  return kLiteRtStatusOk;
}

LiteRtStatus CheckRuntimeCompatibility(LiteRtApiVersion, LiteRtEnvironmentOptions, LiteRtOptions) {
  if (!g_initialized) return Violation("check_runtime_compatibility: before initialize");
  return Variant("incompatible") ? kLiteRtStatusErrorWrongVersion : kLiteRtStatusOk;
}

LiteRtStatus GetVendorId(const char** vendor_id) {
  *vendor_id = Variant("null_vendor") ? nullptr : "TestDevice";
  return kLiteRtStatusOk;
}

LiteRtStatus GetBuildId(const char** build_id) {
  *build_id = "test-1";
  return kLiteRtStatusOk;
}

LiteRtStatus GetCapabilities(int* capabilities) {
  *capabilities =
      Variant("no_basic") ? kLiteRtDispatchCapabilitiesGraph : kLiteRtDispatchCapabilitiesBasic;
  if (kIsAsync) *capabilities |= kLiteRtDispatchCapabilitiesAsync;
  return kLiteRtStatusOk;
}

LiteRtStatus DeviceCreate(LiteRtOptions, LiteRtDispatchDeviceContext* device) {
  Log("device_context_create");
  if (!g_initialized) return Violation("device_context_create: before initialize");
  if (Fault("device_fails")) return kLiteRtStatusErrorRuntimeFailure;
  if (Fault("device_null")) {
    *device = nullptr;
    return kLiteRtStatusOk;
  }
  *device = new LiteRtDispatchDeviceContextT;
  Devices().insert(*device);
  ++GlobalState()->live_devices;
  return kLiteRtStatusOk;
}

LiteRtStatus DeviceDestroy(LiteRtDispatchDeviceContext device) {
  Log("device_context_destroy");
  if (Devices().erase(device) == 0) return Violation("device_context_destroy: no such device");
  if (!device->buffers.empty()) Violation("device_context_destroy: buffers are still registered");
  if (device->invocations != 0)
    Violation("device_context_destroy: invocation contexts are still there");
  delete device;
  --GlobalState()->live_devices;
  return Fault("device_destroy_fails") ? kLiteRtStatusErrorRuntimeFailure : kLiteRtStatusOk;
}

LiteRtStatus InvocationCreate(LiteRtDispatchDeviceContext device, LiteRtDispatchExecutableType type,
                              const LiteRtMemBuffer* bytecode, const char* name, int num_inputs,
                              int num_outputs, LiteRtDispatchInvocationContext* context) {
  Log("invocation_context_create(" + std::string(name == nullptr ? "null" : name) + ")");
  if (!Devices().contains(device)) return Violation("invocation_context_create: no such device");
  if (type != kLiteRtDispatchExecutableTypeMlModel)
    return Violation("invocation_context_create: not an ML model");
  if (bytecode == nullptr || bytecode->base_addr == nullptr || name == nullptr) {
    return Violation("invocation_context_create: null");
  }
  if (Fault("create_fails")) return kLiteRtStatusErrorRuntimeFailure;
  if (Fault("create_null")) {
    *context = nullptr;
    return kLiteRtStatusOk;
  }
  const std::string text(static_cast<const char*>(bytecode->base_addr) + bytecode->offset,
                         bytecode->size);
  auto invocation = std::make_unique<LiteRtDispatchInvocationContextT>();
  if (!ParseFunction(text, name, invocation->function)) return kLiteRtStatusErrorInvalidArgument;
  invocation->device = device;
  invocation->name = name;
  invocation->inputs.resize(static_cast<size_t>(num_inputs));
  invocation->outputs.resize(static_cast<size_t>(num_outputs));
  *context = invocation.release();
  Invocations().insert(*context);
  ++device->invocations;
  ++GlobalState()->live_invocations;
  return kLiteRtStatusOk;
}

LiteRtStatus InvocationDestroy(LiteRtDispatchInvocationContext context) {
  if (Invocations().erase(context) == 0)
    return Violation("invocation_context_destroy: no such context");
  Log("invocation_context_destroy(" + context->name + ")");
  if (context->is_running) Violation("invocation_context_destroy: while a run is under way");
  for (const auto& ports : {context->inputs, context->outputs}) {
    for (LiteRtTensorBufferHandle handle : ports) {
      if (handle != 0) Violation("invocation_context_destroy: buffers are still attached");
    }
  }
  --context->device->invocations;
  --GlobalState()->live_invocations;
  delete context;
  return Fault("destroy_fails") ? kLiteRtStatusErrorRuntimeFailure : kLiteRtStatusOk;
}

LiteRtStatus Requirements(LiteRtDispatchInvocationContext context, bool is_input, int index,
                          const LiteRtRankedTensorType* type,
                          LiteRtTensorBufferRequirements* requirements) {
  if (!Invocations().contains(context)) return Violation("get_requirements: no such context");
  const auto& ports = is_input ? context->inputs : context->outputs;
  if (index < 0 || static_cast<size_t>(index) >= ports.size())
    return Violation("get_requirements: no such port");
  if (Fault("requirements_fail")) return kLiteRtStatusErrorUnsupported;
  if (Fault("requirements_null")) {
    *requirements = nullptr;
    return kLiteRtStatusOk;
  }
  FunctionRequirements needed = RequirementsOf(context->function, *type);
  context->requirements[{is_input, index}] = needed;
  LiteRtTensorBufferType buffer_type = kLiteRtTensorBufferTypeHostMemory;
  if (Fault("requirements_type")) buffer_type = kLiteRtTensorBufferTypeDmaBuf;
  if (Fault("requirements_small")) needed.size_bytes = 1;
  if (Fault("requirements_alignment")) needed.alignment_bytes = size_t{1} << 22;
  if (Fault("requirements_strides")) needed.strides_elems.assign(type->layout.rank, 0);
  return LiteRtCreateTensorBufferRequirementsWithAlignment(
      1, &buffer_type, needed.size_bytes, static_cast<int>(needed.strides_elems.size()),
      needed.strides_elems.data(), needed.alignment_bytes, requirements);
}

LiteRtStatus InputRequirements(LiteRtDispatchInvocationContext context, int index,
                               const LiteRtRankedTensorType* type,
                               LiteRtTensorBufferRequirements* requirements) {
  return Requirements(context, true, index, type, requirements);
}

LiteRtStatus OutputRequirements(LiteRtDispatchInvocationContext context, int index,
                                const LiteRtRankedTensorType* type,
                                LiteRtTensorBufferRequirements* requirements) {
  return Requirements(context, false, index, type, requirements);
}

LiteRtStatus Register(LiteRtDispatchDeviceContext device, LiteRtTensorBuffer buffer,
                      LiteRtTensorBufferHandle* handle) {
  Log("register_tensor_buffer");
  if (!Devices().contains(device)) return Violation("register_tensor_buffer: no such device");
  if (Fault("register_fails")) return kLiteRtStatusErrorRuntimeFailure;
  void* memory = nullptr;
  if (LiteRtGetTensorBufferHostMemory(buffer, &memory) != kLiteRtStatusOk || memory == nullptr) {
    return Violation("register_tensor_buffer: not host memory");
  }
  for (const auto& [known, other] : device->buffers) {
    void* other_memory = nullptr;
    if (other.buffer == buffer) return Violation("register_tensor_buffer: the same buffer twice");
    if (LiteRtGetTensorBufferHostMemory(other.buffer, &other_memory) != kLiteRtStatusOk) {
      return Violation("register_tensor_buffer: a registered buffer is gone");
    }
  }
  *handle = device->next_handle++;
  device->buffers[*handle] = {.buffer = buffer};
  ++GlobalState()->live_buffers;
  ++GlobalState()->registrations;
  return kLiteRtStatusOk;
}

LiteRtStatus Unregister(LiteRtDispatchDeviceContext device, LiteRtTensorBufferHandle handle) {
  Log("unregister_tensor_buffer");
  if (!Devices().contains(device)) return Violation("unregister_tensor_buffer: no such device");
  const auto buffer = device->buffers.find(handle);
  if (buffer == device->buffers.end()) return Violation("unregister_tensor_buffer: no such handle");
  if (buffer->second.attachments != 0) Violation("unregister_tensor_buffer: still attached");
  device->buffers.erase(buffer);
  --GlobalState()->live_buffers;
  return Fault("unregister_fails") ? kLiteRtStatusErrorRuntimeFailure : kLiteRtStatusOk;
}

// The port's handle, or null with a violation.
LiteRtTensorBufferHandle* Port(LiteRtDispatchInvocationContext context, bool is_input, int index,
                               const char* call) {
  if (!Invocations().contains(context)) {
    Violation(std::string(call) + ": no such context");
    return nullptr;
  }
  auto& ports = is_input ? context->inputs : context->outputs;
  if (index < 0 || static_cast<size_t>(index) >= ports.size()) {
    Violation(std::string(call) + ": no such port");
    return nullptr;
  }
  return &ports[static_cast<size_t>(index)];
}

// Says how the memory falls short of what the port asked for, or nothing.
std::string Unmet(const LiteRtDispatchInvocationContextT& context, bool is_input, int index,
                  LiteRtTensorBuffer buffer) {
  const auto needed = context.requirements.find({is_input, index});
  if (needed == context.requirements.end())
    return "attached before its requirements were asked for";
  void* memory = nullptr;
  size_t size_bytes = 0;
  LiteRtRankedTensorType type = {};
  if (LiteRtGetTensorBufferHostMemory(buffer, &memory) != kLiteRtStatusOk ||
      LiteRtGetTensorBufferSize(buffer, &size_bytes) != kLiteRtStatusOk ||
      LiteRtGetTensorBufferTensorType(buffer, &type) != kLiteRtStatusOk) {
    return "the buffer cannot be read";
  }
  if (reinterpret_cast<uintptr_t>(memory) % needed->second.alignment_bytes != 0)
    return "misaligned";
  if (size_bytes < needed->second.size_bytes) return "too small";
  if (!needed->second.strides_elems.empty() && !type.layout.has_strides)
    return "without the strides asked for";
  return {};
}

LiteRtStatus Attach(LiteRtDispatchInvocationContext context, bool is_input, int index,
                    LiteRtTensorBufferHandle handle) {
  const std::string call = is_input ? "attach_input" : "attach_output";
  LiteRtTensorBufferHandle* port = Port(context, is_input, index, call.c_str());
  if (port == nullptr) return kLiteRtStatusErrorInvalidArgument;
  Log(call + "(" + context->name + ", " + std::to_string(index) + ")");
  if (Fault((call + "_fails").c_str())) return kLiteRtStatusErrorRuntimeFailure;
  if (*port != 0) return Violation(call + ": port is attached already");
  const auto buffer = context->device->buffers.find(handle);
  if (buffer == context->device->buffers.end()) return Violation(call + ": no such handle");
  if (std::string unmet = Unmet(*context, is_input, index, buffer->second.buffer); !unmet.empty()) {
    return Violation(call + ": " + unmet);
  }
  *port = handle;
  ++buffer->second.attachments;
  ++GlobalState()->live_attachments;
  return kLiteRtStatusOk;
}

LiteRtStatus Detach(LiteRtDispatchInvocationContext context, bool is_input, int index,
                    LiteRtTensorBufferHandle handle) {
  const std::string call = is_input ? "detach_input" : "detach_output";
  LiteRtTensorBufferHandle* port = Port(context, is_input, index, call.c_str());
  if (port == nullptr) return kLiteRtStatusErrorInvalidArgument;
  Log(call + "(" + context->name + ", " + std::to_string(index) + ")");
  if (*port == 0 || *port != handle) return Violation(call + ": that handle is not attached");
  if (context->is_running) return Violation(call + ": while a run is under way");
  *port = 0;
  --context->device->buffers[handle].attachments;
  --GlobalState()->live_attachments;
  return Fault("detach_fails") ? kLiteRtStatusErrorRuntimeFailure : kLiteRtStatusOk;
}

LiteRtStatus AttachInput(LiteRtDispatchInvocationContext context, int index,
                         LiteRtTensorBufferHandle handle) {
  return Attach(context, true, index, handle);
}
LiteRtStatus AttachOutput(LiteRtDispatchInvocationContext context, int index,
                          LiteRtTensorBufferHandle handle) {
  return Attach(context, false, index, handle);
}
LiteRtStatus DetachInput(LiteRtDispatchInvocationContext context, int index,
                         LiteRtTensorBufferHandle handle) {
  return Detach(context, true, index, handle);
}
LiteRtStatus DetachOutput(LiteRtDispatchInvocationContext context, int index,
                          LiteRtTensorBufferHandle handle) {
  return Detach(context, false, index, handle);
}

LiteRtStatus Invoke(LiteRtDispatchInvocationContext context) {
  if (!Invocations().contains(context)) return Violation("invoke: no such context");
  if (context->is_running) return Violation("invoke: while a run is under way");
  ++GlobalState()->invokes;
  if (Fault("invoke_fails")) return kLiteRtStatusErrorRuntimeFailure;
  std::vector<PortMemory> inputs;
  std::vector<PortMemory> outputs;
  if (!CollectPorts(context, inputs, outputs)) {
    return Violation("invoke: a port is not attached or not lockable");
  }
  ++context->metered_invokes;
  return RunFunction(context->function, inputs, outputs) ? kLiteRtStatusOk
                                                         : Violation("invoke: wrong ports");
}

LiteRtStatus SetScheduling(LiteRtDispatchInvocationContext context,
                           const LiteRtSchedulingInfo* info) {
  if (!Invocations().contains(context)) return Violation("set_scheduling_info: no such context");
  Log("set_scheduling_info(" + (info == nullptr ? "null" : std::to_string(info->job_priority)) +
      ")");
  return kLiteRtStatusOk;
}

LiteRtStatus SetOptions(LiteRtDispatchInvocationContext context, LiteRtOptions options) {
  if (!Invocations().contains(context)) return Violation("set_options: no such context");
  Log(options == nullptr ? "set_options(null)" : "set_options");
  return Fault("options_fail") ? kLiteRtStatusErrorInvalidArgument : kLiteRtStatusOk;
}

[[maybe_unused]] LiteRtDispatchInterface* Interface() {
  static LiteRtDispatchInterface functions = {};
  functions.initialize = Initialize;
  functions.get_vendor_id = GetVendorId;
  functions.get_build_id = GetBuildId;
  functions.get_capabilities = GetCapabilities;
  functions.device_context_create = DeviceCreate;
  functions.device_context_destroy = DeviceDestroy;
  functions.get_input_requirements = InputRequirements;
  functions.get_output_requirements = OutputRequirements;
  functions.register_tensor_buffer = Register;
  functions.unregister_tensor_buffer = Unregister;
  functions.invocation_context_create = InvocationCreate;
  functions.invocation_context_destroy = InvocationDestroy;
  functions.invocation_context_set_scheduling_info = SetScheduling;
  functions.invocation_context_set_options = SetOptions;
  functions.attach_input = AttachInput;
  functions.attach_output = AttachOutput;
  functions.detach_input = DetachInput;
  functions.detach_output = DetachOutput;
  functions.invoke = Variant("missing_functions") ? nullptr : Invoke;
  functions.start_metrics_collection = StartMetrics;
  functions.stop_metrics_collection = StopMetrics;
  functions.get_num_metrics = GetNumMetrics;
  functions.get_metric = Variant("no_metrics") ? nullptr : GetMetric;
  functions.destroy_metrics = DestroyMetrics;
  functions.check_runtime_compatibility =
      Variant("missing_functions") ? nullptr : CheckRuntimeCompatibility;
  return &functions;
}

}  // namespace

LiteRtStatus GetApi(LiteRtDispatchApi* api) {
  if (Variant("get_api_fails")) return kLiteRtStatusErrorRuntimeFailure;
  *api = {};
  api->version = {LITERT_API_VERSION_MAJOR, LITERT_API_VERSION_MINOR, LITERT_API_VERSION_PATCH};
  if (Variant("wrong_version")) api->version.patch = 1;
  if (!Variant("null_interface")) api->interface = Interface();
  if (kIsAsync) api->async_interface = AsyncInterface();
  return kLiteRtStatusOk;
}

}  // namespace npukit::test_dispatch

LiteRtStatus NpukitDispatchSetCompileSpecs(LiteRtDispatchDeviceContext,
                                           const NpukitCompileSpec* specs, size_t num_specs) {
  auto& known = npukit::test_dispatch::GlobalState()->specs;
  known.clear();
  for (size_t i = 0; i < num_specs; ++i) {
    if (std::string_view(specs[i].key) == "unknown") return kLiteRtStatusErrorUnsupported;
    known.emplace_back(specs[i].key);
  }
  return kLiteRtStatusOk;
}

extern "C" LITERT_CAPI_EXPORT npukit::test_dispatch::State* TestDispatchState() {
  return npukit::test_dispatch::GlobalState();
}
