// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/attached_invocation.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "conformance/runner/vendor/vendor_call.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/strided_copy.h"

namespace npukit::conformance {
namespace {

std::string PortName(const DispatchPort& port) {
  return fmt::format("{} {}", port.is_input ? "input" : "output", port.index);
}

std::span<const int32_t> DimsOf(const DispatchPort& port) {
  return {port.type.layout.dimensions, port.type.layout.rank};
}

size_t ElemBytes(const DispatchPort& port) {
  return static_cast<size_t>(ElementBits(port.type.element_type)) / 8;
}

}  // namespace

litert::Expected<std::unique_ptr<AttachedInvocation>> AttachedInvocation::Create(
    VendorInvocation& invocation, std::vector<DispatchPort> ports, GuardedMemory::At at) {
  std::unique_ptr<AttachedInvocation> attached(new AttachedInvocation(invocation));
  for (DispatchPort& port : ports) {
    Slot slot;
    LITERT_ASSIGN_OR_RETURN(slot.requirements, invocation.Requirements(port));
    LITERT_ASSIGN_OR_RETURN(
        slot.buffer,
        VendorBuffer::Create(invocation.device(), port.type, slot.requirements.size_bytes,
                             slot.requirements.alignment_bytes, at));
    slot.buffer->memory().SetName(PortName(port));
    slot.port = std::move(port);
    attached->slots_.push_back(std::move(slot));
  }
  LITERT_RETURN_IF_ERROR(attached->AttachAll());
  return attached;
}

AttachedInvocation::~AttachedInvocation() { (void)Close(); }

litert::Expected<void> AttachedInvocation::AttachAll() {
  attached_ = true;
  for (const Slot& slot : slots_)
    LITERT_RETURN_IF_ERROR(invocation_->Attach(slot.port, *slot.buffer));
  return {};
}

litert::Expected<void> AttachedInvocation::DetachAll() {
  // Other buffers may have taken the place of these.
  if (!std::exchange(attached_, false)) return {};
  return invocation_->DetachAll();
}

litert::Expected<void> AttachedInvocation::Close() {
  litert::Expected<void> result = DetachAll();
  for (Slot& slot : slots_) {
    litert::Expected<void> closed = slot.buffer->Close();
    if (!closed && result) result = closed;
  }
  slots_.clear();
  return result;
}

void AttachedInvocation::Write(Slot& slot, std::span<const uint8_t> dense) {
  const std::span<uint8_t> memory = slot.buffer->bytes();
  slot.buffer->memory().MakeWritable();
  if (slot.requirements.strides_elems.empty()) {
    std::copy_n(dense.begin(), std::min(dense.size(), memory.size()), memory.begin());
  } else {
    std::vector<uint8_t> copy(dense.begin(), dense.end());
    CopyStrided(StridedDirection::kFromDense, DimsOf(slot.port), slot.requirements.strides_elems,
                ElemBytes(slot.port), copy, memory);
  }
  slot.buffer->memory().MakeReadOnly();
}

std::vector<uint8_t> AttachedInvocation::Read(const Slot& slot) const {
  const std::span<uint8_t> memory = slot.buffer->bytes();
  std::vector<uint8_t> dense(slot.port.dense_bytes);
  if (slot.requirements.strides_elems.empty()) {
    std::copy_n(memory.begin(), dense.size(), dense.begin());
  } else {
    CopyStrided(StridedDirection::kToDense, DimsOf(slot.port), slot.requirements.strides_elems,
                ElemBytes(slot.port), dense, memory);
  }
  return dense;
}

void AttachedInvocation::WriteAll(std::span<const std::vector<uint8_t>> inputs,
                                  uint8_t output_fill) {
  for (Slot& slot : slots_) {
    if (slot.port.is_input) {
      Write(slot, inputs[static_cast<size_t>(slot.port.index)]);
    } else {
      std::fill(slot.buffer->bytes().begin(), slot.buffer->bytes().end(), output_fill);
    }
  }
}

std::vector<std::vector<uint8_t>> AttachedInvocation::ReadAll() const {
  std::vector<std::vector<uint8_t>> outputs;
  for (const Slot& slot : slots_) {
    if (!slot.port.is_input) outputs.push_back(Read(slot));
  }
  return outputs;
}

litert::Expected<std::vector<std::vector<uint8_t>>> AttachedInvocation::Run(
    std::span<const std::vector<uint8_t>> inputs, uint8_t output_fill) {
  WriteAll(inputs, output_fill);
  const LiteRtStatus status = invocation_->TryInvoke();
  if (status != kLiteRtStatusOk) return CallFailed("invoke", status);
  return ReadAll();
}

std::string AttachedInvocation::StrayWrite() const {
  for (const Slot& slot : slots_) {
    const std::string stray = slot.buffer->memory().StrayWrite();
    if (!stray.empty()) return stray + " " + PortName(slot.port);
  }
  return {};
}

}  // namespace npukit::conformance
