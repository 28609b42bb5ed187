// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_INTERNAL_DISPATCH_RUN_MEMORY_H_
#define NPUKIT_INTERNAL_DISPATCH_RUN_MEMORY_H_

// All the tensor buffers of one run of an invocation, and their memory.

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "litert/c/litert_common.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_macros.h"
#include "npukit/device.h"
#include "npukit/internal/dispatch/attached_buffers.h"
#include "npukit/internal/handle_table.h"
#include "npukit/internal/namespace.h"

NPUKIT_NAMESPACE_BEGIN
namespace internal {

struct RunMemory {
  std::vector<BufferMemory> inputs;
  std::vector<BufferMemory> outputs;
  std::vector<BufferMemory> edges;  // inner ones of a graph
  std::vector<BufferMemory> scratchpads;

  template <class View>
  static std::vector<View> Views(const std::vector<BufferMemory>& all) {
    std::vector<View> views;
    for (const BufferMemory& memory : all) views.push_back(memory.template As<View>());
    return views;
  }

  std::vector<ScratchpadView> ScratchpadViews() const {
    std::vector<ScratchpadView> views;
    for (const BufferMemory& memory : scratchpads) {
      views.push_back({static_cast<uint8_t*>(memory.data), memory.size_bytes, memory.registration});
    }
    return views;
  }

  // For HoldAll.
  std::vector<std::shared_ptr<std::mutex>> InUse() const {
    std::vector<std::shared_ptr<std::mutex>> all;
    for (const BufferMemory& memory : scratchpads) all.push_back(memory.in_use);
    return all;
  }
};

struct HeldMutex {
  std::shared_ptr<std::mutex> mutex;
  std::unique_lock<std::mutex> lock;
};

// Keeps others from scratchpads, which hosts may share between invocations, for as long as what is
// returned lives.
inline std::vector<HeldMutex> HoldAll(std::vector<std::shared_ptr<std::mutex>> all) {
  std::sort(all.begin(), all.end());  // in one order, so that nobody waits for each other
  all.erase(std::unique(all.begin(), all.end()), all.end());
  std::vector<HeldMutex> held;
  for (auto& mutex : all) {
    std::unique_lock<std::mutex> lock(*mutex);
    held.push_back({std::move(mutex), std::move(lock)});
  }
  return held;
}

// What is attached for a run.
struct RunBindings {
  Bindings inputs;
  Bindings outputs;
  Bindings edges;
  Bindings scratchpads;

  // For a run that ends before the caller goes on, while `locks` lives. All but the scratchpads: a lock
  // may wait for the event of a run that needs these.
  ::litert::Expected<RunMemory> Lock(const HandleTable<RegisteredBuffer>& buffers,
                                     std::vector<LockedBuffer>& locks) const {
    RunMemory memory;
    const auto lock = [&](const Bindings& side, LiteRtTensorBufferLockMode mode,
                          std::vector<BufferMemory>& to) -> ::litert::Expected<void> {
      LITERT_ASSIGN_OR_RETURN(std::vector<LockedBuffer> locked, side.LockAll(buffers, mode));
      for (LockedBuffer& one : locked) {
        to.push_back(one.memory());
        locks.push_back(std::move(one));
      }
      return {};
    };
    LITERT_RETURN_IF_ERROR(lock(inputs, kLiteRtTensorBufferLockModeRead, memory.inputs));
    LITERT_RETURN_IF_ERROR(lock(outputs, kLiteRtTensorBufferLockModeWrite, memory.outputs));
    LITERT_RETURN_IF_ERROR(lock(edges, kLiteRtTensorBufferLockModeReadWrite, memory.edges));
    return memory;
  }

  // For HoldAll: before scratchpads are locked, which one run can do at a time.
  std::vector<std::shared_ptr<std::mutex>> InUse(
      const HandleTable<RegisteredBuffer>& buffers) const {
    std::vector<std::shared_ptr<std::mutex>> all;
    for (const uint64_t handle : scratchpads.handles()) {
      if (const auto registered = buffers.Find(handle)) all.push_back(registered->in_use);
    }
    return all;
  }

  // For a run that goes on after the call; nullopt if a buffer lies where only a lock tells.
  ::litert::Expected<std::optional<RunMemory>> Memory(const HandleTable<RegisteredBuffer>& buffers,
                                                      const Device& device) const {
    RunMemory memory;
    bool is_known = true;
    const std::pair<const Bindings*, std::vector<BufferMemory>*> sides[] = {
        {&inputs, &memory.inputs},
        {&outputs, &memory.outputs},
        {&edges, &memory.edges},
        {&scratchpads, &memory.scratchpads}};
    for (const auto& [side, to] : sides) {
      LITERT_ASSIGN_OR_RETURN(auto known, side->Memory(buffers, device));
      is_known = is_known && known.has_value();
      if (known) *to = std::move(*known);
    }
    if (!is_known) return std::optional<RunMemory>();
    return std::optional<RunMemory>(std::move(memory));
  }

  // For who must keep it.
  void AddTo(std::vector<std::shared_ptr<void>>& all,
             const HandleTable<RegisteredBuffer>& buffers) const {
    for (const Bindings* side : {&inputs, &outputs, &edges, &scratchpads})
      side->AddTo(all, buffers);
  }

  // Nodes may have one in common, which is locked once.
  ::litert::Expected<void> LockScratchpads(const HandleTable<RegisteredBuffer>& buffers,
                                           std::vector<LockedBuffer>& locks,
                                           std::vector<BufferMemory>& memory) const {
    std::vector<uint64_t> distinct = scratchpads.handles();
    std::sort(distinct.begin(), distinct.end());
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    LITERT_ASSIGN_OR_RETURN(
        std::vector<LockedBuffer> locked,
        Bindings("scratchpad", distinct).LockAll(buffers, kLiteRtTensorBufferLockModeReadWrite));
    for (const uint64_t handle : scratchpads.handles()) {
      const auto at = std::lower_bound(distinct.begin(), distinct.end(), handle);
      memory.push_back(locked[static_cast<size_t>(at - distinct.begin())].memory());
    }
    for (LockedBuffer& one : locked) locks.push_back(std::move(one));
    return {};
  }
};

}  // namespace internal
NPUKIT_NAMESPACE_END

#endif  // NPUKIT_INTERNAL_DISPATCH_RUN_MEMORY_H_
