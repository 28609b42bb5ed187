// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The dispatch library under test, through its own table. Objects close in the reverse order of
// their making, which is the order that the API asks for.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_DISPATCH_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_DISPATCH_H_

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/vendor/guarded_memory.h"
#include "litert/cc/litert_expected.h"
#include "litert/vendors/c/litert_dispatch_api.h"
#include "sdk/host/model/graph/model.h"
#include "sdk/host/runtime/dispatch/client/port_requirements.h"
#include "sdk/host/runtime/dispatch/dispatch_library.h"

namespace npukit::conformance {

// Where bytecode lies: `offset_bytes` behind the base address of its LiteRtMemBuffer. Read-only for
// the vendor.
class Bytecode {
 public:
  static litert::Expected<Bytecode> Create(std::span<const uint8_t> bytes, size_t offset_bytes = 0);
  const LiteRtMemBuffer& buffer() const { return buffer_; }

 private:
  Bytecode(GuardedMemory memory, const LiteRtMemBuffer& buffer)
      : memory_(std::move(memory)), buffer_(buffer) {}
  GuardedMemory memory_;
  LiteRtMemBuffer buffer_;
};

class VendorDevice {
 public:
  static litert::Expected<std::unique_ptr<VendorDevice>> Create(
      std::shared_ptr<const DispatchLibrary> library);
  ~VendorDevice();
  litert::Expected<void> Close();

  const LiteRtDispatchInterface& functions() const { return library_->functions(); }
  const DispatchLibrary& library() const { return *library_; }
  LiteRtDispatchDeviceContext context() const { return context_; }

 private:
  explicit VendorDevice(std::shared_ptr<const DispatchLibrary> library)
      : library_(std::move(library)) {}
  std::shared_ptr<const DispatchLibrary> library_;
  LiteRtDispatchDeviceContext context_ = nullptr;
};

// Guarded host memory as a tensor buffer, registered with a device.
class VendorBuffer {
 public:
  static litert::Expected<std::unique_ptr<VendorBuffer>> Create(VendorDevice& device,
                                                                const LiteRtRankedTensorType& type,
                                                                size_t size_bytes,
                                                                size_t alignment_bytes);
  ~VendorBuffer();
  litert::Expected<void> Close();

  std::span<uint8_t> bytes() const { return memory_.bytes(); }
  LiteRtTensorBufferHandle handle() const { return handle_; }
  bool Intact() const { return memory_.Intact(); }

 private:
  VendorBuffer(VendorDevice& device, GuardedMemory memory)
      : device_(&device), memory_(std::move(memory)) {}
  VendorDevice* device_;
  GuardedMemory memory_;
  LiteRtTensorBuffer buffer_ = nullptr;
  LiteRtTensorBufferHandle handle_ = 0;
  bool registered_ = false;
};

// An input or output of a partition.
struct VendorPort {
  const Tensor* tensor = nullptr;
  bool is_input = false;
  int index = 0;
  LiteRtRankedTensorType type = {};
  size_t dense_bytes = 0;
};
litert::Expected<std::vector<VendorPort>> PortsOf(const Subgraph& body);

// A loaded partition without buffers.
class VendorInvocation {
 public:
  // The numbers of ports may be wrong on purpose; a null entry point too.
  static litert::Expected<std::unique_ptr<VendorInvocation>> Create(VendorDevice& device,
                                                                    const LiteRtMemBuffer& bytecode,
                                                                    const char* entry_point,
                                                                    size_t num_inputs,
                                                                    size_t num_outputs);
  // Takes over a context that was made otherwise.
  static std::unique_ptr<VendorInvocation> Adopt(VendorDevice& device,
                                                 LiteRtDispatchInvocationContext context);
  ~VendorInvocation();
  litert::Expected<void> Close();

  const LiteRtDispatchInterface& functions() const { return device_->functions(); }
  VendorDevice& device() const { return *device_; }
  LiteRtDispatchInvocationContext context() const { return context_; }

  litert::Expected<PortRequirements> Requirements(const VendorPort& port) const;
  LiteRtStatus Attach(const VendorPort& port, LiteRtTensorBufferHandle handle) const;
  LiteRtStatus Detach(const VendorPort& port, LiteRtTensorBufferHandle handle) const;
  LiteRtStatus Invoke() const;

 private:
  explicit VendorInvocation(VendorDevice& device) : device_(&device) {}
  VendorDevice* device_;
  LiteRtDispatchInvocationContext context_ = nullptr;
};

// A invocation with buffers for all its ports.
class AttachedInvocation {
 public:
  static litert::Expected<std::unique_ptr<AttachedInvocation>> Create(
      VendorInvocation& invocation, std::vector<VendorPort> ports);
  ~AttachedInvocation();
  // Detaches and unregisters.
  litert::Expected<void> Close();

  // Values in port order, dense.
  litert::Expected<std::vector<std::vector<uint8_t>>> Run(
      std::span<const std::vector<uint8_t>> inputs, uint8_t output_fill = 0x5a);
  // The two halves of it, around a run by other means.
  void WriteAll(std::span<const std::vector<uint8_t>> inputs, uint8_t output_fill = 0x5a);
  std::vector<std::vector<uint8_t>> ReadAll() const;
  litert::Expected<void> AttachAll();
  litert::Expected<void> DetachAll();
  // Inputs still hold what Run wrote, and nobody wrote around any buffer; otherwise says which.
  std::string StrayWrite() const;

  struct Slot {
    VendorPort port;
    PortRequirements requirements;
    std::unique_ptr<VendorBuffer> buffer;
    std::vector<uint8_t> written;  // of inputs: the buffer's bytes as Run left them
    bool attached = false;
  };
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  explicit AttachedInvocation(VendorInvocation& invocation) : invocation_(&invocation) {}
  void Write(Slot& slot, std::span<const uint8_t> dense);
  std::vector<uint8_t> Read(const Slot& slot) const;

  VendorInvocation* invocation_;
  std::vector<Slot> slots_;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_VENDOR_DISPATCH_H_
