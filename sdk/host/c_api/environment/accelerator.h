// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0

#ifndef NPUKIT_SDK_HOST_C_API_ENVIRONMENT_ACCELERATOR_H_
#define NPUKIT_SDK_HOST_C_API_ENVIRONMENT_ACCELERATOR_H_

#include "litert/c/litert_common.h"

// What an environment can run models on; belongs to it.
class LiteRtAcceleratorT {
 public:
  LiteRtAcceleratorT(LiteRtEnvironment environment, const char* name,
                     LiteRtHwAcceleratorSet hardware)
      : environment(environment), name(name), hardware(hardware) {}

  const LiteRtEnvironment environment;
  const char* const name;
  const LiteRtHwAcceleratorSet hardware;
};

#endif  // NPUKIT_SDK_HOST_C_API_ENVIRONMENT_ACCELERATOR_H_
