// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values whose sizes only a run shows, in memory of their own.

#ifndef NPUKIT_SDK_HOST_RUNTIME_EXECUTION_OWNED_VALUES_H_
#define NPUKIT_SDK_HOST_RUNTIME_EXECUTION_OWNED_VALUES_H_

#include <cstdint>
#include <span>
#include <vector>

#include "litert/cc/litert_expected.h"
#include "sdk/host/runtime/plan/aligned_memory.h"
#include "sdk/host/runtime/plan/special_ops.h"

namespace npukit {

// A tensor that is passed.
struct PassedValue {
  std::span<const int32_t> shape;
  std::span<const uint8_t> bytes;
};

// Copies of values, each with room that grows as needed.
class OwnedValues final : public RunTimeOutputs {
 public:
  explicit OwnedValues(size_t count) : values_(count) {}

  litert::Expected<void> Set(size_t index, const PassedValue& value);
  // The memory of a value that the caller writes.
  litert::Expected<std::span<uint8_t>> Resize(size_t index, std::span<const int32_t> shape,
                                              size_t size_bytes);
  PassedValue at(size_t index) const;
  Output run_time_output(size_t index) const override;

 private:
  struct Owned {
    std::vector<int32_t> shape;
    AlignedMemory memory;
    size_t size_bytes = 0;
    bool is_set = false;
  };
  std::vector<Owned> values_;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_EXECUTION_OWNED_VALUES_H_
