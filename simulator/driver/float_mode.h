// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// The chip's floating-point mode. It rounds to the nearest and has subnormals, whatever the thread that
// drives it has set: TFLite and LiteRT flush subnormals around a run, and a simulator computes there.

#ifndef NPUKIT_SIMULATOR_DRIVER_FLOAT_MODE_H_
#define NPUKIT_SIMULATOR_DRIVER_FLOAT_MODE_H_

#include <cfenv>

namespace acme {

// Of this thread, until the end of its scope; then the thread's own mode and flags are back.
class ChipFloatMode {
 public:
  ChipFloatMode() {
    std::fegetenv(&threads_own_);
    std::fesetenv(FE_DFL_ENV);
  }
  ~ChipFloatMode() { std::fesetenv(&threads_own_); }
  ChipFloatMode(const ChipFloatMode&) = delete;
  ChipFloatMode& operator=(const ChipFloatMode&) = delete;

 private:
  std::fenv_t threads_own_;
};

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DRIVER_FLOAT_MODE_H_
