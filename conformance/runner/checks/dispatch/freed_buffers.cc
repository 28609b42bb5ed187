// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/checks/dispatch/freed_buffers.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_macros.h"

namespace npukit::conformance {
namespace {

constexpr uint8_t kSpoilt = 0xdb;

// A deallocator gets an address and nothing else. On the library's thread, perhaps.
std::mutex mutex;
struct Memory {
  size_t size_bytes = 0;
  std::vector<uint8_t> at_the_end;
  bool is_freed = false;
};
std::map<void*, Memory> in_use;

void PutAside(void* address) {
  const std::lock_guard lock(mutex);
  const auto found = in_use.find(address);
  if (found == in_use.end()) return;
  auto* const bytes = static_cast<uint8_t*>(address);
  found->second.at_the_end.assign(bytes, bytes + found->second.size_bytes);
  found->second.is_freed = true;
  std::fill_n(bytes, found->second.size_bytes, kSpoilt);
}

}  // namespace

struct FreedBuffers::Buffer {
  explicit Buffer(DispatchPort of_port, GuardedMemory of_memory)
      : port(std::move(of_port)), memory(std::move(of_memory)) {
    const std::lock_guard lock(mutex);
    in_use[memory.bytes().data()] = {.size_bytes = memory.bytes().size(), .at_the_end = {}};
  }
  ~Buffer() {
    // While `in_use` knows the memory: the deallocator looks there.
    LetGo();
    const std::lock_guard lock(mutex);
    in_use.erase(memory.bytes().data());
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;

  void LetGo() {
    if (buffer != nullptr) LiteRtDestroyTensorBuffer(std::exchange(buffer, nullptr));
  }

  const DispatchPort port;
  GuardedMemory memory;
  LiteRtTensorBuffer buffer = nullptr;
  LiteRtTensorBufferHandle handle = 0;
  bool is_registered = false;
  bool is_attached = false;
};

FreedBuffers::FreedBuffers(const VendorInvocation& invocation) : invocation_(invocation) {}

litert::Expected<std::unique_ptr<FreedBuffers>> FreedBuffers::Attach(
    const VendorInvocation& invocation, const AttachedInvocation& model) {
  std::unique_ptr<FreedBuffers> made(new FreedBuffers(invocation));
  for (const AttachedInvocation::Slot& slot : model.slots())
    LITERT_RETURN_IF_ERROR(made->Add(slot));
  return made;
}

litert::Expected<void> FreedBuffers::Add(const AttachedInvocation::Slot& slot) {
  const std::span<const uint8_t> values = slot.buffer->bytes();
  const size_t alignment =
      std::max<size_t>(slot.requirements.alignment_bytes, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT);
  // An address is that of one buffer, though the tensor may have no elements.
  LITERT_ASSIGN_OR_RETURN(GuardedMemory memory,
                          GuardedMemory::Allocate(std::max<size_t>(values.size(), 1), alignment));
  std::copy(values.begin(), values.end(), memory.bytes().begin());
  memory.SetName(slot.port.is_input ? "an input" : "an output");
  buffers_.push_back(std::make_unique<Buffer>(slot.port, std::move(memory)));
  Buffer& added = *buffers_.back();
  LITERT_RETURN_IF_ERROR(LiteRtCreateTensorBufferFromHostMemory(
      &added.port.type, added.memory.bytes().data(), values.size(), PutAside, &added.buffer));
  const LiteRtStatus registered =
      VendorCall("register_tensor_buffer", invocation_.functions().register_tensor_buffer,
                 invocation_.device().context(), added.buffer, &added.handle);
  if (registered != kLiteRtStatusOk) return CallFailed("register_tensor_buffer", registered);
  added.is_registered = true;
  const LiteRtStatus attached = invocation_.TryAttach(added.port, added.handle);
  if (attached != kLiteRtStatusOk) return CallFailed("attach_input or attach_output", attached);
  added.is_attached = true;
  return {};
}

FreedBuffers::~FreedBuffers() {
  (void)Detach();
  (void)Unregister();
}

litert::Expected<void> FreedBuffers::Detach() {
  litert::Expected<void> result;
  for (const auto& buffer : buffers_) {
    if (!std::exchange(buffer->is_attached, false)) continue;
    const LiteRtStatus detached = invocation_.TryDetach(buffer->port, buffer->handle);
    if (detached != kLiteRtStatusOk) result = CallFailed("detach_input or detach_output", detached);
  }
  return result;
}

void FreedBuffers::LetGo() {
  for (const auto& buffer : buffers_) buffer->LetGo();
}

litert::Expected<void> FreedBuffers::Unregister() {
  litert::Expected<void> result;
  for (const auto& buffer : buffers_) {
    if (!std::exchange(buffer->is_registered, false)) continue;
    const LiteRtStatus status =
        VendorCall("unregister_tensor_buffer", invocation_.functions().unregister_tensor_buffer,
                   invocation_.device().context(), buffer->handle);
    if (status != kLiteRtStatusOk) result = CallFailed("unregister_tensor_buffer", status);
  }
  return result;
}

void FreedBuffers::CopyTo(const AttachedInvocation& model) {
  const std::lock_guard lock(mutex);
  for (size_t i = 0; i < buffers_.size(); ++i) {
    if (buffers_[i]->port.is_input) continue;
    const std::span<const uint8_t> now = buffers_[i]->memory.bytes();
    const Memory& memory = in_use[buffers_[i]->memory.bytes().data()];
    const std::span<const uint8_t> values = memory.is_freed ? memory.at_the_end : now;
    const std::span<uint8_t> to = model.slots()[i].buffer->bytes();
    std::copy_n(values.begin(), std::min(values.size(), to.size()), to.begin());
  }
}

}  // namespace npukit::conformance
