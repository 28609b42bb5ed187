// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Mimic's own memory for tensor buffers, which the CPU sees in a copy, between lock and unlock. Brought
// by the dispatch library whose tables are queried.

#include <algorithm>
#include <vector>

#include "conformance/faulty_plugins/fault.h"
#include "conformance/faulty_plugins/mimic_objects.h"
#include "litert/c/litert_tensor_buffer.h"

namespace npukit::conformance::mimic {
namespace {

struct Block {
  HwMemoryInfo info = {};  // first: the host knows its address
  std::vector<uint8_t> bytes;
  std::vector<uint8_t> mapped;
};

Block& BlockOf(HwMemoryInfoPtr info) { return *reinterpret_cast<Block*>(info); }

LiteRtStatus Create(LiteRtGpuDeviceId, LiteRtGpuQueueId, const LiteRtRankedTensorType*,
                    LiteRtTensorBufferType, size_t bytes, size_t, HwMemoryInfoPtr* made) {
  auto* const block = new Block;
  block->bytes.resize(bytes);
  block->info.memory_handle = block;
  *made = &block->info;
  return kLiteRtStatusOk;
}

LiteRtStatus Destroy(HwMemoryInfoPtr info) {
  delete &BlockOf(info);
  return kLiteRtStatusOk;
}

LiteRtStatus Lock(HwMemoryInfoPtr info, LiteRtTensorBufferLockMode, void** address) {
  Block& block = BlockOf(info);
  block.mapped = block.bytes;
  if (Has(Fault::queried_memory_too_short)) {
    block.mapped.resize(block.bytes.size() / 2);
    block.mapped.shrink_to_fit();
  }
  *address = block.mapped.data();
  return kLiteRtStatusOk;
}

LiteRtStatus Unlock(HwMemoryInfoPtr info) {
  Block& block = BlockOf(info);
  if (!Has(Fault::queried_memory_lost)) block.bytes = block.mapped;
  return kLiteRtStatusOk;
}

LiteRtStatus Clear(HwMemoryInfoPtr info) {
  Block& block = BlockOf(info);
  if (!Has(Fault::queried_memory_uncleared)) std::ranges::fill(block.bytes, 0);
  return kLiteRtStatusOk;
}

}  // namespace

const LiteRtCustomTensorBufferHandlersDef& MemoryHandlers() {
  static const LiteRtCustomTensorBufferHandlersDef handlers = {
      .abi_header = {sizeof(LiteRtCustomTensorBufferHandlersDef), 1, 0, 0},
      .create_func = Create,
      .destroy_func = Destroy,
      .lock_func = Lock,
      .unlock_func = Has(Fault::queried_memory_without_unlock) ? nullptr : Unlock,
      .clear_func = Clear,
      .import_func = nullptr,
      .device_tag = kLiteRtEnvOptionTagNull,
      .queue_tag = kLiteRtEnvOptionTagNull,
      .num_supported_buffer_types = 1,
      .supported_buffer_types = {kOwnMemory}};
  return handlers;
}

uint8_t* AddressOf(LiteRtTensorBuffer buffer) {
  void* address = nullptr;
  if (LiteRtGetTensorBufferHostMemory(buffer, &address) == kLiteRtStatusOk)
    return static_cast<uint8_t*>(address);
  HwMemoryHandle handle = nullptr;
  if (LiteRtGetTensorBufferCustomTensorBufferHandle(buffer, &handle) != kLiteRtStatusOk)
    return nullptr;
  Block& block = *static_cast<Block*>(handle);
  // What was mapped last is not what the device sees.
  return Has(Fault::queried_memory_of_the_cpu) ? block.mapped.data() : block.bytes.data();
}

}  // namespace npukit::conformance::mimic
