// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Constant bytes of a model. A model and the models sliced out of it share one store, so that a buffer id means the same
// bytes in all of them and weights are never copied.

#ifndef NPUKIT_SDK_HOST_MODEL_BUFFER_STORE_H_
#define NPUKIT_SDK_HOST_MODEL_BUFFER_STORE_H_

#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace npukit {

// Bytes and whatever keeps them alive (a mapped file, a vector). Immutable once in a store.
struct SharedBytes {
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;

  static SharedBytes Copy(std::span<const uint8_t> source);
  static SharedBytes Take(std::vector<uint8_t> source);
};

// Not thread-safe while buffers are added; reads are.
class BufferStore {
 public:
  using Id = uint32_t;
  static constexpr Id kEmpty = 0;  // the schema's sentinel: no bytes

  BufferStore() : buffers_(1) {}

  Id Add(SharedBytes bytes) {
    buffers_.push_back(std::move(bytes));
    return static_cast<Id>(buffers_.size() - 1);
  }
  // Unknown ids give the empty buffer.
  const SharedBytes& Get(Id id) const { return buffers_[id < buffers_.size() ? id : kEmpty]; }
  size_t size() const { return buffers_.size(); }

 private:
  std::vector<SharedBytes> buffers_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_BUFFER_STORE_H_
