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
  Owned& owned = values_[index];
  if (owned.memory.bytes().size() < value.bytes.size()) {
    LITERT_ASSIGN_OR_RETURN(owned.memory,
                            AlignedMemory::Allocate(value.bytes.size(), kAlignmentBytes));
  }
  owned.shape.assign(value.shape.begin(), value.shape.end());
  owned.size_bytes = value.bytes.size();
  owned.is_set = true;
  if (owned.size_bytes != 0)
    std::memcpy(owned.memory.bytes().data(), value.bytes.data(), owned.size_bytes);
  return {};
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
