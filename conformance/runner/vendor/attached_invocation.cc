// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/attached_invocation.h"

#include <fmt/format.h>
#include <algorithm>
#include <utility>

#include "conformance/observation/evidence.h"
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
    VendorInvocation& invocation, std::vector<DispatchPort> ports, GuardedMemory::At at,
    std::span<const SharedPort> shared) {
  std::unique_ptr<AttachedInvocation> attached(new AttachedInvocation(invocation));
  for (DispatchPort& port : ports) {
    Slot slot;
    slot.port = std::move(port);
    attached->slots_.push_back(std::move(slot));
  }
  LITERT_RETURN_IF_ERROR(
      Witness::Get().ObserveStatus("buffers", [&] { return attached->MakeBuffers(at, shared); }));
  return attached;
}

AttachedInvocation::Slot* AttachedInvocation::InputShared(const Slot& output,
                                                          std::span<const SharedPort> shared) {
  for (const SharedPort& pair : shared) {
    if (output.port.is_input || output.port.index != pair.output) continue;
    const auto input = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
      return slot.port.is_input && slot.port.index == pair.input;
    });
    // As large, and no other output's.
    if (input == slots_.end() || input->shares || input->buffer == nullptr ||
        input->port.dense_bytes != output.port.dense_bytes ||
        input->requirements.size_bytes < output.requirements.size_bytes ||
        input->requirements.strides_elems != output.requirements.strides_elems)
      return nullptr;
    return &*input;
  }
  return nullptr;
}

litert::Expected<void> AttachedInvocation::MakeBuffers(GuardedMemory::At at,
                                                       std::span<const SharedPort> shared) {
  for (Slot& slot : slots_) {
    LITERT_ASSIGN_OR_RETURN(slot.requirements, invocation_->Requirements(slot.port));
    if (!slot.requirements.accepts_host_memory) {
      return litert::Unexpected(
          kLiteRtStatusErrorUnsupported,
          PortName(slot.port) + " does not accept host memory, which the kit has");
    }
    if (Slot* const input = InputShared(slot, shared); input != nullptr) {
      LITERT_ASSIGN_OR_RETURN(slot.buffer, VendorBuffer::Another(invocation_->device(),
                                                                 slot.port.type, *input->buffer));
      slot.shares = input->shares = true;
      continue;
    }
    LITERT_ASSIGN_OR_RETURN(
        slot.buffer,
        VendorBuffer::Create(invocation_->device(), slot.port.type, slot.requirements.size_bytes,
                             slot.requirements.alignment_bytes, at));
    slot.buffer->memory().SetName(PortName(slot.port));
  }
  return AttachNow();
}

AttachedInvocation::~AttachedInvocation() {
  Witness::Get().Unseen([&] { (void)CloseNow(); });
}

litert::Expected<void> AttachedInvocation::AttachNow() {
  attached_ = true;
  for (const Slot& slot : slots_)
    LITERT_RETURN_IF_ERROR(invocation_->Attach(slot.port, *slot.buffer));
  return {};
}

litert::Expected<void> AttachedInvocation::AttachAll() {
  return Witness::Get().ObserveStatus("attach all", [&] { return AttachNow(); });
}

litert::Expected<void> AttachedInvocation::DetachNow() {
  // Other buffers may have taken the place of these.
  if (!std::exchange(attached_, false)) return {};
  return invocation_->DetachAll();
}

litert::Expected<void> AttachedInvocation::DetachAll() {
  return Witness::Get().ObserveStatus("detach all", [&] { return DetachNow(); });
}

litert::Expected<void> AttachedInvocation::Close() {
  return Witness::Get().ObserveStatus("close", [&] { return CloseNow(); });
}

litert::Expected<void> AttachedInvocation::CloseNow() {
  litert::Expected<void> result = DetachNow();
  for (Slot& slot : slots_) {
    if (slot.buffer == nullptr) continue;  // its making failed
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
  // A library that writes to its inputs crashes there, at the write.
  if (!slot.shares) slot.buffer->memory().MakeReadOnly();
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
    } else if (!slot.shares) {
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
  using Outputs = std::vector<std::vector<uint8_t>>;
  LITERT_ASSIGN_OR_RETURN(
      Outputs outputs, Witness::Get().Observe<Outputs>("run", [&]() -> litert::Expected<Outputs> {
        WriteAll(inputs, output_fill);
        const LiteRtStatus status = invocation_->TryInvoke();
        if (status != kLiteRtStatusOk) return CallFailed("invoke", status);
        return ReadAll();
      }));
  LITERT_RETURN_IF_ERROR(CheckSizes(outputs));
  return outputs;
}

litert::Expected<void> AttachedInvocation::CheckSizes(
    const std::vector<std::vector<uint8_t>>& outputs) const {
  size_t next = 0;
  bool fits = true;
  for (const Slot& slot : slots_) {
    if (slot.port.is_input) continue;
    fits = fits && next < outputs.size() && outputs[next].size() == slot.port.dense_bytes;
    ++next;
  }
  if (fits && next == outputs.size()) return {};
  constexpr char kProblem[] = "a run gave outputs of other sizes than its ports have";
  Witness::Get().Doubt(kProblem);
  return litert::Unexpected(kLiteRtStatusErrorRuntimeFailure, kProblem);
}

litert::Expected<std::string> AttachedInvocation::StrayWrite() const {
  return Witness::Get().Observe<std::string>(
      "memory around buffers", [&]() -> litert::Expected<std::string> { return FindStrayWrite(); });
}

std::string AttachedInvocation::FindStrayWrite() const {
  for (const Slot& slot : slots_) {
    const std::string stray = slot.buffer->memory().StrayWrite();
    if (!stray.empty()) return stray + " " + PortName(slot.port);
  }
  return {};
}

}  // namespace npukit::conformance
