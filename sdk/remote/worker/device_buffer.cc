// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/remote/worker/device_buffer.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "litert/cc/litert_macros.h"
#include "sdk/host/c_api/buffers/event.h"
#include "sdk/host/c_api/buffers/tensor_buffer.h"
#include "sdk/remote/wire/frame.h"

namespace npukit::remote {

litert::Expected<std::unique_ptr<DeviceBuffer>> DeviceBuffer::Create(
    const LiteRtRankedTensorType& type, uint64_t size_bytes) {
  // What no message can carry.
  if (size_bytes > kMaxPayloadBytes / 2) {
    return litert::Unexpected(
        kLiteRtStatusErrorUnsupported,
        fmt::format("a buffer of {} bytes is larger than the {} that reach a device", size_bytes,
                    kMaxPayloadBytes / 2));
  }
  const auto page = static_cast<size_t>(sysconf(_SC_PAGESIZE));
  constexpr size_t kAlign = LITERT_HOST_MEMORY_BUFFER_ALIGNMENT;
  // The begin has to be aligned, too: of a size that is no multiple of that, a few bytes past the
  // end lie before the page that nobody may touch, and are found by nobody.
  const size_t aligned = std::max<size_t>((size_bytes + kAlign - 1) / kAlign * kAlign, kAlign);
  const size_t body = (aligned + page - 1) / page * page;
  std::unique_ptr<DeviceBuffer> made(new DeviceBuffer);
  void* const mapping =
      mmap(nullptr, body + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) {
    return litert::Unexpected(kLiteRtStatusErrorMemoryAllocationFailure,
                              fmt::format("the device has no {} bytes left", size_bytes));
  }
  made->mapping_ = mapping;
  made->mapping_bytes_ = body + page;
  auto* const begin = static_cast<uint8_t*>(mapping);
  mprotect(begin + body, page, PROT_NONE);
  made->bytes_ = {begin + body - aligned, static_cast<size_t>(size_bytes)};
  LITERT_RETURN_IF_ERROR(
      LiteRtCreateTensorBufferFromHostMemory(&type, made->bytes_.data(), made->bytes_.size(),
                                             /*deallocator=*/nullptr, &made->tensor_buffer_))
      << fmt::format("no tensor buffer of {} bytes of host memory", size_bytes);
  return made;
}

DeviceBuffer::~DeviceBuffer() {
  if (tensor_buffer_ != nullptr) {
    Unlock();
    std::vector<std::shared_ptr<KeptEvent>> ended;
    TakeEventAway(ended);
    LiteRtDestroyTensorBuffer(tensor_buffer_);
  }
  if (mapping_ != nullptr) munmap(mapping_, mapping_bytes_);
}

bool DeviceBuffer::Take(std::span<const uint8_t> contents) {
  if (contents.size() != bytes_.size()) return false;
  std::copy(contents.begin(), contents.end(), bytes_.begin());
  known_.assign(contents.begin(), contents.end());
  return true;
}

bool DeviceBuffer::HasNews() {
  if (std::equal(bytes_.begin(), bytes_.end(), known_.begin(), known_.end())) return false;
  known_.assign(bytes_.begin(), bytes_.end());
  return true;
}

void DeviceBuffer::Unlock() {
  while (num_locks_ > 0) {
    LiteRtUnlockTensorBuffer(tensor_buffer_);
    --num_locks_;
  }
}

// The buffer would end it, while it may still be waited for.
void DeviceBuffer::TakeEventAway(std::vector<std::shared_ptr<KeptEvent>>& ended) {
  if (event_ == nullptr) return;
  LiteRtEvent const set = tensor_buffer_->release_event();
  // Another one is the library's doing, which has ended this one.
  if (set != event_->event) {
    event_->event = nullptr;
    tensor_buffer_->set_event(set);
  }
  ended.push_back(std::move(event_));
}

litert::Expected<void> DeviceBuffer::SetState(int32_t lock, std::shared_ptr<KeptEvent> event,
                                              std::vector<std::shared_ptr<KeptEvent>>& ended) {
  constexpr int32_t kMaxLocks = 64;
  if (lock < -1 || lock > kMaxLocks) {
    return litert::Unexpected(kLiteRtStatusErrorInvalidArgument,
                              fmt::format("a buffer that is locked {} times", lock));
  }
  Unlock();
  // Before it is locked, which waits for the event of a buffer: here nobody may be kept waiting.
  TakeEventAway(ended);
  const bool is_write = lock < 0;
  for (int32_t i = 0; i < (is_write ? 1 : lock); ++i) {
    // The library's own lock may be in the way: then it has been found already that it takes one.
    if (!tensor_buffer_->TryLock(is_write ? kLiteRtTensorBufferLockModeWrite
                                          : kLiteRtTensorBufferLockModeRead)) {
      break;
    }
    ++num_locks_;
  }
  event_ = std::move(event);
  if (event_ == nullptr) return {};
  // One that the library has set, which the buffer would end.
  auto replaced = std::make_shared<KeptEvent>();
  replaced->event = tensor_buffer_->release_event();
  ended.push_back(std::move(replaced));
  tensor_buffer_->set_event(event_->event);
  return {};
}

}  // namespace npukit::remote
