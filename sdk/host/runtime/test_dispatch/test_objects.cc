// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/test_dispatch/test_objects.h"

#include <utility>

#include "litert/c/litert_tensor_buffer.h"

namespace npukit::test_dispatch {

State* GlobalState() {
  static State state;  // goes with the library: one that is refused is closed
  return &state;
}

bool Fault(const char* name) { return GlobalState()->fault == name; }

namespace {

// Of the texts in the state.
std::mutex& TextMutex() {
  static constinit std::mutex mutex;
  return mutex;
}

}  // namespace

void Log(std::string call) {
  const std::lock_guard lock(TextMutex());
  GlobalState()->calls.push_back(std::move(call));
}

LiteRtStatus Violation(std::string what) {
  const std::lock_guard lock(TextMutex());
  GlobalState()->violations.push_back(std::move(what));
  return kLiteRtStatusErrorInvalidArgument;
}

Living<LiteRtDispatchDeviceContext>& Devices() {
  static auto* const devices = new Living<LiteRtDispatchDeviceContext>;
  return *devices;
}

Living<LiteRtDispatchInvocationContext>& Invocations() {
  static auto* const invocations = new Living<LiteRtDispatchInvocationContext>;
  return *invocations;
}

namespace {

bool Collect(LiteRtDispatchInvocationContext context,
             const std::vector<LiteRtTensorBufferHandle>& handles, std::vector<PortMemory>& ports) {
  for (LiteRtTensorBufferHandle handle : handles) {
    if (handle == 0) return false;
    PortMemory port;
    LiteRtTensorBuffer buffer = context->device->buffers[handle].buffer;
    void* memory = nullptr;
    if (LiteRtGetTensorBufferHostMemory(buffer, &memory) != kLiteRtStatusOk) return false;
    LiteRtGetTensorBufferTensorType(buffer, &port.type);
    port.memory = static_cast<uint8_t*>(memory);
    ports.push_back(port);
  }
  return true;
}

}  // namespace

bool CollectPorts(LiteRtDispatchInvocationContext context, std::vector<PortMemory>& inputs,
                  std::vector<PortMemory>& outputs) {
  return Collect(context, context->inputs, inputs) && Collect(context, context->outputs, outputs);
}

}  // namespace npukit::test_dispatch
