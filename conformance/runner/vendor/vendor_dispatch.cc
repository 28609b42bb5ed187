// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "conformance/runner/vendor/vendor_dispatch.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "conformance/runner/vendor/vendor_call.h"
#include "litert/c/litert_model.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/c/litert_tensor_buffer_requirements.h"
#include "litert/cc/litert_macros.h"
#include "sdk/host/runtime/dispatch/strided_copy.h"

namespace npukit::conformance {
namespace {

constexpr size_t kMaxBufferBytes = size_t{1} << 32;

std::string PortName(const VendorPort& port) {
  return fmt::format("{} {}", port.is_input ? "input" : "output", port.index);
}

litert::Expected<PortRequirements> ReadRequirements(LiteRtTensorBufferRequirements handle,
                                                    const std::string& call) {
  PortRequirements read;
  int num_types = 0;
  LITERT_RETURN_IF_ERROR(
      LiteRtGetNumTensorBufferRequirementsSupportedBufferTypes(handle, &num_types));
  bool host_memory = false;
  for (int i = 0; i < num_types; ++i) {
    LiteRtTensorBufferType type = kLiteRtTensorBufferTypeUnknown;
    LITERT_RETURN_IF_ERROR(
        LiteRtGetTensorBufferRequirementsSupportedTensorBufferType(handle, i, &type));
    host_memory = host_memory || type == kLiteRtTensorBufferTypeHostMemory;
  }
  if (!host_memory)
    return CallFailed(call + ": host memory is not among the supported kinds", kLiteRtStatusOk);
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsBufferSize(handle, &read.size_bytes));
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsAlignment(handle, &read.alignment_bytes));
  int num_strides = 0;
  const uint32_t* strides = nullptr;
  LITERT_RETURN_IF_ERROR(LiteRtGetTensorBufferRequirementsStrides(handle, &num_strides, &strides));
  if (num_strides > 0 && strides != nullptr)
    read.strides_elems.assign(strides, strides + num_strides);
  return read;
}

// Bytes that the port's elements reach with these strides.
size_t ReachBytes(const VendorPort& port, const PortRequirements& requirements) {
  if (requirements.strides_elems.empty()) return port.dense_bytes;
  size_t last_elem = 0;
  for (unsigned i = 0; i < port.type.layout.rank; ++i) {
    const auto dim = static_cast<size_t>(port.type.layout.dimensions[i]);
    if (dim == 0) return 0;
    last_elem += (dim - 1) * requirements.strides_elems[i];
  }
  return (last_elem + 1) * static_cast<size_t>(ElementBits(port.type.element_type)) / 8;
}

litert::Expected<void> CheckRequirements(const VendorPort& port,
                                         const PortRequirements& requirements,
                                         const std::string& call) {
  if (!requirements.strides_elems.empty() &&
      requirements.strides_elems.size() != port.type.layout.rank) {
    return CallFailed(call + ": as many strides as dimensions were expected", kLiteRtStatusOk);
  }
  const size_t needed = ReachBytes(port, requirements);
  if (requirements.size_bytes < needed) {
    return CallFailed(fmt::format("{}: asks for {} bytes, the tensor needs {}", call,
                                  requirements.size_bytes, needed),
                      kLiteRtStatusOk);
  }
  if (requirements.size_bytes > kMaxBufferBytes)
    return CallFailed(call + ": absurd size", kLiteRtStatusOk);
  if (requirements.alignment_bytes != 0 && !std::has_single_bit(requirements.alignment_bytes)) {
    return CallFailed(call + ": alignment is no power of two", kLiteRtStatusOk);
  }
  return {};
}

}  // namespace

litert::Expected<Bytecode> Bytecode::Create(std::span<const uint8_t> bytes, size_t offset_bytes) {
  LITERT_ASSIGN_OR_RETURN(GuardedMemory memory,
                          GuardedMemory::Allocate(bytes.size() + offset_bytes, 1));
  std::copy(bytes.begin(), bytes.end(),
            memory.bytes().begin() + static_cast<ptrdiff_t>(offset_bytes));
  memory.MakeReadOnly();
  LiteRtMemBuffer buffer = {};
  buffer.fd = -1;
  buffer.base_addr = memory.bytes().data();
  buffer.offset = offset_bytes;
  buffer.size = bytes.size();
  return Bytecode(std::move(memory), buffer);
}

// -- Device

litert::Expected<std::unique_ptr<VendorDevice>> VendorDevice::Create(
    std::shared_ptr<const DispatchLibrary> library) {
  std::unique_ptr<VendorDevice> device(new VendorDevice(std::move(library)));
  const LiteRtStatus status =
      VendorCall("device_context_create", device->functions().device_context_create,
                 device->library_->options(), &device->context_);
  if (status != kLiteRtStatusOk) device->context_ = nullptr;
  if (device->context_ == nullptr) return CallFailed("device_context_create", status);
  return device;
}

VendorDevice::~VendorDevice() { (void)Close(); }

