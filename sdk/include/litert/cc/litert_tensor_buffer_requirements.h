// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_REQUIREMENTS_H_
#define ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_REQUIREMENTS_H_

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "litert/cc/internal/litert_span.h"
#include "litert/cc/litert_common.h"
#include "litert/cc/litert_expected.h"
#include "litert/cc/litert_tensor_buffer_types.h"

namespace litert {

// What a buffer must be for a device to use it: of one of these types (the
// first is preferred), of at least this size and alignment in bytes, with these
// strides in elements (none: dense).
class TensorBufferRequirements {
 public:
  TensorBufferRequirements() = default;

  static Expected<TensorBufferRequirements> Create(
      internal::Span<const TensorBufferType> buffer_types, size_t buffer_size,
      internal::Span<const uint32_t> strides = {}) {
    return CreateWithAlignment(buffer_types, buffer_size, kHostMemoryBufferAlignment, strides);
  }

  // `alignment` is a power of two.
  static Expected<TensorBufferRequirements> CreateWithAlignment(
      internal::Span<const TensorBufferType> buffer_types, size_t buffer_size, size_t alignment,
      internal::Span<const uint32_t> strides = {}) {
    if (buffer_types.empty()) {
      return Unexpected(Status::kErrorInvalidArgument, "no buffer type is given");
    }
    if (alignment == 0 || (alignment & (alignment - 1)) != 0) {
      return Unexpected(Status::kErrorInvalidArgument, "the alignment is not a power of two");
    }
    TensorBufferRequirements requirements;
    requirements.supported_types_.assign(buffer_types.begin(), buffer_types.end());
    requirements.buffer_size_ = buffer_size;
    requirements.strides_.assign(strides.begin(), strides.end());
    requirements.alignment_ = alignment;
    return requirements;
  }

  Expected<TensorBufferType> SupportedType(int index) const {
    if (index < 0 || static_cast<size_t>(index) >= supported_types_.size()) {
      return Unexpected(Status::kErrorInvalidArgument, "there are not so many buffer types");
    }
    return supported_types_[static_cast<size_t>(index)];
  }
  Expected<std::vector<TensorBufferType>> SupportedTypes() const { return supported_types_; }
  Expected<size_t> BufferSize() const { return buffer_size_; }
  Expected<internal::Span<const uint32_t>> Strides() const {
    return internal::Span<const uint32_t>(strides_);
  }
  Expected<size_t> Alignment() const { return alignment_; }

  // What satisfies both: the common types, in the order of the first; the
  // larger size and alignment. An error if there is no such buffer.
  friend Expected<TensorBufferRequirements> Join(const TensorBufferRequirements& a,
                                                 const TensorBufferRequirements& b) {
    if (a.strides_ != b.strides_) {
      return Unexpected(Status::kErrorInvalidArgument, "the strides differ");
    }
    std::vector<TensorBufferType> types;
    for (const TensorBufferType type : a.supported_types_) {
      const auto& other = b.supported_types_;
      if (std::find(other.begin(), other.end(), type) != other.end()) {
        types.push_back(type);
      }
    }
    return CreateWithAlignment(types, std::max(a.buffer_size_, b.buffer_size_),
                               std::max(a.alignment_, b.alignment_), a.strides_);
  }

 private:
  std::vector<TensorBufferType> supported_types_;
  size_t buffer_size_ = 0;
  std::vector<uint32_t> strides_;
  size_t alignment_ = 0;
};

}  // namespace litert

#endif  // ODML_LITERT_LITERT_CC_LITERT_TENSOR_BUFFER_REQUIREMENTS_H_
