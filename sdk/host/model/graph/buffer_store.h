// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Constant bytes of a model. A model and the models sliced out of it share one
// store, so that a buffer id means the same bytes in all of them and weights
// are never copied.

#ifndef NPUKIT_SDK_HOST_MODEL_GRAPH_BUFFER_STORE_H_
#define NPUKIT_SDK_HOST_MODEL_GRAPH_BUFFER_STORE_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace npukit {

// Bytes and whatever keeps them alive (a mapped file, a vector). Immutable once
// in a store.
struct SharedBytes {
  std::span<const uint8_t> bytes;
  std::shared_ptr<const void> owner;

  // Both give bytes at an address that suits every element type.
  static SharedBytes Copy(std::span<const uint8_t> source);
  static SharedBytes Take(std::vector<uint8_t> source);
};

// Not thread-safe while buffers are added; reads are.
//
// An empty buffer whose pointer is not null stands in the file as an empty
// vector; with null it stands as no vector.
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
  void Replace(Id id, SharedBytes bytes) { buffers_[id] = std::move(bytes); }  // a known one
  size_t size() const { return buffers_.size(); }

  // Whether the bytes lie behind the FlatBuffer in the file (found there, or to
  // be put there), as models beyond 2 GiB need it. False for new buffers and
  // unknown ids.
  bool IsOutside(Id id) const { return std::binary_search(outside_.begin(), outside_.end(), id); }
  void SetOutside(Id id, bool outside);

 private:
  std::vector<SharedBytes> buffers_;
  std::vector<Id> outside_;  // ascending
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_MODEL_GRAPH_BUFFER_STORE_H_