litert::Expected<void> VendorDevice::Close() {
  if (context_ == nullptr) return {};
  const LiteRtStatus status =
      VendorCall("device_context_destroy", functions().device_context_destroy,
                 std::exchange(context_, nullptr));
  if (status != kLiteRtStatusOk) return CallFailed("device_context_destroy", status);
  return {};
}

// -- Buffer

litert::Expected<std::unique_ptr<VendorBuffer>> VendorBuffer::Create(
    VendorDevice& device, const LiteRtRankedTensorType& type, size_t size_bytes,
    size_t alignment_bytes) {
  const size_t alignment = std::max<size_t>(alignment_bytes, LITERT_HOST_MEMORY_BUFFER_ALIGNMENT);
  LITERT_ASSIGN_OR_RETURN(GuardedMemory memory, GuardedMemory::Allocate(size_bytes, alignment));
  std::unique_ptr<VendorBuffer> buffer(new VendorBuffer(device, std::move(memory)));
  LITERT_RETURN_IF_ERROR(
      LiteRtCreateTensorBufferFromHostMemory(&type, buffer->bytes().data(), size_bytes,
                                             /*deallocator=*/nullptr, &buffer->buffer_));
  const LiteRtStatus status =
      VendorCall("register_tensor_buffer", device.functions().register_tensor_buffer,
                 device.context(), buffer->buffer_, &buffer->handle_);
  if (status != kLiteRtStatusOk) return CallFailed("register_tensor_buffer", status);
  buffer->registered_ = true;
  return buffer;
}

VendorBuffer::~VendorBuffer() { (void)Close(); }

litert::Expected<void> VendorBuffer::Close() {
  litert::Expected<void> result;
  if (std::exchange(registered_, false)) {
    const LiteRtStatus status =
        VendorCall("unregister_tensor_buffer", device_->functions().unregister_tensor_buffer,
                   device_->context(), handle_);
    if (status != kLiteRtStatusOk) result = CallFailed("unregister_tensor_buffer", status);
  }
  if (buffer_ != nullptr) LiteRtDestroyTensorBuffer(std::exchange(buffer_, nullptr));
  return result;
}

