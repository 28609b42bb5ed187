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

#include "litert/c/litert_model_types.h"
#include "litert/c/litert_tensor_buffer.h"
#include "litert/cc/litert_expected.h"

namespace npukit::remote {

class DeviceBuffer {
 public:
  static litert::Expected<std::unique_ptr<DeviceBuffer>> Create(const LiteRtRankedTensorType& type,
                                                                uint64_t size_bytes);
  ~DeviceBuffer();
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;

  std::span<uint8_t> bytes() const { return bytes_; }
  // Lent.
  LiteRtTensorBuffer tensor_buffer() const { return tensor_buffer_; }

  // Remembers what it holds; then whether that has changed.
  void Remember();
  bool HasChanged() const;

 private:
  DeviceBuffer() = default;
  void* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  std::span<uint8_t> bytes_;
  LiteRtTensorBuffer tensor_buffer_ = nullptr;
  std::vector<uint8_t> remembered_;
};

}  // namespace npukit::remote

#endif  // NPUKIT_SDK_REMOTE_WORKER_DEVICE_BUFFER_H_
