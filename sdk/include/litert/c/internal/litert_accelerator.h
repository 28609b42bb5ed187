// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// What an environment can run models on. npukit's host has two: "NpuAccelerator", the plugins of
// the environment's folders, if it names any, and "CpuAccelerator", its own kernels. Both belong to
// the environment. Reading is thread-safe.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_ACCELERATOR_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_ACCELERATOR_H_

#include <stdbool.h>
#include <stddef.h>

#include "litert/c/litert_common.h"
#include "litert/c/litert_environment.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef size_t LiteRtAcceleratorId;

LiteRtStatus LiteRtGetNumAccelerators(LiteRtEnvironment environment,
                                      LiteRtParamIndex* num_accelerators);
// The one of most use first. kLiteRtStatusErrorIndexOOB past the last.
LiteRtStatus LiteRtGetAccelerator(LiteRtEnvironment environment, LiteRtParamIndex index,
                                  LiteRtAccelerator* accelerator);

// Static storage.
LiteRtStatus LiteRtGetAcceleratorName(LiteRtAcceleratorConst accelerator, char const** name);
// The index it has in its environment.
LiteRtStatus LiteRtGetAcceleratorId(LiteRtAcceleratorConst accelerator, LiteRtAcceleratorId* id);
// Of the accelerator, not of the API.
LiteRtStatus LiteRtGetAcceleratorVersion(LiteRtAcceleratorConst accelerator,
                                         LiteRtApiVersion* version);
// LiteRtHwAccelerators joined with |.
LiteRtStatus LiteRtGetAcceleratorHardwareSupport(LiteRtAcceleratorConst accelerator,
                                                 LiteRtHwAcceleratorSet* supported_hardware);
LiteRtStatus LiteRtGetAcceleratorEnvironment(LiteRtAcceleratorConst accelerator,
                                             LiteRtEnvironment* environment);
// False of both: the host compiles, not a delegate.
LiteRtStatus LiteRtIsAcceleratorDelegateResponsibleForJitCompilation(
    LiteRtAcceleratorConst accelerator, bool* does_jit_compilation);

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_ACCELERATOR_H_
