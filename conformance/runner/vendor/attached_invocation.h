// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// An invocation that can run: guarded memory at each of its ports.

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_ATTACHED_INVOCATION_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_ATTACHED_INVOCATION_H_

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "conformance/runner/vendor/vendor_buffer.h"
#include "conformance/runner/vendor/vendor_invocation.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/dispatch/client/port_requirements.h"

namespace npukit::conformance {

// An output and the input whose buffer it has, by their numbers.
struct SharedPort {
  int output = 0;
  int input = 0;
};

// An invocation with buffers for all its ports. Where observations are judged it has no buffers, and
// its runs are those that were seen.
class AttachedInvocation {
 public:
  static litert::Expected<std::unique_ptr<AttachedInvocation>> Create(
      VendorInvocation& invocation, std::vector<DispatchPort> ports,
      GuardedMemory::At at = GuardedMemory::At::kEnd, std::span<const SharedPort> shared = {});
  ~AttachedInvocation();
  // Detaches and unregisters.
  litert::Expected<void> Close();

  // Values in port order, dense. Inputs can't be written while it runs.
  litert::Expected<std::vector<std::vector<uint8_t>>> Run(
      std::span<const std::vector<uint8_t>> inputs, uint8_t output_fill = 0x5a);
  // The two halves of it, around a run by other means.
  void WriteAll(std::span<const std::vector<uint8_t>> inputs, uint8_t output_fill = 0x5a);
  std::vector<std::vector<uint8_t>> ReadAll() const;
  litert::Expected<void> AttachAll();
  litert::Expected<void> DetachAll();
  // Empty if all guard bytes are intact; else "wrote past the end of output 0".
  litert::Expected<std::string> StrayWrite() const;

  struct Slot {
    DispatchPort port;
    PortRequirements requirements;
    std::unique_ptr<VendorBuffer> buffer;
    bool shares = false;  // its memory, an input with an output
    LiteRtTensorBufferHandle handle() const { return buffer == nullptr ? 0 : buffer->handle(); }
  };
  const std::vector<Slot>& slots() const { return slots_; }

 private:
  explicit AttachedInvocation(VendorInvocation& invocation) : invocation_(&invocation) {}
  litert::Expected<void> MakeBuffers(GuardedMemory::At at, std::span<const SharedPort> shared);
  // Null if the output has a buffer of its own.
  Slot* InputShared(const Slot& output, std::span<const SharedPort> shared);
  litert::Expected<void> AttachNow();
  litert::Expected<void> DetachNow();
  litert::Expected<void> CloseNow();
  std::string FindStrayWrite() const;
  // Of a run that was seen.
  litert::Expected<void> CheckSizes(const std::vector<std::vector<uint8_t>>& outputs) const;
  void Write(Slot& slot, std::span<const uint8_t> dense);
  std::vector<uint8_t> Read(const Slot& slot) const;

  VendorInvocation* invocation_;
  std::vector<Slot> slots_;
  bool attached_ = false;
};

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_ATTACHED_INVOCATION_H_
