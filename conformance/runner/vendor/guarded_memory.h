// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Memory between two pages that can't be touched, its end as near to the second as the alignment
// allows, or its start at the first; the gap is filled with a pattern that is looked at later. A
// write beyond either end crashes at once or shows afterwards. Crashes are told with the memory's
// name (process/guarded_regions.h).

#ifndef NPUKIT_CONFORMANCE_RUNNER_VENDOR_GUARDED_MEMORY_H_
#define NPUKIT_CONFORMANCE_RUNNER_VENDOR_GUARDED_MEMORY_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "conformance/runner/process/guarded_regions.h"
#include "litert/cc/litert_expected.h"
#include "sdk/host/model/graph/model.h"

namespace npukit::conformance {

class GuardedMemory {
 public:
  // Which page the bytes lie at.
  enum class At { kEnd, kStart };

  // `offset_bytes` moves the start off its alignment; with At::kEnd only.
  static litert::Expected<GuardedMemory> Allocate(size_t size_bytes, size_t alignment_bytes,
                                                  size_t offset_bytes = 0, At at = At::kEnd);
  GuardedMemory(GuardedMemory&& other) noexcept;
  GuardedMemory& operator=(GuardedMemory&& other) noexcept;
  ~GuardedMemory();

  std::span<uint8_t> bytes() const { return {data_, size_bytes_}; }
  // For what is told of crashes: "output 0". Text beyond 40 characters is cut.
  void SetName(std::string_view name);
  // Empty if the guard bytes are intact; else "wrote past the end of" or "wrote before the start
  // of" them, without their name.
  std::string StrayWrite() const;
  // From here on a write to the bytes crashes, until they are made writable again.
  void MakeReadOnly();
  void MakeWritable();

 private:
  GuardedMemory() = default;

  uint8_t* mapping_ = nullptr;
  size_t mapping_bytes_ = 0;
  uint8_t* data_ = nullptr;
  size_t size_bytes_ = 0;
  size_t region_ = kNoGuardedRegion;
};

// Puts the constants that the op reads into such memory, at the end of pages that can't be written: who
// reads past them, or changes them, crashes. They live as long as the model's buffers.
litert::Expected<void> GuardConstants(Model& model, const Op& op);

}  // namespace npukit::conformance

#endif  // NPUKIT_CONFORMANCE_RUNNER_VENDOR_GUARDED_MEMORY_H_
