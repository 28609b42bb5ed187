// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#include "sdk/host/runtime/execution/owned_values.h"

#include <cstring>

#include "litert/cc/litert_macros.h"

namespace npukit {
namespace {

constexpr size_t kAlignmentBytes = 64;

}  // namespace

litert::Expected<void> OwnedValues::Set(size_t index, const PassedValue& value) {
  LITERT_ASSIGN_OR_RETURN(const std::span<uint8_t> bytes,
                          Resize(index, value.shape, value.bytes.size()));
  if (!bytes.empty()) std::memcpy(bytes.data(), value.bytes.data(), bytes.size());
  return {};
}

litert::Expected<std::span<uint8_t>> OwnedValues::Resize(size_t index,
                                                         std::span<const int32_t> shape,
                                                         size_t size_bytes) {
  Owned& owned = values_[index];
  if (owned.memory.bytes().size() < size_bytes) {
    LITERT_ASSIGN_OR_RETURN(owned.memory, AlignedMemory::Allocate(size_bytes, kAlignmentBytes));
  }
  owned.shape.assign(shape.begin(), shape.end());
  owned.size_bytes = size_bytes;
  owned.is_set = true;
  return owned.memory.bytes().first(size_bytes);
}

PassedValue OwnedValues::at(size_t index) const {
  const Output value = run_time_output(index);
  return {.shape = value.shape, .bytes = value.bytes};
}

RunTimeOutputs::Output OwnedValues::run_time_output(size_t index) const {
  const Owned& owned = values_[index];
  return {.shape = owned.shape,
          .bytes = owned.memory.bytes().first(owned.size_bytes),
          .is_set = owned.is_set};
}

}  // namespace npukit
