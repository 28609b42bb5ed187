// Copyright 2026 The npukit Authors.
// SPDX-License-Identifier: Apache-2.0
//
// How a library adds an accelerator made of a TFLite delegate. npukit's host runs no delegates: all
// of these fail with kLiteRtStatusErrorUnsupported, so that a program learns it when it registers
// one.

#ifndef ODML_LITERT_LITERT_C_INTERNAL_LITERT_ACCELERATOR_REGISTRATION_H_
#define ODML_LITERT_LITERT_C_INTERNAL_LITERT_ACCELERATOR_REGISTRATION_H_

#include <stdbool.h>

#include "litert/c/internal/litert_runtime_context.h"
#include "litert/c/litert_common.h"
#include "litert/c/litert_metrics.h"
#include "litert/c/litert_profiler_types.h"

#ifdef __cplusplus
extern "C" {
#endif

LiteRtStatus LiteRtCreateAccelerator(LiteRtAccelerator* accelerator);
LiteRtStatus LiteRtDestroyAccelerator(LiteRtAccelerator accelerator);
LiteRtStatus LiteRtRegisterAccelerator(LiteRtEnvironment environment, LiteRtAccelerator accelerator,
                                       void* data, void (*ReleaseData)(void*));
LiteRtStatus LiteRtSetAcceleratorGetName(LiteRtAccelerator accelerator,
                                         LiteRtStatus (*GetName)(LiteRtAccelerator accelerator,
                                                                 const char** name));
LiteRtStatus LiteRtSetAcceleratorGetVersion(
    LiteRtAccelerator accelerator,
    LiteRtStatus (*GetVersion)(LiteRtAccelerator accelerator, LiteRtApiVersion* version));
LiteRtStatus LiteRtSetAcceleratorGetHardwareSupport(
    LiteRtAccelerator accelerator,
    LiteRtStatus (*GetHardwareSupport)(LiteRtAccelerator accelerator,
                                       LiteRtHwAcceleratorSet* supported_hardware));
LiteRtStatus LiteRtSetDelegateFunction(
    LiteRtAccelerator accelerator,
    LiteRtStatus (*CreateDelegate)(LiteRtRuntimeContext* runtime_context, LiteRtEnvironment env,
                                   LiteRtAccelerator accelerator, LiteRtOptions options,
                                   LiteRtDelegateWrapper* delegate),
    void (*DestroyDelegate)(LiteRtRuntimeContext* runtime_context, LiteRtDelegateWrapper delegate));
LiteRtStatus LiteRtSetIsAcceleratorDelegateResponsibleForJitCompilation(
    LiteRtAccelerator accelerator,
    LiteRtStatus (*IsTfLiteDelegateResponsibleForJitCompilation)(LiteRtAccelerator accelerator,
                                                                 bool* does_jit_compilation));
LiteRtStatus LiteRtSetAcceleratorStartMetricsCollection(
    LiteRtAccelerator accelerator,
    LiteRtStatus (*StartMetricsCollection)(LiteRtRuntimeContext* runtime_context,
                                           LiteRtDelegateWrapper delegate, int detail_level));
LiteRtStatus LiteRtSetAcceleratorStopMetricsCollection(
    LiteRtAccelerator accelerator,
    LiteRtStatus (*StopMetricsCollection)(LiteRtRuntimeContext* runtime_context,
                                          LiteRtDelegateWrapper delegate, LiteRtMetrics metrics));
LiteRtStatus LiteRtSetAcceleratorGetHooks(
    LiteRtAccelerator accelerator,
    LiteRtStatus (*GetHooks)(LiteRtRuntimeContext* runtime_context, LiteRtDelegateWrapper delegate,
                             LiteRtHook* hook, void** user_data));

#ifdef __cplusplus
}
#endif

#endif  // ODML_LITERT_LITERT_C_INTERNAL_LITERT_ACCELERATOR_REGISTRATION_H_
