// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_RUNTIME_EXECUTION_STEP_TIME_H_
#define NPUKIT_SDK_HOST_RUNTIME_EXECUTION_STEP_TIME_H_

#include <cstdint>

namespace npukit {

// When a step ran, in nanoseconds of the steady clock since the run began.
struct StepTime {
  uint64_t begin_ns = 0;
  uint64_t end_ns = 0;
};

}  // namespace npukit

#endif  // NPUKIT_SDK_HOST_RUNTIME_EXECUTION_STEP_TIME_H_
