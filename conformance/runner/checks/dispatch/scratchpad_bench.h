// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Functions of the library under test with the memory that they work in, which the kit brings.

#ifndef NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_SCRATCHPAD_BENCH_H_
#define NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_SCRATCHPAD_BENCH_H_

#include <cstdint>
#include <memory>
#include <string>

#include "conformance/runner/checks/partition_bench.h"
#include "conformance/runner/vendor/attached_invocation.h"
#include "conformance/runner/vendor/bytecode.h"
#include "conformance/runner/vendor/vendor_buffer.h"
#include "conformance/runner/vendor/vendor_device.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/dispatch/client/loaded_function.h"

namespace npukit::conformance::checks::dispatch {

// Why a check of scratchpads is passed over.
inline constexpr char kNoScratchpads[] = "the library reports no scratchpads";
inline constexpr char kNoNeed[] = "its functions need no scratchpad, or none of host memory";

// Told by the witness.
litert::Expected<bool> SeesScratchpads(const VendorDevice& device);

// A function of a partition's module, loaded by itself.
litert::Expected<std::unique_ptr<LoadedFunction>> LoadFunction(const VendorDevice& device,
                                                               const Bytecode& bytecode,
                                                               const std::string& entry_point);

// Null where the function needs none that a test can give it.
litert::Expected<std::unique_ptr<VendorBuffer>> MakeScratchpad(
    VendorDevice& device, const LoadedFunction& function,
    GuardedMemory::At at = GuardedMemory::At::kEnd);
void Fill(VendorBuffer& buffer, uint8_t value);
bool Holds(const VendorBuffer& buffer, uint8_t value);

// An invocation of a loaded function, with buffers at its ports. The scratchpad that was attached
// outlives it.
class ScratchpadRun {
 public:
  static litert::Expected<std::unique_ptr<ScratchpadRun>> Create(VendorDevice& device,
                                                                 LoadedFunction& function,
                                                                 const PartitionSource& source);
  litert::Expected<void> Close();

  AttachedInvocation& ports() { return *ports_; }
  const VendorInvocation& invocation() const { return *invocation_; }

 private:
  ScratchpadRun() = default;
  std::unique_ptr<VendorInvocation> invocation_;
  std::unique_ptr<AttachedInvocation> ports_;
};

}  // namespace npukit::conformance::checks::dispatch

#endif  // NPUKIT_CONFORMANCE_RUNNER_CHECKS_DISPATCH_SCRATCHPAD_BENCH_H_
