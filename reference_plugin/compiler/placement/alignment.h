// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Where buffers begin, in DRAM and in the scratchpad.

#ifndef NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_ALIGNMENT_H_
#define NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_ALIGNMENT_H_

#include <cstdint>

namespace acme::compiler {

inline constexpr int64_t kBufferAlignBytes = 64;

// The smallest multiple of kBufferAlignBytes that is not below `bytes`.
constexpr int64_t AlignUp(int64_t bytes) {
  return (bytes + kBufferAlignBytes - 1) / kBufferAlignBytes * kBufferAlignBytes;
}

}  // namespace acme::compiler

#endif  // NPUKIT_REFERENCE_PLUGIN_COMPILER_PLACEMENT_ALIGNMENT_H_
