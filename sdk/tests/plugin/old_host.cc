// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// sdk_old_host LIBRARY MODEL: runs the first dispatch op of a compiled model with a vendor's queried
// dispatch library under a host without custom events, synchronously and asynchronously. Ends well if an
// asynchronous run has ended when the call returns, says so by its events, and gives the same bytes. A
// library without asynchronous runs, as the template's, runs synchronously.

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/model/reading/model_reader.h"
#include "sdk/tests/plugin/host_without_custom_events.h"

namespace npukit {
namespace {

[[noreturn]] void End(const std::string& why) {
  std::fprintf(stderr, "sdk_old_host: %s\n", why.c_str());
  std::exit(1);
}

void Check(LiteRtStatus status, const char* call) {
  if (status != kLiteRtStatusOk) End(fmt::format("{} gave {}", call, static_cast<int>(status)));
}

struct Tables {
  LiteRtDispatchInterface basic = {};
  LiteRtDispatchAsyncInterface async = {};
  bool has_async = false;
};

Tables QueryTables(const char* path) {
  void* const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) End(dlerror());
  using Query = LiteRtStatus (*)(int32_t, LiteRtApiVersion, const void**);
  const auto query = reinterpret_cast<Query>(dlsym(library, "LiteRtDispatchQueryInterface"));
  if (query == nullptr) End(std::string(path) + " is not queried");
  const void* basic = nullptr;
  const void* async = nullptr;
  Check(query(0, {1, 0, 0}, &basic), "LiteRtDispatchQueryInterface(0)");
  const LiteRtStatus status = query(1, {1, 0, 0}, &async);
  Tables tables;
  constexpr size_t kHeader = sizeof(LiteRtAbiHeader);
  std::memcpy(&tables.basic, static_cast<const char*>(basic) + kHeader, sizeof(tables.basic));
  tables.has_async = status == kLiteRtStatusOk && async != nullptr;
  if (!tables.has_async && status != kLiteRtStatusErrorUnsupported)
    Check(status, "LiteRtDispatchQueryInterface(1)");
  if (tables.has_async)
    std::memcpy(&tables.async, static_cast<const char*>(async) + kHeader, sizeof(tables.async));
  return tables;
}

// The functions that get the host's table, as abi 2.2 has them.
template <typename Function, typename Member>
Function WithContext(Member member) {
  return reinterpret_cast<Function>(reinterpret_cast<void*>(member));
}

// A tensor's memory, registered with a device.
struct Port {
  std::unique_ptr<uint8_t, void (*)(void*)> memory{nullptr, std::free};
  size_t size_bytes = 0;
  LiteRtTensorBuffer buffer = nullptr;
  LiteRtTensorBufferHandle handle = 0;
};

Port MakePort(const Tensor& tensor, const Tables& tables, LiteRtDispatchDeviceContext device) {
  constexpr size_t kPage = 4096;
  Port port;
  port.size_bytes = DenseBytes(tensor.element_type, tensor.shape).value_or(0);
  const size_t room_bytes = (port.size_bytes / kPage + 1) * kPage;
  port.memory.reset(static_cast<uint8_t*>(std::aligned_alloc(kPage, room_bytes)));
  for (size_t i = 0; i < room_bytes; ++i) port.memory.get()[i] = static_cast<uint8_t>(i * 37 % 64);
  LiteRtRankedTensorType type = {};
  type.element_type = tensor.element_type;
  type.layout.rank = static_cast<unsigned int>(tensor.shape.size());
  std::copy(tensor.shape.begin(), tensor.shape.end(), type.layout.dimensions);
  Check(LiteRtCreateTensorBufferFromHostMemory(&type, port.memory.get(), port.size_bytes, nullptr,
                                               &port.buffer),
        "LiteRtCreateTensorBufferFromHostMemory");
  Check(tables.basic.register_tensor_buffer(device, port.buffer, &port.handle),
        "register_tensor_buffer");
  return port;
}

std::vector<uint8_t> BytesOf(const std::vector<Port>& ports) {
  std::vector<uint8_t> bytes;
  for (const Port& port : ports)
    bytes.insert(bytes.end(), port.memory.get(), port.memory.get() + port.size_bytes);
  return bytes;
}

// The outputs of an asynchronous run, which must be there when the call returns.
std::vector<uint8_t> RunAsync(const Tables& tables, LiteRtDispatchInvocationContext context,
                              const std::vector<Port>& outputs) {
  for (const Port& port : outputs) std::memset(port.memory.get(), 0, port.size_bytes);
  std::vector<LiteRtEvent> events(outputs.size());
  Check(tables.async.invoke_async(context, static_cast<int>(events.size()), events.data()),
        "invoke_async");
  std::vector<uint8_t> bytes = BytesOf(outputs);
  for (LiteRtEvent event : events) {
    bool is_signalled = false;
    if (event == nullptr) End("invoke_async gave no event");
    Check(LiteRtIsEventSignaled(event, &is_signalled), "LiteRtIsEventSignaled");
    if (!is_signalled) End("an event is not signalled though the run must have ended");
    Check(LiteRtWaitEvent(event, -1), "LiteRtWaitEvent");
    LiteRtDestroyEvent(event);
  }
  return bytes;
}

void Run(const Tables& tables, const Model& model, const Op& op) {
  const void* const host = HostWithoutCustomEvents();
  using Initialize = LiteRtStatus (*)(const void*, LiteRtEnvironment, LiteRtOptions);
  using CreateDevice = LiteRtStatus (*)(const void*, LiteRtOptions, LiteRtDispatchDeviceContext*);
  using Create =
      LiteRtStatus (*)(const void*, LiteRtDispatchDeviceContext, LiteRtDispatchExecutableType,
                       const void*, const char*, int, int, LiteRtDispatchInvocationContext*);
  Check(WithContext<Initialize>(tables.basic.initialize)(host, nullptr, nullptr), "initialize");
  LiteRtDispatchDeviceContext device = nullptr;
  Check(WithContext<CreateDevice>(tables.basic.device_context_create)(host, nullptr, &device),
        "device_context_create");
  std::vector<Port> inputs;
  std::vector<Port> outputs;
  for (const Tensor* tensor : op.inputs) inputs.push_back(MakePort(*tensor, tables, device));
  for (const Tensor* tensor : op.outputs) outputs.push_back(MakePort(*tensor, tables, device));
  const auto bytecode = model.buffers().Get(op.dispatch->bytecode).bytes;
  // LiteRtMemBuffer of abi 2.2 has a further member at its end.
  struct {
    LiteRtMemBuffer buffer;
    size_t alloc_base_file_offset;
  } memory = {{-1, bytecode.data(), 0, bytecode.size()}, 0};
  LiteRtDispatchInvocationContext context = nullptr;
  Check(WithContext<Create>(tables.basic.invocation_context_create)(
            host, device, kLiteRtDispatchExecutableTypeMlModel, &memory,
            op.dispatch->entry_point.c_str(), static_cast<int>(inputs.size()),
            static_cast<int>(outputs.size()), &context),
        "invocation_context_create");
  for (size_t i = 0; i < inputs.size(); ++i)
    Check(tables.basic.attach_input(context, static_cast<int>(i), inputs[i].handle),
          "attach_input");
  for (size_t i = 0; i < outputs.size(); ++i)
    Check(tables.basic.attach_output(context, static_cast<int>(i), outputs[i].handle),
          "attach_output");
  Check(tables.basic.invoke(context), "invoke");
  const std::vector<uint8_t> expected = BytesOf(outputs);
  for (int run = 0; tables.has_async && run < 3; ++run) {
    if (RunAsync(tables, context, outputs) != expected)
      End("an asynchronous run gives other bytes than a synchronous one");
  }
  Check(tables.basic.invocation_context_destroy(context), "invocation_context_destroy");
  for (std::vector<Port>* ports : {&inputs, &outputs}) {
    for (Port& port : *ports) {
      Check(tables.basic.unregister_tensor_buffer(device, port.handle), "unregister_tensor_buffer");
      LiteRtDestroyTensorBuffer(port.buffer);
    }
  }
  Check(tables.basic.device_context_destroy(device), "device_context_destroy");
  // Asked once whether there are such events at all, never in a run.
  if (times_asked > 1) End(fmt::format("asked {} times for custom events", times_asked));
}

}  // namespace
}  // namespace npukit

int main(int argc, char** argv) {
  using namespace npukit;
  if (argc != 3) End("expected a dispatch library and a compiled model");
  const Tables tables = QueryTables(argv[1]);
  const auto model = LoadModel(argv[2]);
  if (!model) End(model.Error().Message());
  for (const auto& op : (*model)->main_subgraph().ops()) {
    if (!op->is_dispatch()) continue;
    Run(tables, **model, *op);
    std::puts(tables.has_async ? "ok: without custom events" : "ok: without asynchronous runs");
    return 0;
  }
  End("the model has no dispatch op");
}
