// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// Values without time: engines take turns, each running until a semaphore stops it. The
// one that RunOptions names goes on only when no other may.

#ifndef NPUKIT_SIMULATOR_DEVICE_FUNCTIONAL_RUN_H_
#define NPUKIT_SIMULATOR_DEVICE_FUNCTIONAL_RUN_H_

#include "simulator/device/simulation.h"

namespace acme {

Expected<RunResult> RunFunctional(const Program& program, const Hardware& hardware, Units& units,
                                  const RunOptions& options, RunFailure* failure);

}  // namespace acme

#endif  // NPUKIT_SIMULATOR_DEVICE_FUNCTIONAL_RUN_H_
