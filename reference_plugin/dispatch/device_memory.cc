// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "reference_plugin/dispatch/device_memory.h"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <utility>

namespace acme::dispatch {
namespace {

constexpr size_t kPageBytes = 4096;

struct Free {
  void operator()(void* memory) const { std::free(memory); }
};

struct Block {
  HwMemoryInfo info = {};             // first: the host knows its address
  std::unique_ptr<void, Free> pages;  // none where they are imported, and stay their owner's
  size_t size_bytes = 0;
};

Block* BlockOf(HwMemoryInfoPtr info) { return reinterpret_cast<Block*>(info); }

HwMemoryInfoPtr Release(std::unique_ptr<Block> block, void* pages) {
  block->info = {.memory_handle = pages, .raw_handle = pages};
  return &block.release()->info;
}

LiteRtStatus Create(LiteRtGpuDeviceId, LiteRtGpuQueueId, const LiteRtRankedTensorType*,
                    LiteRtTensorBufferType type, size_t bytes, size_t packed_bytes,
                    HwMemoryInfoPtr* made) {
  if (made == nullptr || type != kDeviceMemory || bytes < packed_bytes ||
      bytes > std::numeric_limits<size_t>::max() - kPageBytes) {
    return kLiteRtStatusErrorInvalidArgument;
  }
  *made = nullptr;
  // aligned_alloc takes whole multiples of the alignment.
  const size_t pages = bytes / kPageBytes + 1;  // at least one
  auto block = std::make_unique<Block>();
  block->pages.reset(std::aligned_alloc(kPageBytes, pages * kPageBytes));
  if (block->pages == nullptr) return kLiteRtStatusErrorMemoryAllocationFailure;
  block->size_bytes = bytes;
  void* const address = block->pages.get();
  *made = Release(std::move(block), address);
  return kLiteRtStatusOk;
}

LiteRtStatus Import(LiteRtGpuDeviceId, LiteRtGpuQueueId, const LiteRtRankedTensorType*,
                    LiteRtTensorBufferType type, HwMemoryHandle memory, size_t bytes,
                    size_t packed_bytes, HwMemoryInfoPtr* made) {
  if (made == nullptr || memory == nullptr || type != kDeviceMemory || bytes < packed_bytes)
    return kLiteRtStatusErrorInvalidArgument;
  auto block = std::make_unique<Block>();
  block->size_bytes = bytes;
  *made = Release(std::move(block), memory);
  return kLiteRtStatusOk;
}

LiteRtStatus Destroy(HwMemoryInfoPtr info) {
  delete BlockOf(info);
  return kLiteRtStatusOk;
}

// The CPU sees the device's memory as it is: nothing is copied.
LiteRtStatus Lock(HwMemoryInfoPtr info, LiteRtTensorBufferLockMode, void** address) {
  if (info == nullptr || address == nullptr) return kLiteRtStatusErrorInvalidArgument;
  *address = info->memory_handle;
  return kLiteRtStatusOk;
}

LiteRtStatus Unlock(HwMemoryInfoPtr info) {
  return info != nullptr ? kLiteRtStatusOk : kLiteRtStatusErrorInvalidArgument;
}

LiteRtStatus Clear(HwMemoryInfoPtr info) {
  if (info == nullptr) return kLiteRtStatusErrorInvalidArgument;
  std::memset(info->memory_handle, 0, BlockOf(info)->size_bytes);
  return kLiteRtStatusOk;
}

}  // namespace

constexpr LiteRtCustomTensorBufferHandlersDef kDeviceMemoryHandlers = {
    .abi_header = {sizeof(LiteRtCustomTensorBufferHandlersDef), 1, 0, 0},
    .create_func = Create,
    .destroy_func = Destroy,
    .lock_func = Lock,
    .unlock_func = Unlock,
    .clear_func = Clear,
    .import_func = Import,
    .device_tag = kLiteRtEnvOptionTagNull,
    .queue_tag = kLiteRtEnvOptionTagNull,
    .num_supported_buffer_types = 1,
    .supported_buffer_types = {kDeviceMemory}};

void* DeviceAddress(HwMemoryHandle memory) { return memory; }

}  // namespace acme::dispatch