litert::Expected<std::vector<VendorPort>> PortsOf(const Subgraph& body) {
  std::vector<VendorPort> ports;
  auto add = [&](Tensor* tensor, bool is_input, size_t index) -> litert::Expected<void> {
    VendorPort port{.tensor = tensor,
                    .is_input = is_input,
                    .index = static_cast<int>(index),
                    .type = {},
                    .dense_bytes = 0};
    LITERT_RETURN_IF_ERROR(LiteRtGetRankedTensorType(tensor, &port.type));
    const std::optional<uint64_t> dense = DenseBytes(tensor->element_type, tensor->shape);
    if (!dense) return litert::Unexpected(kLiteRtStatusErrorUnsupported, "a tensor without a size");
    port.dense_bytes = *dense;
    ports.push_back(port);
    return {};
  };
  for (size_t i = 0; i < body.inputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(add(body.inputs[i], true, i));
  for (size_t i = 0; i < body.outputs.size(); ++i)
    LITERT_RETURN_IF_ERROR(add(body.outputs[i], false, i));
  return ports;
}

// -- Invocation

litert::Expected<std::unique_ptr<VendorInvocation>> VendorInvocation::Create(
    VendorDevice& device, const LiteRtMemBuffer& bytecode, const char* entry_point,
    size_t num_inputs, size_t num_outputs) {
  std::unique_ptr<VendorInvocation> invocation(new VendorInvocation(device));
  const LiteRtStatus status = VendorCall(
      "invocation_context_create", device.functions().invocation_context_create, device.context(),
      kLiteRtDispatchExecutableTypeMlModel, &bytecode, entry_point, static_cast<int>(num_inputs),
      static_cast<int>(num_outputs), &invocation->context_);
  if (status != kLiteRtStatusOk) invocation->context_ = nullptr;
  if (invocation->context_ == nullptr) return CallFailed("invocation_context_create", status);
  return invocation;
}

std::unique_ptr<VendorInvocation> VendorInvocation::Adopt(VendorDevice& device,
                                                          LiteRtDispatchInvocationContext context) {
  std::unique_ptr<VendorInvocation> invocation(new VendorInvocation(device));
  invocation->context_ = context;
  return invocation;
}

VendorInvocation::~VendorInvocation() { (void)Close(); }

litert::Expected<void> VendorInvocation::Close() {
  if (context_ == nullptr) return {};
  const LiteRtStatus status =
      VendorCall("invocation_context_destroy", functions().invocation_context_destroy,
                 std::exchange(context_, nullptr));
  if (status != kLiteRtStatusOk) return CallFailed("invocation_context_destroy", status);
  return {};
}

litert::Expected<PortRequirements> VendorInvocation::Requirements(const VendorPort& port) const {
  LiteRtTensorBufferRequirements handle = nullptr;
  const std::string call = port.is_input ? "get_input_requirements" : "get_output_requirements";
  const LiteRtStatus status = VendorCall(
      call,
      port.is_input ? functions().get_input_requirements : functions().get_output_requirements,
      context_, port.index, &port.type, &handle);
  const std::string what = fmt::format("{}({})", call, port.index);
  if (status != kLiteRtStatusOk) return CallFailed(what, status);
  if (handle == nullptr) return CallFailed(what + ": no requirements", status);
  litert::Expected<PortRequirements> read = ReadRequirements(handle, what);
  LiteRtDestroyTensorBufferRequirements(handle);
  if (!read) return read;
  LITERT_RETURN_IF_ERROR(CheckRequirements(port, *read, what));
  return read;
}

LiteRtStatus VendorInvocation::Attach(const VendorPort& port,
                                      LiteRtTensorBufferHandle handle) const {
  return port.is_input
             ? VendorCall("attach_input", functions().attach_input, context_, port.index, handle)
             : VendorCall("attach_output", functions().attach_output, context_, port.index, handle);
}

LiteRtStatus VendorInvocation::Detach(const VendorPort& port,
                                      LiteRtTensorBufferHandle handle) const {
  return port.is_input
             ? VendorCall("detach_input", functions().detach_input, context_, port.index, handle)
             : VendorCall("detach_output", functions().detach_output, context_, port.index, handle);
}

LiteRtStatus VendorInvocation::Invoke() const {
  return VendorCall("invoke", functions().invoke, context_);
}

// -- Bound invocation

litert::Expected<std::unique_ptr<AttachedInvocation>> AttachedInvocation::Create(
    VendorInvocation& invocation, std::vector<VendorPort> ports) {
  std::unique_ptr<AttachedInvocation> attached(new AttachedInvocation(invocation));
  for (VendorPort& port : ports) {
    Slot slot;
    LITERT_ASSIGN_OR_RETURN(slot.requirements, invocation.Requirements(port));
    LITERT_ASSIGN_OR_RETURN(slot.buffer, VendorBuffer::Create(invocation.device(), port.type,
                                                              slot.requirements.size_bytes,
                                                              slot.requirements.alignment_bytes));
    slot.port = port;
    attached->slots_.push_back(std::move(slot));
  }
  LITERT_RETURN_IF_ERROR(attached->AttachAll());
  return attached;
}

AttachedInvocation::~AttachedInvocation() { (void)Close(); }

litert::Expected<void> AttachedInvocation::AttachAll() {
  for (Slot& slot : slots_) {
    if (slot.attached) continue;
    const LiteRtStatus status = invocation_->Attach(slot.port, slot.buffer->handle());
    if (status != kLiteRtStatusOk) return CallFailed("attaching " + PortName(slot.port), status);
    slot.attached = true;
  }
  return {};
}

litert::Expected<void> AttachedInvocation::DetachAll() {
  litert::Expected<void> result;
  for (Slot& slot : slots_) {
    if (!std::exchange(slot.attached, false)) continue;
    const LiteRtStatus status = invocation_->Detach(slot.port, slot.buffer->handle());
    if (status != kLiteRtStatusOk && result)
      result = CallFailed("detaching " + PortName(slot.port), status);
  }
  return result;
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
  if (slot.requirements.strides_elems.empty()) {
    std::copy_n(dense.begin(), std::min(dense.size(), memory.size()), memory.begin());
  } else {
    std::vector<uint8_t> copy(dense.begin(), dense.end());
    CopyStrided(StridedDirection::kFromDense, slot.port.tensor->shape,
                slot.requirements.strides_elems,
                static_cast<size_t>(ElementBits(slot.port.type.element_type)) / 8, copy, memory);
  }
  slot.written.assign(memory.begin(), memory.end());
}

std::vector<uint8_t> AttachedInvocation::Read(const Slot& slot) const {
  const std::span<uint8_t> memory = slot.buffer->bytes();
  std::vector<uint8_t> dense(slot.port.dense_bytes);
  if (slot.requirements.strides_elems.empty()) {
    std::copy_n(memory.begin(), dense.size(), dense.begin());
  } else {
    CopyStrided(StridedDirection::kToDense, slot.port.tensor->shape,
                slot.requirements.strides_elems,
                static_cast<size_t>(ElementBits(slot.port.type.element_type)) / 8, dense, memory);
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
  const LiteRtStatus status = invocation_->Invoke();
  if (status != kLiteRtStatusOk) return CallFailed("invoke", status);
  return ReadAll();
}

std::string AttachedInvocation::StrayWrite() const {
  for (const Slot& slot : slots_) {
    if (!slot.buffer->Intact()) return "memory around " + PortName(slot.port) + " was written to";
    const std::span<uint8_t> memory = slot.buffer->bytes();
    if (slot.port.is_input &&
        !std::equal(memory.begin(), memory.end(), slot.written.begin(), slot.written.end())) {
      return PortName(slot.port) + " was written to";
    }
  }
  return {};
}

}  // namespace npukit::conformance
