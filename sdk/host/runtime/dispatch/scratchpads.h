// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The working memory of dispatch ops whose library lets the host bring it. Ops of a device that never
// run at the same time have one piece of memory in common, as long as the longest of them asks for.

#ifndef NPUKIT_SDK_HOST_RUNTIME_DISPATCH_SCRATCHPADS_H_
#define NPUKIT_SDK_HOST_RUNTIME_DISPATCH_SCRATCHPADS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/dispatch/dispatch_devices.h"
#include "sdk/host/runtime/plan/aligned_memory.h"
#include "sdk/host/runtime/plan/execution_plan.h"

namespace npukit {

// Which of the plan's steps have their scratchpad in common: a group's number for each of `steps`, which
// ascend, from 0. With `may_overlap` two steps share only if one works on what the other computes. Pure.
std::vector<size_t> GroupScratchpads(const ExecutionPlan& plan, const std::vector<size_t>& steps,
                                     bool may_overlap);

class Scratchpads {
 public:
  Scratchpads() = default;
  Scratchpads(const Scratchpads&) = delete;
  Scratchpads& operator=(const Scratchpads&) = delete;
  ~Scratchpads() { (void)Close(); }

  // Keeps the function that a step of the plan was loaded as; steps come in their order.
  void Add(size_t step, LoadedInvocation loaded);
  // Null: the step is not among them.
  LoadedFunction* FunctionOf(size_t step) const;

  // Allocates, registers and attaches what they need: an error if that is more than `max_bytes`. With
  // `async` what libraries run asynchronously may overlap.
  litert::Expected<void> Attach(const ExecutionPlan& plan, bool async, uint64_t max_bytes);
  // Of memory, once attached.
  uint64_t size_bytes() const { return size_bytes_; }

  // Unregisters all and unloads all, to the end. The invocations are closed.
  litert::Expected<void> Close();

 private:
  struct User {
    size_t step = 0;
    LoadedInvocation loaded;
    size_t piece = 0;
  };
  struct Piece {
    const DispatchLibrary* library = nullptr;
    const DispatchDevice* device = nullptr;
    PortRequirements requirements;  // that meet all its users'
    AlignedMemory memory;           // none where the buffer brings its own
    std::unique_ptr<BufferRegistration> buffer;
  };

  void Share(const ExecutionPlan& plan, bool async);
  static litert::Expected<void> Make(Piece& piece);

  std::vector<User> users_;
  std::vector<Piece> pieces_;
  uint64_t size_bytes_ = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_DISPATCH_SCRATCHPADS_H_
