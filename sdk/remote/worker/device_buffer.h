// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Host memory of the device that stands for memory of the desk: its end lies against a page that
// nobody may touch, so that a library that reads or writes past the end crashes there.

#ifndef NPUKIT_SDK_REMOTE_WORKER_DEVICE_BUFFER_H_
#define NPUKIT_SDK_REMOTE_WORKER_DEVICE_BUFFER_H_

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "litert/c/litert_event.h"
#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_expected.h"

namespace npukit::remote {

// An output event of the library's.
struct KeptEvent {
  ~KeptEvent() {
    if (event != nullptr) LiteRtDestroyEvent(event);
  }
  LiteRtEvent event = nullptr;
};

// Its memory is whoever's uses it; the rest is not thread-safe.
class DeviceBuffer {
 public:
  static litert::Expected<std::unique_ptr<DeviceBuffer>> Create(const LiteRtRankedTensorType& type,
                                                                uint64_t size_bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  std::span<uint8_t> bytes() const { return bytes_; }
  // The worker's, for the desk.
  uint64_t number() const { return number_; }
  void set_number(uint64_t number) { number_ = number; }
  // Lent.
  LiteRtTensorBuffer tensor_buffer() const { return tensor_buffer_; }

  // What the desk has written. False: it is of another size.
  bool Take(std::span<const uint8_t> contents);
  // Whether it holds what the desk does not know; it is told now.
  bool HasNews();
  // Locks as the application's are at the desk, and `event`, which may be null, is set on it. What was set on it goes to
  // `ended`: its end may be the library's own function, which is for the caller to choose a moment for. Error: there is
  // no end to the locks.
  litert::Expected<void> SetState(int32_t lock, std::shared_ptr<KeptEvent> event,
                                  std::vector<std::shared_ptr<KeptEvent>>& ended);

 private:
  DeviceBuffer() = default;
  void Unlock();
  void TakeEventAway(std::vector<std::shared_ptr<KeptEvent>>& ended);
  void* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  std::span<uint8_t> bytes_;
  LiteRtTensorBuffer tensor_buffer_ = nullptr;
  std::vector<uint8_t> known_;  // to the desk
  int32_t num_locks_ = 0;
  std::shared_ptr<KeptEvent> event_;  // that is set on it
  uint64_t number_ = 0;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_DEVICE_BUFFER_H_
